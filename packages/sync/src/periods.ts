// From when each vehicle is read, and how far it has been read then. What can still change is read again: a little before the end of the copy in
// each sync, because trips go on; and from time to time everything that may have arrived late since it was looked for.

import type { ContinuedStop, Stop } from 'fleet-telematics';
import { FIRST_LOOK_BACK_MS } from 'fleet-telematics/kit';
import { type Clocks, latestNow } from './clocks.js';
import { DEFAULT_SINCE_MS, MIN_LATE_MS, type SyncPlan } from './options.js';
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

/** What the copy has of a vehicle. Milliseconds since 1970. */
interface KnownVehicle {
  /** The begin of what is kept. */
  readonly begin: number;
  /** How far it has been read before. */
  readonly readUntil: number;
  /** Up to when late rows were looked for before; null when they were not. */
  readonly checkedUntil: number | null;
  /** Whether they are looked for now. */
  readonly isChecked: boolean;
}

/** What tells that a vehicle need not be read, or from where, besides its cursor. Milliseconds since 1970. */
export interface VehicleState {
  /** When the newest snapshot of each vehicle was recorded. */
  readonly newest: ReadonlyMap<string, number>;
  /** The begin of the open trip or stop of each vehicle, by the copy. */
  readonly openBegins: ReadonlyMap<string, number>;
  /** The open stop of each vehicle, by the copy; empty for other kinds. */
  readonly openStops: ReadonlyMap<string, Stop>;
}

const nothingKnown: VehicleState = { newest: new Map(), openBegins: new Map(), openStops: new Map() };

export interface ReadingPlan {
  readonly kind: Cursor['kind'];
  /** The end, in milliseconds since 1970. */
  readonly until: number;
  readonly periods: readonly VehiclesFrom[];
  readonly known: ReadonlyMap<string, KnownVehicle>;
  /** The open stops of the copy that continue, so that they are not read from their starts. */
  readonly continued: readonly ContinuedStop[];
  /** To be written before anything is read, so that a sync that goes on after an interruption has the same begin. */
  readonly newCursors: readonly Cursor[];
  /** In the future by every clock, so they are wrong, and what they say to be there may be missing: it is read again from the begin. */
  readonly takenBack: Ahead | null;
  /** The copy is ahead of the end, so nothing is read. */
  readonly notRead: Ahead | null;
}

interface KeptRows {
  /** Rows from before are deleted; minus infinity when all are kept. */
  readonly keptFrom: number;
}

