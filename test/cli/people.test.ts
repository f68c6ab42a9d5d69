// The exact output of `fleet people`, and its requests.
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
  test('people get', () => expectGolden('people-get', ['people', 'get', 'liis tamm']));
  test('people get, with several matches', () =>
    expectShape('people-get.several', ['people', 'get', 'karl'], { code: 2 }));
  test('people create', () => expectGolden('people-create', make));
  test('people update', () =>
    expectGolden('people-update', ['people', 'update', 'karl berg', '--phone', '+3725550000']));
  test('people delete', () => expectGolden('people-delete', ['people', 'delete', 'Karl Berg', '--yes']));
  test('people fields', () => expectGolden('people-fields', ['people', 'fields', 'liis tamm']));
  test('people set-field', () =>
    expectGolden('people-set-field', ['people', 'set-field', 'Liis Tamm', 'Department', 'Garage']));
  test('people set-field, of an unknown field', () =>
    expectGolden('people-set-field.unknown', ['people', 'set-field', 'Liis Tamm', 'Departmnt', 'x'], {
      code: 5,
    }));
  test('people set-roles', () =>
    expectGolden('people-set-roles', ['people', 'set-roles', 'Liis Tamm', 'dispatcher', 'Driver']));
});

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

  test('are all, drivers or users, with only the requested fields', async () => {
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
    for (const said of [id, email.toUpperCase(), employeeId, 'LIIS TAMM', ' Liis Tamm ']) {
      expect(await jsonOf(fleet, 'people', 'get', said)).toEqual(liis);
    }
    expect((await fleet(['people', 'get', 'nobody'])).code).toBe(5);
    expect((await fleet(['people', 'get', '00000000-0000-4000-8000-000000000000'])).code).toBe(5);
  });

  test('members that are not given stay unchanged; --no- flags set false', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect(await jsonOf(fleet, ...make, '--is-user')).toMatchObject({ isDriver: true, isUser: true });
    expect(await jsonOf(fleet, 'people', 'update', 'zoë quist', '--no-is-driver')).toMatchObject({
      firstName: 'Zoë',
      email: 'zoe@example.com',
      isDriver: false,
      isUser: true,
    });
  });

  test('custom fields that --input does not name stay what they are', async () => {
    const fleet = shellOf('demo', service().fetch);
    const fieldsOf = async () => {
      const fields = await jsonOf(fleet, 'people', 'fields', 'Liis Tamm');
      return Object.fromEntries(
        (Array.isArray(fields) ? fields : []).map((field: unknown) => {
          const { name, value } = Object(field);
          return [name, value];
        }),
      );
    };
    const before = await fieldsOf();
    const [first = '', second = ''] = Object.keys(before);
    expect(second).not.toBe('');
    const input = JSON.stringify({ phone: '+372 5', customFields: [{ name: first, value: 'new' }] });
    const update = ['people', 'update', 'Liis Tamm', '--input', '-'];
    const plan = JSON.parse((await fleet([...update, '--dry-run', '-o', 'json'], { input })).stdout);
    const sent: readonly { readonly name: string }[] = plan.variables.personInput.customFields;
    expect(sent.map(({ name }) => name).sort()).toEqual(Object.keys(before).sort());
    expect(await fleet(update, { input })).toMatchObject({ code: 0 });
    expect(await fieldsOf()).toEqual({ ...before, [first]: 'new' });
    // Repeating the update changes nothing.
    const again = await fleet([...update, '--dry-run'], { input });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^keep\tLiis Tamm\t/m) });
  });

  test('custom fields in a form of a live service are sent as they are', async () => {
    const fleet = shellOf('demo', service().fetch);
    const customFields = [{ fieldId: 'x', text: 'y' }];
    const input = JSON.stringify({ customFields });
    const update = ['people', 'update', 'Liis Tamm', '--input', '-', '--dry-run', '-o', 'json'];
    const { stdout, stderr } = await fleet(update, { input });
    expect(JSON.parse(stdout).variables.personInput).toEqual({ customFields });
    expect(stderr).toContain('"fieldId" is not a known member of CustomFieldInput; it is sent as it is.');
  });

  test('set-roles replaces all roles; --none removes all', async () => {
    const fleet = shellOf('demo', service().fetch);
    const roles = async () => Object(await jsonOf(fleet, 'people', 'get', 'liis tamm')).roles.map(Object);
    const set = (...words: readonly string[]) => jsonOf(fleet, 'people', 'set-roles', 'Liis Tamm', ...words);
    expect(await set('Dispatcher', 'driver')).toBe(true);
    expect((await roles()).map(({ name }: { name: string }) => name)).toEqual(['Dispatcher', 'Driver']);
    expect(await set('--none')).toBe(true);
    expect(await roles()).toEqual([]);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm'])).code).toBe(2);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm', 'Driver', '--none'])).code).toBe(2);
    expect((await fleet(['people', 'set-roles', 'Liis Tamm', 'Driver', 'Pilot'])).code).toBe(5);
  });

  test('set-roles takes a list of names in --input', async () => {
    const fleet = shellOf('demo', service().fetch);
    const set = (input: object) => fleet(['people', 'set-roles', '--input', '-'], { input: JSON.stringify(input) });
    const rolesOf = async (name: string) => Object(await jsonOf(fleet, 'people', 'get', name)).roles;
    expect((await set({ personId: 'Liis Tamm', roleIds: [] })).code).toBe(0);
    expect(await rolesOf('Liis Tamm')).toEqual([]);
    expect((await set({ id: 'Karl Berg', roleIds: ['Driver', 'Dispatcher'] })).code).toBe(0);
    expect(await rolesOf('Karl Berg')).toHaveLength(2);
    const bad = await set({ id: 'Karl Berg', roleIds: 'Driver' });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('"roleIds" is not a list of texts.');
  });

  test('only an empty value clears a field', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['people', 'set-field', 'Liis Tamm', 'Department'])).code).toBe(2);
    expect(await jsonOf(fleet, 'people', 'set-field', 'Liis Tamm', 'Department', '')).toEqual({
      name: 'Department',
      value: null,
    });
  });
});
