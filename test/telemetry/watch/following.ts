// A watch that is followed by a test: its events are collected, and time passes only when the test says so.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, vi } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';

/** The timers of these tests stand still. */
export function standStill(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
}

/** Until everything that waits for no timer has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Time passes for the service and for the timers, in small steps when it is short. */
export async function pass(service: MockService, ms: number): Promise<void> {
  const step = ms > 60_000 ? ms : 1_000;
  for (let left = ms; left > 0; left -= step) {
    const part = Math.min(left, step);
    service.clock.advance(part);
    await vi.advanceTimersByTimeAsync(part);
    await settled();
  }
}

export interface Following<Event> {
  /** The events since the last call. */
  take(): readonly Event[];
  /** What ended the watch; undefined while it runs, null when it ended without an error. */
  readonly end: { readonly error: unknown } | undefined;
}

export async function follow<Event>(events: AsyncIterable<Event>): Promise<Following<Event>> {
  const collected: Event[] = [];
  const state: { end: { readonly error: unknown } | undefined } = { end: undefined };
  const read = async () => {
    for await (const event of events) collected.push(event);
  };
  void read().then(
    () => (state.end = { error: null }),
    (error: unknown) => (state.end = { error }),
  );
  await settled();
  return {
    take: () => collected.splice(0),
    get end() {
      return state.end;
    },
  };
}
