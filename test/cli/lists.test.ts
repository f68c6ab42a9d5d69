// The commands that only list records of one kind: their output, and the flags of every list.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

describe('prints', () => {
  test('labels list', () => expectShape('labels-list', ['labels', 'list']));
  test('labels list, with an unknown field', () =>
    expectShape('labels-list.unknown', ['labels', 'list', '--fields', 'nmae'], { code: 2 }));
  test('roles list', () => expectGolden('roles-list', ['roles', 'list']));
  test('sensors list', () => expectGolden('sensors-list', ['sensors', 'list']));
  test('vehicles types', () => expectGolden('vehicles-types', ['vehicles', 'types']));
});

test('a list can be sorted, filtered and limited', async () => {
  const fleet = shellOf('demo', service().fetch);
  const names = (rows: unknown) => Object(rows).map(({ name }: { name: string }) => name);
  const all = names(await jsonOf(fleet, 'labels', 'list'));
  expect(names(await jsonOf(fleet, 'labels', 'list', '--sort', 'name'))).toEqual([...all].sort());
  expect(names(await jsonOf(fleet, 'labels', 'list', '--filter', `name=${all[1]}`))).toEqual([all[1]]);
  const { stdout, stderr } = await fleet(['labels', 'list', '--limit', '1', '--fields', 'name']);
  expect(stdout).toBe(`name\n${all[0]}\n`);
  expect(stderr).toBe('Only the first row is shown; there are more.\n');
});
