// `get` and `delete` with several names, with --filter, or with none.
import { beforeEach, describe, expect, test } from 'vitest';
import { expectShape, jsonOf } from './golden.js';
import { type Outcome, type Place, type Shell, service, shellOf } from './harness.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

const places = ['Depot Tartu', 'Customer Vilnius'];

describe('get', () => {
  const mock = service();
  let fleet: Shell;
  beforeEach(() => {
    fleet = shellOf('demo', mock.fetch);
  });

  test.each([
    ['vehicles', 'Van 02', 'truck 01'],
    ['people', 'Liis Tamm', 'E-1001'],
    ['geofences', 'Depot Vilnius', 'customer tartu'],
    ['rules', 'Long idling', 'Too fast on the motorway'],
  ])('%s: several are those that each has alone, in the order of the names', async (noun, one, other) => {
    const [first, second] = [await jsonOf(fleet, noun, 'get', one), await jsonOf(fleet, noun, 'get', other)];
    expect(await jsonOf(fleet, noun, 'get', one, other, one)).toEqual([first, second]);
    expect(await jsonOf(fleet, noun, 'get', other, Object(first).id)).toEqual([second, first]);
  });

  test.each(['vehicles', 'people', 'geofences', 'rules', 'schedules'])('%s: none are all of them', async (noun) => {
    const ids = (rows: unknown) => (rows as readonly Named[]).map(({ id }) => id).sort();
    expect(ids(await jsonOf(fleet, noun, 'get'))).toEqual(ids(await jsonOf(fleet, noun, 'list')));
  });

  test('a list is filtered and sorted, and prints the fields that are named', async () => {
    const words = ['geofences', 'get', ...places, '--fields', 'name', '--sort', 'name'];
    expect(await jsonOf(fleet, ...words)).toEqual([{ name: 'Customer Vilnius' }, { name: 'Depot Tartu' }]);
    const vans = await jsonOf(fleet, 'vehicles', 'get', '--vehicle-filter', 'name=Van*', '--fields', 'name');
    expect(vans).toEqual([{ name: 'Van 01' }, { name: 'Van 02' }, { name: 'Van 03' }]);
  });

  test.each([
    [['people', 'get', 'Liis Tamm', 'Nobody'], 'There is no person "Nobody"'],
    [['geofences', 'get', 'Depot Tartu', '00000000-0000-4000-8000-000000000000'], 'no geofence with the id 0000'],
    [['vehicles', 'get', 'Van 01', '00000000-0000-4000-8000-000000000000'], 'no vehicle with the id 0000'],
  ])('%j prints nothing', async (words, said) => {
    const { code, stdout, stderr } = await fleet(words);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain(said);
  });
});

describe('delete', () => {
  const remove = ['geofences', 'delete', ...places];

  function world(): {
    readonly fleet: (words: readonly string[], place?: Place) => Promise<Outcome>;
    names(): Promise<string[]>;
  } {
    const fleet = shellOf('demo', service().fetch);
    const names = async () => ((await jsonOf(fleet, 'geofences', 'list')) as readonly Named[]).map(({ name }) => name);
    return { fleet, names };
  }

  test('prints a line for each', () => expectShape('geofences-delete.several', [...remove, '--yes']));

  test('shows what will be deleted, and asks once', async () => {
    const { fleet, names } = world();
    const no = await fleet(remove, { terminal: 80, answers: [['[y/N]', 'n']] });
    expect(no.code).toBe(130);
    expect(no.stderr).toMatch(
      /- Depot Tartu: rule .*\n[\s\S]*- Customer Vilnius: rule .*\n[\s\S]*2 to delete\. Make these changes\? \[y\/N\]/,
    );
    expect(await names()).toEqual(expect.arrayContaining(places));
    expect((await fleet(remove, { terminal: 80, answers: [['[y/N]', 'y']] })).code).toBe(0);
    expect((await names()).filter((name) => places.includes(name))).toEqual([]);
  });

  test('deletes all or none, when a name is not clear', async () => {
    const { fleet, names } = world();
    const { code, stdout, stderr } = await fleet([...remove, 'Depot', '--yes']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('1 of 3 names are not clear. Nothing was changed.');
    expect(await names()).toEqual(expect.arrayContaining(places));
  });

  test('changes a record once that is named twice', async () => {
    const { fleet, names } = world();
    const { stdout: id } = await fleet(['geofences', 'get', 'Depot Tartu', '--jq', '.id']);
    const { code, stdout } = await fleet(['geofences', 'delete', 'Depot Tartu', 'depot tartu', id.trim(), '--yes']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^action\t.*\ndelete\tDepot Tartu\t.*\tdone\t.*\n$/),
    });
    expect(await names()).not.toContain('Depot Tartu');
  });

  test('takes a filter', async () => {
    const { fleet, names } = world();
    const before = await names();
    const { code } = await fleet(['geofences', 'delete', '--filter', 'type=CUSTOMER', '--yes']);
    expect(code).toBe(0);
    expect(await names()).toEqual(before.filter((name) => !name.startsWith('Customer')));
  });

  test.each([
    [['geofences', 'delete', '--yes'], '<geofence> is missing'],
    [['geofences', 'delete', 'Depot Tartu', '--filter', 'type=DEPOT', '--yes'], 'given twice'],
    [['geofences', 'delete', '--input', 'ids.ndjson', '--yes'], "Unknown option '--input'"],
    [['vehicles', 'move', '--input', 'moves.ndjson', '--yes'], "Unknown option '--input'"],
    [['tokens', 'delete', '--filter', 'value=1', '--yes'], '--filter has no effect on'],
    [remove, 'A deletion needs a confirmation'],
  ])('%j is refused before anything is sent', async (words, said) => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)(words);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(mock.requests).toEqual([]);
  });
});
