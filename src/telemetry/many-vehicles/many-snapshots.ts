// Streams the snapshots of many vehicles in few requests: several vehicles' parts of the period are asked for at once, and the user's queue
// sends them as one document. While the caller works on an answer, the next one is on its way.
import { setImmediate } from 'node:timers/promises';
import { FleetError, type VehicleError } from '../../core/errors.js';
import type { Notifier } from '../../core/hooks.js';
import { askedId } from '../../core/uuid.js';
import type { ListRows } from '../../rows/list-rows.js';
import type { Period } from '../period.js';
import { nextBatch } from '../stream-snapshots.js';
import type { Window, WindowLimit } from '../windows.js';
import { AnswerTarget, type VehicleRates } from './answer-sizes.js';
import { VehicleProgress } from './vehicle-progress.js';

/** Rows of one vehicle, in order of time. */
export interface VehicleRows {
  readonly vehicleId: string;
  readonly rows: readonly unknown[];
  /** What ended the rows of this vehicle; null while more may come. */
  readonly end: 'complete' | VehicleError | null;
}

export interface ManySnapshotsDependencies {
  /**
   * Requests a part of the period of a vehicle; null when the service answered null in place of rows. Rejects when the answer has errors in
   * place of rows. Parts that are requested in the same microtask travel together.
   */
  readonly requestPart: (
    vehicleId: string,
    window: Window,
    signal: AbortSignal,
    /** Called when a call of a higher priority waits for the answer. */
    onUrgentCall: () => void,
  ) => Promise<ListRows | null>;
  /** Reads one vehicle alone: for one whose part was refused. */
  readonly readAlone: (vehicleId: string, from: string, signal: AbortSignal) => AsyncIterable<unknown>;
  /** Called before rows of a vehicle are delivered that had null among them. */
  readonly onGap?: ((vehicleId: string) => void) | undefined;
  /** Called for a row that names another vehicle than the one that was asked for; it is left out. */
  readonly onOther?: ((vehicleId: string) => void) | undefined;
  readonly rates: VehicleRates;
  /** The size up to which answers grow. */
  readonly maxBytes: number | undefined;
  /** The longest part that the service answers, as streams of one vehicle have found it. */
  readonly windowLimit: WindowLimit;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  readonly notifier: Notifier;
}

/** The most parts in one document, the default of `merge.max`. */
const MAX_PARTS = 50;
/** Rows are delivered in batches of at most so many, and the event loop runs in between. */
const BATCH_ROWS = 2_000;
/** So much of an answer is parsed before the event loop gets its turn: some milliseconds. */
const PARSED_BATCHES = 8;
/** With so many failures in a row the service is down, and asking for less does not help. */
const MAX_FAILURES = 4;

const operation = 'getSnapshots';

interface Part {
  readonly vehicle: VehicleProgress;
  readonly window: Window;
}

type Outcome = { readonly part: Part } & ({ readonly rows: ListRows | null } | { readonly error: unknown });

interface Answer {
  readonly outcomes: readonly Outcome[];
  readonly ms: number;
  /** A call of a higher priority waited for it. */
  readonly isUrgent: boolean;
}

export class ManySnapshots {
  readonly #dependencies: ManySnapshotsDependencies;
  readonly #vehicles: readonly VehicleProgress[];
  readonly #target: AnswerTarget;
  readonly #controller = new AbortController();
  /** Their rows could not be read: the other vehicles go on. */
  readonly #ended = new Set<VehicleProgress>();
  #failures = 0;
  #outside = 0;
  #nulls = 0;

  constructor(vehicleIds: readonly string[], period: Period, dependencies: ManySnapshotsDependencies) {
    this.#vehicles = [...new Set(vehicleIds)].map((vehicleId) => new VehicleProgress(vehicleId, period));
    this.#dependencies = dependencies;
    this.#target = new AnswerTarget(dependencies.maxBytes);
  }

  /** Cancels what is in progress. */
  stop(): void {
    this.#controller.abort();
  }

