// The transitions of a vehicle's state by snapshots and by time: a table for each kind of event.
import { describe, expect, test } from 'vitest';
import { type CompleteRule, completeRule, type EventRule } from '../../../src/telemetry/events/event-rule.js';
import { eventOf } from '../../../src/telemetry/events/fleet-event.js';
import type { WatchedSnapshot } from '../../../src/telemetry/events/snapshot-readings.js';
import {
  afterSnapshot,
  afterTime,
  amongGeofences,
  firstState,
  type Surroundings,
  underRules,
  unseenState,
  type WatchedState,
} from '../../../src/telemetry/events/vehicle-state.js';
import { shapeOf } from '../../../src/telemetry/watch/geofence-shape.js';

const start = Date.parse('2026-03-02T09:00:00Z');
const minute = 60_000;

const depot = { type: 'Point', coordinates: [24.75, 59.43], radius: 200 };
const inDepot = { latitude: 59.43, longitude: 24.75 };
const far = { latitude: 59.46, longitude: 24.75 };
/** Farther than a vehicle gets in minutes. */
const abroad = { latitude: 10, longitude: 24.75 };

function around(
  rules: readonly CompleteRule[],
  geofences: Readonly<Record<string, unknown>> = { depot },
): Surroundings {
  return {
    rules,
    geofences: new Map(Object.entries(geofences).map(([id, shape]) => [id, { shape: shapeOf(shape, undefined) }])),
    isAbout: (rule, id) => rule.name !== 'only other' || id === 'other',
    hoursOf: ({ hours }) => hours,
    zone: 'Europe/Tallinn',
  };
}

interface Row {
  readonly min: number;
  readonly speed?: number;
  readonly on?: boolean;
  readonly at?: { readonly latitude: number; readonly longitude: number };
  readonly power?: number;
}

function snapshotOf({ min, speed, on, at, power }: Row): WatchedSnapshot {
  return {
    timestamp: new Date(start + min * minute).toISOString(),
    gps: { state: true, ...(at ?? far), ...(speed === undefined ? {} : { speed }) },
    ...(on === undefined ? {} : { ignition: { engineStatus: on } }),
    ...(power === undefined ? {} : { misc: { power } }),
  };
}

/** What happens: a snapshot, or minutes after the start until which nothing has come. */
type Happening = Row | number;

/** The events, each as the minute from which it counts and its text. */
function eventsOf(given: EventRule | readonly EventRule[], happenings: readonly Happening[]): readonly string[] {
  const surroundings = around([given].flat().map(completeRule));
  let state: WatchedState | null = null;
  const events: string[] = [];
  for (const one of happenings) {
    const time = start + (typeof one === 'number' ? one : one.min) * minute;
    if (state === null) {
      if (typeof one === 'number') throw new Error('the first is a snapshot');
      state = firstState(snapshotOf(one), time, time, surroundings);
      continue;
    }
    const step: ReturnType<typeof afterTime> =
      typeof one === 'number'
        ? afterTime(state, time, surroundings)
        : afterSnapshot(state, snapshotOf(one), time, surroundings);
    state = step.state;
    const vehicle = { vehicleId: 'v', name: 'Van', licensePlate: null };
    for (const transition of step.transitions) {
      const { at, text } = eventOf(transition, vehicle, (id) => id, time);
      events.push(`${(Date.parse(at) - start) / minute} ${text.replace(/^[^:]+: /, '')}`);
    }
  }
  return events;
}

