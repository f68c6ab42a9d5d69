// Operations that a program chooses at run time.
import { expect, test } from 'vitest';
import type { FleetApi } from '../src/index.js';
import { makeClient, makeService, rejection, statusesOf } from './request/setup.js';

test('a call by name is the call of the method', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  const [vehicle] = await fleet.call('getVehicles');
  expect(vehicle).toEqual((await fleet.getVehicles())[0]);
  const id = vehicle?.id ?? '';
  expect(await fleet.call('getVehicleById', { id }, { select: { id: true } })).toEqual({ id });
  const made = await fleet.call('createGroup', { createGroupInput: { name: 'Night shift' } });
  expect(made).toMatchObject({ name: 'Night shift' });
  const options = { select: { id: true } } as never; // as in JavaScript: the options first
  expect(await rejection(fleet.call('getRoles', options))).toMatchObject({ code: 'INVALID_INPUT' });
});

test('calls by name wait and travel with all others', async () => {
  const service = makeService();
  const fleet = makeClient(service);
  await fleet.getVehicleTypes();
  service.clearRequests();
  await Promise.all([fleet.call('getRoles'), fleet.getLabels(), fleet.call('getGroups', {}, { priority: 'normal' })]);
  expect(service.requests.map(({ operations }) => [...operations].sort())).toEqual([
    ['getGroups', 'getLabels', 'getRoles'],
  ]);
});

test.each<[unknown, string]>([
  ['getVehicle', 'Did you mean "getVehicles"'],
  ['constructor', "such as 'getVehicles'"],
  [undefined, "such as 'getVehicles'"],
  [{ name: 'hunter2' }, "such as 'getVehicles'"],
])('%j is no operation: nothing is sent', async (name, hint) => {
  const service = makeService();
  const error = await rejection(makeClient(service).call(name as never)); // as in JavaScript
  expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(hint) });
  expect(String(error)).not.toContain('hunter2');
  expect(statusesOf(service, '/login/token')).toEqual([]);
});

test('a function can ask for `call` alone', async () => {
  const countOf = async (fleet: Pick<FleetApi, 'call'>, name: 'getRoles' | 'getLabels') =>
    (await fleet.call(name)).length;
  expect(await countOf(makeClient(makeService()), 'getRoles')).toBe(4);
});
