// The clock of the service, which tests move instead of waiting.
import { clampTime, isRepresentableTime, timeRangeText } from './rfc3339.js';

export interface TimeSource {
  now(): number;
}

/** A clock that a test can move and stop. */
export interface MockClock extends TimeSource {
  /** Moves the clock by milliseconds, also back. A RangeError outside the years 0001 to 9999. */
  advance(ms: number): void;
  /**
   * Sets the clock to epoch milliseconds, RFC 3339 text or a Date; it runs on unless it is frozen.
   * @throws RangeError outside the years 0001 to 9999.
   */
  set(time: number | string | Date): void;
  /** Stops the clock at its current time, or lets it run on from there. */
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

export function createClock(source: TimeSource): ResettableClock {
  let offset = 0;
  let frozenAt: number | null = null;
  // A running clock stops at the last time that RFC 3339 can express.
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
