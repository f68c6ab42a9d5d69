// The option onWarning of a call: it gets the warnings of that call only, in place of the hook.
import { expect, test } from 'vitest';
import { altered } from '../../packages/sync/test/altered.js';
import type { WarningEvent } from '../../src/index.js';
import { makeClient, makeService, rejection, START } from './setup.js';

test('reports the missing rows of the list of this call, and of no merged call', async () => {
  const service = makeService();
  const all: string[] = [];
  const fetch = altered(service, (name, value) =>
    name === 'getPeople' ? null : name === 'getLabels' && Array.isArray(value) ? [null, ...value] : value,
  );
  const hooks = { onWarning: ({ code }: WarningEvent) => void all.push(code) };
  const fleet = makeClient(service, { fetch, hooks });
  const warned: Record<string, string[]> = { getPeople: [], getLabels: [], getRoles: [] };
  const onWarning = (name: string) => ({ onWarning: ({ code }: WarningEvent) => void warned[name]?.push(code) });
  await Promise.all([
    fleet.getPeople({}, onWarning('getPeople')),
    fleet.getLabels({}, onWarning('getLabels')),
    fleet.getRoles({}, onWarning('getRoles')),
  ]);
  expect(warned).toEqual({ getPeople: ['NULL_LIST'], getLabels: ['NULL_ROWS'], getRoles: [] });
  expect(all).toEqual([]);
});

test.each([1, 2])('reports the null rows of a stream of %i vehicles, with their vehicle', async (count) => {
  const service = makeService();
  const fetch = altered(service, (name, value) =>
    name === 'getSnapshots' && Array.isArray(value)
      ? [null, ...value.map((row) => ({ ...row, vehicleId: null }))]
      : value,
  );
  const fleet = makeClient(service, { fetch });
  const ids = (await fleet.getVehicles()).slice(0, count).map(({ id }) => String(id));
  const period = { from: new Date(START - 3_600_000), to: new Date(START) };
  const warned: string[] = [];
  const seen = new Set<unknown>();
  const options = { onWarning: ({ code }: WarningEvent) => void warned.push(code) };
  for await (const row of fleet.streamSnapshots({ vehicleIds: ids, ...period }, options)) seen.add(row.vehicleId);
  expect(new Set(warned)).toEqual(new Set(['NULL_ROWS']));
  expect([...seen].filter((id) => !ids.includes(String(id)))).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
});

test('must be a function, and what it throws is ignored', async () => {
  const service = makeService();
  const fleet = makeClient(service, { fetch: altered(service, () => null) });
  const wrong = await rejection(fleet.getRoles({}, { onWarning: 'yes' as never }));
  expect(wrong).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('onWarning') });
  const failing = () => {
    throw new Error('the listener failed');
  };
  expect(await fleet.getRoles({}, { onWarning: failing })).toEqual([]);
});
