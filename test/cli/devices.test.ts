// Exact output of `fleet devices`, and the lookup of devices.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const id = '250c2115-8191-5d6a-bd34-c6ec38ea8c4a';
const serial = '356949425208535';

describe('prints', () => {
  test('devices get', () => expectShape('devices-get', ['devices', 'get', id]));
  test('devices get --serial', () => expectGolden('devices-get.serial', ['devices', 'get', '--serial', serial]));
  test('devices get, of all vehicles', () => expectGolden('devices-get.all', ['devices', 'get']));
  test('devices get, of an unknown serial number', () =>
    expectGolden('devices-get.unknown', ['devices', 'get', '--serial', '1'], { code: 5 }));
});

describe('devices get', () => {
  test('is an object by id and an array by serial number', async () => {
    const fleet = shellOf('demo', service().fetch);
    const device = await jsonOf(fleet, 'devices', 'get', id);
    expect(device).toMatchObject({ id, serial });
    expect(await jsonOf(fleet, 'devices', 'get', '--serial', ` ${serial} `)).toEqual([device]);
    expect(await jsonOf(fleet, 'devices', 'get', id, '--fields', 'enabled')).toEqual({ enabled: true });
  });

  test('finds the devices of vehicles', async () => {
    const fleet = shellOf('demo', service().fetch);
    const vehicles = Object(await jsonOf(fleet, 'vehicles', 'list', '--fields', 'assignedDevices'));
    const device = await jsonOf(fleet, 'devices', 'get', id);
    expect(vehicles.flatMap((vehicle: { assignedDevices: unknown[] }) => vehicle.assignedDevices)).toContainEqual(
      device,
    );
  });

  test('an unknown id is not found', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout, stderr } = await fleet(['devices', 'get', '00000000-0000-4000-8000-000000000000']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toContain('`fleet devices get` without an id shows the devices in vehicles.');
  });

  test('a serial number given as the id gets a hint', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['devices', 'get', serial]);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(`fleet devices get --serial ${serial}`);
  });

  test('several are those that each has alone, in the order of the ids, in one request', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const all = Object(await jsonOf(fleet, 'devices', 'get', '--fields', 'id,serial'));
    const [first, second] = all;
    const [one, other] = [
      await jsonOf(fleet, 'devices', 'get', first.id),
      await jsonOf(fleet, 'devices', 'get', second.id),
    ];
    world.clearRequests();
    expect(await jsonOf(fleet, 'devices', 'get', second.id, second.id, first.id)).toEqual([other, one]);
    expect(world.requests.filter(({ path }) => path === '/graphql')).toHaveLength(1);
    const serials = ['--serial', second.serial, '--serial', first.serial];
    expect(await jsonOf(fleet, 'devices', 'get', ...serials)).toEqual([other, one]);
    const { code, stdout } = await fleet(['devices', 'get', first.id, '00000000-0000-4000-8000-000000000000']);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });

  test('none are those in vehicles, with the names of the vehicles; flags choose vehicles', async () => {
    const fleet = shellOf('demo', service().fetch);
    const vehicles = Object(
      await jsonOf(fleet, 'vehicles', 'list', '--fields', 'id,name,assignedDevices', '--sort', 'name'),
    );
    const expectedRows = vehicles.flatMap((vehicle: { id: string; name: string; assignedDevices: object[] }) =>
      vehicle.assignedDevices.map((device) => ({ vehicle: vehicle.name, vehicleId: vehicle.id, ...device })),
    );
    expect(await jsonOf(fleet, 'devices', 'get')).toEqual(expectedRows);
    expect(expectedRows.length).toBeGreaterThan(3);
    const vans = await jsonOf(fleet, 'devices', 'get', '--vehicle-filter', 'name=Van*', '--filter', 'enabled=yes');
    expect(vans).toEqual(
      expectedRows.filter(
        ({ vehicle, enabled }: { vehicle: string; enabled: boolean }) => vehicle.startsWith('Van') && enabled,
      ),
    );
    expect((await fleet(['devices', 'get', '--group', 'No such'])).code).toBe(5);
  });

  test.each([
    [[id, '--serial', serial]],
    [[id, '--group', 'Long haul']],
    [['--serial', serial, '--label', 'Leased']],
    [[id, serial]],
  ])('%j is refused before anything is sent', async (words) => {
    const world = service();
    expect((await shellOf('demo', world.fetch)(['devices', 'get', ...words])).code).toBe(2);
    expect(world.requests).toEqual([]);
  });
});
