// The transitions of a vehicle's state by snapshots and by time: a table for each kind of event.
import { describe, expect, test } from 'vitest';
import { type CompleteRule, completeRule, type EventRule } from '../../../src/telemetry/events/event-rule.js';
import { toFleetEvent } from '../../../src/telemetry/events/fleet-event.js';
import type { WatchedSnapshot } from '../../../src/telemetry/events/snapshot-readings.js';
import {
  applyGeofences,
  applyRules,
  applySnapshot,
  applyTime,
  firstState,
  type RuleContext,
  unseenState,
  type WatchedState,
} from '../../../src/telemetry/events/vehicle-state.js';
import { shapeOf } from '../../../src/telemetry/watch/geofence-shape.js';

const start = Date.parse('2026-03-02T09:00:00Z');
const minute = 60_000;

const depot = { type: 'Point', coordinates: [24.75, 59.43], radius: 200 };
const inDepot = { latitude: 59.43, longitude: 24.75 };
const far = { latitude: 59.46, longitude: 24.75 };
/** Unreachable within minutes. */
const abroad = { latitude: 10, longitude: 24.75 };

function contextOf(
  rules: readonly CompleteRule[],
  geofences: Readonly<Record<string, unknown>> = { depot },
): RuleContext {
  return {
    rules,
    geofences: new Map(Object.entries(geofences).map(([id, shape]) => [id, { shape: shapeOf(shape, undefined) }])),
    appliesTo: (rule, id) => rule.name !== 'only other' || id === 'other',
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

/** A snapshot, or a minute after the start without any new snapshot before it. */
type TestStep = Row | number;

/** Returns the events as text: the minute from which each counts, and its text. */
function eventsOf(ruleOrRules: EventRule | readonly EventRule[], testSteps: readonly TestStep[]): readonly string[] {
  const context = contextOf([ruleOrRules].flat().map(completeRule));
  let state: WatchedState | null = null;
  const events: string[] = [];
  for (const one of testSteps) {
    const time = start + (typeof one === 'number' ? one : one.min) * minute;
    if (state === null) {
      if (typeof one === 'number') throw new Error('the first is a snapshot');
      state = firstState(snapshotOf(one), time, time, context);
      continue;
    }
    const step: ReturnType<typeof applyTime> =
      typeof one === 'number' ? applyTime(state, time, context) : applySnapshot(state, snapshotOf(one), time, context);
    state = step.state;
    const vehicle = { vehicleId: 'v', name: 'Van', licensePlate: null };
    for (const transition of step.transitions) {
      const { at, text } = toFleetEvent(transition, vehicle, (id) => id, time);
      events.push(`${(Date.parse(at) - start) / minute} ${text.replace(/^[^:]+: /, '')}`);
    }
  }
  return events;
}

describe('silent and offline', () => {
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
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
  ])('%s', (_, rule, testSteps, expected) => expect(eventsOf(rule, testSteps)).toEqual(expected));

  test('a silence that is over when the watch begins is not an event', () => {
    const context = contextOf([completeRule({ on: 'silent', forMs: 10 * minute })]);
    const old = firstState(snapshotOf({ min: 0 }), start, start + 11 * minute, context);
    expect(applyTime(old, start + 60 * minute, context).transitions).toEqual([]);
    const young = firstState(snapshotOf({ min: 0 }), start, start + 9 * minute, context);
    expect(applyTime(young, start + 60 * minute, context).transitions).toHaveLength(1);
  });
});