describe('silent and offline', () => {
  test.each<[string, EventRule, readonly Happening[], readonly string[]]>([
    [
      'one event for a silence',
      { on: 'silent', forMs: 90 * minute },
      [{ min: 0 }, 89, 90, 200, 400],
      ['0 silent, no data for 1 h 30 min'],
    ],
    [
      'another after a snapshot',
      { on: 'silent', forMs: 10 * minute },
      [{ min: 0 }, 11, { min: 20 }, 29, 31],
      ['0 silent, no data for 10 min', '20 silent, no data for 10 min'],
    ],
    [
      'found from the next snapshot, when nobody looked',
      { on: 'silent', forMs: 10 * minute },
      [{ min: 0 }, { min: 60 }],
      ['0 silent, no data for 10 min'],
    ],
    ['offline after 6 hours', { on: 'offline' }, [{ min: 0 }, 359, 360], ['0 offline, no data for 6 h']],
  ])('%s', (_, rule, happenings, expected) => expect(eventsOf(rule, happenings)).toEqual(expected));

  test('a silence that is over when the watch begins is not an event', () => {
    const surroundings = around([completeRule({ on: 'silent', forMs: 10 * minute })]);
    const old = firstState(snapshotOf({ min: 0 }), start, start + 11 * minute, surroundings);
    expect(afterTime(old, start + 60 * minute, surroundings).transitions).toEqual([]);
    const young = firstState(snapshotOf({ min: 0 }), start, start + 9 * minute, surroundings);
    expect(afterTime(young, start + 60 * minute, surroundings).transitions).toHaveLength(1);
  });
});

describe('resolved', () => {
  test.each<[string, EventRule, readonly Happening[], readonly string[]]>([
    [
      'a vehicle that was silent answers again',
      { on: 'silent', forMs: 10 * minute },
      [{ min: 0 }, 11, { min: 72 }, { min: 73 }],
      ['0 silent, no data for 10 min', '72 silent is over, data again after 1 h 12 min'],
    ],
    ['nothing was told', { on: 'silent', forMs: 10 * minute }, [{ min: 0 }, { min: 9 }], []],
    [
      'speeding has ended',
      { on: 'speeding', speedLimitKmh: 90 },
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 91 },
        { min: 4, speed: 120 },
        { min: 5, speed: 80 },
        { min: 6, speed: 80 },
      ],
      ['1 speeding at 91 km/h, limit 90 km/h', '5 speeding is over, up to 120 km/h, for 3 min'],
    ],
    [
      'speeding that nobody saw the end of, and that begins again',
      { on: 'speeding', speedLimitKmh: 90 },
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 91 },
        { min: 30, speed: 95 },
      ],
      [
        '1 speeding at 91 km/h, limit 90 km/h',
        '30 speeding is over, up to 91 km/h',
        '30 speeding at 95 km/h, limit 90 km/h',
      ],
    ],
    [
      'too fast when the watch began is neither told nor resolved',
      { on: 'speeding', speedLimitKmh: 90 },
      [
        { min: 0, speed: 120 },
        { min: 1, speed: 80 },
      ],
      [],
    ],
    [
      'idling',
      { on: 'idle' },
      [
        { min: 0, speed: 50, on: true },
        { min: 1, speed: 0, on: true },
        { min: 20, speed: 0, on: true },
        { min: 26, speed: 30, on: true },
      ],
      ['1 idling for 10 min', '26 idling is over, after 25 min'],
    ],
    [
      'a battery that is charged; a snapshot without a reading says nothing',
      { on: 'low-battery', batteryBelow: 11.8, forMs: 0 },
      [{ min: 0, power: 12.5 }, { min: 1, power: 11.2 }, { min: 2 }, { min: 3, power: 12.4 }],
      ['1 battery at 11.2, below 11.8', '3 battery at 12.4, no longer below 11.8'],
    ],
  ])('%s', (_, rule, happenings, expected) => {
    expect(eventsOf({ ...rule, resolved: true }, happenings)).toEqual(expected);
    expect(eventsOf(rule, happenings)).toEqual(expected.filter((text) => !/is over|no longer/.test(text)));
  });

  test.each(['geofence-enter', 'geofence-exit', 'ignition'] as const)('%s has no end', (on) => {
    expect(() => completeRule({ on, resolved: true })).toThrow(`${on} is not resolved`);
  });

  test('the end has an id of its own, and names the event that is over', () => {
    const rule = completeRule({ on: 'silent', forMs: 10 * minute, resolved: true });
    const first = firstState(snapshotOf({ min: 0 }), start, start, around([rule]));
    const { transitions } = afterSnapshot(first, snapshotOf({ min: 20 }), start + 20 * minute, around([rule]));
    const [begin, end] = transitions.map((transition) =>
      eventOf(transition, { vehicleId: 'v', name: null, licensePlate: null }, () => null, start),
    );
    expect(begin?.resolves).toBeNull();
    expect(end).toMatchObject({ resolves: begin?.id, type: 'silent', value: 1_200, unit: 's', ...far });
    expect(end?.id).not.toBe(begin?.id);
  });
});

