// Builds the map's view of a day from snapshots and the trips of `streamTrips`.

import type { Stop, TripPosition } from 'fleet-telematics';
import { FleetError } from 'fleet-telematics';
import type { Fix, Shape, TripWithDetails } from 'fleet-telematics/kit';
import {
  ActivityReader,
  defaultSegmentRules,
  FixCleaner,
  fixOf,
  GeofenceVisits,
  greatCircleKm,
  inTimeOrder,
  Readings,
  readNumber,
  readText,
  stopKind,
  type TrackSnapshot,
  timestampMs,
} from 'fleet-telematics/kit';
import type { MapDay, MapEvent, MapPlace, MapProblem, MapStop, MapTrip, MapVisit, TrackColumns } from './shapes.js';

export const trackSelection = {
  vehicleId: true,
  timestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  canBus: { canSpeed: true, canWheelSpeed: true },
  driverBehaviour: { driverBehaviourType: true, driverBehaviourValue: true },
} as const;

export interface DaySnapshot extends TrackSnapshot {
  readonly canBus?: { readonly canSpeed?: number | null; readonly canWheelSpeed?: number | null } | null;
  readonly driverBehaviour?: {
    readonly driverBehaviourType?: string | null;
    readonly driverBehaviourValue?: number | null;
  } | null;
}

