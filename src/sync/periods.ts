// From when each vehicle is read, and how far it has been read then: from where the copy ends, less the time by which snapshots may be late.
import { type Clocks, latestNow } from './clocks.js';
import { DEFAULT_SINCE_MS, type SyncPlan } from './options.js';
import type { Cursor } from './target.js';

/** Begins are rounded down to this step, so that a preview counts vehicles with nearly the same begin together. */
const STEP_MS = 600_000;

/** Vehicles that are read from the same time on. Milliseconds since 1970. */
export interface VehiclesFrom {
  readonly from: number;
  readonly vehicleIds: readonly string[];
}

/** A vehicle, and from when it is read, in milliseconds since 1970. */
export interface VehicleFrom {
  readonly vehicleId: string;
  readonly from: number;
}

/** Every vehicle that is read, each once: a service may list one again with its id in upper case. */
export function vehiclesOf({ periods }: Pick<ReadingPlan, 'periods'>): readonly VehicleFrom[] {
  const vehicles = periods.flatMap(({ from, vehicleIds }) => vehicleIds.map((vehicleId) => ({ vehicleId, from })));
  return [...new Map(vehicles.map((vehicle) => [vehicle.vehicleId.toLowerCase(), vehicle])).values()];
}

/** The same as a stream takes it. */
export function periodOf(vehicles: readonly VehicleFrom[], until: number) {
  return {
    vehicles: vehicles.map(({ vehicleId, from }) => ({ vehicleId, from: new Date(from) })),
    to: new Date(until),
  };
}

/** Cursors that are ahead of the present time: of how many vehicles, and the latest of them, in milliseconds since 1970. */
interface Ahead {
  readonly vehicles: number;
  readonly latest: number;
}

export interface ReadingPlan {
  readonly kind: Cursor['kind'];
  /** The end, in milliseconds since 1970. */
  readonly until: number;
  readonly periods: readonly VehiclesFrom[];
  /** The begin of what is kept of each vehicle, and how far it has been read before. Milliseconds since 1970. */
  readonly known: ReadonlyMap<string, { readonly begin: number; readonly readUntil: number }>;
  /** To be written before anything is read, so that a sync that goes on after an interruption has the same begin. */
  readonly newCursors: readonly Cursor[];
  /** In the future by every clock, so they are wrong, and what they say to be there may be missing: it is read again from the begin. */
  readonly takenBack: Ahead | null;
  /** The copy is ahead of the end, so nothing is read. */
  readonly notRead: Ahead | null;
}

export function readingOf(
  kind: Cursor['kind'],
  vehicleIds: readonly string[],
  cursors: readonly Cursor[],
  { since, lateMs }: Pick<SyncPlan, 'since' | 'lateMs'>,
  { until, clocks }: { readonly until: number; readonly clocks: Clocks },
): ReadingPlan {
  const stored = new Map(cursors.filter((cursor) => cursor.kind === kind).map((cursor) => [cursor.vehicleId, cursor]));
  const periods = new Map<number, string[]>();
  const known = new Map<string, { begin: number; readUntil: number }>();
  const newCursors: Cursor[] = [];
  const takenBack: number[] = [];
  const notRead: number[] = [];
  for (const vehicleId of vehicleIds) {
    const cursor = stored.get(vehicleId);
    const readUntil = cursor === undefined ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readUntil);
    const isAhead = readUntil > latestNow(clocks);
    if (isAhead) takenBack.push(readUntil);
    const begun = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor.beginsAt);
    const old = isAhead && begun > latestNow(clocks) ? Number.POSITIVE_INFINITY : begun;
    const begin = Math.min(old, since ?? (old === Number.POSITIVE_INFINITY ? until - DEFAULT_SINCE_MS : old));
    const isNew = begin < old || isAhead;
    const goesOn = isNew ? begin : readUntil - lateMs;
    const from = Math.max(begin, goesOn - (goesOn % STEP_MS));
    known.set(vehicleId, { begin, readUntil: isNew ? begin : readUntil });
    if (isNew) newCursors.push(cursorOf({ kind, known }, vehicleId, begin));
    if (from > until) {
      notRead.push(readUntil);
      continue;
    }
    const same = periods.get(from);
    if (same) same.push(vehicleId);
    else periods.set(from, [vehicleId]);
  }
  return {
    kind,
    until,
    periods: [...periods].sort(([one], [other]) => one - other).map(([from, ids]) => ({ from, vehicleIds: ids })),
    known,
    newCursors,
    takenBack: aheadOf(takenBack),
    notRead: aheadOf(notRead),
  };
}

function aheadOf(times: readonly number[]): Ahead | null {
  return times.length === 0
    ? null
    : { vehicles: times.length, latest: times.reduce((one, other) => Math.max(one, other)) };
}

/** What has been read of a vehicle now. Milliseconds since 1970; minus infinity for a time that there is not. */
export interface Reached {
  /** The time of its newest row: rows come in order of time, so everything before has been read. */
  readonly newestRow: number;
  /** For a vehicle that was read to the end: up to when that counts without rows. */
  readonly vouched: number;
}

/** The cursor of a vehicle never passes what rows or clocks vouch for, and goes back only where `cursorOf` is told to. */
export function reachedCursor(reading: ReadingPlan, vehicleId: string, { newestRow, vouched }: Reached): Cursor {
  const before = reading.known.get(vehicleId)?.readUntil ?? Number.NEGATIVE_INFINITY;
  return cursorOf(reading, vehicleId, Math.max(before, Math.min(reading.until, Math.max(newestRow, vouched))));
}

export function cursorOf(
  { kind, known }: Pick<ReadingPlan, 'kind' | 'known'>,
  vehicleId: string,
  readUntil: number,
): Cursor {
  const beginsAt = new Date(known.get(vehicleId)?.begin ?? readUntil).toISOString();
  return { vehicleId, kind, beginsAt, readUntil: new Date(readUntil).toISOString() };
}
