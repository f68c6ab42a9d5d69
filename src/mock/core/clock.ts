// The clock of the service. Tokens, assignments and telemetry read it, so that a test moves time instead of waiting.
import { clampTime, isRepresentableTime, timeRangeText } from './time-range.js';

/** Tells the time in epoch milliseconds. */
export interface TimeSource {
  now(): number;
}

/** A clock that a test can move and stop. */
export interface MockClock extends TimeSource {
  /** Moves the clock by this many milliseconds; a negative number moves it back. A RangeError outside the years 0001 to 9999. */
  advance(ms: number): void;
  /**
   * Sets the clock: epoch milliseconds, RFC 3339 text or a Date. It runs on from there unless it is frozen. A RangeError
   * outside the years 0001 to 9999.
   */
  set(time: number | string | Date): void;
  /** Stops the clock at its present time, or lets it run on from there. */
  freeze(frozen: boolean): void;
}

export interface ResettableClock extends MockClock {
  reset(): void;
}

function requireTime(ms: number): number {
  if (!Number.isFinite(ms)) throw new RangeError('the clock needs a valid time');
  const time = Math.round(ms);
  if (!isRepresentableTime(time)) throw new RangeError(`the clock can only be set to a time ${timeRangeText}`);
  return time;
}

function toEpochMs(time: unknown): number {
  if (typeof time === 'number') return requireTime(time);
  if (typeof time === 'string' || time instanceof Date) return requireTime(new Date(time).getTime());
  throw new TypeError('the clock can be set to epoch milliseconds, RFC 3339 text or a Date');
}

/** Creates a clock that follows `source` until it is moved. */
export function createClock(source: TimeSource): ResettableClock {
  let offset = 0;
  let frozenAt: number | null = null;
  // A running clock stops at the last time that can be written as RFC 3339.
  const now = (): number => frozenAt ?? clampTime(Math.round(source.now()) + offset);
  const setTime = (time: number): void => {
    if (frozenAt !== null) frozenAt = time;
    else offset = time - Math.round(source.now());
  };
  return {
    now,
    advance: (ms) => setTime(requireTime(now() + ms)),
    set: (time) => setTime(toEpochMs(time)),
    freeze(frozen) {
      if (typeof frozen !== 'boolean') throw new TypeError('freeze takes true or false');
      if (frozen === (frozenAt !== null)) return;
      if (frozenAt === null) {
        frozenAt = now();
        return;
      }
      const resumeAt = frozenAt;
      frozenAt = null;
      setTime(resumeAt);
    },
    reset() {
      offset = 0;
      frozenAt = null;
    },
  };
}