  /** The rows of all vehicles. Rejects with an error that is not one vehicle's, such as an aborted call. */
  async *read(): AsyncGenerator<VehicleRows, void> {
    let waiting = [...this.#vehicles];
    let next = this.#request(waiting);
    while (next !== null) {
      const answer = await next;
      const failed = this.#take(answer).filter((vehicle) => !this.#ended.has(vehicle));
      waiting = waiting.filter(
        (vehicle) => vehicle.remainingMs > 0 && !failed.includes(vehicle) && !this.#ended.has(vehicle),
      );
      next = this.#request(waiting);
      for (const outcome of answer.outcomes) if ('rows' in outcome) yield* this.#deliver(outcome.part, outcome.rows);
      for (const vehicle of failed) yield* this.#readAlone(vehicle);
    }
    this.#warn();
  }

  /** Requests the next parts; null when there are none. */
  #request(waiting: readonly VehicleProgress[]): Promise<Answer> | null {
    const parts = this.#plan(waiting);
    if (parts.length === 0) return null;
    const { now, requestPart } = this.#dependencies;
    const begin = now();
    let isUrgent = false;
    const onUrgentCall = () => {
      isUrgent = true;
    };
    const outcomes = parts.map(async (part): Promise<Outcome> => {
      try {
        const { vehicle, window } = part;
        return { part, rows: await requestPart(vehicle.vehicleId, window, this.#controller.signal, onUrgentCall) };
      } catch (error) {
        return { part, error };
      }
    });
    return Promise.all(outcomes).then((all) => ({ outcomes: all, ms: now() - begin, isUrgent }));
  }

  /** Vehicle after vehicle, until the answer is as large as it should be. */
  #plan(waiting: readonly VehicleProgress[]): readonly Part[] {
    const parts: Part[] = [];
    let bytes = this.#target.bytes;
    for (const vehicle of waiting) {
      if (parts.length === MAX_PARTS) break;
      const rate = this.#rateOf(vehicle.vehicleId);
      const expected = rate * vehicle.remainingMs;
      // A vehicle that fits into an answer is not cut for the sake of the space left in this one.
      if (parts.length > 0 && expected > bytes) break;
      const ms = Math.min(this.#dependencies.windowLimit.ms, rate === 0 ? vehicle.remainingMs : bytes / rate);
      parts.push({ vehicle, window: vehicle.request(ms) });
      bytes -= expected;
      if (bytes <= 0) break;
    }
    return parts;
  }

  #rateOf(vehicleId: string): number {
    const { rates, maxBytes } = this.#dependencies;
    return maxBytes === undefined ? rates.of(vehicleId) : rates.carefully(vehicleId);
  }

  /** Learns from an answer; the vehicles whose parts must be read alone. */
  #take({ outcomes, ms, isUrgent }: Answer): readonly VehicleProgress[] {
    const errors = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []));
    for (const { error } of errors) if (!isOfOneVehicle(error)) throw error;
    for (const outcome of outcomes) {
      if ('rows' in outcome) this.#learn(outcome.part, outcome.rows);
      else outcome.part.vehicle.requestAgain();
    }
    if (errors.length === 0) {
      this.#failures = 0;
      this.#target.answered(ms, isUrgent);
      return [];
    }
    if (errors.every(({ error }) => mayBeOfSize(error))) {
      this.#failures++;
      if (this.#failures > MAX_FAILURES) throw errors[0]?.error;
      if (errors.length > 1 && this.#target.shrink()) return [];
    }
    return errors.map(({ part }) => part.vehicle);
  }

  #learn({ vehicle, window }: Part, rows: ListRows | null): void {
    this.#dependencies.rates.learn(vehicle.vehicleId, rows?.bytes ?? 0, window.to - window.from);
  }

  async *#deliver({ vehicle, window }: Part, answer: ListRows | null): AsyncGenerator<VehicleRows, void> {
    if (this.#ended.has(vehicle)) return;
    let answered: readonly unknown[];
    const nulls = this.#nulls;
    try {
      answered = answer === null ? [] : await this.#parsed(answer, vehicle.vehicleId);
      if (answer === null || this.#nulls > nulls) this.#dependencies.onGap?.(vehicle.vehicleId);
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      this.#ended.add(vehicle);
      const { vehicleId, given: rowsGiven, resumeFrom } = vehicle;
      yield { vehicleId, rows: [], end: { vehicleId, error, rowsGiven, resumeFrom } };
      return;
    }
    const { rows, outside } = vehicle.read(answered, window);
    this.#outside += outside;
    yield* this.#batches(vehicle, rows, vehicle.isRead);
  }

  async #parsed(answer: ListRows, vehicleId: string): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    let batches = 0;
    for (let some = nextBatch(answer); some; some = nextBatch(answer)) {
      for (const row of some) {
        if (row === null) this.#nulls++;
        else all.push(...this.#own(row, vehicleId));
      }
      if (++batches % PARSED_BATCHES === 0) await setImmediate();
    }
    return all;
  }

  async *#batches(
    vehicle: VehicleProgress,
    rows: readonly unknown[],
    isRead: boolean,
  ): AsyncGenerator<VehicleRows, void> {
    const { vehicleId } = vehicle;
    for (let at = 0; at < rows.length || at === 0; at += BATCH_ROWS) {
      const batch = rows.slice(at, at + BATCH_ROWS);
      vehicle.given += batch.length;
      const end = isRead && at + BATCH_ROWS >= rows.length ? 'complete' : null;
      if (batch.length > 0 || end) yield { vehicleId, rows: batch, end };
      // Lets the event loop receive the next answer, because promises alone never yield to it.
      await setImmediate();
    }
  }

  async *#readAlone(vehicle: VehicleProgress): AsyncGenerator<VehicleRows, void> {
    const { vehicleId } = vehicle;
    let rows: unknown[] = [];
    try {
      for await (const row of this.#dependencies.readAlone(vehicleId, vehicle.beginRest(), this.#controller.signal)) {
        rows.push(...this.#own(row, vehicleId));
        if (rows.length < BATCH_ROWS) continue;
        yield* this.#batches(vehicle, vehicle.readRest(rows), false);
        rows = [];
      }
      yield* this.#batches(vehicle, vehicle.readRest(rows), true);
    } catch (error) {
      if (!(error instanceof FleetError) || !isOfOneVehicle(error)) throw error;
      yield* this.#batches(vehicle, vehicle.readRest(rows), false);
      const resumeFrom = error.resumeFrom ?? vehicle.resumeFrom;
      yield { vehicleId, rows: [], end: { vehicleId, error, rowsGiven: vehicle.given, resumeFrom } };
    }
  }

  /** The row, if it is one of this vehicle: in an answer with rows of others these would be there twice, or in its trips. */
  #own(row: unknown, vehicleId: string): readonly unknown[] {
    if (typeof row !== 'object' || row === null) return [row];
    const named: unknown = Reflect.get(row, 'vehicleId');
    if (named === vehicleId) return [row];
    if (askedId(named, vehicleId) !== null) return [{ ...row, vehicleId }];
    this.#dependencies.onOther?.(String(named));
    return [];
  }

  #warn(): void {
    const { warning } = this.#dependencies.notifier;
    if (this.#nulls > 0) {
      const message = `${operation} answered ${this.#nulls} null rows; they were left out.`;
      warning({ code: 'NULL_ROWS', operation, message });
    }
    if (this.#outside === 0) return;
    const message = `${operation} answered ${this.#outside} rows from outside of the time that was asked for. The rows of a vehicle are in order within each part of the period only.`;
    warning({ code: 'ROWS_OUT_OF_ORDER', operation, message });
  }
}

/** Whether the other vehicles can go on after this error. */
function isOfOneVehicle(error: unknown): boolean {
  if (!(error instanceof FleetError)) return false;
  return ['GRAPHQL', 'PROTOCOL', 'RESPONSE_TOO_LARGE'].includes(error.code) || mayBeOfSize(error);
}

/** Whether less might be answered. */
function mayBeOfSize(error: unknown): boolean {
  if (!(error instanceof FleetError)) return false;
  return error.code === 'TIMEOUT' || error.code === 'HTTP' || error.code === 'RESPONSE_TOO_LARGE';
}
