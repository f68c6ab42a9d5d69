// Finds the trips or stops of vehicles in streams of their snapshots. Reading begins some time
// before the period, to find an activity that was in progress. When that time is not enough,
// earlier snapshots or the whole vehicle are read again from further back.
import { FleetError, type VehicleFailure } from '../../core/errors.js';
import type { Warning } from '../../core/hooks.js';
import type { DeviceClocks } from '../device-clocks.js';
import type { Period } from '../period.js';
import type { VehicleRows } from '../streams/snapshot-reader.js';
import type { VehicleInPeriod } from '../streams/vehicles-in-period.js';
import { isoTime, timestampMs } from '../timestamps.js';
import type { TripSnapshot } from '../trips/trip.js';
import type { Activity, ActivityKind, Clip } from './activity.js';
import { ActivityReader } from './activity-reader.js';

const operation = 'getSnapshots';
/** The time before the period at which reading of trips begins. */
export const FIRST_LOOK_BACK_MS = 3_600_000;

export interface VehicleToRead extends VehicleInPeriod {
  /** The minimum period to read. */
  readonly period: Period;
  /** Activities are cut to it; left out for whole ones. */
  readonly clip?: Clip | undefined;
}

export type ReadSnapshots = (vehicles: readonly VehicleInPeriod[]) => {
  readonly rows: AsyncIterable<VehicleRows>;
  /** Stops reading this vehicle. */
  readonly skip: (vehicleId: string) => void;
};

/** The result of a vehicle that was read to its end. */
export interface FinishedVehicle {
  readonly vehicleId: string;
  /** The start of the next read. */
  readonly until: string;
  /** As in `ContinuedStop`. */
  readonly unchangedSince: string | null;
}

export interface ActivityDependencies {
  readonly read: ReadSnapshots;
  /** The service's time. */
  readonly now: () => number;
  readonly clocks: DeviceClocks;
  readonly warn: (event: Warning) => void;
  readonly onFailure: (failure: VehicleFailure) => unknown;
  /** Called after the last activity of a vehicle. */
  readonly onComplete: (vehicle: FinishedVehicle) => unknown;
}

/** Returns the end of reading: later snapshots show if the last activity continued. */
export function endOfReading({ to }: Period, { readAheadMs }: { readonly readAheadMs: number }, now: number): number {
  return Math.max(to, Math.min(to + readAheadMs, now));
}

/** Yields the activities. `lookBacks` is not empty; the last one accepts an unknown start. */
export async function* activitiesOfVehicles<Found extends Activity>(
  requested: readonly VehicleToRead[],
  kind: ActivityKind<Found>,
  dependencies: ActivityDependencies,
  lookBacks: readonly number[],
): AsyncGenerator<Found, void, undefined> {
  const read = new LookBackRead(requested, kind, dependencies, lookBacks);
  yield* read.read();
  yield* read.confirm();
  const { inProgress, unknown } = read;
  if (inProgress.length > 0) yield* activitiesOfVehicles(inProgress, kind, dependencies, lookBacks.slice(1));
  if (unknown.length > 0) yield* activitiesOfVehicles(unknown, kind, dependencies, lookBacks.slice(-1));
}

/** Reads vehicles with one look-back, and finds the ones that must be read from further back. */
class LookBackRead<Found extends Activity> {
  /** Vehicles to read again: an activity was in progress before the look-back. */
  readonly inProgress: VehicleToRead[] = [];
  /** Vehicles to read again: no look-back shows their beginning. */
  readonly unknown: VehicleToRead[] = [];
  readonly #requested: readonly VehicleToRead[];
  readonly #kind: ActivityKind<Found>;
  readonly #dependencies: ActivityDependencies;
  readonly #lookBack: number;
  readonly #longer: readonly number[];
  readonly #snapshots: ReturnType<ReadSnapshots>;
  readonly #vehicles = new Map<string, VehicleReading<Found>>();
  readonly #unconfirmed = new Map<string, VehicleReading<Found>>();

