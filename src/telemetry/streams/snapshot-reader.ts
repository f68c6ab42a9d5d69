// Reads the snapshots of vehicles in few requests: parts of their periods are asked for at once, and the user's queue sends them as one
// document. While the caller works on an answer, the next one is on its way. One vehicle is the smallest case.
import { onAbort } from '../../core/abort-listener.js';
import { FleetError, type VehicleFailure } from '../../core/errors.js';
import type { Notifier } from '../../core/hooks.js';
import { readMember } from '../../core/odd-values.js';
import { turnOfEventLoop } from '../../core/real-time.js';
import { askedId } from '../../core/uuid.js';
import { nullRows } from '../../request/unwrap-result.js';
import { type ListRows, type LongList, nextRows } from '../../rows/list-rows.js';
import { WindowOrder } from '../window-order.js';
import { AcceptedLength, type WindowLimit } from './accepted-length.js';
import { AnswerTarget, PART_BYTES, type VehicleRates } from './answer-sizes.js';
import { type Part, VehicleProgress } from './vehicle-progress.js';
import type { VehicleInPeriod } from './vehicles-in-period.js';

/** Rows of one vehicle, in order of time. */
export interface VehicleRows {
  readonly vehicleId: string;
  readonly rows: readonly unknown[];
  /** What ended the rows of this vehicle; null while more may come. */
  readonly end: CompleteVehicle | VehicleFailure | null;
}

/** A vehicle all of whose rows have been taken. */
export interface CompleteVehicle {
  readonly vehicleId: string;
  /** Up to when these are all that the service can have, as text. */
  readonly until: string;
}

/** Time in milliseconds since 1970. */
export interface ServiceTime {
  /** By the clock of this machine. */
  localNow(): number;
  /** What the service's clock showed when this machine's showed `local`. */
  at(local: number): number;
}

/** A part of the period of a vehicle that is asked for. */
export interface PartRequest {
  readonly vehicleId: string;
  /** RFC 3339, UTC. */
  readonly from: string;
  readonly to: string;
  readonly list: LongList;
  /** In a request of its own. */
  readonly isAlone: boolean;
}

export interface SnapshotReaderDependencies {
  /**
   * Requests a part. Rejects when the answer has errors or null in place of the list. Parts that are requested in the same microtask travel
   * together.
   */
  readonly requestPart: (part: PartRequest, signal: AbortSignal) => Promise<ListRows>;
  /** Whether the other vehicles can go on after this error. */
  readonly isOfOneVehicle: (error: unknown) => error is FleetError;
  /** Rows of other vehicles are left out. */
  readonly namesVehicles: boolean;
  /** Called before rows that had null among them are delivered, and for rows of other vehicles. */
  readonly onEvent?: ((event: { type: 'gap' | 'other'; vehicleId: string }) => unknown) | undefined;
  readonly rates: VehicleRates;
  /** The size up to which answers grow. */
  readonly maxBytes: number | undefined;
  readonly windowLimit: WindowLimit;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly serviceTime: ServiceTime;
  readonly notifier: Notifier;
  readonly signal: AbortSignal | undefined;
}

/** The most parts in one document, the default of `merge.max`. */
const MAX_PARTS = 50;
/** With this many failures in a row the service is down, and asking for less does not help. */
const MAX_FAILURES = 4;

const operation = 'getSnapshots';

interface PartAnswer {
  readonly part: Part;
  readonly rows: ListRows;
  /** When it was asked for, by this machine's clock in milliseconds since 1970. */
  readonly askedAt: number;
}

interface Failed {
  readonly part: Part;
  readonly error: unknown;
}

/** What came of one request. */
interface Answer {
  readonly answered: readonly PartAnswer[];
  readonly failed: readonly Failed[];
  readonly ms: number;
  /** A call of a higher priority waited for it. */
  readonly isUrgent: boolean;
  /** Parts of several vehicles travelled in it, of this stream or of others. */
  readonly isShared: boolean;
}

/** What is to be delivered. */
interface PartRows {
  readonly answered: PartAnswer[];
  readonly ended: { readonly vehicle: VehicleProgress; readonly error: FleetError }[];
  /** What ended the stream. */
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
  #outside = 0;
  #rows = 0;
  /** Null ones among them. */
  #nulls = 0;

  constructor(vehicles: readonly VehicleInPeriod[], dependencies: SnapshotReaderDependencies) {
    this.#vehicles = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, new VehicleProgress(vehicle)]));
    this.#dependencies = dependencies;
    this.#target = new AnswerTarget(dependencies.maxBytes);
    this.#length = new AcceptedLength(dependencies.windowLimit);
  }

  /** Cancels what is in progress. */
  stop(): void {
    this.#controller.abort();
  }

