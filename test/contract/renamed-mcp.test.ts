// Every tool of `fleet mcp` answers on a service on which everything that the contract does not name has another name.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseUrl, shell } from '../cli/harness.js';
import { connectServer } from '../cli/mcp-client.js';
import { id, renamedService } from './renamed-service.js';

const calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ['where_is', { vehicles: [id] }],
  ['where_is', { vehicles: [id], at: '-1h' }],
  ['who_drove', { vehicle: id, from: '-1h' }],
  ['list_trips', { from: '-1h' }],
  ['sum_trips', { by: 'driver', from: '-1h' }],
  ['sum_trips', { by: 'group', from: '-1h' }],
  ['place_visits', { from: '-1h' }],
  ['vehicles_near', { place: '58.38,26.72' }],
  ['fleet_status', { withDrivers: true }],
  ['fleet_today', {}],
  ['driver_assignments', {}],
  ['find_record', {}],
  ['find_record', { kind: 'work schedule' }],
  ['record_details', { kind: 'vehicle', name: id }],
  ['record_details', { kind: 'person', name: id }],
  ['run_report', {}],
  ['describe', { name: 'Vehicle' }],
  ['query', { document: '{ getVehicles { id name } }' }],
];

test.each(calls)('%s %j', async (tool, input) => {
  const { ask } = await connectServer(renamedService().fetch);
  const { isError, text, data } = await ask(tool, input);
  expect(isError, text).toBe(false);
  expect(String(data.notes ?? '')).not.toContain('incomplete');
});

const words = ['--allow-changes'];

/** The service answers the same whatever is changed, so what is already as asked has no plan. */
test.each<readonly [change: Readonly<Record<string, unknown>>, sent: string]>([
  [{ change: 'set_vehicle_field', vehicle: id, field: 'x', value: '9999' }, 'updateVehicleCustomField'],
  [{ change: 'update_vehicle', vehicle: id, values: { plate: '1 NEW', year: '2020' } }, 'updateVehicle'],
  [{ change: 'update_vehicle', vehicle: id, active: false }, 'updateVehicle'],
  [{ change: 'update_person', person: id, values: { phone: '+372 5' } }, 'updatePerson'],
  [{ change: 'change_vehicle_groups', vehicles: [id], remove: [id] }, 'changeVehicleGroups'],
])('plan_change %j, and carry_out_plan', async (change, sent) => {
  const { fetch, answered, refusals } = renamedService();
  const { ask } = await connectServer(fetch, { words });
  const planned = await ask('plan_change', change);
  expect(planned.isError, planned.text).toBe(false);
  expect(answered).not.toContain(sent);
  const done = await ask('carry_out_plan', { plan: planned.data.plan });
  expect(done.isError, done.text).toBe(false);
  expect(answered).toContain(sent);
  expect(refusals).toEqual([]);
});

test('a driver who is assigned: sent, and then looked for in vain, because this service keeps nothing', async () => {
  const { fetch, answered, refusals } = renamedService();
  const { ask } = await connectServer(fetch, { words });
  const planned = await ask('plan_change', { change: 'assign_driver', vehicle: id, driver: id });
  const done = await ask('carry_out_plan', { plan: planned.data.plan });
  expect(done.isError).toBe(true);
  expect(done.text).toContain('The changes were made, but the assignments are not as planned.');
  expect(answered).toContain('assignDriver');
  expect(refusals).toEqual([]);
});

test('what is already so has no plan', async () => {
  const { fetch } = renamedService();
  const { ask } = await connectServer(fetch, { words });
  for (const change of [
    { change: 'unassign_driver', vehicle: id },
    { change: 'change_vehicle_groups', vehicles: [id], add: [id] },
  ]) {
    expect((await ask('plan_change', change)).data).toMatchObject({ plan: null });
  }
});

test('sql over a copy of it', async () => {
  const { fetch } = renamedService();
  const fleet = shell(fetch, { FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' });
  const copy = join(fleet.folder, 'fleet.db');
  const synced = await fleet(['sync', copy, '--only', 'vehicles,people,snapshots', '--since', '-1h']);
  expect(synced.code, synced.stderr).toBe(0);
  const { ask } = await connectServer(fetch, { words: ['--copy', copy] });
  const { data } = await ask('sql', {
    sql: 'SELECT v.id, v.name, count(*) AS snapshots FROM vehicles v JOIN snapshots s ON s.vehicle_id = v.id GROUP BY v.id',
  });
  expect(data).toMatchObject({ source: 'copy', rows: [{ id, name: 'x', snapshots: 1 }] });
});