  constructor(
    requested: readonly VehicleToRead[],
    kind: ActivityKind<Found>,
    dependencies: ActivityDependencies,
    [lookBack = 0, ...longer]: readonly number[],
  ) {
    this.#requested = requested;
    this.#kind = kind;
    this.#dependencies = dependencies;
    this.#lookBack = lookBack;
    this.#longer = longer;
    this.#snapshots = dependencies.read(
      requested.map((one) => from(one, kind.continues?.(one.vehicleId) ? 0 : lookBack)),
    );
  }

  async *read(): AsyncGenerator<Found, void, undefined> {
    const requestedById = new Map(this.#requested.map((one) => [one.vehicleId, one]));
    for await (const part of this.#snapshots.rows) {
      const { vehicleId } = part;
      const one = requestedById.get(vehicleId);
      if (one === undefined) continue;
      const vehicle =
        this.#vehicles.get(vehicleId) ?? new VehicleReading(one, this.#kind, this.#lookBack, this.#longer.length === 0);
      this.#vehicles.set(vehicleId, vehicle);
      try {
        yield* this.#take(part, one, vehicle);
      } catch (error) {
        if (!(error instanceof FleetError)) throw error;
        this.#skip(vehicleId);
        const resumeFrom = one.period.text(one.period.from);
        await this.#dependencies.onFailure({ vehicleId, error, rowsGiven: vehicle.deliveredCount, resumeFrom });
      }
    }
  }

  async *#take(
    { vehicleId, rows, end }: VehicleRows,
    one: VehicleToRead,
    vehicle: VehicleReading<Found>,
  ): AsyncGenerator<Found, void, undefined> {
    const { clocks, now, onFailure } = this.#dependencies;
    // Safe cast: the selection of trips contains every field of TripSnapshot.
    yield* vehicle.take(rows as readonly TripSnapshot[]);
    if (end !== null && 'error' in end) {
      this.#vehicles.delete(vehicleId);
      await onFailure({ ...end, rowsGiven: vehicle.deliveredCount, resumeFrom: vehicle.resumeFrom(end.resumeFrom) });
      return;
    }
    clocks.take(operation, vehicleId, rows.at(-1));
    if (end !== null) yield* vehicle.finish(now(), end.until);
    if (vehicle.isInProgress) {
      this.#skip(vehicleId);
      this.inProgress.push(one);
    } else if (end !== null) {
      this.#vehicles.delete(vehicleId);
      if (vehicle.isUnconfirmed) this.#unconfirmed.set(vehicleId, vehicle);
      else await complete(vehicleId, vehicle, this.#dependencies);
    } else if (vehicle.isUnconfirmed && this.#requested.length === 1) yield* this.#confirmAtOnce(one, vehicle);
  }

  /** Checks the beginning of a single vehicle, which needs no batch: its trips come as they end. */
  async *#confirmAtOnce(one: VehicleToRead, vehicle: VehicleReading<Found>): AsyncGenerator<Found, void, undefined> {
    for await (const [, wasFree] of checkBeginnings([one], this.#longer, this.#kind, this.#dependencies)) {
      if (wasFree) yield* vehicle.confirm();
      else {
        this.#skip(one.vehicleId);
        this.#readAgain(one, wasFree);
      }
    }
  }

  /** Yields the activities that were held back, once the beginnings of their vehicles are known. */
  async *confirm(): AsyncGenerator<Found, void, undefined> {
    const toConfirm = this.#requested.filter(({ vehicleId }) => this.#unconfirmed.has(vehicleId));
    for await (const [one, wasFree] of checkBeginnings(toConfirm, this.#longer, this.#kind, this.#dependencies)) {
      const { vehicleId } = one;
      const vehicle = this.#unconfirmed.get(vehicleId);
      this.#unconfirmed.delete(vehicleId);
      if (!wasFree) this.#readAgain(one, wasFree);
      else if (vehicle) {
        yield* vehicle.confirm();
        await complete(vehicleId, vehicle, this.#dependencies);
      }
    }
  }

  #skip(vehicleId: string): void {
    this.#snapshots.skip(vehicleId);
    this.#vehicles.delete(vehicleId);
  }

  #readAgain(one: VehicleToRead, wasFree: false | null): void {
    (wasFree === null ? this.unknown : this.inProgress).push(one);
  }
}

function from({ vehicleId, period }: VehicleInPeriod, lookBack: number, to = period.to): VehicleInPeriod {
  return { vehicleId, period: { ...period, from: period.from - lookBack, to } };
}

async function complete<Found extends Activity>(
  vehicleId: string,
  vehicle: VehicleReading<Found>,
  { warn, onComplete }: ActivityDependencies,
): Promise<void> {
  for (const warning of vehicle.warnings()) warn({ ...warning, operation });
  await onComplete({ vehicleId, until: vehicle.until, unchangedSince: vehicle.unchangedSince });
}

/**
 * Yields for each vehicle true when no activity was in progress at the start of its period; null
 * when even the longest look-back does not show it.
 */
async function* checkBeginnings<Found extends Activity>(
  vehicles: readonly VehicleToRead[],
  lookBacks: readonly number[],
  kind: ActivityKind<Found>,
  dependencies: ActivityDependencies,
): AsyncGenerator<readonly [vehicle: VehicleToRead, wasFree: boolean | null], void> {
  const remaining = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  for (const lookBack of lookBacks) {
    if (remaining.size === 0) return;
    for await (const [vehicleId, wasFree] of checkBeginningsWithin(lookBack, remaining, kind, dependencies)) {
      const vehicle = remaining.get(vehicleId);
      if (wasFree === null || vehicle === undefined) continue;
      remaining.delete(vehicleId);
      yield [vehicle, wasFree];
    }
  }
  for (const vehicle of remaining.values()) yield [vehicle, null];
}

/** Yields the result of one look-back per vehicle; null when this look-back does not show it. */
async function* checkBeginningsWithin<Found extends Activity>(
  lookBack: number,
  vehicles: ReadonlyMap<string, VehicleToRead>,
  kind: ActivityKind<Found>,
  { read }: ActivityDependencies,
): AsyncGenerator<readonly [vehicleId: string, wasFree: boolean | null], void> {
  const rowsBefore = new Map<string, TripSnapshot[]>();
  const before = [...vehicles.values()].map((vehicle) => from(vehicle, lookBack, vehicle.period.from - 1));
  for await (const { vehicleId, rows, end } of read(before).rows) {
    const own = rowsBefore.get(vehicleId) ?? [];
    // Safe cast: the selection of trips contains every field of TripSnapshot.
    for (const row of rows) own.push(row as TripSnapshot);
    rowsBefore.set(vehicleId, own);
    if (end === null) continue;
    rowsBefore.delete(vehicleId);
    const begin = vehicles.get(vehicleId)?.period.from;
    // The full read meets the same error and reports it.
    if ('error' in end || begin === undefined) yield [vehicleId, false];
    else yield [vehicleId, checkBeginning(own, begin, lookBack, kind)];
  }
}

function checkBeginning<Found extends Activity>(
  before: readonly TripSnapshot[],
  from: number,
  lookBack: number,
  kind: ActivityKind<Found>,
): boolean | null {
  try {
    const { inProgress, isKnown } = readBeginning(before, from, lookBack, kind);
    return inProgress !== null ? false : isKnown ? true : null;
  } catch (error) {
    if (error instanceof FleetError) return false;
    throw error;
  }
}

/** Returns the activity in progress at `from`, and the start of the snapshots that it needs. */
function readBeginning<Found extends Activity>(
  before: readonly TripSnapshot[],
  from: number,
  lookBack: number,
  kind: ActivityKind<Found>,
) {
  const reader = new ActivityReader(kind, { isFreeBefore: false, operation });
  for (const row of before) reader.take(row);
  reader.finish(from);
  const { inProgress } = reader;
  const isSilence = before.length === 0 && kind.silenceMs !== null && lookBack >= kind.silenceMs;
  const isKnown = isSilence || (inProgress?.isWhole ?? reader.isFreeAt(from));
  return { inProgress, begin: reader.begins ?? from, isKnown };
}

/** The activities of one vehicle: reads the time before the period first, then the period. */
class VehicleReading<Found extends Activity> {
  deliveredCount = 0;
  /**
   * True while it is unknown if an activity was in progress at the start of the period. Activities
   * are held back until more has been read.
   */
  isUnconfirmed = false;
  readonly #vehicle: VehicleToRead;
  readonly #kind: ActivityKind<Found>;
  readonly #lookBack: number;
  readonly #isLast: boolean;
  #before: TripSnapshot[] = [];
  #held: Found[] = [];
  #readUntil = '';
  /** Null until the period begins; `in progress` when an earlier activity needs more snapshots. */
  #reader: ActivityReader<Found> | 'in progress' | null = null;

  /** `isLast`: there is no longer look-back, so an unknown beginning is accepted. */
  constructor(vehicle: VehicleToRead, kind: ActivityKind<Found>, lookBack: number, isLast: boolean) {
    this.#vehicle = vehicle;
    this.#kind = kind;
    this.#lookBack = lookBack;
    this.#isLast = isLast;
  }

  take(rows: readonly TripSnapshot[]): readonly Found[] {
    let at = 0;
    if (this.#reader === null) {
      at = rows.findIndex((row) => (timestampMs(row.timestamp) ?? 0) >= this.#vehicle.period.from);
      this.#before.push(...(at < 0 ? rows : rows.slice(0, at)));
      if (at < 0) return [];
      this.#begin();
    }
    return this.#read(rows.slice(at));
  }

  /** True when the vehicle must be read again from further back. */
  get isInProgress(): boolean {
    return this.#reader === 'in progress';
  }

  /** Returns the last activities. `readUntil`: the end of the read, as text. */
  finish(now: number, readUntil: string): readonly Found[] {
    this.#readUntil = readUntil;
    if (this.#reader === null) this.#begin();
    if (!(this.#reader instanceof ActivityReader)) return [];
    const { from, to } = this.#vehicle.period;
    const last = this.#reader.finish(Math.min(to, now));
    const offSince = this.#reader.inProgress?.offSince ?? null;
    // The ignition went off before the period, so an open trip is outside of it.
    return this.#deliver(offSince !== null && offSince < from ? last.filter(({ isOpen }) => !isOpen) : last);
  }

  /** Returns the activities held back, once no activity is known to precede the period. */
  confirm(): readonly Found[] {
    this.isUnconfirmed = false;
    return this.#deliver(this.#held.splice(0));
  }

  /** Returns the time from which to resume after a read up to `readUntil`. */
  resumeFrom(readUntil: string): string {
    const { from } = this.#vehicle.period;
    const reader = this.#reader;
    const rest =
      reader instanceof ActivityReader && !this.isUnconfirmed ? reader.restBegins(Date.parse(readUntil)) : from;
    return this.#vehicle.period.text(Math.max(from, rest));
  }

  /** The start of the next read, as text: that of the activity in progress, after `finish`. */
  get until(): string {
    const { period, clip } = this.#vehicle;
    const readUntil = Date.parse(this.#readUntil);
    const end = clip === undefined ? readUntil : Math.min(readUntil, clip.to);
    const inProgress = this.#reader instanceof ActivityReader ? this.#reader.inProgress : null;
    const rest = inProgress === null ? end : Math.min(end, inProgress.start);
    return isoTime(Math.max(period.from, rest));
  }

  /** The time since which the activity in progress is unchanged, as text, after `finish`. */
  get unchangedSince(): string | null {
    const since = this.#reader instanceof ActivityReader ? this.#reader.inProgress?.unchangedSince : null;
    return since === null || since === undefined ? null : isoTime(since);
  }

  warnings(): readonly Pick<Warning, 'code' | 'message'>[] {
    return this.#reader instanceof ActivityReader ? this.#reader.warnings() : [];
  }

  #begin(): void {
    const { vehicleId, period, clip = null } = this.#vehicle;
    const before = this.#before;
    this.#before = [];
    if (this.#kind.continues?.(vehicleId)) {
      this.#reader = new ActivityReader(this.#kind, { isFreeBefore: false, operation, clip });
      this.#reader.expect(vehicleId);
      return;
    }
    const { inProgress, begin, isKnown } = readBeginning(before, period.from, this.#lookBack, this.#kind);
    if (!isKnown && inProgress !== null && !this.#isLast) {
      this.#reader = 'in progress';
      return;
    }
    this.isUnconfirmed = !isKnown && !this.#isLast;
    const isFreeBefore = isKnown || this.isUnconfirmed;
    this.#reader = new ActivityReader(this.#kind, { isFreeBefore, operation, clip, beginsAt: begin });
    const first = begin - this.#kind.contextMs;
    this.#read(before.filter((row) => (timestampMs(row.timestamp) ?? Number.NEGATIVE_INFINITY) >= first));
  }

  #read(rows: readonly TripSnapshot[]): readonly Found[] {
    if (!(this.#reader instanceof ActivityReader)) return [];
    return this.#deliver(this.#reader.takeAll(rows));
  }

  #deliver(found: readonly Found[]): readonly Found[] {
    const { from } = this.#vehicle.period;
    const isContinued = this.#kind.continues?.(this.#vehicle.vehicleId) === true;
    // A silent vehicle may have moved far: the continued stop then ended before the period.
    const inside = found.filter(({ endedAt }) => isContinued || endedAt === null || Date.parse(endedAt) >= from);
    if (this.isUnconfirmed) {
      this.#held.push(...inside);
      return [];
    }
    this.deliveredCount += inside.length;
    return inside;
  }
}
