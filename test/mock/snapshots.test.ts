// Snapshot queries: periods, the newest snapshot, streamed against unstreamed responses.
import { beforeEach, expect, test } from 'vitest';
import type { MockService } from '../../src/mock/service.js';
import { type Caller, caller, day, frozenService, hour, iso, noon } from './caller.js';

let service: MockService;
let demo: Caller;
let vehicle: string;
beforeEach(async () => {
  service = frozenService();
  demo = await caller(service.fetch);
  vehicle = (await demo.data('{ getActiveVehicles { id } }')).getActiveVehicles[0].id;
});

const declared = '$v: UUID!, $f: DateTime!, $t: DateTime!';
const period = (from: number, to: number) => ({ v: vehicle, f: iso(from), t: iso(to) });
const rows = async (from: number, to: number) =>
  (
    await demo.data(
      `query (${declared}) { getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp gps { latitude } } }`,
      period(from, to),
    )
  ).getSnapshots;
const time = (row: { timestamp: string }) => Date.parse(row.timestamp);

test('lastData, getLatestSnapshots, latestData and the last row of getSnapshots agree; odometer and hours with them', async () => {
  const data = await demo.data(
    `query (${declared}) {
      getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp gps { latitude longitude } canBus { canDistance } driver { driverId } }
      getLatestSnapshots(vehicleIds: [$v, $v]) { timestamp gps { latitude longitude } canBus { canDistance } driver { driverId } vehicle { id } }
      getVehicleById(id: $v) { lastOdometer lastWorkingHours lastData { timestamp } latestData { timestamp odometer { value timestamp } workingHours { value } } }
    }`,
    period(noon - 2 * day, noon),
  );
  const [{ vehicle: whose, ...latest }, ...more] = data.getLatestSnapshots;
  const newest = Math.max(...data.getSnapshots.map(time));
  expect(more).toEqual([]);
  expect(whose.id).toBe(vehicle);
  expect(data.getSnapshots.filter((row: { timestamp: string }) => time(row) === newest)).toContainEqual(latest);
  const { lastData, latestData, lastOdometer, lastWorkingHours } = data.getVehicleById;
  expect([lastData.timestamp, latestData.timestamp, latestData.odometer.timestamp]).toEqual(
    Array(3).fill(latest.timestamp),
  );
  expect([lastOdometer, lastWorkingHours]).toEqual([latestData.odometer.value, latestData.workingHours.value]);
});

test('a period holds its bounds, overlapping periods agree, and the future is never told', async () => {
  const all = await rows(noon - day, noon);
  const [first, second] = [all[5], all[20]];
  const part = await rows(Math.min(time(first), time(second)), Math.max(time(first), time(second)));
  const within = all.filter(
    (row: { timestamp: string }) =>
      time(row) >= Math.min(time(first), time(second)) && time(row) <= Math.max(time(first), time(second)),
  );
  expect(part).toEqual(within);
  expect(part).toContainEqual(first);
  const ahead = await rows(noon - day, noon + day);
  expect(ahead).toEqual(all);
  expect(await rows(noon + hour, noon + day)).toEqual([]);
  service.clock.advance(day);
  demo = await caller(service.fetch);
  expect((await rows(noon - day, noon + day)).length).toBeGreaterThan(all.length);
});

test('from after to is refused', async () => {
  const answer = await demo(
    `query (${declared}) { getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp } }`,
    period(noon, noon - 1),
  );
  expect(answer.errors[0]).toMatchObject({ path: ['getSnapshots'], extensions: { classification: 'BAD_REQUEST' } });
});

