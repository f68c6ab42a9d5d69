import { expect, test } from 'vitest';
import { valueAtPath } from '../../src/core/json.js';

test.each([
  ['driverIds.0', { driverIds: ['a', 'b'] }, 'a'],
  ['driverIds.0', { driverIds: [] }, null],
  ['groups.name', { groups: [{ name: 'a' }, {}] }, ['a', null]],
  ['groups.1.name', { groups: [{ name: 'a' }, { name: 'b' }] }, 'b'],
  ['gps.speed', { gps: { speed: 3 } }, 3],
  ['gps.speed', { gps: null }, null],
  ['gps.constructor', { gps: {} }, null],
])('%s of %j', (path, value, expected) => {
  expect(valueAtPath(value, path.split('.'))).toEqual(expected);
});
