// What the SDK adds to the bundle of a program that makes one call. The figures are those of docs/serverless.md, with little room.
import { expect, test } from 'vitest';
import { bundleHandler } from '../../bench/lib/handler-bundle.mjs';

const kB = 1000;

test('one file holds the SDK and what a call needs, and nothing of a database', async () => {
  const { code, parts } = await bundleHandler();
  expect([...parts.keys()].sort()).toEqual([
    'eventemitter3',
    'fleet-telematics',
    'graphql',
    'p-queue',
    'p-timeout',
    'undici',
  ]);
  expect(code.length).toBeLessThan(916 * kB);
  expect(parts.get('fleet-telematics')).toBeLessThan(312 * kB);
  expect(parts.get('graphql')).toBeLessThan(55 * kB);
});

test('without undici it is a third of that', async () => {
  const { code } = await bundleHandler(['undici']);
  expect(code.length).toBeLessThan(376 * kB);
});
