// The CLI's demo fetch answers like `fetch`, and ends a user's active request when `fetch` does.
import { expect, test } from 'vitest';
import { createMockService } from '../../src/mock/service.js';
import { clock } from '../moment.js';
import { caller } from './caller.js';

const url = 'http://demo.invalid/api/graphql';

async function signedIn() {
  const service = createMockService({ clock });
  const { headers } = await caller(service.fetch);
  const init = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ getVehicles { id licensePlate } }' }),
  };
  return { service, init };
}

test('answers with the same status, headers and bytes as fetch', async () => {
  const { service, init } = await signedIn();
  for (const body of [init.body, '{"query":"{ nothing }"}', 'no JSON']) {
    const plain = await service.plainFetch(url, { ...init, body });
    const text = await plain.text();
    const full = await service.fetch(url, { ...init, body });
    expect([plain.ok, plain.status, plain.headers.get('Content-Type')]).toEqual([
      full.ok,
      full.status,
      full.headers.get('content-type'),
    ]);
    expect(text).toBe(await full.text());
  }
});

test('a request is active until its answer is read or given up', async () => {
  const { service, init } = await signedIn();
  const first = await service.plainFetch(url, init);
  expect((await service.plainFetch(url, init)).status).toBe(429);
  await first.json();
  const abort = new AbortController();
  expect((await service.plainFetch(url, { ...init, signal: abort.signal })).status).toBe(200);
  abort.abort();
  expect((await service.plainFetch(url, init)).status).toBe(200);
});

test('connections break as they do for fetch', async () => {
  const { service, init } = await signedIn();
  service.faults.add({ kind: 'reset' });
  await expect(service.plainFetch(url, init)).rejects.toThrow('fetch failed');
  service.faults.add({ kind: 'truncate' });
  await expect((await service.plainFetch(url, init)).text()).rejects.toThrow('terminated');
  expect((await service.plainFetch(url, init)).ok).toBe(true);
});