export interface DayData {
  readonly trips: readonly TripWithDetails[];
  readonly rows: readonly DaySnapshot[];
  readonly notes: readonly MapProblem[];
  readonly warnings: readonly MapProblem[];
  /** The name or id of the currently assigned driver. */
  readonly assigned: string | null;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Converts ids and coordinates into names. */
export interface PlaceNaming {
  driver(driverId: string): string;
  place(position: TripPosition | null): MapPlace | null;
  /** Returns, by id, all geofences that contain one of the positions, and possibly others. */
  geofencesNear(
    positions: readonly TripPosition[],
  ): ReadonlyMap<string, { readonly name: string; readonly shape: Shape }>;
}

export function mapDay(
  vehicleId: string,
  { from, to }: Period,
  { trips, rows, notes, warnings, assigned }: DayData,
  naming: PlaceNaming,
): MapDay {
  const readings = new Readings();
  const fixes = rows.flatMap((row) => fixOf(row, readings) ?? []).sort((one, other) => one.time - other.time);
  const cleaner = new FixCleaner();
  const plausible = fixes.flatMap((fix) => cleaner.add(fix).map((one) => one.fix));
  const ordered = [...trips].sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  return {
    vehicleId,
    from,
    to,
    track: trackColumns(from, plausible),
    lastFixAt: plausible.at(-1)?.time ?? null,
    trips: ordered.map((trip) => mapTrip(trip, from, naming)),
    stops: stopsOf(vehicleId, { from, to }, rows, naming),
    events: eventsOf(rows, naming),
    visits: visitsOf(plausible, naming),
    assigned,
    notes: [...notes, ...noteOfTrack(readings)],
    warnings,
  };
}

function noteOfTrack(readings: Readings): readonly MapProblem[] {
  try {
    readings.require('position', null);
    return [];
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const message = `The track is missing. ${error.message}`;
    return [{ kind: 'trackMissing', values: {}, details: [error.message], message, hint: null }];
  }
}

function mapTrip(trip: TripWithDetails, from: number, naming: PlaceNaming): MapTrip {
  const { odometerKm, fuel } = trip.details.atEnd;
  return {
    from: Date.parse(trip.startedAt),
    to: trip.endedAt === null ? null : Date.parse(trip.endedAt),
    lastSeenAt: Date.parse(trip.lastSeenAt),
    beganBefore: !trip.isStartKnown || Date.parse(trip.startedAt) === from,
    wentOn: trip.endedBy === 'period',
    // Rounded to metres, because the page adds them up.
    km: Math.round(trip.distanceKm * 1_000) / 1_000,
    isDoubted: trip.distanceDoubt !== null,
    topSpeed: trip.topSpeedKmh,
    movingMs: Math.round(trip.movingSeconds * 1_000),
    idleMs: Math.round(trip.idleSeconds * 1_000),
    fuelUsed: trip.fuelUsed,
    isFuelInLitres: trip.fuelBy === 'canTripFuelUsed',
    odometerKm,
    tank: fuel,
    drivers: trip.driverIds.map((id) => naming.driver(id)),
    startPlace: naming.place(trip.startPosition),
    endPlace: naming.place(trip.endPosition),
  };
}

/** A vehicle that stands in the first snapshot is taken to have stood there since `from`. */
function stopsOf(
  vehicleId: string,
  { from, to }: Period,
  rows: readonly DaySnapshot[],
  naming: PlaceNaming,
): readonly MapStop[] {
  const reader = new ActivityReader(stopKind({}), { isFreeBefore: false });
  const ordered = inTimeOrder(rows, ({ timestamp }) => timestampMs(timestamp));
  const atBegin = ordered.slice(0, 1).map((first) => ({ ...first, timestamp: from, ignition: null }));
  const own = [...atBegin, ...ordered].map((row) => ({ ...row, vehicleId }));
  const stops = [...reader.takeAll(own), ...finished(reader, to)];
  return stops.flatMap(({ startedAt, endedAt, idleSeconds, position }) => {
    if (position === null) return [];
    const [begin, end] = [Date.parse(startedAt), endedAt === null ? null : Date.parse(endedAt)];
    const idleMs = idleSeconds === null ? null : Math.round(idleSeconds * 1_000);
    const place = naming.place(position);
    return [{ from: begin, beganBefore: begin === from, to: end, idleMs, ...position, place }];
  });
}

/** Returns no stops when no value was readable; the note of the track reports that. */
function finished(reader: ActivityReader<Stop>, to: number): readonly Stop[] {
  try {
    return reader.finish(to);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return [];
  }
}

/** The fixes must be in time order. */
function visitsOf(fixes: readonly Fix[], naming: PlaceNaming): readonly MapVisit[] {
  const geofences = naming.geofencesNear(fixes);
  const visits = new GeofenceVisits(geofences);
  for (const fix of fixes) visits.takePosition(fix);
  return visits.stays.map(({ geofenceId, entered, left, lastSeen }) => ({
    name: geofences.get(geofenceId)?.name ?? geofenceId,
    from: entered,
    to: left,
    lastSeenAt: lastSeen,
  }));
}

/** An event without a position of its own gets the vehicle's last position. */
export function eventsOf(rows: readonly DaySnapshot[], naming: PlaceNaming): readonly MapEvent[] {
  const timed = rows.flatMap((row) => {
    const at = timestampMs(row.timestamp);
    return at === null ? [] : [{ at, row }];
  });
  timed.sort((one, other) => one.at - other.at);
  const events: MapEvent[] = [];
  let last: Fix | null = null;
  for (const { at, row } of timed) {
    const own = fixOf(row);
    last = own ?? last;
    const type = readText(row.driverBehaviour?.driverBehaviourType);
    if (type === null || last === null) continue;
    const value = readNumber(row.driverBehaviour?.driverBehaviourValue) ?? null;
    const { latitude, longitude } = last;
    const speed = own?.speed ?? null;
    events.push({ at, latitude, longitude, type, value, speed, place: naming.place({ latitude, longitude }) });
  }
  return events;
}

/** The fixes must be in time order. */
export function trackColumns(start: number, fixes: readonly Fix[]): TrackColumns {
  const columns = {
    times: [] as number[],
    latitudes: [] as number[],
    longitudes: [] as number[],
    speeds: [] as number[],
    breaks: [] as number[],
  };
  let [time, latitude, longitude] = [0, 0, 0];
  const sent = withoutSpikes(fixes);
  const afterGap = new Set(sent.filter((fix, index) => isGap(sent[index - 1], fix)));
  for (const fix of withoutRest(sent)) {
    if (afterGap.has(fix)) columns.breaks.push(columns.times.length);
    const now = [Math.round((fix.time - start) / 1_000), unit(fix.latitude), unit(fix.longitude)] as const;
    columns.times.push(now[0] - time);
    columns.latitudes.push(now[1] - latitude);
    columns.longitudes.push(now[2] - longitude);
    columns.speeds.push(fix.speed === null ? -1 : Math.round(fix.speed));
    [time, latitude, longitude] = now;
  }
  return { start, ...columns };
}

const unit = (degrees: number) => Math.round(degrees * 100_000);

/** A jump that is faster than this and longer than the noise is an error of the receiver. */
const FASTEST_KMH = 250;
const NOISE_KM = 0.1;

function withoutSpikes(fixes: readonly Fix[]): readonly Fix[] {
  return fixes.filter((fix, index) => {
    const [before, after] = [fixes[index - 1], fixes[index + 1]];
    return !before || !after || isPossible(before, fix) || isPossible(fix, after);
  });
}

function isPossible(from: Fix, to: Fix): boolean {
  return greatCircleKm(from, to) <= NOISE_KM + (FASTEST_KMH * (to.time - from.time)) / 3_600_000;
}

/** Returns true when the vehicle sent nothing for so long that its movement is unknown. */
function isGap(before: Fix | undefined, fix: Fix): boolean {
  return before !== undefined && fix.time - before.time > defaultSegmentRules.gapMs;
}

/** Keeps only the first and last position while the vehicle stands and reports. */
function withoutRest(fixes: readonly Fix[]): readonly Fix[] {
  const isSame = (one: Fix | undefined, other: Fix | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.latitude === other.latitude &&
    one.longitude === other.longitude &&
    one.speed === other.speed &&
    !isGap(one, other);
  return fixes.filter((fix, index) => !isSame(fixes[index - 1], fix) || !isSame(fix, fixes[index + 1]));
}
