// The assignment rules against a model without intervals: a table of the driver of every minute.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AssignmentChange,
  type AssignmentInterval,
  assign,
  endAll,
  unassign,
} from '../../src/mock/store/assignments.js';
import { runs } from '../runs.js';

const minutes = 24;
// The last minute represents all later time; no command begins there.
const lastMinute = minutes - 1;
const vehicles = ['v1', 'v2', 'v3'];
const drivers = ['d1', 'd2', 'd3'];

type Command =
  | {
      readonly kind: 'assign';
      readonly vehicle: string;
      readonly driver: string;
      readonly start: number;
      readonly length: number | null;
    }
  | { readonly kind: 'unassign'; readonly vehicle: string; readonly driver: string | null; readonly at: number }
  | { readonly kind: 'leave'; readonly driver: string; readonly at: number };

const vehicle = fc.constantFrom(...vehicles);
const driver = fc.constantFrom(...drivers);
const at = fc.integer({ min: 0, max: lastMinute - 1 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('assign' as const),
      vehicle,
      driver,
      start: at,
      length: fc.option(fc.integer({ min: 1, max: 12 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('unassign' as const), vehicle, driver: fc.option(driver), at }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), driver, at }) },
);

/** The assignment (by a unique number) and the driver of a vehicle in a minute. */
interface Cell {
  readonly driver: string;
  readonly run: number;
}
type Timeline = Map<string, (Cell | null)[]>;

/** Applies the rules minute by minute. Returns false when the command is refused. */
function applyRules(timeline: Timeline, command: Command, run: number): boolean {
  const row = (name: string) => timeline.get(name) ?? [];
  if (command.kind === 'assign') {
    if (row(command.vehicle)[command.start]?.driver === command.driver) return true;
    let end = command.length === null ? minutes : Math.min(command.start + command.length, lastMinute);
    if (command.length === null) {
      // Later assignments stay, and the ones active at the start end there.
      const begins = (name: string, m: number) => {
        const cell = row(name)[m];
        const concerned = name === command.vehicle || cell?.driver === command.driver;
        return concerned && cell != null && cell.run !== row(name)[m - 1]?.run;
      };
      for (let m = minutes - 1; m > command.start; m -= 1) if (vehicles.some((name) => begins(name, m))) end = m;
      for (const name of vehicles) {
        const holding = row(name)[command.start];
        if (holding == null || (name !== command.vehicle && holding.driver !== command.driver)) continue;
        for (let m = command.start; row(name)[m]?.run === holding.run; m += 1) row(name)[m] = null;
      }
    }
    for (let m = command.start; m < end; m += 1) {
      for (const name of vehicles) if (row(name)[m]?.driver === command.driver) row(name)[m] = null;
      row(command.vehicle)[m] = { driver: command.driver, run };
    }
    return true;
  }
  if (command.kind === 'unassign') {
    const cells = row(command.vehicle);
    const holding = cells[command.at];
    if (holding == null || (command.driver !== null && holding.driver !== command.driver)) return false;
    for (let m = command.at; m < minutes && cells[m]?.run === holding.run; m += 1) cells[m] = null;
    return true;
  }
  for (const name of vehicles) {
    row(name).forEach((cell, m) => {
      if (m >= command.at && cell?.driver === command.driver) row(name)[m] = null;
    });
  }
  return true;
}

function run(intervals: AssignmentInterval[], command: Command): AssignmentChange | null {
  if (command.kind === 'assign') {
    const end = command.length === null ? null : Math.min(command.start + command.length, lastMinute);
    if (end !== null && end <= command.start) return null;
    return assign(intervals, { vehicleId: command.vehicle, driverId: command.driver, start: command.start, end });
  }
  const mine = intervals.filter((one) => command.kind === 'leave' || one.vehicleId === command.vehicle);
  if (command.kind === 'unassign') return unassign(mine, command.at, command.driver);
  return endAll(
    mine.filter((one) => one.driverId === command.driver),
    command.at,
  );
}

function drawn(intervals: readonly AssignmentInterval[]): string {
  return vehicles
    .map((name) => {
      const cells = Array.from({ length: minutes }, (_, m) => {
        const holding = intervals.filter(
          (one) => one.vehicleId === name && one.start <= m && (one.end === null || m < one.end),
        );
        return holding.map((one) => one.driverId).join('+') || '--';
      });
      return `${name} ${cells.join(' ')}`;
    })
    .join('\n');
}

function drawnTimeline(timeline: Timeline): string {
  return vehicles
    .map((name) => `${name} ${(timeline.get(name) ?? []).map((cell) => cell?.driver ?? '--').join(' ')}`)
    .join('\n');
}

function overlapping(intervals: readonly AssignmentInterval[]): boolean {
  const end = (one: AssignmentInterval) => one.end ?? Number.POSITIVE_INFINITY;
  return intervals.some((a, i) =>
    intervals.some(
      (b, j) =>
        i < j && (a.vehicleId === b.vehicleId || a.driverId === b.driverId) && a.start < end(b) && b.start < end(a),
    ),
  );
}

test('whatever is assigned and unassigned, vehicle and driver are as the rules say in every minute, and nobody has two', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const timeline: Timeline = new Map(vehicles.map((name) => [name, Array<Cell | null>(minutes).fill(null)]));
      let intervals: AssignmentInterval[] = [];
      let ids = 0;
      commands.forEach((one, place) => {
        const accepted = applyRules(timeline, one, place);
        const change = run(intervals, one);
        if (one.kind === 'unassign') expect(change !== null).toBe(accepted);
        if (change !== null) {
          const gone = new Set([...change.removed, ...change.resized].map(({ id }) => id));
          const added = change.added.map((interval, i) => ({ ...interval, id: String(ids + i) }));
          ids += added.length;
          intervals = [...intervals.filter(({ id }) => !gone.has(id)), ...change.resized, ...added];
        }
        expect(drawn(intervals)).toBe(drawnTimeline(timeline));
        expect(overlapping(intervals)).toBe(false);
        expect(intervals.every(({ start, end }) => end === null || start < end)).toBe(true);
      });
    }),
    { numRuns: runs(1000) },
  );
});
