// The service's one clock. Tokens, assignments and telemetry all read it, so a test moves time instead of waiting for it.

/** Where time comes from: epoch milliseconds. */
export interface TimeSource {
  now(): number;
}

/** A clock that can be moved and stopped. */
export interface MockClock extends TimeSource {
  /** Moves the clock by this many milliseconds; a negative number moves it back. */
  advance(ms: number): void;
  /** Sets the clock: epoch milliseconds, RFC 3339 text or a Date. It goes on running from there unless it is frozen. */
  set(time: number | string | Date): void;
  /** Stops the clock where it stands, or lets it run again from there. */
  freeze(frozen: boolean): void;
}

export interface ResettableClock extends MockClock {
  reset(): void;
}

// Date cannot hold more than this many milliseconds either side of 1970.
const farthest = 8.64e15;

function moment(ms: number): number {
  if (!Number.isFinite(ms) || Math.abs(ms) > farthest) throw new RangeError('not a point in time');
  return Math.round(ms);
}

function epochMs(time: number | string | Date): number {
  return moment(typeof time === 'number' ? time : new Date(time).getTime());
}

/** A clock that runs with `source` until somebody moves it. */
export function createClock(source: TimeSource): ResettableClock {
  let offset = 0;
  let frozenAt: number | null = null;
  const now = (): number => frozenAt ?? Math.round(source.now()) + offset;
  const moveTo = (time: number): void => {
    if (frozenAt !== null) frozenAt = time;
    else offset = time - Math.round(source.now());
  };
  return {
    now,
    advance: (ms) => moveTo(moment(now() + ms)),
    set: (time) => moveTo(epochMs(time)),
    freeze(frozen) {
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