  /** Nothing more of this vehicle is needed. */
  skip(vehicleId: string): void {
    const vehicle = this.#vehicles.get(vehicleId);
    if (vehicle) vehicle.isEnded = vehicle.isTold = true;
  }

  /** Up to when all rows of the vehicle have been taken, as text; null when there is no such time yet. */
  completeUntil(vehicleId: string): string | null {
    return this.#vehicles.get(vehicleId)?.completeUntil ?? null;
  }

  /** The rows of all vehicles. Rejects with an error that is not one vehicle's, such as an aborted call. */
  async *read(): AsyncGenerator<VehicleRows, void> {
    const { signal } = this.#dependencies;
    if (signal?.aborted) this.#onAbort();
    else if (signal) onAbort(signal, this.#onAbort);
    try {
      let next = this.#request();
      while (next !== null) {
        const { answered, ended, failure } = await next;
        next = failure ? null : this.#request();
        for (const answer of answered) yield* this.#deliver(answer);
        for (const { vehicle, error } of ended) yield* tellEnd(vehicle, error);
        if (failure) throw failure.error;
      }
    } finally {
      signal?.removeEventListener('abort', this.#onAbort);
      this.#warn();
    }
  }

  /** Requests the next parts; null when there are none. */
  #request(): Promise<PartRows> | null {
    const parts = this.#plan();
    return parts.length === 0 ? null : this.#receive(parts);
  }

  /** Vehicle after vehicle, until the answer is as large as it should be. */
  #plan(): readonly Part[] {
    const parts: Part[] = [];
    let bytes = this.#target.bytes;
    for (const vehicle of this.#vehicles.values()) {
      if (vehicle.isEnded || vehicle.remainingMs <= 0) continue;
      if (vehicle.isAlone && parts.length > 0) continue;
      const rate = this.#rateOf(vehicle);
      const ms = Math.min(this.#longestMs(vehicle), PART_BYTES / rate);
      const expected = rate * Math.min(vehicle.remainingMs, ms);
      // A part that fits into an answer is not cut for the sake of the space left in this one.
      if (parts.length > 0 && expected > bytes) break;
      parts.push(vehicle.request(Math.min(ms, bytes / rate)));
      bytes -= expected;
      if (bytes <= 0 || parts.length === MAX_PARTS || vehicle.isAlone) break;
    }
    return parts;
  }

  #rateOf({ vehicleId, silentParts }: VehicleProgress): number {
    const { rates, maxBytes } = this.#dependencies;
    return maxBytes === undefined ? rates.of(vehicleId) : rates.carefully(vehicleId, silentParts);
  }

  #longestMs({ vehicleId, longestMs }: VehicleProgress): number {
    return Math.min(longestMs, this.#length.ms, this.#dependencies.rates.longestMs(vehicleId));
  }

