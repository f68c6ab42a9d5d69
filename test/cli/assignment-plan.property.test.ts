// The printed plan of assignment changes equals the difference of the assignments.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { jsonOf } from './golden.js';
import { moment, type Shell, service, shellOf } from './harness.js';

const vehicles = ['Truck 01', 'Van 01', 'Van 02'];
const drivers = ['Jonas Nowak', 'Karl Schmidt', 'Marek Ozols', 'Liis Tamm'];

interface Assignment {
  readonly vehicle: string;
  readonly driver: string;
  /** Hours from now. */
  readonly from: number;
  readonly hours: number | null;
}

const assignment: fc.Arbitrary<Assignment> = fc.record({
  vehicle: fc.constantFrom(...vehicles),
  driver: fc.constantFrom(...drivers),
  from: fc.integer({ min: -20, max: 20 }),
  hours: fc.option(fc.integer({ min: 1, max: 15 })),
});

const timeAt = (hours: number) => new Date(moment + hours * 3_600_000).toISOString();

interface Period {
  readonly pair: string;
  readonly start: number;
  readonly end: number;
}

const momentOr = (text: unknown, other: number) => (typeof text === 'string' ? Date.parse(text) : other);
const forever = Number.POSITIVE_INFINITY;

async function stateOf(fleet: Shell): Promise<readonly Period[]> {
  const rows = Object.values(Object(await jsonOf(fleet, 'drivers', 'assignments'))).map(Object);
  return rows.map(({ vehicle, driver, startedAt, endedAt }) => ({
    pair: `${driver} on ${vehicle}`,
    start: Date.parse(startedAt),
    end: momentOr(endedAt, forever),
  }));
}

/** The periods of a pair that a plan removes, and those that replace them. */
interface Planned {
  readonly pair: string;
  readonly before: readonly Period[];
  readonly after: readonly Period[];
}

/** Returns the rows of a plan in JSON. */
function plannedIn(rows: readonly unknown[]): readonly Planned[] {
  return rows.map(Object).flatMap(({ action, name, changes }) => {
    if (action === 'keep') return [];
    const pair = String(name).replace(/, from .*$/, '');
    const whole = changes.find(({ field }: { field: string }) => field === 'periods');
    const one = (side: 'before' | 'after') =>
      Object.fromEntries(changes.map((change: Record<string, string>) => [change.field, change[side]]));
    const periodsOf = (value: unknown) =>
      Object.values(Object(value)).map((period) => ({
        pair,
        start: Date.parse(Object(period).startTimestamp),
        end: momentOr(Object(period).endTimestamp, forever),
      }));
    if (whole) return [{ pair, before: periodsOf(whole.before), after: periodsOf(whole.after) }];
    const { before, after } = { before: periodsOf([one('before')]), after: periodsOf([one('after')]) };
    return [{ pair, before: action === 'create' ? [] : before, after: action === 'delete' ? [] : after }];
  });
}

const has = (periods: readonly Period[], pair: string, time: number) =>
  periods.some((one) => one.pair === pair && one.start <= time && time < one.end);

/** Compares the plan with both states, in every interval between two of their times. */
function expectTruth(plan: readonly Planned[], before: readonly Period[], after: readonly Period[]): void {
  const removedPeriods = plan.flatMap((row) => row.before);
  const addedPeriods = plan.flatMap((row) => row.after);
  const times = [...before, ...after, ...removedPeriods, ...addedPeriods].flatMap(({ start, end }) => [start, end]);
  const probes = [...new Set(times.filter(Number.isFinite))].map((time) => time + 1);
  for (const pair of new Set([...before, ...after, ...removedPeriods, ...addedPeriods].map((one) => one.pair))) {
    for (const time of probes) {
      const was = has(before, pair, time);
      expect(has(removedPeriods, pair, time) ? was : true, `${pair} is taken away but was not there`).toBe(true);
      const planned = (was && !has(removedPeriods, pair, time)) || has(addedPeriods, pair, time);
      expect({ pair, time: new Date(time), is: has(after, pair, time) }).toEqual({
        pair,
        time: new Date(time),
        is: planned,
      });
    }
  }
}

/** Returns a shell on a service with these assignments, made one after the other. */
async function fleetWith(before: readonly Assignment[]): Promise<Shell> {
  const fleet = shellOf('demo', service().fetch);
  for (const { vehicle, driver, from, hours } of before) {
    const times = ['--from', timeAt(from), ...(hours === null ? [] : ['--to', timeAt(from + hours)])];
    const { code, stderr } = await fleet(['drivers', 'assign', vehicle, driver, ...times, '--yes']);
    expect(code, stderr).toBe(0);
  }
  return fleet;
}

const before = fc.array(assignment, { maxLength: 5 });
const rare = { numRuns: runs(25) };

/** Reads the plan, makes the change, and compares the two. */
async function expectPlanned(
  fleet: Shell,
  words: readonly string[],
  flags: readonly string[],
  input: string | undefined,
  rowsOf: (plan: unknown) => readonly unknown[],
): Promise<boolean> {
  const place = input === undefined ? {} : { input };
  const start = await stateOf(fleet);
  const plan = await fleet([...words, '--dry-run', '-o', 'json'], place);
  // 0: nothing to change; 10: differences.
  if (plan.code !== 0 && plan.code !== 10) return false;
  const made = await fleet([...words, ...flags, '-o', 'json'], place);
  if (made.code !== 0) {
    // The service refuses only to unassign without an assignment.
    expect(made.stderr).toContain('The vehicle has no assignment at that time.');
    return false;
  }
  expectTruth(plannedIn(rowsOf(JSON.parse(plan.stdout))), start, await stateOf(fleet));
  return true;
}

test.each([[[]], [['--prune']]])('drivers apply %j', async (prune) => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(before, fc.array(assignment, { minLength: 1, maxLength: 3 }), async (held, newAssignments) => {
      const fleet = await fleetWith(held);
      const rows = newAssignments.map(({ vehicle, driver, from, hours }) =>
        [vehicle, driver, timeAt(from), hours === null ? '' : timeAt(from + hours)].join(','),
      );
      const input = `vehicle,driver,startTimestamp,endTimestamp\n${rows.join('\n')}\n`;
      const words = ['drivers', 'apply', '-', '--input-format', 'csv', ...prune];
      if (await expectPlanned(fleet, words, ['--yes'], input, (plan) => Object.values(Object(plan)))) tried++;
    }),
    rare,
  );
  expect(tried).toBeGreaterThan(runs(8));
});

const effectsOf = (plan: unknown) => Object(plan).effects ?? [];

test('drivers assign', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(before, assignment, async (held, { vehicle, driver, from, hours }) => {
      const fleet = await fleetWith(held);
      const times = ['--from', timeAt(from), ...(hours === null ? [] : ['--to', timeAt(from + hours)])];
      if (await expectPlanned(fleet, ['drivers', 'assign', vehicle, driver, ...times], ['--yes'], undefined, effectsOf))
        tried++;
    }),
    rare,
  );
  expect(tried).toBeGreaterThan(runs(20));
});

test('drivers unassign', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(
      before,
      fc.constantFrom(...vehicles),
      fc.integer({ min: -20, max: 20 }),
      async (held, vehicle, at) => {
        const fleet = await fleetWith(held);
        const words = ['drivers', 'unassign', vehicle, '--at', timeAt(at)];
        if (await expectPlanned(fleet, words, ['--yes'], undefined, effectsOf)) tried++;
      },
    ),
    rare,
  );
  expect(tried).toBeGreaterThan(runs(8));
});
