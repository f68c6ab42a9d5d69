// The streams of many vehicles as a caller gets them: checked variables, rows or trips one by one, and the errors of single vehicles told
// to `onError`, or at the end.
import { withSelection } from '../../contract/selection/selection.js';
import type { ResultOf, Unselected } from '../../contract/selection/types.js';
import { IncompleteStreamError, type VehicleError } from '../../core/errors.js';
import type { WarningEvent } from '../../core/hooks.js';
import type { CallOptions } from '../../core/operation.js';
import { refusedInput } from '../../core/refused-input.js';
import { operations } from '../../generated/operation-table.js';
import { checkVariables } from '../../request/variables.js';
import type { ListRows } from '../../rows/list-rows.js';
import { RowIterator, type RowSource } from '../../rows/row-iterator.js';
import type { Numbered } from '../moments.js';
import { type Period, readPeriod } from '../period.js';
import { rowsOfAnswer, type StreamDependencies, streamSnapshots, withoutTimestamp } from '../stream-snapshots.js';
import {
  endOfClipped,
  type ReadSnapshots,
  selectionFor,
  type tripSelection,
  tripsOver,
} from '../trips/stream-trips.js';
import type { Trip } from '../trips/trip.js';
import type { TripLimits } from '../trips/trip-limits.js';
import type { VehicleRates } from './answer-sizes.js';
import { ManySnapshots } from './many-snapshots.js';
import { tripsOfMany } from './many-trips.js';

/** The snapshots of several vehicles in a period that includes its start and its end. */
export interface FleetPeriod {
  readonly vehicleIds: readonly string[];
  /** RFC 3339 text with an offset, or a Date. */
  readonly from: string | Date;
  /** RFC 3339 text with an offset, or a Date; not before `from`. */
  readonly to: string | Date;
}

/** Options of a stream of many vehicles, besides those of a call. */
export interface FleetStreamOptions {
  /**
   * Called when a vehicle fails; the stream goes on with the others. Without it the stream ends with an {@link IncompleteStreamError} that
   * lists the vehicles that failed, after everything else has been delivered.
   */
  readonly onError?: ((error: VehicleError) => void) | undefined;
  /**
   * The size up to which answers grow while they are quick, in bytes. Smaller ones need less memory and more requests: two answers are
   * in memory as bytes, and the rows of one vehicle in one of them as objects. Default 67108864: 64 MiB.
   */
  readonly answerBytes?: number | undefined;
  /**
   * Called when the service answered null in place of rows of a vehicle, or of all of them, before the rest of that answer is delivered: rows
   * may be missing, so do not conclude that what is not there is gone.
   */
  readonly onGap?: ((vehicleId: string) => void) | undefined;
  /** Called with the vehicle that a row names, when it is not the one that was asked for. The row is left out. */
  readonly onOther?: ((vehicleId: string) => void) | undefined;
  /** Called when everything of a vehicle has been delivered: a program that stores the rows can note that it has all of them. */
  readonly onComplete?: ((vehicleId: string) => void) | undefined;
}

/** The rows of a stream of many vehicles, which can be iterated once. */
export interface FleetSnapshotStream<Select = Unselected> extends AsyncIterator<FleetRow<Select>, undefined> {
  [Symbol.asyncIterator](): FleetSnapshotStream<Select>;
}

type Row<List> = List extends readonly (infer Item)[] ? Item : never;
type FleetRow<Select> = Row<ResultOf<'getSnapshots', Select>> & Numbered & { readonly vehicleId: string };