describe('speeding', () => {
  const rule: EventRule = { on: 'speeding', speedLimitKmh: 90 };
  test.each<[string, EventRule, readonly Happening[], readonly string[]]>([
    [
      'above the limit, once',
      rule,
      [
        { min: 0, speed: 90 },
        { min: 1, speed: 91 },
        { min: 2, speed: 120 },
        { min: 3, speed: 80 },
      ],
      ['1 speeding at 91 km/h, limit 90 km/h'],
    ],
    [
      'at the limit',
      rule,
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 90 },
      ],
      [],
    ],
    [
      'again after it',
      rule,
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 91 },
        { min: 2, speed: 80 },
        { min: 3, speed: 95 },
      ],
      ['1 speeding at 91 km/h, limit 90 km/h', '3 speeding at 95 km/h, limit 90 km/h'],
    ],
    [
      'again after a quarter of an hour without a snapshot',
      rule,
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 91 },
        { min: 17, speed: 92 },
      ],
      ['1 speeding at 91 km/h, limit 90 km/h', '17 speeding at 92 km/h, limit 90 km/h'],
    ],
    [
      'long enough, with the top speed so far',
      { ...rule, forMs: 2 * minute },
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 91 },
        { min: 2, speed: 130 },
        { min: 3, speed: 95 },
      ],
      ['1 speeding at 130 km/h, limit 90 km/h, for 2 min'],
    ],
    [
      'not by the passing of time',
      { ...rule, forMs: 2 * minute },
      [{ min: 0, speed: 50 }, { min: 1, speed: 91 }, 4, { min: 5, speed: 40 }],
      [],
    ],
    [
      'not what it does at first',
      rule,
      [
        { min: 0, speed: 120 },
        { min: 1, speed: 121 },
      ],
      [],
    ],
    [
      'not a speed that no vehicle has',
      rule,
      [
        { min: 0, speed: 50 },
        { min: 1, speed: 400 },
      ],
      [],
    ],
  ])('%s', (_, given, happenings, expected) => expect(eventsOf(given, happenings)).toEqual(expected));
});

describe('ignition and idle', () => {
  test.each<[string, EventRule, readonly Happening[], readonly string[]]>([
    [
      'on and off',
      { on: 'ignition' },
      [{ min: 0, on: false }, { min: 1, on: true }, { min: 2 }, { min: 3, on: true }, { min: 4, on: false }],
      ['1 ignition on', '4 ignition off'],
    ],
    ['not when it becomes known', { on: 'ignition' }, [{ min: 0 }, { min: 1, on: true }], []],
    [
      'on for a while only',
      { on: 'ignition', forMs: 5 * minute },
      [{ min: 0, on: false }, { min: 1, on: true }, { min: 2, on: false }, 8],
      ['2 ignition off, for 5 min'],
    ],
    [
      'idling for 10 minutes',
      { on: 'idle' },
      [
        { min: 0, on: true, speed: 50 },
        { min: 1, on: true, speed: 0 },
        { min: 6, on: true, speed: 1 },
        { min: 12, on: true, speed: 40 },
      ],
      ['1 idling for 10 min'],
    ],
    [
      'idling without a further snapshot',
      { on: 'idle' },
      [{ min: 0, on: true, speed: 50 }, { min: 1, on: true, speed: 0 }, 10, 11],
      ['1 idling for 10 min'],
    ],
    [
      'not long enough',
      { on: 'idle' },
      [{ min: 0, on: true, speed: 50 }, { min: 1, on: true, speed: 0 }, { min: 10, on: false, speed: 0 }, 20],
      [],
    ],
    [
      'idling at first, and then long enough',
      { on: 'idle' },
      [{ min: 0, on: true, speed: 0 }, 11],
      ['0 idling for 10 min'],
    ],
  ])('%s', (_, given, happenings, expected) => expect(eventsOf(given, happenings)).toEqual(expected));
});

