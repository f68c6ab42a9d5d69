// Follows a watch in a test: collects its events, with fake timers and a controlled clock.
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, vi } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';

/** Replaces the timers of the tests by fake ones. */
export function useStoppedTimers(): void {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());
}

/** Resolves when everything without a timer has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Advances the service's clock and the timers, in small steps when it is short. */
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
  /** Returns the events since the last call. */
  take(): readonly Event[];
  /** Undefined while it runs; `error`: null for a normal end. */
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
