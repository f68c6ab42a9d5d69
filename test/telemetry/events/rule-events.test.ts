// watchEvents against the reference service: events, checkpoints and failures, with controlled
// time.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type EventState,
  type FleetClient,
  type FleetClientOptions,
  type FleetEvent,
  InvalidInputError,
  type WarningEvent,
  type WatchEvent,
  type WatchEventsOptions,
} from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { hoursOfSchedule } from '../../../src/telemetry/events/work-schedule.js';
import { countRuns, makeClient, makeService, START } from '../../request/setup.js';
import { follow, pass, useStoppedTimers } from '../watch/following.js';

const MINUTE = 60_000;

useStoppedTimers();
let service: MockService;
let fleet: FleetClient;
let vehicleId: string;
const clients = new Set<FleetClient>();
const client = (options: Partial<FleetClientOptions> = {}) => {
  const made = makeClient(service, { retry: false, ...options });
  clients.add(made);
  return made;
};
beforeEach(async () => {
  service = makeService({ vehicles: 1 });
  fleet = client();
  const [vehicle] = await fleet.getVehicles();
  vehicleId = vehicle?.id ?? '';
});
afterEach(async () => {
  await Promise.all([...clients].map((made) => made.close()));
  clients.clear();
});

/** Sends rows of a vehicle that stands, speeds for a moment, idles, and is then silent. */
function drive(): void {
  const row = (minutes: number, speed: number, ignition: boolean, latitude = 10) => ({
    ...{ at: START + minutes * MINUTE, ignition, gps: { state: true, latitude, longitude: 10, speed } },
  });
  service.telemetry.script(vehicleId, [
    row(-1, 0, false),
    row(1, 0, true),
    row(2, 120, true),
    row(2.2, 60, true, 10.02),
    row(4, 0, true, 10.03),
    row(20, 0, false, 10.03),
  ]);
}

const rules: WatchEventsOptions['rules'] = [
  { on: 'speeding', speedLimitKmh: 90, resolved: true },
  { on: 'idle' },
  { on: 'ignition' },
  { on: 'movement', name: 'moving in the night', between: '14:00-15:00' },
  { on: 'movement' },
  { on: 'silent', forMs: 30 * MINUTE, vehicleIds: ['4a3a2b6e-1111-4222-8333-123456789abc'] },
];
const options: WatchEventsOptions = { rules, intervalMs: 5 * MINUTE, timeZone: 'Europe/Tallinn' };

const eventsIn = (events: readonly WatchEvent[]): readonly FleetEvent[] =>
  events.filter((event): event is FleetEvent => 'rule' in event);
const shown = (events: readonly WatchEvent[]) =>
  eventsIn(events).map(({ rule, at, text }) => `${(Date.parse(at) - START) / MINUTE} ${rule}: ${text}`);

async function passMinutes(minutes: number): Promise<void> {
  for (let left = minutes; left > 0; left -= 5) await pass(service, 5 * MINUTE);
}

test('events of several rules, in order, with what happened between two answers', async () => {
  drive();
  const followed = await follow(fleet.watchEvents(options));
  await passMinutes(60);
  expect(shown(followed.take())).toEqual([
    '1 ignition: Van 01: ignition on',
    '2 speeding: Van 01: speeding at 120 km/h, limit 90 km/h',
    '2 moving in the night: Van 01: moving at 120 km/h',
    '2 movement: Van 01: moving at 120 km/h',
    '2.2 speeding: Van 01: speeding is over, up to 120 km/h',
    '4 idle: Van 01: idling for 10 min',
    '20 ignition: Van 01: ignition off',
  ]);
  expect(followed.end).toBeUndefined();
});

test('a program that goes on from any checkpoint gets the same events, and none twice', async () => {
  drive();
  const whole = await follow(fleet.watchEvents(options));
  let state: EventState | undefined;
  const found: string[] = [];
  for (let part = 0; part < 12; part++) {
    const own = client();
    const followed = await follow(own.watchEvents({ ...options, state }));
    await pass(service, 5 * MINUTE);
    const events = followed.take();
    found.push(...eventsIn(events).map(({ id }) => id));
    for (const event of events) if (event.type === 'checkpoint') state = JSON.parse(JSON.stringify(event.state));
    await own.close();
  }
  const ids = eventsIn(whole.take()).map(({ id }) => id);
  expect(ids).toHaveLength(7);
  expect(found).toEqual(ids);
});

