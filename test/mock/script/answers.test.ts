// Planned answers replace the results of operations.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';
import { answerOf, type Caller, caller, frozenService, iso, nobody, noon } from '../caller.js';

let service: MockService;
let demo: Caller;
beforeEach(async () => {
  service = frozenService({ vehicles: 3 });
  demo = await caller(service.fetch);
});

const report = 'query ($input: WrappedReportInput!) { getWrappedReport(input: $input) { reportId report } }';
const run = (reportId: string) => demo.data(report, { input: { reportId } });

test('a report, for the arguments that it is for', async () => {
  service.answer(
    'getWrappedReport',
    { reportId: 'utilization', report: { rows: [1, 2] } },
    { when: { input: { reportId: 'utilization' } } },
  );
  expect(await run('utilization')).toEqual({
    getWrappedReport: { reportId: 'utilization', report: { rows: [1, 2] } },
  });
  expect((await demo(report, { input: { reportId: 'vehicles' } })).data).not.toEqual({
    getWrappedReport: { reportId: 'utilization', report: { rows: [1, 2] } },
  });
});

test('records: members that are left out are null, computed ones are what the answer says', async () => {
  service.answer('getVehicleById', {
    id: nobody,
    name: 'Ghost',
    createdAt: iso(noon),
    isDeleted: true,
    assignedGroups: [{ name: 'Ghosts', vehicleIds: [nobody] }],
    lastData: { timestamp: iso(noon), gps: { speed: 7 } },
  });
  const fields =
    'name vin isDeleted createdAt lastOdometer assignedGroups { name isOwn vehicleIds } lastData { timestamp gps { speed latitude } }';
  const { getVehicleById } = await demo.data(`{ getVehicleById(id: "${nobody}") { ${fields} } }`);
  expect(getVehicleById).toEqual({
    name: 'Ghost',
    vin: null,
    isDeleted: true,
    createdAt: iso(noon),
    lastOdometer: null,
    assignedGroups: [{ name: 'Ghosts', isOwn: null, vehicleIds: [nobody] }],
    lastData: { timestamp: iso(noon), gps: { speed: 7, latitude: null } },
  });
});

test('snapshots of a period, and only for the vehicle and the times that it is for', async () => {
  const [vehicleId, from, to] = [nobody, iso(noon - 60_000), iso(noon)];
  service.answer(
    'getSnapshots',
    [{ vehicleId, timestamp: to, vehicle: { name: 'Ghost' }, driver: { driverId: nobody } }],
    { when: { vehicleId: vehicleId.toUpperCase(), from } },
  );
  const query = (start: string) =>
    `{ getSnapshots(vehicleId: "${vehicleId}", from: "${start}", to: "${to}") { timestamp vehicle { name } driver { driverId } } }`;
  expect(await demo.data(query(from))).toEqual({
    getSnapshots: [{ timestamp: to, vehicle: { name: 'Ghost' }, driver: { driverId: nobody } }],
  });
  expect(await demo.data(query(iso(noon - 1)))).toEqual({ getSnapshots: [] });
});

test('a change that is answered does not run', async () => {
  service.answer('deleteGroup', true);
  expect(await demo.data(`mutation { deleteGroup(groupId: "${nobody}") }`)).toEqual({ deleteGroup: true });
});

test('the newest plan that matches applies, as often as it says; clearing ends it', async () => {
  const roles = async () => (await demo.data('{ getRoles { name } }')).getRoles;
  const seeded = await roles();
  const first = service.answer('getRoles', [{ name: 'First' }]);
  service.answer('getRoles', [], { times: 2 });
  expect([await roles(), service.answers[1]?.times, await roles(), await roles()]).toEqual([
    [],
    1,
    [],
    [{ name: 'First' }],
  ]);
  service.clearAnswers(first);
  expect(await roles()).toEqual(seeded);
  service.answer('getRoles', null);
  expect(await roles()).toBeNull();
  service.clearAnswers();
  expect(await roles()).toEqual(seeded);
});

describe('what does not fit the contract is refused with its place', () => {
  const cases: readonly (readonly [string, unknown, unknown, string])[] = [
    ['getRolls', [], {}, 'operation must be one of assignDriver'],
    ['getRoles', {}, {}, 'answer must be a list'],
    ['getRoles', [{ nme: 'x' }], {}, 'answer[0] cannot have "nme", only id, version'],
    ['getRoles', [{ id: 'x' }], {}, 'answer[0].id must be a UUID'],
    ['getVehicles', [{ lastData: { timestamp: 'noon' } }], {}, 'answer[0].lastData.timestamp must be a time'],
    ['deleteGroup', 'yes', {}, 'answer must be true or false'],
    ['getRoles', undefined, {}, 'a planned answer needs an answer'],
    ['getRoles', [], { often: 2 }, 'a planned answer cannot have "often"'],
    ['getRoles', [], { times: 0 }, 'times must be a whole number from 1'],
  ];
  test.each(cases)('%s %j %j', (operation, answer, options, problem) => {
    // @ts-expect-error: no planned answer
    expect(() => service.answer(operation, answer, options)).toThrow(problem);
    expect(service.answers).toEqual([]);
  });

  test('and much of it does not compile', () => {
    // @ts-expect-error: no such operation
    expect(() => service.answer('getRolls', [])).toThrow();
    // @ts-expect-error: a list
    expect(() => service.answer('getRoles', { name: 'x' })).toThrow();
    // @ts-expect-error: no such argument
    service.answer('getVehicleById', null, { when: { vehicleId: nobody } });
  });
});

test('the same over HTTP', async () => {
  const send = async (method: string, body?: object) =>
    answerOf(
      await service.fetch('http://mock.test/__mock/answers', {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  const plan = { operation: 'getRoles', answer: [{ name: 'Clerk' }], times: 3 };
  const made = await send('POST', plan);
  expect([made.status, JSON.parse(made.text)]).toEqual([201, { id: 'answer-1' }]);
  expect(await demo.data('{ getRoles { name } }')).toEqual({ getRoles: [{ name: 'Clerk' }] });
  expect(JSON.parse((await send('GET')).text)).toEqual({ answers: [{ ...plan, id: 'answer-1', times: 2 }] });
  expect((await send('POST', { operation: 'getRoles' })).status).toBe(400);
  expect((await send('DELETE')).status).toBe(204);
  expect(service.answers).toEqual([]);
});
