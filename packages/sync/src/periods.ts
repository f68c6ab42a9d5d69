// Decides from when each vehicle is read. Each sync rereads a little, because trips go on. From
// time to time a sync also rereads everything that may have arrived late.

import type { ContinuedStop, Stop } from 'fleet-telematics';
import { FIRST_LOOK_BACK_MS } from 'fleet-telematics/kit';
import { type Clocks, latestNow } from './clocks.js';
import { DEFAULT_SINCE_MS, MIN_LATE_MS, type SyncPlan } from './options.js';
import type { Cursor } from './target.js';

/** Begins are rounded down, so that vehicles with nearly the same begin form one period. */
const STEP_MS = 600_000;

/** Vehicles that are read from the same time, in milliseconds since 1970. */
export interface VehiclesFrom {
  readonly from: number;
  readonly vehicleIds: readonly string[];
}

/** A vehicle and its first time to read, in milliseconds since 1970. */
export interface VehicleFrom {
  readonly vehicleId: string;
  readonly from: number;
}

/** Returns each vehicle once: a service may list one again with its id in upper case. */
export function distinctVehicles({ periods }: Pick<ReadingPlan, 'periods'>): readonly VehicleFrom[] {
  const vehicles = periods.flatMap(({ from, vehicleIds }) => vehicleIds.map((vehicleId) => ({ vehicleId, from })));
  return [...new Map(vehicles.map((vehicle) => [vehicle.vehicleId.toLowerCase(), vehicle])).values()];
}

export function streamPeriod(vehicles: readonly VehicleFrom[], until: number) {
  return {
    vehicles: vehicles.map(({ vehicleId, from }) => ({ vehicleId, from: new Date(from) })),
    to: new Date(until),
  };
}

/** Cursors in the future: their number, and the latest in milliseconds since 1970. */
interface Ahead {
  readonly vehicles: number;
  readonly latest: number;
}

/** The times of a vehicle in the copy, in milliseconds since 1970. */
interface VehicleTimes {
  /** Begin of the rows in the copy. */
  readonly begin: number;
  /** End of earlier syncs. */
  readonly readUntil: number;
  /** End of the last check for late rows, if any. */
  readonly checkedUntil: number | null;
  /** True when this sync checks for late rows. */
  readonly isChecked: boolean;
}

/** State that decides, with the cursor, from when a vehicle is read. In milliseconds since 1970. */
export interface VehicleState {
  readonly newest: ReadonlyMap<string, number>;
  /** Begins of open trips or stops, by vehicle. */
  readonly openBegins: ReadonlyMap<string, number>;
  /** Open stops by vehicle; empty for other kinds. */
  readonly openStops: ReadonlyMap<string, Stop>;
}

const emptyState: VehicleState = { newest: new Map(), openBegins: new Map(), openStops: new Map() };

export interface ReadingPlan {
  readonly kind: Cursor['kind'];
  /** In milliseconds since 1970. */
  readonly until: number;
  readonly periods: readonly VehiclesFrom[];
  readonly vehicleTimes: ReadonlyMap<string, VehicleTimes>;
  /** Open stops that need no read from their start. */
  readonly continued: readonly ContinuedStop[];
  /** Written before any read, so that a sync after an interruption has the same begin. */
  readonly newCursors: readonly Cursor[];
  /** Cursors in the future by every clock: their vehicles are read again from the begin. */
  readonly futureCursors: Ahead | null;
  /** The copy is ahead of the end of this sync. */
  readonly aheadOfEnd: Ahead | null;
}

interface ReadingLimits extends Pick<SyncPlan, 'since' | 'lateMs' | 'lateEveryMs'> {
  /** Older rows are deleted. Minus infinity: no limit. */
  readonly retentionStart: number;
}

interface ReadingEnd {
  readonly until: number;
  readonly clocks: Clocks;
}

export function planReading(
  kind: Cursor['kind'],
  vehicleIds: readonly string[],
  cursors: readonly Cursor[],
  limits: ReadingLimits,
  now: ReadingEnd,
  { newest, openBegins, openStops }: VehicleState = emptyState,
): ReadingPlan {
  const { until } = now;
  const stored = new Map(cursors.filter((cursor) => cursor.kind === kind).map((cursor) => [cursor.vehicleId, cursor]));
  const periods = new Map<number, string[]>();
  const vehicleTimes = new Map<string, VehicleTimes>();
  const newCursors: Cursor[] = [];
  const futureCursors: number[] = [];
  const aheadOfEnd: number[] = [];
  const continued: ContinuedStop[] = [];
  for (const vehicleId of vehicleIds) {
    const progress = progressOf(stored.get(vehicleId), limits, now);
    const { begin, storedUntil, isAhead, isNew } = progress;
    if (isAhead) futureCursors.push(storedUntil);
    vehicleTimes.set(vehicleId, progress);
    if (isNew) newCursors.push(cursorOf({ kind, vehicleTimes }, vehicleId, { readUntil: begin, checkedUntil: null }));
    const next = nextRead(progress, limits.lateMs, {
      newest: newest.get(vehicleId) ?? Number.POSITIVE_INFINITY,
      openSince: openBegins.get(vehicleId),
      openStop: openStops.get(vehicleId),
    });
    if (next === null) continue;
    if (next.continued !== null) continued.push(next.continued);
    const same = periods.get(next.from);
    if (next.from > until) aheadOfEnd.push(storedUntil);
    else if (same) same.push(vehicleId);
    else periods.set(next.from, [vehicleId]);
  }
  return {
    kind,
    until,
    periods: [...periods].sort(([one], [other]) => one - other).map(([from, ids]) => ({ from, vehicleIds: ids })),
    vehicleTimes,
    continued,
    newCursors,
    futureCursors: aheadOf(futureCursors),
    aheadOfEnd: aheadOf(aheadOfEnd),
  };
}