test('every event comes before the checkpoint that contains it', async () => {
  drive();
  const followed = await follow(fleet.watchEvents(options));
  await passMinutes(30);
  const types = followed.take().map(({ type }) => (type === 'checkpoint' ? '|' : '.'));
  expect(types.join('')).toMatch(/^\|(\.*\|)+$/);
});

test('since: the snapshots of a time before the watch', async () => {
  drive();
  await passMinutes(30);
  const followed = await follow(fleet.watchEvents({ ...options, since: new Date(START - 2 * MINUTE) }));
  expect(eventsIn(followed.take()).map(({ rule }) => rule)).toEqual([
    'ignition',
    'speeding',
    'moving in the night',
    'movement',
    'speeding',
    'idle',
    'ignition',
  ]);
});

test('since: refuses a time that is in the future by the clock of the service', async () => {
  const since = START + 10 * MINUTE;
  const watching = client({ clock: { now: () => since + MINUTE } });
  const followed = await follow(watching.watchEvents({ ...options, since }));
  expect(followed.end?.error).toBeInstanceOf(InvalidInputError);
  expect(followed.end?.error).toMatchObject({
    message: expect.stringContaining(`since is ${new Date(since).toISOString()}, which has not come yet`),
  });
  expect(followed.take()).toEqual([]);
});

test('since: reads the present time of a clock that is ahead of the service as now', async () => {
  drive();
  const followed = await follow(client().watchEvents({ ...options, since: START + MINUTE / 2 }));
  await passMinutes(25);
  expect(followed.end).toBeUndefined();
  expect(shown(followed.take())).toHaveLength(7);
});

test('an outage is an event, and what happened meanwhile follows', async () => {
  drive();
  const followed = await follow(fleet.watchEvents(options));
  service.faults.add({ kind: 'status', status: 503, times: 2, path: '/graphql' });
  await passMinutes(25);
  const types = followed.take().flatMap(({ type }) => (type === 'checkpoint' ? [] : type));
  expect(types.slice(0, 3)).toEqual(['outage', 'recovered', 'ignition']);
  expect(types).toHaveLength(9);
});

test('reads a vehicle again whose snapshots could not be read, and warns with its name', async () => {
  drive();
  const warnings: WarningEvent[] = [];
  const watching = client({ hooks: { onWarning: (warning) => void warnings.push(warning) } });
  const followed = await follow(watching.watchEvents(options));
  // A rule names a vehicle that does not exist.
  warnings.length = 0;
  service.faults.add({ kind: 'graphqlError', times: 1, operation: 'getSnapshots' });
  await passMinutes(5);
  expect(eventsIn(followed.take())).toEqual([]);
  expect(warnings).toMatchObject([
    {
      code: 'NOT_WATCHED',
      message: expect.stringMatching(/^The snapshots of Van 01 could not be read; the next poll retries: /),
    },
  ]);
  await passMinutes(25);
  expect(eventsIn(followed.take())).toHaveLength(7);
  expect(warnings).toHaveLength(1);
});

test('gives a warning once while its cause lasts, also through an outage, and again when the cause returns', async () => {
  const warnings: WarningEvent[] = [];
  const watching = client({ hooks: { onWarning: (warning) => void warnings.push(warning) } });
  drive();
  await follow(watching.watchEvents({ ...options, rules: [{ on: 'movement', schedule: 'Two shifts' }] }));
  const messages = () => warnings.splice(0).map(({ message }) => message);
  const unread = expect.stringMatching(/^The snapshots of Van 01 could not be read/);
  expect(messages()).toEqual([expect.stringContaining('is read as')]);
  const failedRows = { kind: 'graphqlError', times: 1, operation: 'getSnapshots' } as const;
  service.faults.add(failedRows);
  await pass(service, 5 * MINUTE);
  expect(messages()).toEqual([unread]);
  service.faults.add({ kind: 'status', status: 503, times: 1, path: '/graphql' });
  service.faults.add(failedRows);
  await passMinutes(10);
  expect(messages()).toEqual([]);
  // Its last snapshot arrives after the other vehicles have been read.
  service.faults.add(failedRows);
  await passMinutes(20);
  expect(messages()).toEqual([unread]);
});