describe('low-battery', () => {
  const rule: EventRule = { on: 'low-battery', batteryBelow: 11.8 };
  test.each<[string, readonly Happening[], readonly string[]]>([
    [
      'low for 5 minutes',
      [
        { min: 0, power: 12.6 },
        { min: 1, power: 11.5 },
        { min: 7, power: 11.4 },
      ],
      ['1 battery at 11.5, below 11.8, for 5 min'],
    ],
    [
      'a snapshot without a reading changes nothing',
      [{ min: 0, power: 12.6 }, { min: 1, power: 11.5 }, { min: 3 }, 7],
      ['1 battery at 11.5, below 11.8, for 5 min'],
    ],
    [
      'not while the engine is cranked',
      [{ min: 0, power: 12.6 }, { min: 1, power: 9 }, { min: 2, power: 13.8 }, 20],
      [],
    ],
    ['at the threshold', [{ min: 0, power: 12.6 }, { min: 1, power: 11.8 }, 20], []],
  ])('%s', (_, happenings, expected) => expect(eventsOf(rule, happenings)).toEqual(expected));
});

describe('geofences', () => {
  const both: readonly EventRule[] = [{ on: 'geofence-enter' }, { on: 'geofence-exit' }];
  const edge = { latitude: 59.43 + 230 / 111_195, longitude: 24.75 };
  test.each<[string, readonly EventRule[], readonly Happening[], readonly string[]]>([
    [
      'in and out',
      both,
      [{ min: 0 }, { min: 1, at: inDepot }, { min: 2, at: inDepot }, { min: 3 }],
      ['1 entered depot', '3 left depot'],
    ],
    [
      'not where it is at first',
      both,
      [
        { min: 0, at: inDepot },
        { min: 1, at: inDepot },
      ],
      [],
    ],
    [
      'the edge is 50 m wide',
      both,
      [
        { min: 0, at: inDepot },
        { min: 1, at: edge },
        { min: 2, at: inDepot },
      ],
      [],
    ],
    [
      'a stay',
      [{ on: 'geofence-enter', forMs: 10 * minute }],
      [{ min: 0 }, { min: 1, at: inDepot }, { min: 5 }, { min: 6, at: inDepot }, 17],
      ['6 entered depot, for 10 min'],
    ],
    [
      'away for good',
      [{ on: 'geofence-exit', forMs: 10 * minute }],
      [{ min: 0, at: inDepot }, { min: 1 }, { min: 5, at: inDepot }, { min: 6 }, 17],
      ['6 left depot, for 10 min'],
    ],
    [
      'one position that no vehicle can reach',
      both,
      [{ min: 0, at: inDepot }, { min: 1, at: abroad }, { min: 2, at: inDepot }, { min: 3 }],
      ['3 left depot'],
    ],
    [
      'a position that the next one confirms',
      both,
      [
        { min: 0, at: inDepot },
        { min: 1, at: abroad },
        { min: 2, at: abroad },
      ],
      ['2 left depot'],
    ],
    ['only these', [{ on: 'geofence-enter', name: 'only other' }], [{ min: 0 }, { min: 1, at: inDepot }], []],
  ])('%s', (_, rules, happenings, expected) => expect(eventsOf(rules, happenings)).toEqual(expected));

  test('one of more rings than a function takes arguments', () => {
    const ring = (size: number) => [
      [24 - size, 59 - size],
      [24 + size, 59 - size],
      [24, 59 + size],
    ];
    const many = { type: 'Polygon', coordinates: [ring(1), ...new Array(130_000).fill(ring(0.1))] };
    const surroundings = around(both.map(completeRule), { many });
    const at = { latitude: 58.5, longitude: 24 };
    expect(firstState(snapshotOf({ min: 0, at }), start, start, surroundings).inside).toEqual(['many']);
  });

  test('one that is drawn, or deleted, around a vehicle is not an event, and the next move is', () => {
    const rules = both.map(completeRule);
    const before = firstState(snapshotOf({ min: 0, at: inDepot }), start, start, around(rules, {}));
    const drawn = amongGeofences(before, new Set(['depot']), around(rules));
    expect(drawn.inside).toEqual(['depot']);
    expect(afterTime(drawn, start + minute, around(rules)).transitions).toEqual([]);
    const { transitions } = afterSnapshot(drawn, snapshotOf({ min: 2 }), start + 2 * minute, around(rules));
    expect(transitions.map(({ rule }) => rule.on)).toEqual(['geofence-exit']);
    const deleted = amongGeofences(drawn, new Set(['depot']), around(rules, {}));
    expect(deleted.inside).toEqual([]);
  });
});