/** The progress of a vehicle in the copy, in milliseconds since 1970. */
interface VehicleProgress extends VehicleTimes {
  /** End of earlier syncs by the cursor, even when it is in the future. */
  readonly storedUntil: number;
  readonly isAhead: boolean;
  /** True when the vehicle is read from its begin. */
  readonly isNew: boolean;
}

function progressOf(
  cursor: Cursor | undefined,
  { since, lateEveryMs, retentionStart }: ReadingLimits,
  { until, clocks }: ReadingEnd,
): VehicleProgress {
  const storedUntil = cursor === undefined ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readUntil);
  const isAhead = storedUntil > latestNow(clocks);
  const begun = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor.beginsAt);
  const old = isAhead && begun > latestNow(clocks) ? Number.POSITIVE_INFINITY : begun;
  const usual = old === Number.POSITIVE_INFINITY ? Math.max(retentionStart, until - DEFAULT_SINCE_MS) : old;
  const begin = Math.min(old, since ?? usual);
  const isNew = begin < old || isAhead;
  const checkedUntil = isNew ? null : checkedTime(cursor, clocks);
  const isChecked = checkedUntil === null || clocks.service - checkedUntil >= lateEveryMs;
  return { begin, readUntil: isNew ? begin : storedUntil, checkedUntil, isChecked, storedUntil, isAhead, isNew };
}

/** The rows of a vehicle that decide whether it is read again. */
interface VehicleRows {
  readonly newest: number;
  /** Begin of an open trip or stop. */
  readonly openSince: number | undefined;
  readonly openStop: Stop | undefined;
}

/** Returns the begin of the next read of a vehicle; null when nothing can have changed. */
function nextRead(
  { begin, storedUntil, checkedUntil, isChecked, isNew }: VehicleProgress,
  lateMs: number,
  { newest, openSince, openStop }: VehicleRows,
): { readonly from: number; readonly continued: ContinuedStop | null } | null {
  const start = openStop === undefined ? Number.POSITIVE_INFINITY : Date.parse(openStop.startedAt);
  // Earlier rows are no longer checked.
  const checkedFrom = checkedUntil === null ? Number.NEGATIVE_INFINITY : roundedDown(checkedUntil - lateMs);
  // The cursor of an open stop is the time of its last change, or a time before its start.
  const isContinued = openStop !== undefined && storedUntil >= start && checkedFrom >= storedUntil;
  const readTo = isContinued ? Date.parse(openStop.lastSeenAt) : Math.min(storedUntil, start - 1);
  // No rows have come since, and time alone, which can end a trip, decides nothing any more.
  if (!isChecked && openSince === undefined && newest <= readTo) return null;
  const late = isChecked ? (checkedUntil ?? storedUntil) - lateMs : Number.POSITIVE_INFINITY;
  const resumeAt = isNew ? begin : Math.min(readTo - MIN_LATE_MS, late);
  const rounded = isContinued ? checkedFrom : roundedDown(resumeAt);
  const first = openSince !== undefined && openSince < rounded - FIRST_LOOK_BACK_MS ? openSince : rounded;
  const continued = isContinued ? { stop: openStop, unchangedSince: new Date(storedUntil).toISOString() } : null;
  return { from: Math.max(begin, first), continued };
}

function roundedDown(time: number): number {
  return time - (time % STEP_MS);
}

/** Returns the time of the last check; null if it is in the future. */
function checkedTime(cursor: Cursor | undefined, clocks: Clocks): number | null {
  if (cursor === undefined || cursor.checkedUntil === null) return null;
  const checked = Date.parse(cursor.checkedUntil);
  return checked > latestNow(clocks) ? null : checked;
}

function aheadOf(times: readonly number[]): Ahead | null {
  return times.length === 0
    ? null
    : { vehicles: times.length, latest: times.reduce((one, other) => Math.max(one, other)) };
}

/** The progress of a vehicle, in milliseconds since 1970; minus infinity for a missing time. */
export interface ReadProgress {
  /** Rows come in time order: earlier ones are read. */
  readonly newestRow: number;
  /** Time that counts as read, after a read to the end. */
  readonly confirmedUntil: number;
}

/** Returns the next cursor, which never passes the newest row or the confirmed time. */
export function nextCursor(
  reading: ReadingPlan,
  vehicleId: string,
  { newestRow, confirmedUntil }: ReadProgress,
): Cursor {
  const { readUntil = Number.NEGATIVE_INFINITY, checkedUntil = null } = reading.vehicleTimes.get(vehicleId) ?? {};
  const { isChecked = false } = reading.vehicleTimes.get(vehicleId) ?? {};
  const isComplete = confirmedUntil !== Number.NEGATIVE_INFINITY;
  return cursorOf(reading, vehicleId, {
    readUntil: Math.max(readUntil, Math.min(reading.until, Math.max(newestRow, confirmedUntil))),
    checkedUntil: isComplete && isChecked ? Math.min(reading.until, confirmedUntil) : checkedUntil,
  });
}

function cursorOf(
  { kind, vehicleTimes }: Pick<ReadingPlan, 'kind' | 'vehicleTimes'>,
  vehicleId: string,
  { readUntil, checkedUntil }: { readonly readUntil: number; readonly checkedUntil: number | null },
): Cursor {
  const text = (ms: number) => new Date(ms).toISOString();
  const beginsAt = text(vehicleTimes.get(vehicleId)?.begin ?? readUntil);
  return {
    vehicleId,
    kind,
    beginsAt,
    readUntil: text(readUntil),
    checkedUntil: checkedUntil === null ? null : text(checkedUntil),
  };
}
