// The public streams of snapshots, of one vehicle or many: checks variables, yields single rows,
// and reports the errors of vehicles as events and at the end.

import { withSelection } from '../../contract/selection/selection.js';
import type { ResultOf } from '../../contract/selection/types.js';
import { FleetError, IncompleteStreamError, type VehicleFailure } from '../../core/errors.js';
import type { FleetStream } from '../../core/generator-stream.js';
import type { Notifier } from '../../core/hooks.js';
import type { CallOptions } from '../../core/operation.js';
import { operations } from '../../generated/operation-table.js';
import type { Call, CallAnswer } from '../../request/call.js';
import { nullListError, unwrapRows } from '../../request/unwrap-result.js';
import { RowIterator, type RowSource } from '../../rows/row-iterator.js';
import type { NumberedRow } from '../row-numbering.js';
import type { Purpose, RateCache } from './answer-sizes.js';
import { type CompleteVehicle, type ServiceTime, SnapshotReader } from './snapshot-reader.js';
import {
  isForManyVehicles,
  readVehicles,
  type VehiclePeriod,
  type VehiclesInPeriod,
  type VehiclesPeriod,
} from './vehicles-in-period.js';
import type { WindowLimit } from './window-limit.js';

/** An event of a vehicle in a stream of many. */
export type VehiclesStreamEvent =
  /** The vehicle failed; the stream continues with the others. */
  | ({ readonly type: 'error' } & VehicleFailure)
  /**
   * The service answered null for some rows of the vehicle: the rows that follow are incomplete. Do
   * not conclude that a missing row was deleted. Null for all rows is an error.
   */
  | { readonly type: 'gap'; readonly vehicleId: string }
  /** A row names this vehicle, which was not requested. The row is dropped. */
  | { readonly type: 'other'; readonly vehicleId: string }
  /**
   * All rows of the vehicle were delivered and processed; emitted before the next row of another
   * one. Store `until` together with the rows: rows of exactly that time come again, with equal
   * keys.
   */
  | {
      readonly type: 'complete';
      readonly vehicleId: string;
      /**
       * The `from` of the next call, RFC 3339 in UTC. It is `to`, or the service's time of the last
       * request when that is earlier. For trips and stops: the start of the activity in progress.
       */
      readonly until: string;
      /** For `continued` of `streamStops`; null when the last stop cannot be continued. */
      readonly unchangedSince: string | null;
    };

/** Called with each event of a stream of many vehicles. */
export type OnVehicleEvent = (event: VehiclesStreamEvent) => unknown;

/** The options of a stream of many vehicles, in addition to those of a call. */
export interface VehiclesStreamOptions {
  /**
   * Called with the events of a vehicle: `complete`, `error`, `gap`, `other`. The stream waits for
   * a returned promise. An error thrown here ends the stream. A vehicle's error is also in the
   * {@link IncompleteStreamError} at the end.
   */
  readonly onEvent?: OnVehicleEvent | undefined;
  /**
   * The maximum size of answers in bytes; they grow while they are quick. A smaller value needs
   * less memory and more requests: memory holds the bytes of two answers and the rows of one
   * vehicle. Default 67108864: 64 MiB.
   */
  readonly answerBytes?: number | undefined;
}

type Row<List> = List extends readonly (infer Item)[] ? Item : never;
export type StreamedSnapshot<Select> = Row<ResultOf<'getSnapshots', Select>> & NumberedRow;
export type StreamedVehicleSnapshot<Select> = StreamedSnapshot<Select> & { readonly vehicleId: string };

export interface StreamDependencies {
  /** Sends a call through the user's queue. */
  send(call: Call, options: CallOptions): Promise<CallAnswer>;
  readonly notifier: Notifier;
  readonly windowLimit: WindowLimit;
  readonly rates: RateCache;
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number;
  readonly serviceTime: ServiceTime;
}

export type StreamOptions = CallOptions & VehiclesStreamOptions & { readonly select?: unknown };

const operation = operations.getSnapshots;
const { name } = operation;

/**
 * Returns the snapshots of vehicles. Sends no request before the first row is requested.
 * @throws {InvalidInputError} when a vehicle, the period or the selection is invalid.
 */
export function streamSnapshots<Select>(
  variables: VehiclePeriod | VehiclesPeriod,
  options: StreamOptions,
  dependencies: StreamDependencies,
): FleetStream<StreamedSnapshot<Select>> | FleetStream<StreamedVehicleSnapshot<Select>> {
  const vehicles = readVehicles(isForManyVehicles(variables) ? 'streamSnapshots' : name, variables);
  const { select, signal, onEvent } = options;
  const reader = snapshotReader(vehicles, options, dependencies, 'snapshots');
  const failed = vehicles.singleId === null ? new VehicleFailures('streamSnapshots', onEvent) : null;
  const addsTimestamp = typeof select === 'object' && select !== null && Reflect.get(select, 'timestamp') !== true;
  const source = new SnapshotRows(reader, vehicles, failed, addsTimestamp, onEvent);
  // Safe cast: the document selects the fields of the row type; responses are not validated.
  return new RowIterator(name, source, signal) as FleetStream<StreamedVehicleSnapshot<Select>>;
}

