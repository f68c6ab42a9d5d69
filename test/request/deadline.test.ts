// Deadlines of calls: no leaks, and the time that merged calls may wait.
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/index.js';
import { createDeferred, makeClient, makeService, rejection } from './setup.js';

test('a signal that outlives its calls keeps no listener of theirs', async () => {
  const service = makeService();
  const answered = createDeferred();
  let isSilent = false;
  const fetch: Fetch = async (url, init) => {
    if (isSilent) await answered.promise;
    return service.fetch(url, init);
  };
  const fleet = makeClient(service, { fetch });
  const { signal } = new AbortController();
  await fleet.getLabels({}, { signal });
  service.faults.add({ kind: 'status', status: 400, times: 1, path: '/graphql' });
  await rejection(fleet.getRoles({}, { signal }));
  isSilent = true;
  await rejection(fleet.getGroups({}, { signal, timeoutMs: 1 }));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  answered.resolve();
});

test('calls that are sent together wait as long as the one with the most time left', async () => {
  const service = makeService();
  const pauses: number[] = [];
  const retried = createDeferred();
  const fleet = makeClient(service, {
    hooks: {
      onRetry: ({ waitMs }) => {
        pauses.push(waitMs);
        retried.resolve();
      },
    },
  });
  await fleet.getLabels();
  service.faults.add({ kind: 'status', status: 503, retryAfter: 2, times: 1, path: '/graphql' });
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [fleet.getRoles({}, { signal }), fleet.getGroups({}, { signal, timeoutMs: 1000 })].map(rejection);
  await retried.promise;
  // The second call's deadline alone would allow less than a second.
  expect(pauses).toEqual([2000]);
  controller.abort();
  await Promise.all(calls);
});
