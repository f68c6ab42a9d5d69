// Events do not depend on polls or restarts: they equal those of an uninterrupted watch.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeRule } from '../../../src/telemetry/events/event-rule.js';
import { toFleetEvent } from '../../../src/telemetry/events/fleet-event.js';
import type { WatchedSnapshot } from '../../../src/telemetry/events/snapshot-readings.js';
import {
  applySnapshot,
  applyTime,
  firstState,
  type RuleContext,
  type StateChange,
  type WatchedState,
} from '../../../src/telemetry/events/vehicle-state.js';
import { shapeOf } from '../../../src/telemetry/watch/geofence-shape.js';
import { runs } from '../../runs.js';

const start = Date.parse('2026-03-02T09:00:00Z');
const rules = [
  completeRule({ on: 'geofence-enter' }),
  completeRule({ name: 'stay', on: 'geofence-enter', forMs: 120_000 }),
  completeRule({ on: 'geofence-exit', forMs: 60_000 }),
  completeRule({ on: 'silent', forMs: 300_000, resolved: true }),
  completeRule({ on: 'offline', forMs: 900_000 }),
  completeRule({ on: 'speeding', forMs: 30_000, resolved: true }),
  completeRule({ name: 'fast', on: 'speeding', speedLimitKmh: 60 }),
  completeRule({ on: 'ignition' }),
  completeRule({ on: 'idle', forMs: 60_000, resolved: true }),
  completeRule({ on: 'low-battery', batteryBelow: 12, resolved: true }),
  completeRule({ on: 'movement', resolved: true }),
  completeRule({ on: 'geofence-dwell', forMs: 300_000, resolved: true }),
  // The rows begin at 11:00 in Tallinn.
  completeRule({ name: 'moving later', on: 'movement', between: '11:10-11:40', resolved: true }),
  completeRule({ name: 'idling later', on: 'idle', forMs: 60_000, between: '11:10-11:40', resolved: true }),
  completeRule({ name: 'silent later', on: 'silent', forMs: 60_000, between: '11:10-11:40' }),
  completeRule({ name: 'fast later', on: 'speeding', speedLimitKmh: 60, between: '11:10-11:40', resolved: true }),
  completeRule({ name: 'enter later', on: 'geofence-enter', between: '11:10-11:40' }),
  completeRule({ name: 'dwell later', on: 'geofence-dwell', forMs: 60_000, between: '11:10-11:40' }),
  completeRule({ name: 'low later', on: 'low-battery', batteryBelow: 12, between: '11:10-11:40' }),
];
const context: RuleContext = {
  rules,
  geofences: new Map([
    ['a', { shape: shapeOf({ type: 'Point', coordinates: [24.75, 59.43], radius: 500 }, undefined) }],
    ['b', { shape: shapeOf({ type: 'Point', coordinates: [24.755, 59.43], radius: 500 }, undefined) }],
  ]),
  appliesTo: () => true,
  hoursOf: ({ hours }) => hours,
  zone: 'Europe/Tallinn',
};

const row = fc.record({
  gapMs: fc.constantFrom(1, 1_000, 20_000, 70_000, 400_000, 1_000_000),
  speed: fc.constantFrom(null, 0, 50, 70, 120),
  longitude: fc.constantFrom(24.72, 24.75, 24.756, 24.8),
  engineStatus: fc.constantFrom(null, true, false),
  power: fc.constantFrom(null, 11, 13),
  hasFix: fc.boolean(),
});

interface Timed {
  readonly time: number;
  readonly snapshot: WatchedSnapshot;
}

function timed(steps: readonly (typeof row extends fc.Arbitrary<infer Row> ? Row : never)[]): readonly Timed[] {
  let time = start;
  return steps.map(({ gapMs, speed, longitude, engineStatus, power, hasFix }) => {
    time += gapMs;
    const timestamp = new Date(time).toISOString();
    const gps = { state: hasFix, latitude: 59.43, longitude, speed };
    return { time, snapshot: { timestamp, gps, ignition: { engineStatus }, misc: { power } } };
  });
}

/** Returns the event ids. `looks`, `restarts`: snapshots after which it polls or restarts. */
function idsOf(rows: readonly Timed[], looks: ReadonlySet<number>, restarts: ReadonlySet<number>): readonly string[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  let state: WatchedState = firstState(first.snapshot, first.time, first.time, context);
  const ids: string[] = [];
  const take = (step: StateChange) => {
    state = step.state;
    const vehicle = { vehicleId: 'v', name: null, licensePlate: null };
    // The id must not depend on the time of finding.
    for (const alert of step.transitions) ids.push(toFleetEvent(alert, vehicle, () => null, looks.size).id);
  };
  for (const [index, { time, snapshot }] of others.entries()) {
    // Before the next snapshot has arrived.
    if (looks.has(index)) take(applyTime(state, time - 1, context));
    if (restarts.has(index)) state = JSON.parse(JSON.stringify(state));
    take(applySnapshot(state, snapshot, time, context));
  }
  take(applyTime(state, (rows.at(-1)?.time ?? start) + 2_000_000, context));
  return ids;
}

test('whenever somebody looks, and however often the watch is started again, the events have the same ids', () => {
  const moments = fc.uniqueArray(fc.integer({ min: 0, max: 30 }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), moments, moments, (steps, looks, restarts) => {
      const rows = timed(steps);
      const found = idsOf(rows, new Set(looks), new Set(restarts));
      expect([...found].sort()).toEqual([...idsOf(rows, new Set(), new Set())].sort());
      expect(new Set(found).size).toBe(found.length);
    }),
    { numRuns: runs(1_000) },
  );
});

test('the state of a vehicle does not grow', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (steps) => {
      const [first, ...others] = timed(steps);
      if (first === undefined) return;
      let state = firstState(first.snapshot, first.time, first.time, context);
      for (const { time, snapshot } of others) state = applySnapshot(state, snapshot, time, context).state;
      // One per rule, or one per geofence.
      expect(state.conditions.length).toBeLessThanOrEqual(rules.length + 5);
    }),
    { numRuns: runs(300) },
  );
});