/**
 * Creates the reader behind a stream.
 * @throws {InvalidInputError} when the selection is invalid.
 */
export function snapshotReader(
  { vehicles, singleId }: VehiclesInPeriod,
  { select, onEvent, answerBytes, signal: caller, ...options }: StreamOptions,
  { send, notifier, windowLimit, rates, elapsed, serviceTime }: StreamDependencies,
  purpose: Purpose,
): SnapshotReader {
  const namesVehicles = singleId === null || purpose !== 'snapshots';
  const { kind, document, ...field } = selectedFields(select, namesVehicles);
  return new SnapshotReader(vehicles, {
    async requestPart({ vehicleId, from, to, list, isAlone }, signal) {
      const variables = { vehicleId, from, to };
      const call = { name, kind, document, variables, idempotent: true, list };
      const answer = await send(isAlone ? call : { ...call, field }, { ...options, signal });
      unwrapRows(name, answer, options.partial === true, notifier);
      if (answer.rows === undefined) throw nullListError(name, answer);
      return answer.rows;
    },
    // A timeout of the caller's signal ends the whole stream.
    isVehicleError:
      singleId === null
        ? (error): error is FleetError => !caller?.aborted && affectsOneVehicle(error)
        : (error) => error instanceof FleetError,
    namesVehicles,
    onEvent,
    rates: rates.of(field.selection, purpose),
    now: elapsed,
    serviceTime,
    notifier,
    maxBytes: answerBytes,
    windowLimit,
    signal: caller,
  });
}

/** Adds the vehicle id and the timestamp, which identify and order the rows. */
function selectedFields(select: unknown, namesVehicles: boolean) {
  if (select === undefined) return operation;
  if (typeof select !== 'object' || select === null) return withSelection(operation, select);
  // Checks the caller's own selection first, for an error without the added fields.
  withSelection(operation, select);
  return withSelection(operation, { ...select, timestamp: true, ...(namesVehicles ? { vehicleId: true } : {}) });
}

/** Returns true when the other vehicles can continue after this error. */
function affectsOneVehicle(error: unknown): error is FleetError {
  if (!(error instanceof FleetError)) return false;
  return ['GRAPHQL', 'PROTOCOL', 'RESPONSE_TOO_LARGE', 'TIMEOUT', 'HTTP'].includes(error.code);
}

/** The failed vehicles: reports each as an event at once, and all as an error at the end. */
export class VehicleFailures {
  readonly #caller: string;
  readonly #onEvent: OnVehicleEvent | undefined;
  readonly #all: VehicleFailure[] = [];

  constructor(caller: string, onEvent: OnVehicleEvent | undefined) {
    this.#caller = caller;
    this.#onEvent = onEvent;
  }

  async add(failure: VehicleFailure): Promise<void> {
    this.#all.push(failure);
    await this.#onEvent?.({ type: 'error', ...failure });
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

class SnapshotRows implements RowSource<unknown> {
  readonly beginning: string;
  readonly #reader: SnapshotReader;
  readonly #rows: ReturnType<SnapshotReader['read']>;
  readonly #only: string | null;
  readonly #failed: VehicleFailures | null;
  readonly #addsTimestamp: boolean;
  readonly #onEvent: OnVehicleEvent | undefined;
  /** The vehicle that the previous batch completed. */
  #completed: CompleteVehicle | null = null;

  /** `failed`: null when the stream throws the error of its only vehicle. */
  constructor(
    reader: SnapshotReader,
    { singleId, vehicles }: VehiclesInPeriod,
    failed: VehicleFailures | null,
    addsTimestamp: boolean,
    onEvent: OnVehicleEvent | undefined,
  ) {
    this.#reader = reader;
    this.#rows = reader.read();
    this.#only = singleId;
    this.#failed = failed;
    this.#addsTimestamp = addsTimestamp;
    this.#onEvent = onEvent;
    const [first, ...others] = vehicles.map(({ period }) => period);
    const earliest = others.reduce((one, other) => (one && other.from >= one.from ? one : other), first);
    this.beginning = earliest?.text(earliest.from) ?? '';
  }

  async next(): Promise<readonly unknown[] | null> {
    // The next call of the caller means that all rows have been processed.
    const completed = this.#completed;
    this.#completed = null;
    if (completed !== null) await this.#onEvent?.({ type: 'complete', ...completed, unchangedSince: null });
    const { done, value } = await this.#rows.next();
    if (done === true) {
      this.#failed?.throwIfAny();
      return null;
    }
    const { rows, end } = value;
    if (end !== null && 'until' in end) this.#completed = end;
    else if (end !== null) {
      if (this.#failed === null) throw end.error;
      await this.#failed.add(end);
    }
    return this.#addsTimestamp ? rows.map(withoutTimestamp) : rows;
  }

  stop(): void {
    this.#reader.stop();
    // A generator paused at a yield ends now; one that waits for an answer ends with it.
    void this.#rows.return().catch(() => undefined);
  }

  /** Returns null for several vehicles: each has its own time. */
  completeUntil(): string | null {
    return this.#only === null ? null : this.#reader.completeUntil(this.#only);
  }
}

function withoutTimestamp(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return row;
  const { timestamp: _, ...rest } = row;
  return rest;
}
