// A board under any answers: its changes lead from the old board to the new one, each once.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDate } from '../../../src/core/dates.js';
import type { WatchedVehicle } from '../../../src/index.js';
import type { FleetAnswer, VehicleReport } from '../../../src/telemetry/events/snapshot-readings.js';
import { isAhead } from '../../../src/telemetry/latest.js';
import { timestampMs } from '../../../src/telemetry/timestamps.js';
import { Board, type BoardChange } from '../../../src/telemetry/watch/board.js';
import { runs } from '../../runs.js';

const START = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const rules = { minMoveMetres: 10 };

const coordinate = fc.constantFrom(0, 24.75, 24.750_05, 24.76, 91, null);
const snapshot: fc.Arbitrary<VehicleReport['snapshot']> = fc.record({
  timestamp: fc.oneof(
    fc.integer({ min: -10, max: 10 }).map((hours) => new Date(START + hours * HOUR).toISOString()),
    fc.integer({ min: -10, max: 10 }).map((hours) => START + hours * HOUR),
    fc.constantFrom(null, 'never'),
  ),
  gps: fc.option(
    fc.record({
      state: fc.constantFrom(true, false, null),
      latitude: coordinate,
      longitude: coordinate,
      speed: fc.constantFrom(0, 3, 50, null),
      direction: fc.constantFrom(0, 90, null),
    }),
  ),
  ignition: fc.option(fc.record({ engineStatus: fc.constantFrom(true, false, null) })),
  driver: fc.option(fc.record({ driverId: fc.constantFrom('d1', 'd2', null) })),
});
const report: fc.Arbitrary<VehicleReport> = fc.record({
  vehicleId: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom('A', 'B', null),
  licensePlate: fc.constantFrom('1', null),
  snapshot: fc.option(snapshot),
});
const answer: fc.Arbitrary<FleetAnswer> = fc.record({
  vehicles: fc.uniqueArray(report, { selector: ({ vehicleId }) => vehicleId }),
  isComplete: fc.boolean(),
});
/** An answer, and the time since the previous one. */
const answers = fc.array(fc.tuple(answer, fc.integer({ min: 0, max: 3 * HOUR })), { minLength: 1, maxLength: 12 });

function applied(board: ReadonlyMap<string, WatchedVehicle>, changes: readonly BoardChange[]) {
  const after = new Map(board);
  for (const { type, vehicle } of changes) {
    if (type === 'gone') after.delete(vehicle.vehicleId);
    else after.set(vehicle.vehicleId, vehicle);
  }
  return after;
}

const byId = (vehicles: readonly WatchedVehicle[]) => new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));

test('the changes, applied to the old board, give the new board', () => {
  fc.assert(
    fc.property(answers, (sent) => {
      const board = new Board(rules);
      let appliedBoard = new Map<string, WatchedVehicle>();
      let now = START;
      for (const [next, later] of sent) {
        now += later;
        const changes = board.take(next, now);
        for (const change of changes) {
          if ('previous' in change) expect(change.previous).toEqual(appliedBoard.get(change.vehicle.vehicleId));
          else if (change.type === 'gone') expect(change.vehicle).toEqual(appliedBoard.get(change.vehicle.vehicleId));
          else expect(appliedBoard.has(change.vehicle.vehicleId)).toBe(false);
        }
        appliedBoard = applied(appliedBoard, changes);
        expect(appliedBoard).toEqual(byId(board.vehicles(now)));
      }
    }),
    { numRuns: runs(400) },
  );
});

test('the same answer again changes nothing, except that vehicles grow stale', () => {
  fc.assert(
    fc.property(answers, (sent) => {
      const board = new Board(rules);
      let now = START;
      for (const [next, later] of sent) {
        now += later;
        board.take(next, now);
        expect(board.take(next, now)).toEqual([]);
      }
      const [last] = sent.at(-1) ?? [];
      // A row from the future becomes current later.
      if (last?.vehicles.some(({ snapshot }) => isAhead(timestampMs(snapshot?.timestamp), now))) return;
      const later = last === undefined ? [] : board.take(last, now + 30 * HOUR);
      expect(new Set(later.map(({ type }) => type)).size).toBeLessThanOrEqual(1);
      for (const { type } of later) expect(type).toBe('statusChanged');
    }),
    { numRuns: runs(400) },
  );
});