describe('resolved', () => {
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
    [
      'a vehicle that was silent answers again',
      { on: 'silent', forMs: 10 * minute },
      [{ min: 0 }, 11, { min: 72 }, { min: 73 }],
      ['0 silent, no data for 10 min', '72 silent is over, data again after 1 h 12 min'],
    ],
    ['a silence that was never an event', { on: 'silent', forMs: 10 * minute }, [{ min: 0 }, { min: 9 }], []],
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
  ])('%s', (_, rule, testSteps, expected) => {
    expect(eventsOf({ ...rule, resolved: true }, testSteps)).toEqual(expected);
    expect(eventsOf(rule, testSteps)).toEqual(expected.filter((text) => !/is over|no longer/.test(text)));
  });

  test.each(['geofence-enter', 'geofence-exit', 'ignition'] as const)('refuses resolved for %s', (on) => {
    expect(() => completeRule({ on, resolved: true })).toThrow(`resolved is not possible for ${on}: `);
  });

  test('gives the end its own id and names the event that is over', () => {
    const rule = completeRule({ on: 'silent', forMs: 10 * minute, resolved: true });
    const first = firstState(snapshotOf({ min: 0 }), start, start, contextOf([rule]));
    const { transitions } = applySnapshot(first, snapshotOf({ min: 20 }), start + 20 * minute, contextOf([rule]));
    const [begin, end] = transitions.map((transition) =>
      toFleetEvent(transition, { vehicleId: 'v', name: null, licensePlate: null }, () => null, start),
    );
    expect(begin?.resolves).toBeNull();
    expect(end).toMatchObject({ resolves: begin?.id, type: 'silent', value: 1_200, unit: 's', ...far });
    expect(end?.id).not.toBe(begin?.id);
  });
});

describe('speeding', () => {
  const rule: EventRule = { on: 'speeding', speedLimitKmh: 90 };
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
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
  ])('%s', (_, ruleOrRules, testSteps, expected) => expect(eventsOf(ruleOrRules, testSteps)).toEqual(expected));
});

describe('ignition and idle', () => {
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
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
  ])('%s', (_, ruleOrRules, testSteps, expected) => expect(eventsOf(ruleOrRules, testSteps)).toEqual(expected));
});

describe('low-battery', () => {
  const rule: EventRule = { on: 'low-battery', batteryBelow: 11.8 };
  test.each<[string, readonly TestStep[], readonly string[]]>([
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
  ])('%s', (_, testSteps, expected) => expect(eventsOf(rule, testSteps)).toEqual(expected));
});

describe('geofences', () => {
  const both: readonly EventRule[] = [{ on: 'geofence-enter' }, { on: 'geofence-exit' }];
  const edge = { latitude: 59.43 + 230 / 111_195, longitude: 24.75 };
  test.each<[string, readonly EventRule[], readonly TestStep[], readonly string[]]>([
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
  ])('%s', (_, rules, testSteps, expected) => expect(eventsOf(rules, testSteps)).toEqual(expected));

  test('reads a geofence of more rings than a function takes arguments', () => {
    const ring = (size: number) => [
      [24 - size, 59 - size],
      [24 + size, 59 - size],
      [24, 59 + size],
    ];
    const many = { type: 'Polygon', coordinates: [ring(1), ...new Array(130_000).fill(ring(0.1))] };
    const context = contextOf(both.map(completeRule), { many });
    const at = { latitude: 58.5, longitude: 24 };
    expect(firstState(snapshotOf({ min: 0, at }), start, start, context).inside).toEqual(['many']);
  });

  test('one that is drawn, or deleted, around a vehicle is not an event, and the next move is', () => {
    const rules = both.map(completeRule);
    const before = firstState(snapshotOf({ min: 0, at: inDepot }), start, start, contextOf(rules, {}));
    const drawn = applyGeofences(before, new Set(['depot']), contextOf(rules));
    expect(drawn.inside).toEqual(['depot']);
    expect(applyTime(drawn, start + minute, contextOf(rules)).transitions).toEqual([]);
    const { transitions } = applySnapshot(drawn, snapshotOf({ min: 2 }), start + 2 * minute, contextOf(rules));
    expect(transitions.map(({ rule }) => rule.on)).toEqual(['geofence-exit']);
    const deleted = applyGeofences(drawn, new Set(['depot']), contextOf(rules, {}));
    expect(deleted.inside).toEqual([]);
  });
});

test.each([
  ['without speed and ignition, the vehicle still idles', { min: 5 }, ['1 idling for 10 min']],
  ['without ignition, the vehicle still idles', { min: 5, speed: 0 }, ['1 idling for 10 min']],
  ['with the engine off, it does not', { min: 5, on: false }, []],
  ['that shows movement, it does not', { min: 5, speed: 40 }, []],
])('after a snapshot %s', (_, row, expected) => {
  const idling = { min: 1, speed: 0, on: true };
  expect(eventsOf({ on: 'idle' }, [{ min: 0, speed: 40, on: true }, idling, row, 12])).toEqual(expected);
});