test('streamed rows are the very text that plain execution gives: aliases, fragments, directives, relations, two at once', async () => {
  const selection = `a: getSnapshots(vehicleId: $v, from: $f, to: $t) {
      when: timestamp ...Rest ... on CommonFormat @include(if: $no) { odd: vehicleId } __typename
      gps @skip(if: $no) { latitude } gps { latitude state }
    }
    getRoles { name }
    b: getSnapshots(vehicleId: $v, from: $t, to: $t) { timestamp }`;
  const fragment = `fragment Rest on CommonFormat {
      vehicleId locationTimestamp locationTimeZone ignition { engineStatus } driver { __typename who: driverId rfid }
      vehicle { name assignedGroups { name } lastData { timestamp } latestData { canBusWithTimestamp { timestamp } } }
      canBus { canSpeed canAxleWeights { key value } tirePressure { key value } tirePressureStatus { key value } gear absStatus canRawFuel }
      temperatures { temperatures { key value } } fleetMetaSensors { sensors { key value } } fuel { rawFuel { value } pulseCount } misc { power vehicleBusType }
      driverBehaviour { driverBehaviourType driverBehaviourValue }
    }`;
  const variables = { ...period(noon - day, noon), no: false };
  const streamed = await demo(`query (${declared}, $no: Boolean!) { ${selection} } ${fragment}`, variables);
  // A document with introspection is not streamed.
  const plain = await demo(
    `query (${declared}, $no: Boolean!) { ${selection} __type(name: "Role") { name } } ${fragment}`,
    variables,
  );
  expect(streamed.errors).toEqual([]);
  expect(plain.errors).toEqual([]);
  expect(streamed.data.a.length).toBeGreaterThan(50);
  expect(JSON.stringify(streamed.data)).toBe(JSON.stringify({ ...plain.data, __type: undefined }));
});

test('combinationWeight only when canCombinationWeight is absent', async () => {
  const { getVehicles } = await demo.data('{ getVehicles { id } }');
  const query = `query (${declared}) { getSnapshots(vehicleId: $v, from: $f, to: $t) { canBus { combinationWeight canCombinationWeight } } }`;
  let seen = 0;
  for (const { id } of getVehicles.slice(0, 10)) {
    const { getSnapshots } = await demo.data(query, { ...period(noon - day, noon), v: id });
    for (const { canBus } of getSnapshots) {
      if (canBus?.combinationWeight != null) {
        seen += 1;
        expect(canBus.canCombinationWeight).toBeNull();
      }
    }
  }
  expect(seen).toBeGreaterThan(0);
});

test('a large answer arrives in pieces, and giving up on it frees the turn', async () => {
  const query = `query (${declared}) { getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp vehicleId gps { latitude longitude speed } locationTimeZone } }`;
  const body = JSON.stringify({ query, variables: period(noon - 30 * day, noon) });
  const send = () =>
    service.fetch('http://mock.test/graphql', {
      method: 'POST',
      headers: { ...demo.headers, 'content-type': 'application/json' },
      body,
    });
  const whole = JSON.parse(await (await send()).text());
  expect(whole.data.getSnapshots.length).toBeGreaterThan(10_000);
  const unreadResponse = await send();
  expect((await demo('{ getRoles { id } }')).status).toBe(429);
  await unreadResponse.body?.cancel();
  expect((await demo('{ getRoles { id } }')).status).toBe(200);
});

test('rows that were read before follow a new driver, a script and a late arrival', async () => {
  const { getPeople } = await demo.data('{ getPeople { id isDriver } }');
  const drivers = getPeople.filter((person: { isDriver: boolean }) => person.isDriver);
  const text = `query (${declared}) { getSnapshots(vehicleId: $v, from: $f, to: $t) { timestamp driver { driverId } gps { latitude speed } } }`;
  const read = async (from: number, to: number) => (await demo.data(text, period(from, to))).getSnapshots;
  const [from, to] = [noon - 30 * hour - 17 * 60_000, noon - 333_333];
  /** Reads periods that are too short for the cache. */
  const inParts = async () => {
    const rows: unknown[] = [];
    for (let at = from; at <= to; at += hour / 2) rows.push(...(await read(at, Math.min(at + hour / 2 - 1, to))));
    return rows;
  };
  const before = await read(from, to);
  expect(before).toEqual(await inParts());
  for (const [index, startTimestamp] of [noon - 27.3 * hour, noon - 5.5 * hour].entries()) {
    const assignDriverInput = {
      vehicleId: vehicle,
      driverId: drivers[index].id,
      startTimestamp: iso(startTimestamp),
    };
    await demo.data(
      'mutation ($assignDriverInput: AssignDriverInput!) { assignDriver(assignDriverInput: $assignDriverInput) }',
      {
        assignDriverInput,
      },
    );
    const after = await read(from, to);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await inParts());
  }
  service.setVariant({ lateRowsMs: 3 * hour });
  const early = await read(from, to);
  service.clock.advance(3 * hour);
  demo = await caller(service.fetch);
  expect(await read(from, to)).toHaveLength(before.length);
  expect(early.length).toBeLessThan(before.length);
  service.setVariant({});
  service.telemetry.script(vehicle, [{ at: noon - 2 * hour, ignition: true }]);
  expect(await read(from, to)).toHaveLength(1);
});
