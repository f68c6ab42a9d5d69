// Delayed requests: their waits, and early ends.
import { afterEach, expect, test, vi } from 'vitest';
import { createMockService, type MockService } from '../../src/mock/service.js';
import { type Answer, caller } from './caller.js';

afterEach(() => void vi.useRealTimers());

/** Returns a request that waits for the fake clock. */
async function delayedRequest(service: MockService, ms: number): Promise<{ readonly answer: Promise<Answer> }> {
  const ask = await caller(service.fetch);
  service.faults.add({ kind: 'delay', ms });
  vi.useFakeTimers();
  const answer = ask('{ getRoles { id } }');
  while (service.faults.list().length > 0) await vi.advanceTimersByTimeAsync(0);
  service.clearRequests();
  return { answer };
}

test('a delay ends with the fake clock', async () => {
  const { answer } = await delayedRequest(createMockService({ vehicles: 1 }), 3_600_000);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect((await answer).status).toBe(200);
});

test('a delay ends in real time when the fake clock stands still, or is taken away', async () => {
  const { answer } = await delayedRequest(createMockService({ vehicles: 1 }), 20);
  expect((await answer).status).toBe(200);
  const { answer: left } = await delayedRequest(createMockService({ vehicles: 1 }), 20);
  vi.useRealTimers();
  expect((await left).status).toBe(200);
});

test('clear() without an id answers what is held back', async () => {
  const service = createMockService({ vehicles: 1 });
  const { answer } = await delayedRequest(service, 3_600_000);
  service.faults.clear('fault-1');
  service.faults.clear();
  expect((await answer).status).toBe(200);
  expect(service.requests.map(({ path }) => path)).toEqual(['/graphql']);
});

test('reset() breaks off what is held back, and its journal stays empty', async () => {
  const service = createMockService({ vehicles: 1 });
  const { answer } = await delayedRequest(service, 3_600_000);
  service.reset();
  await expect(answer).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  expect(service.requests).toEqual([]);
  const ask = await caller(service.fetch);
  expect((await ask('{ getRoles { id } }')).status).toBe(200);
});

test('a program that only waits for the service still comes to its own timers', async () => {
  const ask = await caller(createMockService({ vehicles: 1 }).fetch);
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  for (let request = 0; request < 40; request++) await ask('{ getRoles { id } }');
  expect(hasTurned).toBe(true);
});
