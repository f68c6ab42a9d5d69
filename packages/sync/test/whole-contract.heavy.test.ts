// Tests other parts of the contract in a copy: devices, sensors, types, tokens, rule targets.
import { describe, expect, test } from 'vitest';
import type { FleetClient } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncPart, sqliteTarget, syncFleet } from '../src/index.js';
import { type Alter, altered, rowsWith } from './altered.js';
import { query, tempFile } from './copies.js';

type Json = Record<string, unknown>;

const unchanged: Alter = (_name, value) => value;
/** Changes the tokens of each person. */
const tokens = (change: (token: Json) => Json) =>
  rowsWith('getPeople', (people) =>
    people.map((person) => ({ ...person, driverTokens: (person.driverTokens as readonly Json[]).map(change) })),
  );
/** Removes the devices from the first vehicle. */
const withoutDevices = rowsWith('getVehicles', ([first, ...others]) => [{ ...first, assignedDevices: [] }, ...others]);

function copied(parts: readonly SyncPart[], service: MockService = makeService()) {
  const file = tempFile();
  const run = (alter: Alter = unchanged, options: SyncOptions = {}) =>
    syncFleet(makeClient(service, { merge: false, fetch: altered(service, alter) }), sqliteTarget(file), {
      parts,
      until: new Date(START),
      ...options,
    });
  return { service, run, file, rows: (sql: string) => query(file, sql) };
}

const listOf = (service: MockService, list: (fleet: FleetClient) => Promise<readonly object[]>) =>
  list(makeClient(service));

describe('driver tokens', () => {
  test('are there whole', async () => {
    const { run, rows, service } = copied(['people']);
    await run();
    const select = { driverTokens: { id: true, value: true, fleetId: true, createdAt: true, lastScanTimestamp: true } };
    const people = await makeClient(service).getPeople({}, { select });
    const [token] = people.flatMap(({ driverTokens }) => driverTokens ?? []);
    const time = (value: unknown) => new Date(String(value)).toISOString();
    const stored = await rows(
      `SELECT t.value, t.fleet_id, t.is_deleted, t.created_at, s.last_scan_at FROM driver_tokens t
       JOIN driver_token_scans s ON s.person_id = t.person_id AND s.token_id = t.token_id WHERE t.token_id = '${token?.id}'`,
    );
    expect(stored).toEqual([[token?.value, token?.fleetId, 0, time(token?.createdAt), time(token?.lastScanTimestamp)]]);
  });

  test('that are read in a vehicle change no person; one with another value does', async () => {
    const { run, rows } = copied(['people']);
    await run();
    const lastScanTimestamp = '2026-03-01T11:59:00.000Z';
    const changes: unknown[] = [];
    const onChange: SyncOptions['onChange'] = ({ type, table }) => changes.push([type, table]);
    const read = (token: Json) => ({ ...token, lastScanTimestamp, version: 'read', updatedAt: lastScanTimestamp });
    await run(tokens(read), { onChange });
    expect(changes).toEqual([]);
    const scans = 'SELECT DISTINCT last_scan_at, version, updated_at FROM driver_token_scans';
    expect(await rows(scans)).toEqual([[lastScanTimestamp, 'read', lastScanTimestamp]]);
    await run(
      tokens((token) => ({ ...token, value: 'new' })),
      { onChange },
    );
    expect(changes.length).toBeGreaterThan(0);
    expect(await rows('SELECT DISTINCT value FROM driver_tokens')).toEqual([['new']]);
  });

  test('that a person lost have no scans', async () => {
    const { run, rows } = copied(['people']);
    await run();
    expect(await rows('SELECT count(*) FROM driver_token_scans')).not.toEqual([[0]]);
    await run(rowsWith('getPeople', (people) => people.map((person) => ({ ...person, driverTokens: [] }))));
    expect(await rows('SELECT count(*) FROM driver_token_scans')).toEqual([[0]]);
  });
});

describe('devices', () => {
  const live = 'SELECT count(*) FROM devices WHERE deleted_at IS NULL';
  const unassigned = `SELECT count(*) FROM devices WHERE deleted_at IS NULL AND id NOT IN (SELECT device_id FROM vehicle_devices)`;

  test('that left their vehicle are asked for, and stay while the service knows them', async () => {
    const { run, rows, service } = copied(['devices']);
    await run();
    const [[before] = []] = await rows(live);
    expect(await rows(unassigned)).toEqual([[0]]);
    service.clearRequests();
    await run();
    const askedFor = () => service.requests.filter(({ operations }) => operations.includes('getDeviceById')).length;
    expect(askedFor()).toBe(0);
    await run(withoutDevices);
    expect(askedFor()).toBe(1);
    expect([await rows(live), await rows(unassigned)]).toEqual([[[before]], [[1]]]);
    await run((name, value, variables) => (name === 'getDeviceById' ? null : withoutDevices(name, value, variables)));
    expect([await rows(live), await rows(unassigned)]).toEqual([[[Number(before) - 1]], [[0]]]);
    await run();
    expect(await rows(live)).toEqual([[before]]);
  });

  test('that could not be asked for are told, and not marked as gone', async () => {
    const { run, rows, service } = copied(['devices']);
    await run();
    const before = await rows(live);
    service.faults.add({ kind: 'graphqlError', operation: 'getDeviceById' });
    const { failures } = await run(withoutDevices);
    expect(failures).toMatchObject([{ kind: 'unread', part: 'devices' }]);
    expect(await rows(live)).toEqual(before);
  });
});

