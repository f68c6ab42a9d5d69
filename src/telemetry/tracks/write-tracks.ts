/**
 * Writes snapshots and trips as GeoJSON, GPX or KML, in chunks of text while the rows arrive.
 * @module fleet-telematics/tracks
 */
import { type Checks, checkOptions, demand, flag, numberFrom, oneOf } from '../../core/option-checks.js';
import { Readings } from '../readings.js';
import { inTimeOrder } from '../time-order.js';
import { timestampMs } from '../timestamps.js';
import { snapshotPoint, type TrackTrip, tripLine } from './features.js';
import { fixOf, type TrackSnapshot } from './fix.js';
import { geoJsonOf } from './geojson.js';
import { gpxOf } from './gpx.js';
import { kmlOf } from './kml.js';
import type { Items, MapFeature, MapItem } from './map-item.js';
import type { Fix } from './position-fix.js';
import { defaultSegmentRules, segmentsOf } from './segments.js';

/** The options of `toGeoJson`, `toGpx` and `toKml`. */
export interface TrackOptions {
  /**
   * `track` (the default) joins the snapshots of a vehicle to lines; `points` writes each snapshot
   * as a point. Trips are always lines: along their `track` (`withTrack: true` of `streamTrips` and
   * `tripsFrom`), else from start to end.
   */
  readonly as?: 'track' | 'points' | undefined;
  /** The name of the vehicle on the map: a text, or a function of its id. Default: the id. */
  readonly name?: string | ((vehicleId: string | null) => string | null | undefined) | undefined;
  /** A longer silence, in milliseconds, begins a new segment. Default 1800000: half an hour. */
  readonly gapMs?: number | undefined;
  /**
   * True begins a new segment when the ignition is switched on again. Fixes of a parked vehicle
   * then belong to the segment that ended there, even after long silences. Default true.
   */
  readonly splitAtIgnitionOff?: boolean | undefined;
  /** Snapshots late by up to this are sorted, later ones dropped; milliseconds. Default 60000. */
  readonly lateMs?: number | undefined;
}

/** A snapshot of `getSnapshots`, `getLatestSnapshots` or `streamSnapshots`, or a trip. */
export type TrackRow = TrackSnapshot | TrackTrip;

/**
 * Writes snapshots or trips as one GeoJSON FeatureCollection (RFC 7946).
 *
 * Each segment of a track is a Feature, so that memory stays bounded: a LineString, or a Point for
 * a single fix. Its properties are `vehicleId`, `name`, `segment`, `startedAt`, `endedAt`, and for
 * each position `coordTimes` (RFC 3339), `speeds` (km/h) and `directions` (degrees). A line across
 * the antimeridian is a MultiLineString, cut at 180 degrees; these three are then lists of lists.
 * Snapshots without a position, with 0,0 or with `gps.state` false are left out. A segment of more
 * than 5000 fixes is split; the next one begins with its last fix.
 *
 * @param rows the rows of one or several vehicles. Rows of different vehicles must not alternate,
 * except with `as: 'points'`.
 * @returns the text in chunks. `rows` is read as fast as the chunks are.
 * @throws {InvalidInputError} when an option is invalid; and any error of `rows`.
 */
export function toGeoJson(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return geoJsonOf(trackItems(rows, options));
}

/**
 * Writes snapshots or trips as GPX 1.1: a track for each vehicle with its segments, a track for
 * each trip, or waypoints with `as: 'points'`. Speed (m/s) and course are in Garmin's
 * TrackPointExtension v2.
 *
 * @param rows as for `toGeoJson`; the same rows are left out.
 * @returns the text in chunks.
 * @throws {InvalidInputError} when an option is invalid; and any error of `rows`.
 */
export function toGpx(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return gpxOf(trackItems(rows, options));
}

/**
 * Writes snapshots or trips as KML 2.2: a placemark with a `gx:Track` for each segment (time,
 * altitude, direction and speed of each position), a line for each trip, or points with
 * `as: 'points'`.
 *
 * @param rows as for `toGeoJson`; the same rows are left out.
 * @returns the text in chunks.
 * @throws {InvalidInputError} when an option is invalid; and any error of `rows`.
 */
export function toKml(rows: Items<TrackRow>, options: TrackOptions = {}): AsyncIterable<string> {
  return kmlOf(trackItems(rows, options));
}

const checks: Checks<keyof TrackOptions> = {
  as: oneOf('track', 'points'),
  name: demand((value) => typeof value === 'string' || typeof value === 'function', 'a text or a function'),
  gapMs: numberFrom(0),
  splitAtIgnitionOff: flag,
  lateMs: numberFrom(0),
};

function trackItems(rows: Items<TrackRow>, options: TrackOptions | null): AsyncIterable<MapItem> {
  checkOptions(options ?? {}, checks, 'tracks');
  const {
    as,
    name,
    gapMs = defaultSegmentRules.gapMs,
    splitAtIgnitionOff = defaultSegmentRules.splitAtIgnitionOff,
    lateMs = defaultSegmentRules.lateMs,
  } = options ?? {};
  const nameOf = (vehicleId: string | null) => (typeof name === 'function' ? name(vehicleId) : name) ?? null;
  const readings = new Readings();
  const toItem = (row: TrackSnapshot) =>
    as === 'points' ? snapshotPoint(row, nameOf(row.vehicleId ?? null), readings) : fixOf(row, readings);
  const items = toTrackItems(rows, toItem, nameOf, readings);
  return segmentsOf(items, { gapMs, splitAtIgnitionOff, lateMs, nameOf });
}

async function* toTrackItems(
  rows: Items<TrackRow>,
  toItem: (row: TrackSnapshot) => Fix | MapFeature | null,
  nameOf: (vehicleId: string | null) => string | null,
  readings: Readings,
): AsyncGenerator<Fix | MapFeature, void> {
  for await (const row of Array.isArray(rows) ? sortRuns(rows) : rows) {
    const place = isTrip(row) ? tripLine(row, nameOf(row.vehicleId)) : toItem(row);
    if (place !== null) yield place;
  }
  // Otherwise the map would be empty, as if the vehicle had no positions.
  readings.require('position', null);
}

/** Sorts each run of rows of one vehicle by time. Trips keep their place. */
function sortRuns(rows: readonly TrackRow[]): readonly TrackRow[] {
  const runs: TrackRow[][] = [];
  for (const row of rows) {
    const before = runs.at(-1)?.[0];
    const isSameVehicle = before && !isTrip(row) && !isTrip(before) && before.vehicleId === row.vehicleId;
    if (isSameVehicle) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => inTimeOrder(run, (row) => (isTrip(row) ? null : timestampMs(row.timestamp))));
}

function isTrip(row: TrackRow): row is TrackTrip {
  return 'startedAt' in row;
}
