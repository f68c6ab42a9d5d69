// `retry` of a call: its number of attempts, alone and merged with others.
import { expect, test } from 'vitest';
import { InvalidInputError } from '../../src/index.js';
import { makeClient, makeService, rejection, statusesOf } from './setup.js';

const down = (times: number) => ({ kind: 'status', status: 503, times, path: '/graphql' }) as const;

test('a call is sent so often at most; 429 is its turn and does not count', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  await fleet.getLabels();
  service.clearRequests();
  service.faults.add(down(10));
  expect(await rejection(fleet.getLabels({}, { retry: { attempts: 1 } }))).toMatchObject({ code: 'HTTP', attempts: 1 });
  expect(await rejection(fleet.getLabels({}, { retry: { attempts: 2 } }))).toMatchObject({ code: 'HTTP', attempts: 2 });
  service.faults.clear();
  service.faults.add({ kind: 'status', status: 429, times: 2, path: '/graphql' });
  expect(await fleet.getLabels({}, { retry: { attempts: 1 } })).not.toHaveLength(0);
  // A refused token is replaced.
  service.faults.add({ kind: 'status', status: 401, path: '/graphql' });
  expect(await fleet.getLabels({}, { retry: { attempts: 1 } })).not.toHaveLength(0);
  expect(statusesOf(service, '/graphql')).toEqual([503, 503, 503, 429, 429, 200, 401, 200]);
});

test('the limits of a call take the place of those of the client, each for itself', async () => {
  const service = makeService();
  const fleet = makeClient(service, { retry: { attempts: 2, forMs: 0, baseDelayMs: 1 } });
  service.faults.add(down(20));
  expect(await rejection(fleet.getLabels({}, { retry: { attempts: 4 } }))).toMatchObject({ attempts: 1 });
  expect(await rejection(fleet.getLabels({}, { retry: { forMs: 5_000 } }))).toMatchObject({ attempts: 2 });
  expect(await rejection(fleet.getLabels({}, { retry: { attempts: 4, forMs: 5_000 } }))).toMatchObject({ attempts: 4 });
  const never = makeClient(service, { retry: false });
  expect(await rejection(never.getLabels())).toMatchObject({ attempts: 1 });
  expect(await rejection(never.getLabels({}, { retry: { attempts: 3, forMs: 5_000 } }))).toMatchObject({ attempts: 3 });
});

test.each([0, 1.5, '1', -1])('attempts: %j is refused before anything is sent', async (attempts) => {
  const service = makeService();
  const error = await rejection(makeClient(service).getLabels({}, { retry: { attempts: attempts as never } }));
  expect(error).toBeInstanceOf(InvalidInputError);
  expect(String(error)).toMatch(/retry.attempts must be a whole number above 0/);
  expect(service.requests).toEqual([]);
});