describe('mapped sensors', () => {
  test('are read when they are asked for, in one request for many vehicles', async () => {
    const { rows, service, run, file } = copied(['mapped-sensors'], makeService({ vehicles: 30 }));
    await run(unchanged, { parts: ['labels'] });
    expect(await rows('SELECT count(*) FROM mapped_sensors')).toEqual([[0]]);
    service.clearRequests();
    await syncFleet(makeClient(service), sqliteTarget(file), { parts: ['mapped-sensors'] });
    expect(service.requests.filter(({ operations }) => operations.includes('getVehicleMappedSensors'))).toHaveLength(1);
    const [vehicle] = await rows('SELECT vehicle_id FROM mapped_sensors LIMIT 1');
    const sensors = await makeClient(service).getVehicleMappedSensors({ vehicleId: String(vehicle?.[0]) });
    const stored = await rows(`SELECT name, source FROM mapped_sensors WHERE vehicle_id = '${vehicle?.[0]}'`);
    expect(stored.map(([name, source]) => `${source} ${name}`).sort()).toEqual(
      sensors.map((sensor) => `${sensor?.source} ${sensor?.name}`).sort(),
    );
  });

  test('in another order are the same, and those that are gone are deleted', async () => {
    const { rows, run } = copied(['mapped-sensors']);
    await run();
    const all = 'SELECT * FROM mapped_sensors';
    const before = await rows(all);
    await run(rowsWith('getVehicleMappedSensors', (sensors) => [...sensors].reverse()));
    // Their times stay too.
    expect(await rows(all)).toEqual(before);
    await run(
      rowsWith('getVehicleMappedSensors', ([first]) => [first]),
      { allowDeletions: true },
    );
    expect(await rows('SELECT DISTINCT ordinal FROM mapped_sensors')).toEqual([[0]]);
  });

  test('of a vehicle that cannot be read stay', async () => {
    const { rows, run, service } = copied(['mapped-sensors'], makeService({ vehicles: 2 }));
    await run();
    const before = await rows('SELECT * FROM mapped_sensors');
    service.faults.add({ kind: 'graphqlError', operation: 'getVehicleMappedSensors' });
    const { failures } = await run();
    expect(failures).toMatchObject([{ kind: 'unread', part: 'mapped-sensors' }]);
    expect(await rows('SELECT * FROM mapped_sensors')).toEqual(before);
  });
});

test('vehicle types, meta sensors, the targets of rules and the periods of schedules are rows', async () => {
  const { rows, run, service } = copied(['vehicle-types', 'meta-sensors', 'rules', 'schedules']);
  await run();
  const types = await listOf(service, (fleet) => fleet.getVehicleTypes());
  expect((await rows('SELECT id, name FROM vehicle_types')).map(([id, name]) => ({ id, name }))).toEqual(
    expect.arrayContaining(types.map((type) => expect.objectContaining(type))),
  );
  const sensors = await makeClient(service).getMetaSensors();
  expect(await rows('SELECT sensor_key, name FROM meta_sensors ORDER BY sensor_key')).toEqual(
    sensors.map((sensor) => [sensor?.key, sensor?.name]).sort(([one], [other]) => Number(one) - Number(other)),
  );
  const rules = await makeClient(service).getRules();
  for (const [table, column, ids] of [
    ['rule_vehicles', 'vehicle_id', rules.map((rule) => rule?.vehicles?.assignedVehicleIds)],
    ['rule_groups', 'group_id', rules.map((rule) => rule?.vehicles?.assignedGroupIds)],
    ['rule_geofences', 'geofence_id', rules.map((rule) => rule?.geofenceIds)],
  ] as const) {
    const stored = await rows(`SELECT ${column} FROM ${table} ORDER BY 1`);
    expect([table, stored.flat()]).toEqual([table, ids.flatMap((own) => own ?? []).sort()]);
  }
  const schedules = await makeClient(service).getWorkSchedules();
  const periods = schedules.flatMap((schedule) => schedule?.periods ?? []);
  expect(await rows('SELECT count(*) FROM work_schedule_periods')).toEqual([[periods.length]]);
  const stored = await rows('SELECT begins_at, duration FROM work_schedule_periods');
  expect([...stored].sort()).toEqual(periods.map((period) => [period?.begin, period?.duration]).sort());
});