export interface ManyDependencies extends StreamDependencies {
  /** Of whole snapshots. */
  readonly rates: VehicleRates;
  /** Of the fields that trips need. */
  readonly tripRates: VehicleRates;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

type Given = CallOptions & FleetStreamOptions & { readonly select?: unknown };

const operation = operations.getSnapshots;
const { name } = operation;

/**
 * Sends nothing before the first row is requested.
 * @throws {InvalidInputError} when a vehicle, the period or the selection is invalid.
 */
export function streamManySnapshots<Select>(
  variables: FleetPeriod,
  options: Given,
  dependencies: ManyDependencies,
): FleetSnapshotStream<Select> {
  const period = checkPeriod('streamSnapshots', variables);
  const { select, signal } = options;
  const failed = new FailedVehicles('streamSnapshots', options.onError);
  const many = manySnapshots(variables, period, options, dependencies);
  const addsTimestamp = typeof select === 'object' && select !== null && Reflect.get(select, 'timestamp') !== true;
  const source = new ManyRows(many, period, failed, addsTimestamp, options.onComplete);
  // The document selects what the row type has; responses are not validated at run time.
  return new RowIterator(name, source, signal) as FleetSnapshotStream<Select>;
}

export interface TripReading {
  readonly limits: TripLimits;
  readonly clip: boolean;
  /** The service's time. */
  readonly now: () => number;
}

/** The trips of each vehicle are those of a stream of its own. @throws {InvalidInputError} as `streamManySnapshots`. */
export function streamManyTrips(
  variables: FleetPeriod,
  options: Given,
  reading: TripReading,
  dependencies: ManyDependencies,
): AsyncGenerator<Trip, void, undefined> {
  const period = checkPeriod('streamTrips', variables);
  return readTrips(variables, period, options, reading, dependencies);
}

async function* readTrips(
  variables: FleetPeriod,
  period: Period,
  options: Given,
  { limits, clip, now }: TripReading,
  dependencies: ManyDependencies,
): AsyncGenerator<Trip, void, undefined> {
  const failed = new FailedVehicles('streamTrips', options.onError);
  const call = { ...options, select: selectionFor(limits) };
  const streams: ManySnapshots[] = [];
  const readMany = (vehicleIds: readonly string[], from: number, to: number) => {
    const rates = dependencies.tripRates;
    const many = manySnapshots({ ...variables, vehicleIds }, { ...period, from, to }, call, { ...dependencies, rates });
    streams.push(many);
    return many.read();
  };
  const warn = dependencies.notifier.warning;
  const readAlone = (vehicleId: string) => {
    const read: ReadSnapshots = (from, to, explain) =>
      streamSnapshots<typeof tripSelection>({ vehicleId, from: period.text(from), to: period.text(to) }, call, {
        ...tellingGaps(vehicleId, options.onGap, dependencies),
        explain,
      });
    return tripsOver(vehicleId, period, limits, now, read, warn, clip);
  };
  try {
    const toRead = clip ? { ...period, to: endOfClipped(period, limits, now()) } : period;
    yield* tripsOfMany(variables.vehicleIds, toRead, limits, {
      clip: clip ? period : null,
      readMany,
      readAlone,
      now,
      warn,
      onError: (error) => failed.add(error),
      onComplete: options.onComplete ?? (() => undefined),
    });
    failed.throwIfAny();
  } finally {
    for (const many of streams) many.stop();
  }
}

function checkPeriod(caller: string, { vehicleIds, from, to }: FleetPeriod): Period {
  if (!Array.isArray(vehicleIds) || vehicleIds.length === 0) {
    throw refusedInput(`vehicleIds of ${caller} must be a list of ids that is not empty.`, caller);
  }
  for (const vehicleId of vehicleIds) checkVariables(name, operation.args, { vehicleId, from, to });
  return readPeriod(caller, from, to);
}

function manySnapshots(
  { vehicleIds }: FleetPeriod,
  period: Period,
  { select, onError: _, onComplete: __, onGap, onOther, answerBytes, ...options }: Given,
  { rates, tripRates: _tripRates, elapsed, ...single }: ManyDependencies,
): ManySnapshots {
  // The rows are told apart by their vehicles and ordered by their timestamps, so these are always selected.
  const needed =
    typeof select === 'object' && select !== null ? { ...select, vehicleId: true, timestamp: true } : select;
  const selected = select === undefined ? operation : withSelection(operation, needed);
  const { kind, document } = selected;
  return new ManySnapshots(vehicleIds, period, {
    requestPart: async (vehicleId, window, signal, onUrgentCall) => {
      const variables = { vehicleId, from: period.text(window.from), to: period.text(window.to) };
      const received: { rows: ListRows | null } = { rows: null };
      const list = (rows: ListRows) => {
        received.rows = rows;
      };
      const call = { name, kind, document, variables, idempotent: true, field: selected, list, onUrgentCall };
      const answer = await single.send(call, { ...options, signal: either(signal, options.signal) });
      rowsOfAnswer(answer, options.partial === true, single.notifier);
      return received.rows;
    },
    readAlone: (vehicleId, from, signal) =>
      streamSnapshots(
        { vehicleId, from, to: period.text(period.to) },
        { ...options, signal: either(signal, options.signal), ...(needed === undefined ? {} : { select: needed }) },
        tellingGaps(vehicleId, onGap, single),
      ),
    onGap,
    onOther,
    rates,
    now: elapsed,
    notifier: single.notifier,
    maxBytes: answerBytes,
    windowLimit: single.windowLimit,
  });
}

/** A stream of one vehicle tells by warnings that rows were null. */
function tellingGaps<Dependencies extends StreamDependencies>(
  vehicleId: string,
  onGap: FleetStreamOptions['onGap'],
  dependencies: Dependencies,
): Dependencies {
  const { notifier } = dependencies;
  const warning = (event: WarningEvent) => {
    if (event.code === 'NULL_LIST' || event.code === 'NULL_ROWS') onGap?.(vehicleId);
    notifier.warning(event);
  };
  return { ...dependencies, notifier: { ...notifier, warning } };
}

function either(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}

/** The vehicles that failed: told at once, or at the end. */
class FailedVehicles {
  readonly #caller: string;
  readonly #onError: ((error: VehicleError) => void) | undefined;
  readonly #all: VehicleError[] = [];

