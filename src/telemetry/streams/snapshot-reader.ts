// Reads the snapshots of vehicles in few requests: parts of their periods are requested together,
// as one document. While the caller processes an answer, the next one is requested.
import { onAbort } from '../../core/deadline.js';
import { FleetError, type VehicleFailure } from '../../core/errors.js';
import type { Notifier } from '../../core/hooks.js';
import { turnOfEventLoop } from '../../core/real-time.js';
import { readMember } from '../../core/safe-read.js';
import { matchRequestedId } from '../../core/uuid.js';
import { nullRowsWarning } from '../../request/unwrap-result.js';
import { type ListRows, type LongList, nextRows } from '../../rows/list-rows.js';
import { WindowOrder } from '../window-order.js';
import { AnswerTarget, PART_BYTES, type VehicleRates } from './answer-sizes.js';
import { type Part, VehicleProgress } from './vehicle-progress.js';
import type { VehicleInPeriod } from './vehicles-in-period.js';
import { AcceptedLength, type WindowLimit } from './window-limit.js';

export interface VehicleRows {
  readonly vehicleId: string;
  readonly rows: readonly unknown[];
  /** Null while more rows may come. */
  readonly end: CompleteVehicle | VehicleFailure | null;
}

/** A vehicle whose rows have all been delivered. */
export interface CompleteVehicle {
  readonly vehicleId: string;
  /** The rows are complete up to this time, as text. */
  readonly until: string;
}

export interface ServiceTime {
  /** By the clock of this machine. */
  localNow(): number;
  /** Converts local time to the time of the service. */
  at(local: number): number;
}

export interface PartRequest {
  readonly vehicleId: string;
  /** RFC 3339, UTC. */
  readonly from: string;
  readonly to: string;
  readonly list: LongList;
  /** In a separate request. */
  readonly isAlone: boolean;
}

export interface SnapshotReaderDependencies {
  /** Requests a part. Rejects on errors or a null list. Parts of one microtask share a document. */
  readonly requestPart: (part: PartRequest, signal: AbortSignal) => Promise<ListRows>;
  /** True when the other vehicles can continue after this error. */
  readonly isVehicleError: (error: unknown) => error is FleetError;
  /** True to drop rows of other vehicles. */
  readonly namesVehicles: boolean;
  /** Called before rows with gaps (null) are delivered, and for rows of other vehicles. */
  readonly onEvent?: ((event: { type: 'gap' | 'other'; vehicleId: string }) => unknown) | undefined;
  readonly rates: VehicleRates;
  /** The maximum size of answers. */
  readonly maxBytes: number | undefined;
  readonly windowLimit: WindowLimit;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly serviceTime: ServiceTime;
  readonly notifier: Notifier;
  readonly signal: AbortSignal | undefined;
}

/** The maximum of parts in a document, the default of `merge.max`. */
const MAX_PARTS = 50;
/** After this many failures in a row the service is down, and smaller requests do not help. */
const MAX_FAILURES = 4;

const operation = 'getSnapshots';

interface PartAnswer {
  readonly part: Part;
  readonly rows: ListRows;
  /** Local time of the request, milliseconds since 1970. */
  readonly requestedAt: number;
}

interface FailedPart {
  readonly part: Part;
  readonly error: unknown;
}

interface Answer {
  readonly answered: readonly PartAnswer[];
  readonly failed: readonly FailedPart[];
  readonly ms: number;
  /** A call of a higher priority waited for it. */
  readonly isUrgent: boolean;
  /** Its document had parts of several vehicles, of any stream. */
  readonly isShared: boolean;
}

interface ReceivedParts {
  readonly answered: PartAnswer[];
  readonly ended: { readonly vehicle: VehicleProgress; readonly error: FleetError }[];
  failure: { readonly error: unknown } | null;
}

