// A few thousand random and broken requests, equal in every run. `npm run fuzz` sends many more.
import { expect, test } from 'vitest';
import { frozenService } from '../mock/caller.js';
import { byFetch, byHttp, described, freshWorld, newTally, tryControl, tryOne } from './drive.js';

const seed = 1;

test('no request through fetch makes the service fail', async () => {
  const service = frozenService();
  const tally = newTally();
  let world = await freshWorld(service);
  for (let index = 0; index < 2000; index += 1) {
    // Mutations delete records that later requests need.
    if (index % 250 === 0) world = await freshWorld(service);
    await tryOne(tally, seed, index, world, (attempt) => byFetch(service, attempt));
  }
  expect(described(tally.findings)).toBe('');
  expect(tally.slowest.ms, JSON.stringify(tally.slowest)).toBeLessThan(5000);
  // If all requests were refused early, the test would prove nothing.
  expect(tally.withData).toBeGreaterThan(300);
}, 60_000);

test('no request over HTTP makes the service fail', async () => {
  const service = frozenService();
  const server = await service.listen();
  try {
    const tally = newTally();
    const world = await freshWorld(service);
    for (let index = 0; index < 300; index += 1) {
      await tryOne(tally, seed + 1, index, world, (attempt) => byHttp(server.url, attempt, 10_000));
    }
    expect(described(tally.findings)).toBe('');
  } finally {
    await server.close();
  }
}, 60_000);

test('nothing sent to /__mock/ leaves a service behind that fails', async () => {
  const service = frozenService();
  const tally = newTally();
  for (let index = 0; index < 100; index += 1) {
    await tryControl(tally, seed, index, service, (attempt) => byFetch(service, attempt));
  }
  expect(described(tally.findings)).toBe('');
}, 60_000);