test('a board that goes on from known vehicles reports the same as one that never stopped', () => {
  fc.assert(
    fc.property(answers, answer, (sent, next) => {
      const board = new Board(rules);
      let now = START;
      for (const [one, later] of sent) {
        now += later;
        board.take(one, now);
      }
      const resumed = new Board(rules, board.vehicles(now));
      board.take({ ...next, isComplete: true }, now);
      resumed.take({ ...next, isComplete: true }, now);
      const shown = ({ status: _, ...vehicle }: WatchedVehicle) => vehicle;
      expect(resumed.vehicles(now).map(shown)).toEqual(board.vehicles(now).map(shown));
    }),
    { numRuns: runs(400) },
  );
});

describe('one vehicle', () => {
  const at = (
    minute: number,
    gps: NonNullable<VehicleReport['snapshot']>['gps'],
    engineStatus = true,
  ): FleetAnswer => ({
    isComplete: true,
    vehicles: [
      {
        vehicleId: 'a',
        name: 'Van',
        licensePlate: null,
        snapshot: {
          timestamp: new Date(START + minute * 60_000).toISOString(),
          gps: { ...gps },
          ignition: { engineStatus },
        },
      },
    ],
  });
  const types = (changes: readonly BoardChange[]) => changes.map(({ type }) => type);
  const here = { latitude: 59.43, longitude: 24.75 };

  test('moves and changes its status in one answer: an event of each', () => {
    const board = new Board(rules);
    board.take(at(0, { ...here, speed: 0 }, false), START);
    expect(types(board.take(at(1, { ...here, latitude: 59.44, speed: 50 }), START + 60_000))).toEqual([
      'moved',
      'statusChanged',
    ]);
  });

  test('jitters: no move, until the small steps add up', () => {
    const board = new Board(rules);
    board.take(at(0, { ...here, speed: 0 }), START);
    // Four metres each.
    const steps = [1, 2, 3, 4].map((step) =>
      types(board.take(at(step, { ...here, latitude: 59.43 + step * 0.000_036, speed: 0 }), START)),
    );
    expect(steps).toEqual([['updated'], ['updated'], ['moved'], ['updated']]);
  });

  test('keeps its position through snapshots without a fix', () => {
    const board = new Board(rules);
    board.take(at(0, { ...here, speed: 0 }), START);
    for (const gps of [
      { latitude: 0, longitude: 0 },
      { latitude: null, longitude: null },
      { ...here, latitude: 50, state: false },
    ]) {
      expect(types(board.take(at(1, { ...gps, speed: 0 }), START + 60_000))).not.toContain('moved');
      expect(board.vehicles(START)[0]?.position).toEqual(here);
    }
  });

  test('takes only the time of a first snapshot from the future, and replaces it with any other', () => {
    const board = new Board(rules);
    board.take(at(600, { ...here, speed: 50 }), START);
    expect(board.vehicles(START)).toMatchObject([{ status: 'unknown', position: null, speedKmh: null }]);
    expect(types(board.take(at(1, { ...here, speed: 50 }), START + 60_000))).toEqual(['moved', 'statusChanged']);
  });

  test('does not go back to an older snapshot, nor forward to one of the future', () => {
    const board = new Board(rules);
    board.take(at(10, { ...here, speed: 50 }), START + 600_000);
    expect(board.take(at(5, { ...here, latitude: 50, speed: 0 }), START + 660_000)).toEqual([]);
    expect(board.take(at(600, { ...here, latitude: 51, speed: 50 }), START + 700_000)).toEqual([]);
    expect(types(board.take(at(12, { ...here, latitude: 52, speed: 50 }), START + 720_000))).toEqual(['moved']);
    expect(toDate(board.vehicles(START + 720_000)[0]?.timestamp)?.getTime()).toBe(START + 12 * 60_000);
  });

  test('grows stale and offline without a word from it', () => {
    const board = new Board(rules);
    const answer = at(0, { ...here, speed: 0 }, false);
    board.take(answer, START);
    const statusChanges = [1, 2, 4, 7].map((hours) =>
      board.take(answer, START + hours * HOUR).map(({ vehicle: { status } }) => status),
    );
    expect(statusChanges).toEqual([[], ['stale'], [], ['offline']]);
  });
});
