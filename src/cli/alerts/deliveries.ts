// Delivers the events of a watch to one receiver: in order for each vehicle, several vehicles at
// the same time, and with retries. The watch never waits for it.

import { errorCode } from '../../core/error-code.js';
import { pauseAfter } from '../../core/growing-pause.js';
import type { Random, Timers } from '../../core/ports.js';
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import type { ReceiverName } from './watch-records.js';

/** The number of vehicles whose events are delivered at the same time. */
const PARALLEL = 4;

/**
 * The bounds of the backoff, which doubles and has full jitter. Retry-After counts up to the
 * longest one.
 */
const PAUSES = { firstMs: 1_000, longestMs: 5 * 60_000 };

export type DeliveryOutcome =
  | { readonly kind: 'taken' }
  /** The receiver will never take this event. */
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** True when other events would fail too for now. */
      readonly isUnwell: boolean;
      /** The pause that the receiver asks for. */
      readonly retryAfterMs: number | null;
    };

/** A command or an address that gets the events of a watch. */
export interface Receiver {
  readonly name: ReceiverName;
  /** For messages. */
  readonly label: string;
  /**
   * Delivers an event; the signal ends it. Rejects when the delivery could not be started, which is
   * a failure.
   */
  deliver(event: FleetEvent, signal: AbortSignal): Promise<DeliveryOutcome>;
}

export interface DeliveryParts {
  readonly receiver: Receiver;
  /** The age from which a failed event is not retried. */
  readonly giveUpAfterMs: number;
  /** Milliseconds since 1970. */
  now(): number;
  readonly timers: Pick<Timers, 'after'>;
  readonly random: Random;
  /** Stores that the event is done. */
  onTaken(event: FleetEvent): void;
  onRefused(event: FleetEvent, reason: string): void;
  /** Called for the first failure of several. `waitMs`: the pause before the retry. */
  onTrouble(reason: string, waitMs: number): void;
  onWell(): void;
  /** Called when the outcome could not be stored: the watch cannot go on. */
  onBroken(error: unknown): void;
}

/** The waiting events of one vehicle. */
interface Lane {
  readonly events: FleetEvent[];
  failures: number;
}

export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #lanes = new Map<string, Lane>();
  /** The vehicles whose first event can be delivered now. */
  readonly #ready: string[] = [];
  readonly #giveUp = new AbortController();
  readonly #waits = new Set<() => void>();
  #size = 0;
  #underWay = 0;
  /** The number of failures in a row that were no fault of an event. */
  #unwell = 0;
  #isPausing = false;
  #isReported = false;
  #isEnding = false;
  #onChange: (() => void)[] = [];

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** The number of events that the receiver has not taken. */
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

  /** Resolves when at most `size` events are left. */
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

  /**
   * Ends: deliveries under way get `graceMs`, nothing is retried, and the rest stays for the next
   * watch.
   */
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
      this.#parts.onBroken(error);
    }
    for (const tell of this.#onChange.splice(0)) tell();
  }

  async #outcomeOf(event: FleetEvent): Promise<DeliveryOutcome> {
    try {
      return await this.#parts.receiver.deliver(event, this.#giveUp.signal);
    } catch (error) {
      const why = errorCode(error) ?? (error instanceof Error ? error.name : 'unknown reason');
      return { kind: 'failed', reason: `it could not be started (${why})`, isUnwell: false, retryAfterMs: null };
    }
  }

  #settle(vehicleId: string, lane: Lane, event: FleetEvent, outcome: DeliveryOutcome): void {
    const { now, giveUpAfterMs, onTaken, onRefused } = this.#parts;
    if (outcome.kind === 'taken') {
      this.#well();
      onTaken(event);
      this.#done(vehicleId, lane);
    } else if (outcome.kind === 'refused') {
      onRefused(event, outcome.reason);
      this.#done(vehicleId, lane);
    } else if (this.#giveUp.signal.aborted) {
      // It stays for the next watch.
    } else if (now() - Date.parse(event.foundAt) >= giveUpAfterMs) {
      onRefused(event, `${outcome.reason}, and the event is too old to be tried again`);
      this.#done(vehicleId, lane);
    } else {
      this.#later(vehicleId, lane, outcome);
    }
  }

  #done(vehicleId: string, lane: Lane): void {
    lane.events.shift();
    lane.failures = 0;
    this.#size--;
    if (lane.events.length > 0) this.#ready.push(vehicleId);
    else this.#lanes.delete(vehicleId);
  }

  /**
   * Schedules a retry: of all vehicles while the receiver is unwell, else of the vehicle of the
   * event.
   */
  #later(
    vehicleId: string,
    lane: Lane,
    { reason, isUnwell, retryAfterMs }: { reason: string; isUnwell: boolean; retryAfterMs: number | null },
  ): void {
    const tries = isUnwell ? this.#unwell + 1 : ++lane.failures;
    const asked = Math.min(retryAfterMs ?? 0, PAUSES.longestMs);
    const waitMs = Math.max(asked, this.#parts.random() * pauseAfter(tries, PAUSES));
    if (!isUnwell) {
      this.#trouble(reason, waitMs);
      this.#wait(waitMs, () => this.#ready.push(vehicleId));
      return;
    }
    this.#ready.push(vehicleId);
    // Other deliveries under way fail for the same reason.
    if (this.#isPausing) return;
    this.#unwell = tries;
    this.#isPausing = true;
    this.#trouble(reason, waitMs);
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

  #trouble(reason: string, waitMs: number): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#parts.onTrouble(reason, waitMs);
  }

  #well(): void {
    this.#unwell = 0;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#parts.onWell();
  }
}
