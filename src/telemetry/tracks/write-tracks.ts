// Snapshots and trips as GeoJSON, GPX or KML, text by text while the rows come: what the package offers for maps.
import { InvalidInputError } from '../../core/errors.js';
import { type Fix, fixOf, type TrackSnapshot } from './fix.js';
import { geoJsonOf } from './geojson.js';
import { gpxOf } from './gpx.js';
import { kmlOf } from './kml.js';
import type { Items, MapFeature, MapItem } from './map-item.js';
import { snapshotPoint, type TrackTrip, tripLine } from './places.js';
import { segmentsOf } from './segments.js';

/** How rows become a map. */
export interface TrackOptions {
  /**
   * `track` (the default) joins the snapshots of a vehicle to lines; `points` makes each snapshot a point of its own. Trips are
   * always lines from where they start to where they end.
   */
  readonly as?: 'track' | 'points' | undefined;
  /** How the vehicle is called on the map: a text, or a function from its id. Without it tracks carry the id. */
  readonly name?: string | ((vehicleId: string | null) => string | null | undefined) | undefined;
  /** A silence longer than this begins a new segment, in milliseconds. Default 1800000: half an hour. */
  readonly gapMs?: number | undefined;
  /**
   * Whether a new segment begins when the ignition is switched on again. Then what a parked vehicle sends belongs to the
   * segment that ended there, however far apart it comes. Default true.
   */
  readonly splitAtIgnitionOff?: boolean | undefined;
  /** Snapshots that come late by no more than this are put in order, in milliseconds; later ones are left out. Default 60000. */
  readonly lateMs?: number | undefined;
}

/** What can be written: snapshots as `getSnapshots`, `getLatestSnapshots` and `streamSnapshots` give them, or trips. */
export type TrackRow = TrackSnapshot | TrackTrip;

/**
 * Writes snapshots or trips as one GeoJSON FeatureCollection (RFC 7946).
 *
 * A track is a Feature for each segment, so that memory stays the same however many rows there are: a LineString (a Point, when
 * there is a single fix) with the properties `vehicleId`, `name`, `segment`, `startedAt`, `endedAt`, and for each position
 * `coordTimes` (RFC 3339), `speeds` (km/h) and `directions` (degrees). Snapshots without a position, with 0,0 or with
 * `gps.state` false are left out. Segments of more than 5000 fixes are cut; the next one begins where the one before ends.
 *
 * @param rows the rows of one vehicle after each other; from several vehicles only when they do not alternate, unless
 *   `as: 'points'`.
 * @returns pieces of the text, to be written in this order. Reads `rows` as fast as it is read itself.
 * @throws {InvalidInputError} when an option cannot be used; whatever `rows` throws.
 */
export function writeGeoJson(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return geoJsonOf(itemsOf(rows, options));
}

/**
 * Writes snapshots or trips as GPX 1.1: a track for each vehicle with its segments, a track for each trip, or waypoints with
 * `as: 'points'`. Altitude and time are GPX's own; speed (m/s) and course are in Garmin's TrackPointExtension v2.
 *
 * @param rows as for `writeGeoJson`, and the same are left out.
 * @returns pieces of the text, to be written in this order.
 * @throws {InvalidInputError} when an option cannot be used; whatever `rows` throws.
 */
export function writeGpx(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return gpxOf(itemsOf(rows, options));
}

/**
 * Writes snapshots or trips as KML 2.2: a placemark with a `gx:Track` for each segment (time, altitude, direction and speed of
 * each position), a line for each trip, or points with `as: 'points'`.
 *
 * @param rows as for `writeGeoJson`, and the same are left out.
 * @returns pieces of the text, to be written in this order.
 * @throws {InvalidInputError} when an option cannot be used; whatever `rows` throws.
 */
export function writeKml(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return kmlOf(itemsOf(rows, options));
}

const optionNames: readonly string[] = [
  'as',
  'name',
  'gapMs',
  'splitAtIgnitionOff',
  'lateMs',
] satisfies (keyof TrackOptions)[];

function itemsOf(rows: Items<TrackRow>, options: TrackOptions | null): AsyncIterable<MapItem> {
  if (Object.keys(options ?? {}).some((option) => !optionNames.includes(option))) {
    throw new InvalidInputError(`Tracks have no option of this name; there are ${optionNames.join(', ')}.`);
  }
  const { as = 'track', name, gapMs = 1_800_000, splitAtIgnitionOff = true, lateMs = 60_000 } = options ?? {};
  if (as !== 'track' && as !== 'points') {
    throw new InvalidInputError('The option `as` of a track must be "track" or "points".');
  }
  for (const [option, value] of Object.entries({ gapMs, lateMs })) {
    if (typeof value === 'number' && value >= 0) continue;
    throw new InvalidInputError(`The option ${option} of a track must be a number of 0 or more.`);
  }
  if (typeof splitAtIgnitionOff !== 'boolean') {
    throw new InvalidInputError('The option splitAtIgnitionOff of a track must be true or false.');
  }
  const nameOf = (vehicleId: string | null) => (typeof name === 'function' ? name(vehicleId) : name) ?? null;
  const placeOf = as === 'points' ? (row: TrackSnapshot) => snapshotPoint(row, nameOf(row.vehicleId ?? null)) : fixOf;
  return segmentsOf(placed(rows, placeOf, nameOf), { gapMs, splitAtIgnitionOff, lateMs, nameOf });
}

async function* placed(
  rows: Items<TrackRow>,
  placeOf: (row: TrackSnapshot) => Fix | MapFeature | null,
  nameOf: (vehicleId: string | null) => string | null,
): AsyncGenerator<Fix | MapFeature, void> {
  for await (const row of rows) {
    const place = isTrip(row) ? tripLine(row, nameOf(row.vehicleId)) : placeOf(row);
    if (place !== null) yield place;
  }
}

function isTrip(row: TrackRow): row is TrackTrip {
  return 'startedAt' in row;
}
