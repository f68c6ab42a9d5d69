// What `fleet devices` prints, to the letter, and how it finds devices.
import { describe, expect, test } from 'vitest';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const id = '250c2115-8191-5d6a-bd34-c6ec38ea8c4a';
const serial = '356949425208535';

describe('prints', () => {
  test('devices get', () => expectShape('devices-get', ['devices', 'get', id]));
  test('devices get --serial', () => expectGolden('devices-get.serial', ['devices', 'get', '--serial', serial]));
  test('devices get, of none', () =>
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

  test('finds what the vehicles name', async () => {
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
    expect(stderr).toContain('fleet vehicles list --fields name,assignedDevices');
  });

  test('a serial number in the place of the id is told from one', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['devices', 'get', serial]);
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(`fleet devices get --serial ${serial}`);
  });

  test('wants either an id or --serial', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet(['devices', 'get'])).code).toBe(2);
    expect((await fleet(['devices', 'get', id, '--serial', serial])).code).toBe(2);
  });
});
