// What `fleet roles` prints, to the letter.
import { describe, expect, test } from 'vitest';
import { service, shellOf } from './harness.js';
import { expectGolden, jsonOf, placeNames } from './places.js';

describe.each(placeNames)('in the place %s', (place) => {
  test('roles list', () => expectGolden('roles-list', place, ['roles', 'list']));
  test('roles list, of a field that is not there', () =>
    expectGolden('roles-list.unknown', place, ['roles', 'list', '--fields', 'nmae'], { code: 2 }));
});

test('roles list can be sorted, filtered and cut', async () => {
  const fleet = shellOf('demo', service().fetch);
  const names = (rows: unknown) => Object(rows).map(({ name }: { name: string }) => name);
  const all = names(await jsonOf(fleet, 'roles', 'list'));
  expect(names(await jsonOf(fleet, 'roles', 'list', '--sort', 'name'))).toEqual([...all].sort());
  expect(names(await jsonOf(fleet, 'roles', 'list', '--filter', `name=${all[1]}`))).toEqual([all[1]]);
  const { stdout, stderr } = await fleet(['roles', 'list', '--limit', '1', '--fields', 'name']);
  expect(stdout).toBe(`name\n${all[0]}\n`);
  expect(stderr).toBe(`Only the first 1 of ${all.length} are shown.\n`);
});