test('a snapshot without a speed does not begin idling on the road', () => {
  expect(
    eventsOf({ on: 'idle', forMs: 0 }, [{ min: 0, speed: 40, on: true }, { min: 1, on: true }, { min: 2 }, 3]),
  ).toEqual([]);
});

test('a snapshot that is not newer changes nothing', () => {
  const context = contextOf([completeRule({ on: 'ignition' })]);
  const state = firstState(snapshotOf({ min: 5, on: true }), start + 5 * minute, start + 5 * minute, context);
  expect(applySnapshot(state, snapshotOf({ min: 4, on: false }), start + 4 * minute, context)).toEqual({
    state,
    transitions: [],
  });
});

test('after a beginning without a snapshot only silence becomes an event, and the first snapshot sets the current state', () => {
  const kinds = ['silent', 'speeding', 'ignition', 'geofence-enter'] as const;
  const context = contextOf([
    ...kinds.map((on) => completeRule({ on })),
    completeRule({ on: 'low-battery', batteryBelow: 12, forMs: 0 }),
  ]);
  const begun = unseenState(start, context);
  const silent = applyTime(begun, start + 90 * minute, context);
  expect(silent.transitions.map(({ rule, dueAt }) => [rule.on, dueAt - start])).toEqual([['silent', 90 * minute]]);
  const first = { min: 1, speed: 120, on: true, at: inDepot, power: 11 };
  const seen = applySnapshot(begun, snapshotOf(first), start + minute, context);
  expect(seen.transitions).toEqual([]);
  const second = { ...first, min: 2, speed: 50, on: false };
  const { transitions } = applySnapshot(seen.state, snapshotOf(second), start + 2 * minute, context);
  expect(transitions.map(({ rule }) => rule.on)).toEqual(['ignition']);
});

test('a new rule begins with the current state', () => {
  const idle = completeRule({ on: 'idle' });
  const ignition = completeRule({ on: 'ignition' });
  const state = firstState(snapshotOf({ min: 0, on: true, speed: 0 }), start, start, contextOf([ignition]));
  const under = applyRules(state, start + 5 * minute, contextOf([ignition, idle]));
  expect(applyTime(under, start + 11 * minute, contextOf([ignition, idle])).transitions).toHaveLength(1);
  const late = applyRules(state, start + 30 * minute, contextOf([ignition, idle]));
  expect(applyTime(late, start + 60 * minute, contextOf([ignition, idle])).transitions).toEqual([]);
  expect(applyRules(under, start, contextOf([ignition])).conditions.every(({ rule }) => rule === 'ignition')).toBe(
    true,
  );
});

describe('movement', () => {
  const rule: EventRule = { on: 'movement' };
  /** Returns the place this many metres north of the standing vehicle. */
  const moved = (metres: number) => ({ latitude: far.latitude + metres / 111_195, longitude: far.longitude });
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
    [
      'once until it has stood for 5 minutes; a traffic light is a part of it',
      { ...rule, resolved: true },
      [
        { min: 0, speed: 0, on: false },
        { min: 1, speed: 30, on: true },
        { min: 2, speed: 50, on: true },
        { min: 3, speed: 0, on: true },
        { min: 6, speed: 20, on: true },
        { min: 8, speed: 0, on: true },
        { min: 11, speed: 0, on: false },
        { min: 20, speed: 0, on: false },
        { min: 21, speed: 10, on: true },
      ],
      ['1 moving at 30 km/h', '11 movement is over, after 5 min', '21 moving at 10 km/h'],
    ],
    [
      'by its position when the engine is off: it is towed',
      rule,
      [
        { min: 0, speed: 0, on: false },
        { min: 1, speed: 0, on: false, at: moved(60) },
        { min: 2, speed: 0, on: false, at: moved(-40) },
        { min: 3, speed: 0, on: false, at: moved(150) },
        { min: 4, speed: 20, on: false, at: moved(400) },
      ],
      ['3 moving'],
    ],
    [
      'not by a position that no vehicle can reach, nor by its first position',
      rule,
      [
        { min: 0, speed: 0, on: false, at: { latitude: 0, longitude: 0 } },
        { min: 1, speed: 0, on: false },
        { min: 2, speed: 0, on: false, at: abroad },
        { min: 3, speed: 0, on: false },
      ],
      [],
    ],
    [
      'not what it does at first',
      rule,
      [
        { min: 0, speed: 50, on: true },
        { min: 1, speed: 50, on: true },
      ],
      [],
    ],
    [
      'for a while, from snapshot to snapshot',
      { ...rule, forMs: 5 * minute },
      [{ min: 0, speed: 0, on: true }, { min: 1, speed: 30, on: true }, 7, { min: 8, speed: 30, on: true }],
      ['1 moving at 30 km/h, for 5 min'],
    ],
    [
      'another one after a long silence',
      rule,
      [
        { min: 0, speed: 0, on: true },
        { min: 1, speed: 30, on: true },
        { min: 60, speed: 30, on: true },
        { min: 160, speed: 30, on: true },
      ],
      ['1 moving at 30 km/h', '160 moving at 30 km/h'],
    ],
  ])('%s', (_, ruleOrRules, testSteps, expected) => expect(eventsOf(ruleOrRules, testSteps)).toEqual(expected));
});