test('a snapshot that is not newer changes nothing', () => {
  const surroundings = around([completeRule({ on: 'ignition' })]);
  const state = firstState(snapshotOf({ min: 5, on: true }), start + 5 * minute, start + 5 * minute, surroundings);
  expect(afterSnapshot(state, snapshotOf({ min: 4, on: false }), start + 4 * minute, surroundings)).toEqual({
    state,
    transitions: [],
  });
});

test('after a beginning without a snapshot only silence becomes an event, and the first snapshot shows how things are', () => {
  const kinds = ['silent', 'speeding', 'ignition', 'geofence-enter'] as const;
  const surroundings = around([
    ...kinds.map((on) => completeRule({ on })),
    completeRule({ on: 'low-battery', batteryBelow: 12, forMs: 0 }),
  ]);
  const begun = unseenState(start, surroundings);
  const silent = afterTime(begun, start + 90 * minute, surroundings);
  expect(silent.transitions.map(({ rule, dueAt }) => [rule.on, dueAt - start])).toEqual([['silent', 90 * minute]]);
  const first = { min: 1, speed: 120, on: true, at: inDepot, power: 11 };
  const seen = afterSnapshot(begun, snapshotOf(first), start + minute, surroundings);
  expect(seen.transitions).toEqual([]);
  const second = { ...first, min: 2, speed: 50, on: false };
  const { transitions } = afterSnapshot(seen.state, snapshotOf(second), start + 2 * minute, surroundings);
  expect(transitions.map(({ rule }) => rule.on)).toEqual(['ignition']);
});

test('a rule that is new begins with how things are', () => {
  const idle = completeRule({ on: 'idle' });
  const ignition = completeRule({ on: 'ignition' });
  const state = firstState(snapshotOf({ min: 0, on: true, speed: 0 }), start, start, around([ignition]));
  const under = underRules(state, start + 5 * minute, around([ignition, idle]));
  expect(afterTime(under, start + 11 * minute, around([ignition, idle])).transitions).toHaveLength(1);
  const late = underRules(state, start + 30 * minute, around([ignition, idle]));
  expect(afterTime(late, start + 60 * minute, around([ignition, idle])).transitions).toEqual([]);
  expect(underRules(under, start, around([ignition])).conditions.every(({ rule }) => rule === 'ignition')).toBe(true);
});
