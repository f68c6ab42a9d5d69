// The service's one clock. Tokens, assignments and telemetry all read it, so a test moves time instead of waiting for it.
import { instantRange, isInstant, nearestInstant } from './instants.js';

/** Where time comes from: epoch milliseconds. */
export interface TimeSource {
  now(): number;
}

/** A clock that can be moved and stopped. */
export interface MockClock extends TimeSource {
  /** Moves the clock by this many milliseconds; a negative number moves it back. A RangeError outside the years 0001 to 9999. */
  advance(ms: number): void;
  /**
   * Sets the clock: epoch milliseconds, RFC 3339 text or a Date. It goes on running from there unless it is frozen. A
   * RangeError outside the years 0001 to 9999.
   */
  set(time: number | string | Date): void;
  /** Stops the clock where it stands, or lets it run again from there. */
  freeze(frozen: boolean): void;
}

export interface ResettableClock extends MockClock {
  reset(): void;
}

function moment(ms: number): number {
  if (!Number.isFinite(ms)) throw new RangeError('not a point in time');
  const time = Math.round(ms);
  if (!isInstant(time)) throw new RangeError(`the clock goes ${instantRange}`);
  return time;
}

function epochMs(time: unknown): number {
  if (typeof time === 'number') return moment(time);
  if (typeof time === 'string' || time instanceof Date) return moment(new Date(time).getTime());
  throw new TypeError('the clock can be set to epoch milliseconds, RFC 3339 text or a Date');
}

/** A clock that runs with `source` until somebody moves it. */
export function createClock(source: TimeSource): ResettableClock {
  let offset = 0;
  let frozenAt: number | null = null;
  // A clock that runs stops at the end of time rather than tell what no client can read.
  const now = (): number => frozenAt ?? nearestInstant(Math.round(source.now()) + offset);
  const moveTo = (time: number): void => {
    if (frozenAt !== null) frozenAt = time;
    else offset = time - Math.round(source.now());
  };
  return {
    now,
    advance: (ms) => moveTo(moment(now() + ms)),
    set: (time) => moveTo(epochMs(time)),
    freeze(frozen) {
      if (typeof frozen !== 'boolean') throw new TypeError('freeze takes true or false');
      if (frozen === (frozenAt !== null)) return;
      if (frozenAt === null) {
        frozenAt = now();
        return;
      }
      const resumeAt = frozenAt;
      frozenAt = null;
      moveTo(resumeAt);
    },
    reset() {
      offset = 0;
      frozenAt = null;
    },
  };
}
