// Exact output of `fleet groups`, and its requests.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const make = ['groups', 'create', '--name', 'Night shift', '--parent', 'Long haul', '--description', 'From 22 to 6'];

describe('prints', () => {
  test('groups list', () => expectGolden('groups-list', ['groups', 'list']));
  test('groups list, as a tree on a terminal, and flat when it is sorted', async () => {
    const fleet = shellOf('demo', service().fetch);
    const place = { terminal: 100, env: { NO_COLOR: '1' } };
    const tree = await fleet(['groups', 'list'], place);
    const flat = await fleet(['groups', 'list', '--sort', 'name', '--limit', '4'], place);
    await expect(`${tree.stdout}--\n${flat.stdout}`).toMatchFileSnapshot('golden/groups-list.terminal-100.txt');
  });
  test('groups create', () => expectGolden('groups-create', make));
  test('groups update', () =>
    expectGolden('groups-update', ['groups', 'update', 'winter roster', '--name', 'Summer roster']));
  test('groups get', () => expectGolden('groups-get', ['groups', 'get', 'Long haul']));
  test('groups delete, of one with a group below it', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stderr } = await fleet(['groups', 'delete', 'Long haul', '--dry-run']);
    expect(code).toBe(10);
    expect(stderr).toContain('Long haul has groups below it, and the service may refuse to delete it.');
  });
  test('groups delete', () => expectShape('groups-delete', ['groups', 'delete', 'Winter roster', '--yes']));
  test('groups delete, of an unknown group', () =>
    expectGolden('groups-delete.unknown', ['groups', 'delete', 'Wintr roster', '--yes'], { code: 5 }));
});

describe('groups', () => {
  test('a group is created under another, changed and deleted', async () => {
    const fleet = shellOf('demo', service().fetch);
    const parents = await jsonOf(fleet, 'groups', 'list', '--filter', 'name=Long haul', '--fields', 'id');
    const made = await jsonOf(fleet, ...make);
    expect(made).toMatchObject({ name: 'Night shift', parentId: Reflect.get(Object(parents), 0).id });
    const id: string = Reflect.get(Object(made), 'id');
    expect(await jsonOf(fleet, 'groups', 'update', id, '--external-id', 'N-1')).toMatchObject({
      name: 'Night shift',
      externalId: 'N-1',
    });
    // An external id works too.
    expect(await jsonOf(fleet, 'groups', 'delete', 'n-1', '--yes')).toBe(true);
    expect((await fleet(['groups', 'delete', id, '--yes'])).code).toBe(5);
  });

  test('a group cannot be below itself, which --dry-run says too', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const [parent, text] of [
      ['Long haul East', '"Long haul" cannot be below "Long haul East", which is below it. Nothing was sent.'],
      ['long haul', '"Long haul" cannot be below itself. Nothing was sent.'],
    ] as const) {
      const { code, stdout, stderr } = await fleet([
        ...['groups', 'update', 'Long haul', '--parent', parent, '--dry-run'],
      ]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(text);
    }
    const moved = await fleet(['groups', 'update', 'Long haul', '--parent', 'Service']);
    expect(moved.code).toBe(0);
  });

  test('a group is deleted after those below it, whatever the order of the names', async () => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['groups', 'delete', 'Deliveries', 'City deliveries', 'Regional deliveries', '--yes'];
    expect(await fleet(words)).toMatchObject({ code: 0 });
  });

  test('a part of a name is not enough to change anything', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stderr } = await fleet(['groups', 'update', 'Winter', '--name', 'x']);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no group "Winter"; one group has this text in a name.');
  });

  test('two groups with the same name are distinguished by their ids', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const externalId of ['A', 'B'])
      await fleet(['groups', 'create', '--name', 'Twin', '--external-id', externalId]);
    const { code, stderr } = await fleet(['groups', 'delete', 'Twin', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /"Twin" matches 2 groups\.\n {2}[0-9a-f-]{36} {2}Twin {2}A\n {2}[0-9a-f-]{36} {2}Twin {2}B\nhint/,
    );
  });

  test('a change without members is refused before anything is sent', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['groups', 'update', 'Winter roster']);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain('No change is given.');
  });
});
