// Services of one process share immutable schemas and roads without affecting each other.
import { expect, test } from 'vitest';
import { SharedCache } from '../../src/mock/core/shared-cache.js';
import type { MockServiceOptions } from '../../src/mock/service.js';
import { caller, frozenService } from './caller.js';

test('a value is made once, and the ones that were used last are kept', () => {
  const made: string[] = [];
  const shared = new SharedCache<string>(2);
  const get = (key: string) => shared.get(key, () => String(made.push(key)));
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['1', '2', '1', '3', '1', '4']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('services that differ in an option or a variant answer differently, though one process runs them all', async () => {
  const document = `mutation { createGroup(createGroupInput: { name: "A", colour: "red" }) { id } }`;
  const introspection = '{ __schema { queryType { name } } }';
  const latest = '{ getVehicles { createdAt lastData { timestamp gps { latitude longitude } } } }';
  const all: readonly MockServiceOptions[] = [
    {},
    { strict: false },
    { timestamps: 'number' },
    { variant: { introspection: 'off' } },
    { seed: 2 },
  ];
  const answers = all.map(async (options) => {
    const call = await caller(frozenService({ vehicles: 3, ...options }).fetch);
    const { getVehicles } = await call.data(latest);
    return {
      isKeyRefused: (await call(document)).errors.length > 0,
      isDescribed: (await call(introspection)).errors.length === 0,
      time: typeof getVehicles[0].createdAt,
      latest: getVehicles[0].lastData,
    };
  });
  const made = await Promise.all(answers);
  const usual = { ...made[0], isKeyRefused: true, isDescribed: true, time: 'string' };
  expect(made).toEqual([
    usual,
    { ...usual, isKeyRefused: false },
    { ...usual, time: 'number' },
    { ...usual, isDescribed: false },
    { ...usual, latest: { timestamp: '2026-03-04T11:56:45.000Z', gps: { latitude: 58.305227, longitude: 26.672462 } } },
  ]);
});
