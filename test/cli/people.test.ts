// What `fleet people` prints, to the letter, and what it sends.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const make = [
  'people',
  'create',
  '--first-name',
  'Zoë',
  '--last-name',
  'Quist',
  '--email',
  'zoe@example.com',
  '--is-driver',
];

describe('prints', () => {
  test('people list', () => expectGolden('people-list', ['people', 'list']));
  test('people get', () => expectGolden('people-get', ['people', 'get', 'liis']));
  test('people get, of several', () => expectShape('people-get.several', ['people', 'get', 'karl'], { code: 2 }));
  test('people create', () => expectGolden('people-create', make));
  test('people update', () =>
    expectGolden('people-update', ['people', 'update', 'karl berg', '--phone', '+3725550000']));
  test('people delete', () => expectGolden('people-delete', ['people', 'delete', 'Karl Berg', '--yes']));
  test('people fields', () => expectGolden('people-fields', ['people', 'fields', 'liis']));
  test('people set-field', () =>
    expectGolden('people-set-field', ['people', 'set-field', 'Liis Tamm', 'Department', 'Garage']));
  test('people set-field, of a field that there is not', () =>
    expectGolden('people-set-field.unknown', ['people', 'set-field', 'Liis Tamm', 'Departmnt', 'x'], {
      code: 5,
    }));
  test('people set-roles', () =>
    expectGolden('people-set-roles', ['people', 'set-roles', 'Liis Tamm', 'dispatcher', 'Driver']));
});

/** People of the same service. */
interface Someone {
  readonly id: string;
  readonly isDriver: boolean;
  readonly isUser: boolean;
  readonly roles: readonly { readonly name: string }[];
}

describe('people', () => {
  const people = async (...flags: readonly string[]) => {
    const rows = await jsonOf(shellOf('demo', service().fetch), 'people', 'list', ...flags);
    return rows as readonly Partial<Someone>[];
  };

  test('are all, drivers or users; the fields asked for stay the fields shown', async () => {
    const all = await people();
    expect(await people('--drivers')).toEqual(all.filter(({ isDriver }) => isDriver));
    expect(await people('--users')).toEqual(all.filter(({ isUser }) => isUser));
    expect(await people('--drivers', '--fields', 'id')).toEqual(
      all.flatMap(({ id, isDriver }) => (isDriver ? [{ id }] : [])),
    );
    const both = await shellOf('demo', service().fetch)(['people', 'list', '--drivers', '--users']);
    expect(both.code).toBe(2);
  });

  test('are found by name, e-mail, employee id and id', async () => {
    const fleet = shellOf('demo', service().fetch);
    const liis = await jsonOf(fleet, 'people', 'get', 'liis tamm');
    const { id, email, employeeId } = Object(liis);
    for (const said of [id, email.toUpperCase(), employeeId, 'LIIS TAMM', ' Tamm ']) {
      expect(await jsonOf(fleet, 'people', 'get', said)).toEqual(liis);
    }
    expect((await fleet(['people', 'get', 'nobody'])).code).toBe(5);
    expect((await fleet(['people', 'get', '00000000-0000-4000-8000-000000000000'])).code).toBe(5);
  });

  test('what is not said stays; what is said with --no- is taken away', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect(await jsonOf(fleet, ...make, '--is-user')).toMatchObject({ isDriver: true, isUser: true });
    expect(await jsonOf(fleet, 'people', 'update', 'zoë quist', '--no-is-driver')).toMatchObject({
      firstName: 'Zoë',
      email: 'zoe@example.com',
      isDriver: false,
      isUser: true,
    });
  });

  test('set-roles puts these in the place of all; --none takes all away', async () => {
    const fleet = shellOf('demo', service().fetch);
    const roles = async () => Object(await jsonOf(fleet, 'people', 'get', 'liis')).roles.map(Object);
    const set = (...words: readonly string[]) => jsonOf(fleet, 'people', 'set-roles', 'Liis Tamm', ...words);
    expect(await set('Dispatcher', 'driver')).toBe(true);
    expect((await roles()).map(({ name }: { name: string }) => name)).toEqual(['Dispatcher', 'Driver']);
    expect(await set('--none')).toBe(true);
    expect(await roles()).toEqual([]);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm'])).code).toBe(2);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm', 'Driver', '--none'])).code).toBe(2);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm', 'Driver', 'Pilot'])).code).toBe(5);
  });

  test('set-roles takes many lines, with lists of names', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = '{"personId":"Liis Tamm","roleIds":[]}\n{"id":"Karl Berg","roleIds":["Driver","Dispatcher"]}\n';
    const { code, stdout } = await fleet(['people', 'set-roles', '--input', '-'], { input });
    expect({ code, statuses: stdout.split('\n').map((line) => line.split('\t')[1]) }).toEqual({
      code: 0,
      statuses: ['status', 'done', 'done', undefined],
    });
    expect(Object(await jsonOf(fleet, 'people', 'get', 'Karl Berg')).roles).toHaveLength(2);
    const bad = await fleet(['people', 'set-roles', '--input', '-'], {
      input: '{"id":"Karl Berg","roleIds":"Driver"}',
    });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('"roleIds" is not a list of texts.');
  });

  test('a field is cleared by an empty value only', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['people', 'set-field', 'Liis Tamm', 'Department'])).code).toBe(2);
    expect(await jsonOf(fleet, 'people', 'set-field', 'Liis Tamm', 'Department', '')).toEqual({
      name: 'Department',
      value: null,
    });
  });
});