test('a rule takes ids in any letter case', async () => {
  drive();
  const followed = await follow(
    fleet.watchEvents({ ...options, rules: [{ on: 'ignition', vehicleIds: [vehicleId.toUpperCase()] }] }),
  );
  await passMinutes(25);
  expect(shown(followed.take())).toHaveLength(2);
});

test('warns once of ids that do not exist, and not of ids in another letter case', async () => {
  const warnings: WarningEvent[] = [];
  const watching = client({ hooks: { onWarning: (warning) => void warnings.push(warning) } });
  const nobody = '00000000-0000-4000-8000-000000000000';
  await follow(
    watching.watchEvents({
      ...options,
      rules: [
        { on: 'ignition', vehicleIds: [vehicleId.toUpperCase()] },
        { on: 'geofence-enter', vehicleIds: [nobody], geofenceIds: [nobody] },
      ],
    }),
  );
  await passMinutes(25);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    ['NOT_WATCHED', `The rule geofence-enter names vehicles that the watch did not find: ${nobody}.`],
    ['NOT_WATCHED', `The rule geofence-enter names geofences that the watch did not find: ${nobody}.`],
  ]);
});

test('watches only the given vehicles and the geofences of a rule, and requests only what the rules need', async () => {
  service.clearRequests();
  await follow(client().watchEvents({ rules: [{ on: 'idle' }], vehicleIds: [vehicleId] }));
  expect([
    countRuns(service, 'getGeofences'),
    countRuns(service, 'getWorkSchedules'),
    countRuns(service, 'getVehicles'),
  ]).toEqual([0, 0, 0]);
  expect(countRuns(service, 'getLatestSnapshots')).toBe(1);
  const [geofence] = await fleet.getGeofences();
  const own = client();
  await follow(own.watchEvents({ rules: [{ on: 'geofence-exit', geofenceIds: [geofence?.id ?? ''] }] }));
  expect(countRuns(service, 'getGeofences')).toBe(2);
});

describe('work schedules', () => {
  const night: WatchEventsOptions['rules'] = [
    { on: 'movement', name: 'in', schedule: 'Two shifts' },
    { on: 'movement', name: 'out', outsideSchedule: 'Two shifts' },
  ];

  test('apply inside of their hours and outside of them, and a warning shows once how they are read', async () => {
    // A Sunday: no shift works.
    drive();
    const warnings: WarningEvent[] = [];
    const watching = client({ hooks: { onWarning: (warning) => void warnings.push(warning) } });
    const followed = await follow(watching.watchEvents({ ...options, rules: night }));
    await passMinutes(30);
    expect(eventsIn(followed.take()).map(({ rule }) => rule)).toEqual(['out']);
    expect(warnings).toMatchObject([
      {
        code: 'WORK_SCHEDULE',
        operation: 'watchEvents',
        message: expect.stringContaining('The work schedule Two shifts is read as mon 06:00-14:00, mon 14:00-22:00'),
      },
    ]);
  });

  test.each([
    ['None', 'No work schedule has the name or id None.'],
    ['Odd', 'The hours of the work schedule Odd cannot be read: it has no periods. Give the rule movement hours'],
  ])('%s ends the watch', async (schedule, problem) => {
    service.answer('getWorkSchedules', [{ id: vehicleId, name: 'Odd', periods: [] }]);
    const followed = await follow(fleet.watchEvents({ rules: [{ on: 'movement', schedule }] }));
    expect(followed.end?.error).toBeInstanceOf(InvalidInputError);
    expect(followed.end?.error).toMatchObject({ message: expect.stringContaining(problem) });
  });

  test.each([
    [{ weekday: 1, begin: '08:00', duration: 60 }, 'weekday 1 is not the English name of a day'],
    [{ weekday: 'ESMASPAEV', begin: '08:00', duration: 60 }, 'weekday "ESMASPAEV" is not the English name of a day'],
    [{ weekday: 'MONDAY', begin: 480, duration: 60 }, 'begin 480 is not a time such as 08:00'],
    [{ weekday: 'MONDAY', begin: '08:00', duration: 32_400 }, 'duration 32400 is not a number of minutes up to a day'],
    [{ weekday: 'MONDAY', begin: '08:00', duration: 'PT8H' }, 'duration "PT8H" is not a number of minutes up to a day'],
    [{ weekday: 'MONDAY', begin: '08:00', duration: null }, 'duration null is not a number of minutes up to a day'],
    [null, 'a period is missing'],
  ])('refuses %j', (period, problem) => {
    const good = { weekday: 'Mon', begin: '22:00:00', duration: 480 };
    expect(hoursOfSchedule({ periods: [good] })).toMatchObject({ text: 'mon 22:00-06:00' });
    expect(hoursOfSchedule({ periods: [good, period] })).toEqual({ problem });
  });
});

