// Delivers the events of a watch to one receiver, with retries. The watch never waits for it.
// Events of one vehicle are delivered in order, several vehicles at the same time.

import { backoffMs } from '../../core/backoff.js';
import { errorCode } from '../../core/error-code.js';
import type { Random, Timers } from '../../core/ports.js';
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import type { ReceiverName } from './watch-records.js';

const PARALLEL = 4;

/** Bounds of the backoff, which doubles with full jitter. They cap Retry-After too. */
const PAUSES = { firstMs: 1_000, longestMs: 5 * 60_000 };

export type DeliveryOutcome =
  | { readonly kind: 'taken' }
  /** The receiver rejects this event permanently. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** True when other events would fail too. */
      readonly isReceiverDown: boolean;
      /** From Retry-After. */
      readonly retryAfterMs: number | null;
    };

/** A command or a URL that receives the events of a watch. */
export interface Receiver {
  readonly name: ReceiverName;
  readonly label: string;
  /** Delivers an event; the signal cancels it. A rejected promise counts as a failure. */
  deliver(event: FleetEvent, signal: AbortSignal): Promise<DeliveryOutcome>;
}

interface DeliveryParts {
  readonly receiver: Receiver;
  /** Age from which a failed event is not retried. */
  readonly giveUpAfterMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  readonly timers: Pick<Timers, 'after'>;
  readonly random: Random;
  /** Called when an event was delivered; stores that. */
  onDelivered(event: FleetEvent): void;
  onRefused(event: FleetEvent, reason: string): void;
  /** Called for the first of several failures. `waitMs`: the pause before the retry. */
  onFailing(reason: string, waitMs: number): void;
  onRecovered(): void;
  /** Called when the outcome could not be stored, which ends the watch. */
  onFatal(error: unknown): void;
}

/** Pending events of one vehicle. */
interface Lane {
  readonly events: FleetEvent[];
  failures: number;
}

export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #lanes = new Map<string, Lane>();
  /** Vehicles whose first event can be delivered now. */
  readonly #ready: string[] = [];
  readonly #giveUp = new AbortController();
  readonly #waits = new Set<() => void>();
  #size = 0;
  #underWay = 0;
  /** Consecutive failures of the receiver itself. */
  #receiverFailures = 0;
  #isPausing = false;
  #isReported = false;
  #isEnding = false;
  #onChange: (() => void)[] = [];

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#size;
  }

  add(events: readonly FleetEvent[]): void {
    for (const event of events) {
      const { vehicleId } = event;
      const lane = this.#lanes.get(vehicleId);
      this.#size++;
      if (lane) {
        lane.events.push(event);
        continue;
      }
      this.#lanes.set(vehicleId, { events: [event], failures: 0 });
      this.#ready.push(vehicleId);
    }
    this.#pump();
  }

  /** Resolves when at most `size` events are pending. */
  async until(size: number, signal: AbortSignal): Promise<void> {
    while (this.#size > size) {
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#onChange.push(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        });
      });
    }
  }

  /** Ends the deliveries. Running ones get `graceMs`; the rest stays for the next watch. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true;
    for (const cancel of this.#waits) cancel();
    this.#waits.clear();
    const cancel = this.#parts.timers.after(graceMs, () => this.#giveUp.abort());
    while (this.#underWay > 0 || (this.#ready.length > 0 && !this.#isPausing && !this.#giveUp.signal.aborted)) {
      await new Promise<void>((resolve) => this.#onChange.push(resolve));
    }
    cancel();
  }

  #pump(): void {
    while (this.#underWay < PARALLEL && !this.#isPausing && !this.#giveUp.signal.aborted) {
      const vehicleId = this.#ready.shift();
      if (vehicleId === undefined) return;
      const lane = this.#lanes.get(vehicleId);
      const [event] = lane?.events ?? [];
      if (lane && event) void this.#deliver(vehicleId, lane, event);
    }
  }

  async #deliver(vehicleId: string, lane: Lane, event: FleetEvent): Promise<void> {
    this.#underWay++;
    const outcome = await this.#outcomeOf(event);
    this.#underWay--;
    try {
      this.#settle(vehicleId, lane, event, outcome);
      this.#pump();
    } catch (error) {
      this.#giveUp.abort();
      this.#parts.onFatal(error);
    }
    for (const notify of this.#onChange.splice(0)) notify();
  }

  async #outcomeOf(event: FleetEvent): Promise<DeliveryOutcome> {
    try {
      return await this.#parts.receiver.deliver(event, this.#giveUp.signal);
    } catch (error) {
      const why = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown reason');
      return { kind: 'failed', reason: `it could not be started (${why})`, isReceiverDown: false, retryAfterMs: null };
    }
  }

  #settle(vehicleId: string, lane: Lane, event: FleetEvent, outcome: DeliveryOutcome): void {
    const { now, giveUpAfterMs, onDelivered, onRefused } = this.#parts;
    if (outcome.kind === 'taken') {
      this.#recover();
      onDelivered(event);
      this.#done(vehicleId, lane);
    } else if (outcome.kind === 'refused') {
      onRefused(event, outcome.reason);
      this.#done(vehicleId, lane);
    } else if (this.#giveUp.signal.aborted) {
      // Stays for the next watch.
    } else if (now() - Date.parse(event.foundAt) >= giveUpAfterMs) {
      onRefused(event, `${outcome.reason}, and the event is too old to be retried`);
      this.#done(vehicleId, lane);
    } else {
      this.#scheduleRetry(vehicleId, lane, outcome);
    }
  }

  #done(vehicleId: string, lane: Lane): void {
    lane.events.shift();
    lane.failures = 0;
    this.#size--;
    if (lane.events.length > 0) this.#ready.push(vehicleId);
    else this.#lanes.delete(vehicleId);
  }

  /** Schedules a retry, for all vehicles when the receiver is down. */
  #scheduleRetry(
    vehicleId: string,
    lane: Lane,
    { reason, isReceiverDown, retryAfterMs }: { reason: string; isReceiverDown: boolean; retryAfterMs: number | null },
  ): void {
    const tries = isReceiverDown ? this.#receiverFailures + 1 : ++lane.failures;
    const requestedMs = Math.min(retryAfterMs ?? 0, PAUSES.longestMs);
    const waitMs = Math.max(requestedMs, this.#parts.random() * backoffMs(tries, PAUSES));
    if (!isReceiverDown) {
      this.#reportFailure(reason, waitMs);
      this.#wait(waitMs, () => this.#ready.push(vehicleId));
      return;
    }
    this.#ready.push(vehicleId);
    // Other running deliveries fail for the same reason.
    if (this.#isPausing) return;
    this.#receiverFailures = tries;
    this.#isPausing = true;
    this.#reportFailure(reason, waitMs);
    this.#wait(waitMs, () => {
      this.#isPausing = false;
    });
  }

  #wait(ms: number, then: () => void): void {
    if (this.#isEnding) return;
    const cancel = this.#parts.timers.after(ms, () => {
      this.#waits.delete(cancel);
      then();
      this.#pump();
    });
    this.#waits.add(cancel);
  }

  #reportFailure(reason: string, waitMs: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#parts.onFailing(reason, waitMs);
  }

  #recover(): void {
    this.#receiverFailures = 0;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#parts.onRecovered();
  }
}