export class SnapshotReader {
  readonly #dependencies: SnapshotReaderDependencies;
  readonly #vehicles: ReadonlyMap<string, VehicleProgress>;
  readonly #target: AnswerTarget;
  readonly #length: AcceptedLength;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.#controller.abort(readMember(this.#dependencies.signal, 'reason'));
  #failures = 0;
  #outsideCount = 0;
  #rows = 0;
  /** Null rows, part of `#rows`. */
  #nullCount = 0;

  constructor(vehicles: readonly VehicleInPeriod[], dependencies: SnapshotReaderDependencies) {
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, new VehicleProgress(vehicle)]));
    this.#dependencies = dependencies;
    this.#target = new AnswerTarget(dependencies.maxBytes);
    this.#length = new AcceptedLength(dependencies.windowLimit);
  }

  stop(): void {
    this.#controller.abort();
  }

  /** Stops reading this vehicle. */
  skip(vehicleId: string): void {
    const vehicle = this.#vehicles.get(vehicleId);
    if (vehicle) vehicle.isEnded = vehicle.isEndDelivered = true;
  }

  /** Returns the time up to which the vehicle's rows are complete, as text; null if unknown. */
  completeUntil(vehicleId: string): string | null {
    return this.#vehicles.get(vehicleId)?.completeUntil ?? null;
  }

  /** Yields the rows of all vehicles. Throws errors that affect all, such as an abort. */
  async *read(): AsyncGenerator<VehicleRows, void> {
    const { signal } = this.#dependencies;
    if (signal?.aborted) this.#onAbort();
    else if (signal) onAbort(signal, this.#onAbort);
    try {
      let next = this.#request();
      while (next !== null) {
        const { answered, ended, failure } = await next;
        // Requested before these rows are delivered: the next answer arrives meanwhile.
        next = failure ? null : this.#request();
        for (const answer of answered) yield* this.#deliver(answer);
        for (const { vehicle, error } of ended) yield* deliverEnd(vehicle, error);
        if (failure) throw failure.error;
      }
    } finally {
      signal?.removeEventListener('abort', this.#onAbort);
      this.#warn();
    }
  }

  #request(): Promise<ReceivedParts> | null {
    const parts = this.#plan();
    return parts.length === 0 ? null : this.#receive(parts);
  }

  /** Plans parts, vehicle by vehicle, up to the target size of an answer. */
  #plan(): readonly Part[] {
    const parts: Part[] = [];
    let bytes = this.#target.bytes;
    for (const vehicle of this.#vehicles.values()) {
      if (vehicle.isEnded || vehicle.remainingMs <= 0) continue;
      if (vehicle.isAlone && parts.length > 0) continue;
      const rate = this.#rateOf(vehicle);
      const ms = Math.min(this.#longestMs(vehicle), PART_BYTES / rate);
      const expected = rate * Math.min(vehicle.remainingMs, ms);
      // A part that fits into an answer is not split to fill this one.
      if (parts.length > 0 && expected > bytes) break;
      parts.push(vehicle.request(Math.min(ms, bytes / rate)));
      bytes -= expected;
      if (bytes <= 0 || parts.length === MAX_PARTS || vehicle.isAlone) break;
    }
    return parts;
  }

  #rateOf({ vehicleId, silentParts }: VehicleProgress): number {
    const { rates, maxBytes } = this.#dependencies;
    return maxBytes === undefined ? rates.of(vehicleId) : rates.cautiousRate(vehicleId, silentParts);
  }

  #longestMs({ vehicleId, longestMs }: VehicleProgress): number {
    return Math.min(longestMs, this.#length.ms, this.#dependencies.rates.longestMs(vehicleId));
  }

  /** Receives parts until one has rows, as empty parts take no memory. Never rejects. */
  async #receive(first: readonly Part[]): Promise<ReceivedParts> {
    const received: ReceivedParts = { answered: [], ended: [], failure: null };
    for (let parts = first; parts.length > 0; parts = this.#plan()) {
      const answer = await this.#requestParts(parts);
      try {
        this.#take(answer, received);
      } catch (error) {
        received.failure = { error };
        break;
      }
      const isEmpty = answer.answered.every(({ rows }) => !rows.hasRows);
      if (!isEmpty || received.ended.length > 0 || this.#controller.signal.aborted) break;
    }
    return received;
  }

  async #requestParts(parts: readonly Part[]): Promise<Answer> {
    const { now, requestPart, serviceTime } = this.#dependencies;
    const begin = now();
    const requestedAt = serviceTime.localNow();
    let isUrgent = false;
    let isShared = parts.length > 1;
    const answered: PartAnswer[] = [];
    const failed: FailedPart[] = [];
    const requests = parts.map(async (part) => {
      const { vehicle, window, maxBytes, isAlone } = part;
      const list: LongList = {
        expectedBytes: Math.min(PART_BYTES, this.#rateOf(vehicle) * (window.to - window.from)),
        maxBytes,
        onSent: (calls) => {
          if (calls > 1) isShared = true;
        },
        onWaitingCalls: (urgent) => {
          if (urgent) isUrgent = true;
        },
      };
      try {
        const { vehicleId, period } = vehicle;
        const [from, to] = [period.text(window.from), period.text(window.to)];
        const rows = await requestPart({ vehicleId, from, to, list, isAlone }, this.#controller.signal);
        answered.push({ part, rows, requestedAt });
      } catch (error) {
        failed.push({ part, error });
      }
    });
    await Promise.all(requests);
    return { answered, failed, ms: now() - begin, isUrgent, isShared };
  }

  /**
   * Adds the answers and the ended vehicles to `received`, and schedules retries. Throws errors
   * that affect all vehicles.
   */
  #take({ answered, failed, ms, isUrgent, isShared }: Answer, received: ReceivedParts): void {
    const { isVehicleError, rates } = this.#dependencies;
    for (const answer of answered) {
      const { part, rows } = answer;
      const { vehicle, window } = part;
      rates.addSample(vehicle.vehicleId, rows.bytes, window.to - window.from);
      this.#length.answered(window);
      vehicle.answered(!rows.hasRows);
      received.answered.push(answer);
    }
    const errors = failed.map(({ error }) => {
      if (!isVehicleError(error)) throw error;
      return error;
    });
    const [firstError] = errors;
    if (firstError === undefined) {
      this.#failures = 0;
      this.#target.answered(ms, isUrgent);
      return;
    }
    for (const { part } of failed) part.vehicle.requestAgain(part);
    if (errors.every(mayDependOnSize)) {
      if (errors.every(isServiceFailure)) this.#failures++;
      if (this.#failures > MAX_FAILURES) throw firstError;
      if (errors.length > 1 && this.#target.shrink()) return;
    }
    for (const [at, error] of errors.entries()) {
      const part = failed[at]?.part;
      if (part && !this.#canContinue(part, error, isShared)) {
        part.vehicle.isEnded = true;
        received.ended.push({ vehicle: part.vehicle, error });
      }
    }
  }

  /** Returns true when another request can replace the failed part. */
  #canContinue(part: Part, error: FleetError, isShared: boolean): boolean {
    const { vehicle, window } = part;
    if (this.#controller.signal.aborted) return false;
    if (error.code === 'RESPONSE_TOO_LARGE') return vehicle.requestLess(part);
    const accepted = this.#length.afterRefusal(window, error);
    if (accepted !== null) {
      vehicle.requestAgain(part, accepted);
      return true;
    }
    if (!isShared) return false;
    vehicle.isAlone = true;
    return true;
  }

  async *#deliver({ part, rows: answer, requestedAt }: PartAnswer): AsyncGenerator<VehicleRows, void> {
    const { vehicle, window } = part;
    if (vehicle.isEndDelivered) return;
    const { vehicleId } = vehicle;
    const order = new WindowOrder(window);
    const others = new Set<string>();
    let hasGap = false;
    try {
      hasGap = await this.#parse(answer, vehicleId, order, others);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      yield* deliverEnd(vehicle, error);
      return;
    }
    const { onEvent } = this.#dependencies;
    for (const other of others) await onEvent?.({ type: 'other', vehicleId: other });
    if (hasGap) await onEvent?.({ type: 'gap', vehicleId });
    this.#outsideCount += order.countOutside();
    vehicle.dedup.beginWindow(window.to);
    const areInOrder = order.isInOrder;
    for (const batch of order.take()) {
      const rows = vehicle.dedup.removeRepeats(batch, areInOrder);
      vehicle.deliveredCount += rows.length;
      if (rows.length > 0) yield { vehicleId, rows, end: null };
      // The caller may have skipped the vehicle meanwhile.
      if (vehicle.isEndDelivered) return;
      await turnOfEventLoop();
    }
    vehicle.endPart(window, this.#dependencies.serviceTime.at(requestedAt));
    if (vehicle.isRead) yield { vehicleId, rows: [], end: { vehicleId, until: vehicle.resumeFrom } };
  }

  /** Returns true when rows are missing, because the answer has null for some. */
  async #parse(answer: ListRows, vehicleId: string, order: WindowOrder, others: Set<string>): Promise<boolean> {
    let nulls = 0;
    for (let all = nextRows(answer, operation); all; all = nextRows(answer, operation)) {
      const rows = all.includes(null) ? all.filter((row) => row !== null) : all;
      nulls += all.length - rows.length;
      this.#rows += all.length;
      order.add(this.#dependencies.namesVehicles ? this.#ownRows(rows, vehicleId, others) : rows);
      // Lets the event loop receive the next answer: promises alone never yield to it.
      await turnOfEventLoop();
    }
    this.#nullCount += nulls;
    return nulls > 0;
  }

  /** Returns the rows of this vehicle: rows of others would be duplicates. */
  #ownRows(rows: readonly unknown[], vehicleId: string, others: Set<string>): readonly unknown[] {
    const isOwn = (row: unknown) => typeof row !== 'object' || row === null || vehicleIdOf(row) === vehicleId;
    if (rows.every(isOwn)) return rows;
    return rows.flatMap((row) => {
      if (typeof row !== 'object' || row === null || vehicleIdOf(row) === vehicleId) return [row];
      if (matchRequestedId(vehicleIdOf(row), vehicleId) !== null) return [{ ...row, vehicleId }];
      others.add(String(vehicleIdOf(row)));
      return [];
    });
  }

  #warn(): void {
    const { warning } = this.#dependencies.notifier;
    if (this.#nullCount > 0) warning(nullRowsWarning(operation, this.#nullCount, this.#rows));
    if (this.#outsideCount === 0) return;
    const message = `${operation} answered ${this.#outsideCount} rows from outside of the requested period. The rows of a vehicle are in order within each part of the period only.`;
    warning({ code: 'ROWS_OUT_OF_ORDER', operation, message });
  }
}

function* deliverEnd(vehicle: VehicleProgress, error: FleetError): Generator<VehicleRows, void> {
  if (vehicle.isEndDelivered) return;
  vehicle.isEnded = vehicle.isEndDelivered = true;
  const { vehicleId, deliveredCount: rowsGiven, resumeFrom } = vehicle;
  yield { vehicleId, rows: [], end: { vehicleId, error, rowsGiven, resumeFrom } };
}

function vehicleIdOf(row: object): unknown {
  return Reflect.get(row, 'vehicleId');
}

/** Returns true when a smaller request may succeed. */
function mayDependOnSize(error: FleetError): boolean {
  return isServiceFailure(error) || error.code === 'RESPONSE_TOO_LARGE';
}

function isServiceFailure({ code }: FleetError): boolean {
  return code === 'TIMEOUT' || code === 'HTTP';
}