  constructor(caller: string, onError: ((error: VehicleError) => void) | undefined) {
    this.#caller = caller;
    this.#onError = onError;
  }

  add(error: VehicleError): void {
    if (this.#onError) this.#onError(error);
    else this.#all.push(error);
  }

  throwIfAny(): void {
    const [first] = this.#all;
    if (!first) return;
    const count = this.#all.length === 1 ? '1 vehicle' : `${this.#all.length} vehicles`;
    throw new IncompleteStreamError(
      `${this.#caller} could not read ${count}; everything else was delivered. The first error: ${first.error.message} \`vehicles\` lists them with the time from which each can be read again.`,
      this.#all,
      { operation: name },
    );
  }
}

/** The rows of all vehicles, batch by batch. */
class ManyRows implements RowSource<unknown> {
  readonly beginning: string;
  readonly #many: ManySnapshots;
  readonly #rows: ReturnType<ManySnapshots['read']>;
  readonly #failed: FailedVehicles;
  readonly #addsTimestamp: boolean;
  readonly #onComplete: ((vehicleId: string) => void) | undefined;
  /** The vehicle whose last rows were delivered by the call before. */
  #completed: string | null = null;

  constructor(
    many: ManySnapshots,
    period: Period,
    failed: FailedVehicles,
    addsTimestamp: boolean,
    onComplete: ((vehicleId: string) => void) | undefined,
  ) {
    this.#many = many;
    this.#rows = many.read();
    this.#failed = failed;
    this.#addsTimestamp = addsTimestamp;
    this.#onComplete = onComplete;
    this.beginning = period.text(period.from);
  }

  async next(): Promise<readonly unknown[] | null> {
    // The caller asks again when it has taken all rows.
    if (this.#completed !== null) this.#onComplete?.(this.#completed);
    this.#completed = null;
    const { done, value } = await this.#rows.next();
    if (done !== true && value.end !== null && value.end !== 'complete') this.#failed.add(value.end);
    if (done !== true && value.end === 'complete') this.#completed = value.vehicleId;
    if (done !== true) return this.#addsTimestamp ? value.rows.map(withoutTimestamp) : value.rows;
    this.#failed.throwIfAny();
    return null;
  }

  stop(): void {
    this.#many.stop();
    void this.#rows.return().catch(() => undefined);
  }

  /** Each vehicle has a time of its own, so there is none for all. */
  completeUntil(): null {
    return null;
  }
}
