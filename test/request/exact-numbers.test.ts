// Integers beyond 2^53 keep all digits: in methods, streams, own documents and the command line.
import { expect, test } from 'vitest';
import { diffRecords } from '../../packages/sync/src/index.js';
import type { Fetch } from '../../src/index.js';
import { shellOf, service as shellService } from '../cli/harness.js';
import { makeClient, makeService } from './setup.js';

const VERSION = '9007199254740993';

/** Returns a fetch whose records all have this version. */
function versioned(fetch: Fetch, version: string): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const text = await response.text();
    const { status } = response;
    return new Response(text.replace(/"version":\d+/g, `"version":${version}`), { status });
  };
}

const select = { id: true, version: true } as const;

test('arrive in methods, streams and answers to own documents', async () => {
  const service = makeService({ vehicles: 3 });
  const fleet = makeClient(service, { fetch: versioned(service.fetch, VERSION) });
  const [vehicle] = await fleet.getVehicles({}, { select });
  expect(vehicle?.version).toBe(VERSION);
  for await (const row of fleet.stream('getVehicles', {}, { select })) expect(row.version).toBe(VERSION);
  expect(await fleet.request('{ getLabels { version } }')).toMatchObject({
    getLabels: [{ version: VERSION }, {}, {}, {}],
  });
});

test('smaller ones stay numbers', async () => {
  const service = makeService({ vehicles: 3 });
  const fleet = makeClient(service, { fetch: versioned(service.fetch, '9007199254740991') });
  const [vehicle] = await fleet.getVehicles({}, { select });
  expect(vehicle?.version).toBe(9007199254740991);
});

test('a change of the last digit is a change', async () => {
  const service = makeService({ vehicles: 1 });
  const read = (version: string) =>
    makeClient(service, { fetch: versioned(service.fetch, version) }).getVehicles({}, { select });
  const [before, after] = [await read(VERSION), await read('9007199254740995')];
  expect(diffRecords(before, after).map(({ type }) => type)).toEqual(['changed']);
});

test.each([
  [['vehicles', 'list', '--fields', 'id,version', '-o', 'json']],
  [['api', '{ getVehicles { id version } }']],
])('fleet %j prints them', async (words) => {
  const mock = shellService({ vehicles: 2 });
  const { code, stdout } = await shellOf('demo', versioned(mock.fetch, VERSION))(words);
  expect(code).toBe(0);
  expect(stdout.split(`"${VERSION}"`)).toHaveLength(3);
});