describe('geofence-dwell', () => {
  const rule: EventRule = { on: 'geofence-dwell', forMs: 10 * minute };
  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
    [
      'a stay, and its end',
      { ...rule, resolved: true },
      [{ min: 0 }, { min: 1, at: inDepot }, 12, { min: 30, at: inDepot }, { min: 41 }],
      ['1 in depot for 10 min', '41 no longer in depot, after 40 min'],
    ],
    ['not a short one', rule, [{ min: 0 }, { min: 1, at: inDepot }, { min: 9 }, 30], []],
    ['one that began before the watch', rule, [{ min: 0, at: inDepot }, 9, 11], ['0 in depot for 10 min']],
  ])('%s', (_, ruleOrRules, testSteps, expected) => expect(eventsOf(ruleOrRules, testSteps)).toEqual(expected));

  test('needs a time', () => {
    expect(() => completeRule({ on: 'geofence-dwell' })).toThrow('geofence-dwell needs the time');
    expect(() => completeRule({ on: 'geofence-dwell', forMs: 0 })).toThrow('geofence-dwell needs a time above 0.');
  });
});

describe('rules with hours', () => {
  /** The minute of 22:00 in Tallinn, on Monday. */
  const night = 660;
  const between = '22:00-06:00';
  const drive = (from: number, to: number): readonly Row[] =>
    Array.from({ length: (to - from) / 5 + 1 }, (_, index) => ({ min: from + index * 5, speed: 40, on: true }));
  const standing: Row = { min: 0, speed: 0, on: false };

  test.each<[string, EventRule, readonly TestStep[], readonly string[]]>([
    [
      'a vehicle that already moves is moving at night from 22:00 on, once',
      { on: 'movement', between, resolved: true },
      [standing, ...drive(night - 30, night + 30), { min: night + 60, speed: 0, on: false }],
      [`${night} moving at 40 km/h`, `${night + 60} movement is over, after 1 h`],
    ],
    [
      'one that has stopped before is not',
      { on: 'movement', between },
      [
        standing,
        ...drive(night - 30, night - 10),
        { min: night - 2, speed: 0, on: false },
        { min: night + 10, speed: 0, on: false },
      ],
      [],
    ],
    [
      'one whose last snapshot before the hours shows it moving, and that is silent since, is not',
      { on: 'movement', between },
      [standing, ...drive(night - 30, night - 10), night + 30, { min: night + 100, speed: 0, on: false }],
      [],
    ],
    [
      'one that moves when the watch begins is moving at night',
      { on: 'movement', between },
      drive(0, night + 10),
      [`${night} moving at 40 km/h`],
    ],
    ['the day is out of it', { on: 'movement', between }, [standing, ...drive(10, 60)], []],
    [
      'only on these days: hours after midnight belong to the day before',
      { on: 'movement', between, days: ['mon'] },
      [
        standing,
        ...drive(night + 300, night + 320),
        { min: night + 400, speed: 0 },
        { min: night + 900, speed: 0 },
        ...drive(night + 1_500, night + 1_520),
      ],
      [`${night + 300} moving at 40 km/h`],
    ],
    [
      'idling since before is idling at the opening, when it has lasted long enough',
      { on: 'idle', between, forMs: 10 * minute },
      [{ min: 0, speed: 30, on: true }, { min: night - 30, speed: 0, on: true }, night - 1, night],
      [`${night} idling for 10 min`],
    ],
    [
      'idling since a moment before needs the rest of its time',
      { on: 'idle', between, forMs: 10 * minute },
      [
        { min: 0, speed: 30, on: true },
        { min: night - 5, speed: 0, on: true },
        night + 4,
        { min: night + 4, speed: 9, on: true },
      ],
      [],
    ],
    [
      'silent at the opening',
      { on: 'silent', between, forMs: 60 * minute },
      [standing, night - 1, night + 1],
      [`${night} silent, no data for 1 h`],
    ],
    [
      'entering and leaving have to happen in the hours',
      { on: 'geofence-exit', between },
      [{ min: 0, at: inDepot }, { min: night - 1 }, { min: night + 5, at: inDepot }, { min: night + 10 }],
      [`${night + 10} left depot`],
    ],
    [
      'and so does the key',
      { on: 'ignition', between },
      [standing, { min: night - 1, on: true }, { min: night + 5, on: false }],
      [`${night + 5} ignition off`],
    ],
  ])('%s', (_, ruleOrRules, testSteps, expected) => expect(eventsOf(ruleOrRules, testSteps)).toEqual(expected));

  test('a condition that began before the hours is an event when it is due, not at the opening', () => {
    expect(
      eventsOf({ on: 'geofence-dwell', forMs: 60 * minute, between }, [
        { min: 0 },
        { min: night - 20, at: inDepot },
        night + 30,
        night + 41,
      ]),
    ).toEqual([`${night + 40} in depot for 1 h`]);
  });

  test('hours are those of the zone that the snapshots of the vehicle name', () => {
    const context = contextOf([completeRule({ on: 'movement', between: '04:00-05:00' })]);
    const row = (min: number, speed: number) => ({
      ...snapshotOf({ min, speed, on: true }),
      locationTimeZone: 'America/New_York',
    });
    const first = firstState(row(0, 0), start, start, context);
    expect(first.zone).toBe('America/New_York');
    const { transitions } = applySnapshot(first, row(10, 30), start + 10 * minute, context);
    expect(transitions).toHaveLength(1);
    const unknown = { ...row(10, 30), locationTimeZone: 'Nowhere/At_All' };
    expect(applySnapshot(first, unknown, start + 10 * minute, context).transitions).toHaveLength(1);
  });

  test('the event of hours that open later has the last reading of the battery', () => {
    const low = { on: true, speed: 0 };
    expect(
      eventsOf({ on: 'low-battery', batteryBelow: 12, between }, [
        { min: 0, power: 13, ...low },
        { min: night - 20, power: 11.5, ...low },
        { min: night - 10, power: 10.5, ...low },
        { min: night - 5, ...low },
        night + 1,
      ]),
    ).toEqual([`${night} battery at 10.5, below 12, for 5 min`]);
  });

  test('the event of hours that open later shows where the vehicle was then', () => {
    const context = contextOf([completeRule({ on: 'movement', between })]);
    let state = firstState(snapshotOf(standing), start, start, context);
    const found: string[] = [];
    for (const [min, metres] of [
      [night - 10, 0],
      [night - 5, 3_000],
      [night + 1, 6_000],
    ] as const) {
      const at = { latitude: far.latitude + metres / 111_195, longitude: far.longitude };
      const step = applySnapshot(state, snapshotOf({ min, speed: 40, on: true, at }), start + min * minute, context);
      state = step.state;
      for (const one of step.transitions)
        found.push(`${((one.condition.position?.latitude ?? 0) - far.latitude) * 111_195}`);
    }
    expect(found.map(Number).map(Math.round)).toEqual([3_000]);
  });
});