test.each<[unknown, RegExp]>([
  [undefined, /rules must be a list of rules that is not empty/],
  [{ rules: [] }, /rules must be a list of rules that is not empty/],
  [{ rules: [{}] }, /rules\[0\] has no on/],
  [{ rules: [{ on: 'flying' }] }, /rules\[0\]\.on must be 'geofence-enter'/],
  [{ rules: [{ on: 'idle', speedLimit: 3 }] }, /has no option speedLimit/],
  [{ rules: [{ on: 'idle', speedLimitKmh: 3 }] }, /rules\[0\]: A speed limit is for speeding, not for idle/],
  [{ rules: [{ on: 'idle' }, { on: 'idle' }] }, /rules\[1\]: rules\[0\] has its name too/],
  [{ rules: [{ on: 'idle', between: '22-6' }] }, /rules\[0\]: "22-6" is not a range of hours/],
  [{ rules: [{ on: 'idle', days: ['friday'] }] }, /rules\[0\]\.days must be a list of 'mon'/],
  [
    { rules: [{ on: 'idle', schedule: 'a', outsideSchedule: 'b' }] },
    /the hours of a work schedule or the hours outside of one, not both/,
  ],
  [{ rules: [{ on: 'idle', geofenceIds: ['a'] }] }, /Geofences are for events of geofences/],
  [{ rules: [{ on: 'geofence-dwell' }] }, /geofence-dwell needs the time/],
  [{ rules: [{ on: 'low-battery' }] }, /low-battery needs a threshold/],
  [{ rules: [{ on: 'ignition', resolved: true }] }, /resolved is not possible for ignition/],
  [{ rules: [{ on: 'idle' }], timeZone: 'Tallinn' }, /timeZone must be the IANA name/],
  [{ rules: [{ on: 'idle' }], since: 'yesterday' }, /since must be a Date/],
  ...[
    { version: 9, vehicles: [], geofences: null },
    { version: 1, vehicles: [['id', null]], geofences: null },
    { version: 1, vehicles: [['id', { seenAt: START, inside: [] }]], geofences: null },
    { version: 1, vehicles: [], geofences: [['id', null]] },
    { version: 1, vehicles: [] },
  ].map((state): [unknown, RegExp] => [{ rules: [{ on: 'idle' }], state }, /state must be the state of a checkpoint/]),
  [
    { rules: [{ on: 'idle', vehicleIds: ['b', 'c'] }], vehicleIds: ['a'] },
    /rules\[0\]: None of its vehicleIds is in the vehicleIds of the watch/,
  ],
  [{ rules: [{ on: 'idle' }], snapshot: true }, /watchEvents has no option snapshot/],
  [{ rules: [{ on: 'idle' }], vehicleIds: ['x'], active: true }, /active has no effect on vehicleIds/],
  [{ rules: [{ on: 'idle' }], vehicleIds: ['x'] }, /vehicleIds/],
])('%j is refused before anything is sent', (input, problem) => {
  service.clearRequests();
  // A caller without types may pass anything.
  const watch = () => fleet.watchEvents(input as WatchEventsOptions);
  expect(watch).toThrow(InvalidInputError);
  expect(watch).toThrow(problem);
  expect(service.requests).toEqual([]);
});