export function readingOf(
  kind: Cursor['kind'],
  vehicleIds: readonly string[],
  cursors: readonly Cursor[],
  { since, lateMs, lateEveryMs, keptFrom }: Pick<SyncPlan, 'since' | 'lateMs' | 'lateEveryMs'> & KeptRows,
  { until, clocks }: { readonly until: number; readonly clocks: Clocks },
  { newest, openBegins, openStops }: VehicleState = nothingKnown,
): ReadingPlan {
  const stored = new Map(cursors.filter((cursor) => cursor.kind === kind).map((cursor) => [cursor.vehicleId, cursor]));
  const periods = new Map<number, string[]>();
  const known = new Map<string, KnownVehicle>();
  const newCursors: Cursor[] = [];
  const takenBack: number[] = [];
  const notRead: number[] = [];
  const continued: ContinuedStop[] = [];
  for (const vehicleId of vehicleIds) {
    const cursor = stored.get(vehicleId);
    const readUntil = cursor === undefined ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readUntil);
    const isAhead = readUntil > latestNow(clocks);
    if (isAhead) takenBack.push(readUntil);
    const begun = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor.beginsAt);
    const old = isAhead && begun > latestNow(clocks) ? Number.POSITIVE_INFINITY : begun;
    const begin = Math.min(
      old,
      since ?? (old === Number.POSITIVE_INFINITY ? Math.max(keptFrom, until - DEFAULT_SINCE_MS) : old),
    );
    const isNew = begin < old || isAhead;
    const checkedUntil = isNew ? null : checkedTime(cursor, clocks);
    const isChecked = checkedUntil === null || clocks.service - checkedUntil >= lateEveryMs;
    known.set(vehicleId, { begin, readUntil: isNew ? begin : readUntil, checkedUntil, isChecked });
    if (isNew) newCursors.push(cursorOf({ kind, known }, vehicleId, { readUntil: begin, checkedUntil: null }));
    const openSince = openBegins.get(vehicleId);
    const openStop = openStops.get(vehicleId);
    const start = openStop === undefined ? Number.POSITIVE_INFINITY : Date.parse(openStop.startedAt);
    // Rows from before this time are not looked for any more.
    const settled = checkedUntil === null || isNew ? Number.NEGATIVE_INFINITY : roundedDown(checkedUntil - lateMs);
    // The cursor of an open stop: since when it has not changed, or a time before its start.
    const isContinued = openStop !== undefined && readUntil >= start && settled >= readUntil;
    const readTo = isContinued ? Date.parse(openStop.lastSeenAt) : Math.min(readUntil, start - 1);
    // Nothing has come since, and whatever time alone decides, such as the end of a trip, is decided.
    if (!isChecked && openSince === undefined && (newest.get(vehicleId) ?? Number.POSITIVE_INFINITY) <= readTo)
      continue;
    if (isContinued) continued.push({ stop: openStop, unchangedSince: new Date(readUntil).toISOString() });
    const late = isChecked ? (checkedUntil ?? readUntil) - lateMs : Number.POSITIVE_INFINITY;
    const goesOn = isNew ? begin : Math.min(readTo - MIN_LATE_MS, late);
    const rounded = isContinued ? settled : roundedDown(goesOn);
    const from = Math.max(
      begin,
      openSince !== undefined && openSince < rounded - FIRST_LOOK_BACK_MS ? openSince : rounded,
    );
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
    continued,
    newCursors,
    takenBack: aheadOf(takenBack),
    notRead: aheadOf(notRead),
  };
}

function roundedDown(time: number): number {
  return time - (time % STEP_MS);
}

/** A time that has not come says nothing. */
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

/** What has been read of a vehicle now. Milliseconds since 1970; minus infinity for a time that there is not. */
export interface Reached {
  /** The time of its newest row: rows come in order of time, so everything before has been read. */
  readonly newestRow: number;
  /** For a vehicle that was read to the end: up to when that counts without rows. */
  readonly vouched: number;
}

/** The cursor of a vehicle never passes what rows or clocks vouch for, and goes back only where `cursorOf` is told to. */
export function reachedCursor(reading: ReadingPlan, vehicleId: string, { newestRow, vouched }: Reached): Cursor {
  const { readUntil = Number.NEGATIVE_INFINITY, checkedUntil = null } = reading.known.get(vehicleId) ?? {};
  const { isChecked = false } = reading.known.get(vehicleId) ?? {};
  const isComplete = vouched !== Number.NEGATIVE_INFINITY;
  return cursorOf(reading, vehicleId, {
    readUntil: Math.max(readUntil, Math.min(reading.until, Math.max(newestRow, vouched))),
    checkedUntil: isComplete && isChecked ? Math.min(reading.until, vouched) : checkedUntil,
  });
}

function cursorOf(
  { kind, known }: Pick<ReadingPlan, 'kind' | 'known'>,
  vehicleId: string,
  { readUntil, checkedUntil }: { readonly readUntil: number; readonly checkedUntil: number | null },
): Cursor {
  const text = (ms: number) => new Date(ms).toISOString();
  const beginsAt = text(known.get(vehicleId)?.begin ?? readUntil);
  return {
    vehicleId,
    kind,
    beginsAt,
    readUntil: text(readUntil),
    checkedUntil: checkedUntil === null ? null : text(checkedUntil),
  };
}
