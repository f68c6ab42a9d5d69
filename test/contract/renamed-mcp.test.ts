// Every tool of `fleet mcp` answers on a service on which everything that the contract does not name has another name.
import { expect, test } from 'vitest';
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