  /** Receives parts that have rows. What has none takes no memory, so the next is requested without waiting for the caller. Never rejects. */
  async #receive(first: readonly Part[]): Promise<PartRows> {
    const received: PartRows = { answered: [], ended: [], failure: null };
    for (let parts = first; parts.length > 0; parts = this.#plan()) {
      const answer = await this.#ask(parts);
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

  async #ask(parts: readonly Part[]): Promise<Answer> {
    const { now, requestPart, serviceTime } = this.#dependencies;
    const begin = now();
    const askedAt = serviceTime.localNow();
    let isUrgent = false;
    let isShared = parts.length > 1;
    const answered: PartAnswer[] = [];
    const failed: Failed[] = [];
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
        const { vehicleId } = vehicle;
        const [from, to] = [vehicle.text(window.from), vehicle.text(window.to)];
        const rows = await requestPart({ vehicleId, from, to, list, isAlone }, this.#controller.signal);
        answered.push({ part, rows, askedAt });
      } catch (error) {
        failed.push({ part, error });
      }
    });
    await Promise.all(requests);
    return { answered, failed, ms: now() - begin, isUrgent, isShared };
  }

  /** Learns from an answer, and notes what has to be requested again. Throws an error that is not one vehicle's. */
  #take({ answered, failed, ms, isUrgent, isShared }: Answer, received: PartRows): void {
    const { isOfOneVehicle, rates } = this.#dependencies;
    for (const answer of answered) {
      const { part, rows } = answer;
      const { vehicle, window } = part;
      rates.learn(vehicle.vehicleId, rows.bytes, window.to - window.from);
      this.#length.answered(window);
      vehicle.answered(!rows.hasRows);
      received.answered.push(answer);
    }
    const errors = failed.map(({ error }) => {
      if (!isOfOneVehicle(error)) throw error;
      return error;
    });
    const [firstError] = errors;
    if (firstError === undefined) {
      this.#failures = 0;
      this.#target.answered(ms, isUrgent);
      return;
    }
    for (const { part } of failed) part.vehicle.requestAgain(part);
    if (errors.every(mayBeOfSize)) {
      if (errors.every(isOfService)) this.#failures++;
      if (this.#failures > MAX_FAILURES) throw firstError;
      if (errors.length > 1 && this.#target.shrink()) return;
    }
    for (const [at, error] of errors.entries()) {
      const part = failed[at]?.part;
      if (part && !this.#canGoOn(part, error, isShared)) {
        part.vehicle.isEnded = true;
        received.ended.push({ vehicle: part.vehicle, error });
      }
    }
  }

  /** Whether something else can be requested in place of a part that failed. */
  #canGoOn(part: Part, error: FleetError, isShared: boolean): boolean {
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

  async *#deliver({ part, rows: answer, askedAt }: PartAnswer): AsyncGenerator<VehicleRows, void> {
    const { vehicle, window } = part;
    if (vehicle.isTold) return;
    const { vehicleId } = vehicle;
    const order = new WindowOrder(window);
    const others = new Set<string>();
    let hasGap = false;
    try {
      hasGap = await this.#parse(answer, vehicleId, order, others);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      yield* tellEnd(vehicle, error);
      return;
    }
    const { onEvent } = this.#dependencies;
    for (const other of others) await onEvent?.({ type: 'other', vehicleId: other });
    if (hasGap) await onEvent?.({ type: 'gap', vehicleId });
    this.#outside += order.countOutside();
    vehicle.beginPart(window);
    const areInOrder = order.isInOrder;
    for (const batch of order.take()) {
      const rows = vehicle.withoutRepeats(batch, areInOrder);
      vehicle.given += rows.length;
      if (rows.length > 0) yield { vehicleId, rows, end: null };
      // The caller may have said meanwhile that it needs no more.
      if (vehicle.isTold) return;
      await turnOfEventLoop();
    }
    vehicle.endPart(window, this.#dependencies.serviceTime.at(askedAt));
    if (vehicle.isRead) yield { vehicleId, rows: [], end: { vehicleId, until: vehicle.resumeFrom } };
  }

  /** Returns true where rows are missing, because there was null in place of some. */
  async #parse(answer: ListRows, vehicleId: string, order: WindowOrder, others: Set<string>): Promise<boolean> {
    let nulls = 0;
    for (let all = nextRows(answer, operation); all; all = nextRows(answer, operation)) {
      const rows = all.includes(null) ? all.filter((row) => row !== null) : all;
      nulls += all.length - rows.length;
      this.#rows += all.length;
      order.add(this.#dependencies.namesVehicles ? this.#ownRows(rows, vehicleId, others) : rows);
      // Lets the event loop receive the next answer, because promises alone never yield to it.
      await turnOfEventLoop();
    }
    this.#nulls += nulls;
    return nulls > 0;
  }

  /** The rows of this vehicle: in an answer with rows of others these would be there twice, or in its trips. */
  #ownRows(rows: readonly unknown[], vehicleId: string, others: Set<string>): readonly unknown[] {
    const isOwn = (row: unknown) => typeof row !== 'object' || row === null || namedBy(row) === vehicleId;
    if (rows.every(isOwn)) return rows;
    return rows.flatMap((row) => {
      if (typeof row !== 'object' || row === null || namedBy(row) === vehicleId) return [row];
      if (askedId(namedBy(row), vehicleId) !== null) return [{ ...row, vehicleId }];
      others.add(String(namedBy(row)));
      return [];
    });
  }

  #warn(): void {
    const { warning } = this.#dependencies.notifier;
    if (this.#nulls > 0) warning(nullRows(operation, this.#nulls, this.#rows));
    if (this.#outside === 0) return;
    const message = `${operation} answered ${this.#outside} rows from outside of the time that was asked for. The rows of a vehicle are in order within each part of the period only.`;
    warning({ code: 'ROWS_OUT_OF_ORDER', operation, message });
  }
}

/** The last of a vehicle, unless it has been told already. */
function* tellEnd(vehicle: VehicleProgress, error: FleetError): Generator<VehicleRows, void> {
  if (vehicle.isTold) return;
  vehicle.isEnded = vehicle.isTold = true;
  const { vehicleId, given: rowsGiven, resumeFrom } = vehicle;
  yield { vehicleId, rows: [], end: { vehicleId, error, rowsGiven, resumeFrom } };
}

function namedBy(row: object): unknown {
  return Reflect.get(row, 'vehicleId');
}

/** Whether less might be answered. */
function mayBeOfSize(error: FleetError): boolean {
  return isOfService(error) || error.code === 'RESPONSE_TOO_LARGE';
}

function isOfService({ code }: FleetError): boolean {
  return code === 'TIMEOUT' || code === 'HTTP';
}
