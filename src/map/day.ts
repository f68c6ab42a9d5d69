// From the snapshots of a vehicle to what the map shows of them: the track, trips, stops and driver behaviour events.
import { FleetError } from '../core/errors.js';
import { greatCircleKm } from '../core/geo.js';
import type { Warning } from '../core/hooks.js';
import { Readings, readNumber, readText } from '../telemetry/readings.js';
import { timestampMs } from '../telemetry/timestamps.js';
import { type Fix, fixOf, type TrackSnapshot } from '../telemetry/tracks/fix.js';
import { FixCleaner } from '../telemetry/tracks/fix-cleaner.js';
import { defaultSegmentRules } from '../telemetry/tracks/segments.js';
import type { Trip, TripSnapshot } from '../telemetry/trips/trip.js';
import { tripSelection } from '../telemetry/trips/trip-selection.js';
import { tripsFrom } from '../telemetry/trips/trips-from.js';
import type { MapDay, MapEvent, MapStop, MapTrip, TrackColumns } from './shapes.js';

/** The fields of a snapshot that a day is made of. */
export const daySelection = {
  ...tripSelection,
  driverBehaviour: { driverBehaviourType: true, driverBehaviourValue: true },
} as const;

export interface DaySnapshot extends Omit<TripSnapshot, 'gps' | 'ignition' | 'driverBehaviour'>, TrackSnapshot {
  readonly driverBehaviour?: {
    readonly driverBehaviourType?: string | null;
    readonly driverBehaviourValue?: number | null;
  } | null;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** `nameOf` gives the name of a driver, or the id. */
export async function mapDay(
  vehicleId: string,
  { from, to }: Period,
  rows: readonly DaySnapshot[],
  nameOf: (driverId: string) => string,
): Promise<MapDay> {
  const notes: string[] = [];
  const warnings: string[] = [];
  const readings = new Readings();
  const fixes = rows.flatMap((row) => fixOf(row, readings) ?? []).sort((one, other) => one.time - other.time);
  const cleaner = new FixCleaner();
  const believed = fixes.flatMap((fix) => cleaner.add(fix).map((one) => one.fix));
  const trips: Trip[] = [];
  try {
    const onWarning = ({ message }: Pick<Warning, 'message'>) => void warnings.push(message);
    for await (const trip of tripsFrom(rows, { onWarning })) trips.push(trip);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    notes.push(`The trips are missing. ${error.message}`);
  }
  try {
    readings.require('position', null);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    notes.push(`The track is missing. ${error.message}`);
  }
  trips.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  return {
    vehicleId,
    from,
    to,
    track: trackColumns(from, believed),
    trips: trips.map((trip) => mapTrip(trip, nameOf)),
    stops: stopsOf(trips),
    events: eventsOf(rows),
    assigned: null,
    notes,
    warnings,
  };
}

function mapTrip(trip: Trip, nameOf: (driverId: string) => string): MapTrip {
  return {
    from: Date.parse(trip.startedAt),
    to: trip.endedAt === null ? null : Date.parse(trip.endedAt),
    lastSeenAt: Date.parse(trip.lastSeenAt),
    isStartKnown: trip.isStartKnown,
    km: Math.round(trip.distanceKm * 10) / 10,
    isDoubted: trip.distanceDoubt !== null,
    topSpeed: trip.topSpeedKmh,
    drivers: trip.driverIds.map(nameOf),
  };
}

/** Where each trip ended, until the next one began. Shorter stands belong to the traffic. */
function stopsOf(trips: readonly Trip[], leastMs = 180_000): readonly MapStop[] {
  return trips.flatMap(({ endedAt, endPosition }, index) => {
    if (endedAt === null || endPosition === null) return [];
    const next = trips[index + 1];
    const [from, to] = [Date.parse(endedAt), next === undefined ? null : Date.parse(next.startedAt)];
    if (to !== null && to - from < leastMs) return [];
    return [{ from, to, latitude: endPosition.latitude, longitude: endPosition.longitude }];
  });
}

/** An event without a position of its own is where the vehicle was last. */
export function eventsOf(rows: readonly DaySnapshot[]): readonly MapEvent[] {
  const timed = rows.flatMap((row) => {
    const at = timestampMs(row.timestamp);
    return at === null ? [] : [{ at, row }];
  });
  timed.sort((one, other) => one.at - other.at);
  const events: MapEvent[] = [];
  let last: Fix | null = null;
  for (const { at, row } of timed) {
    last = fixOf(row) ?? last;
    const type = readText(row.driverBehaviour?.driverBehaviourType);
    if (type === null || last === null) continue;
    const value = readNumber(row.driverBehaviour?.driverBehaviourValue) ?? null;
    events.push({ at, latitude: last.latitude, longitude: last.longitude, type, value });
  }
  return events;
}

/** The fixes must be in order of time. */
export function trackColumns(start: number, fixes: readonly Fix[]): TrackColumns {
  const columns = {
    times: [] as number[],
    latitudes: [] as number[],
    longitudes: [] as number[],
    speeds: [] as number[],
    breaks: [] as number[],
  };
  let [time, latitude, longitude] = [0, 0, 0];
  let previous: Fix | null = null;
  for (const fix of withoutRest(withoutSpikes(fixes))) {
    if (previous !== null && fix.time - previous.time > defaultSegmentRules.gapMs)
      columns.breaks.push(columns.times.length);
    const now = [Math.round((fix.time - start) / 1_000), unit(fix.latitude), unit(fix.longitude)] as const;
    columns.times.push(now[0] - time);
    columns.latitudes.push(now[1] - latitude);
    columns.longitudes.push(now[2] - longitude);
    columns.speeds.push(fix.speed === null ? -1 : Math.round(fix.speed));
    [time, latitude, longitude] = now;
    previous = fix;
  }
  return { start, ...columns };
}

const unit = (degrees: number) => Math.round(degrees * 100_000);

/** Faster than this, and farther than the noise, a vehicle has not been there. */
const FASTEST_KMH = 250;
const NOISE_KM = 0.1;

/** Leaves out single positions that the vehicle can neither have come to nor gone on from. */
function withoutSpikes(fixes: readonly Fix[]): readonly Fix[] {
  return fixes.filter((fix, index) => {
    const [before, after] = [fixes[index - 1], fixes[index + 1]];
    return !before || !after || isPossible(before, fix) || isPossible(fix, after);
  });
}

function isPossible(from: Fix, to: Fix): boolean {
  return greatCircleKm(from, to) <= NOISE_KM + (FASTEST_KMH * (to.time - from.time)) / 3_600_000;
}

/** Of a standing vehicle the first and the last position stay. */
function withoutRest(fixes: readonly Fix[]): readonly Fix[] {
  const isSame = (one: Fix | undefined, other: Fix) =>
    one !== undefined &&
    one.latitude === other.latitude &&
    one.longitude === other.longitude &&
    one.speed === other.speed;
  return fixes.filter((fix, index) => !isSame(fixes[index - 1], fix) || !isSame(fixes[index + 1], fix));
}
