// `fleet drivers apply`: the assignments of a file, planned, made, and kept when it is run again.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planShifts } from '../../src/cli/commands/drivers/apply-plan.js';
import type { Shift } from '../../src/cli/commands/drivers/apply-shifts.js';
import type { MockService } from '../../src/mock/service.js';
import { type AssignmentInterval, assign, unassign } from '../../src/mock/store/assignments.js';
import { expectGolden, jsonOf } from './golden.js';
import { service, shellOf } from './harness.js';

const apply = (...more: readonly string[]) => ['drivers', 'apply', '-', '--input-format', 'csv', ...more];
const mutations = (mock: MockService) =>
  mock.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));

const file = `vehicle,driver,startTimestamp,endTimestamp
Truck 01,Jonas Nowak,2026-03-02 06:00,2026-03-02 14:00
Truck 01,Karl Schmidt,2026-03-02 14:00,
Van 01,Marek Ozols,,
`;

test('prints the plan', () => expectGolden('drivers-apply.plan', apply('--dry-run', '--prune'), { input: file }));

test('prints every line that cannot be used', () =>
  expectGolden('drivers-apply.problems', apply('--yes'), {
    code: 2,
    input: `vehicle,driver,startTimestamp,endTimestamp
Truck 01,Jonas Nowak,2026-03-02 06:00,2026-03-02 14:00
Truck 01,Karl Schmidt,2026-03-02 13:00,
Van 01,Jonas Nowak,2026-03-02 12:00,2026-03-02 11:00
Van 02,Marek Ozols,2026-02-01,2026-02-02
`,
  }));

test('names that are unknown are told before anything is changed', async () => {
  const mock = service();
  const input = 'vehicle,driver\nTruck 01,Nobody\nNothing,Jonas Nowak\n';
  const { code, stderr } = await shellOf('demo', mock.fetch)(apply('--yes'), { input });
  expect(code).toBe(2);
  expect(stderr).toContain('line 2: There is no driver "Nobody"');
  expect(stderr).toContain('line 3: There is no vehicle "Nothing"');
  expect(mutations(mock)).toEqual([]);
});

test('makes the file true, and sends no change when it is run again', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  for (const prune of [[], ['--prune']]) {
    const first = await fleet(apply('--yes', ...prune), { input: file });
    expect(first.code, first.stderr).toBe(0);
    const sent = mutations(mock).length;
    expect(sent).toBeGreaterThan(0);
    const again = await fleet(apply('--yes', ...prune), { input: file });
    expect(again).toMatchObject({ code: 0, stderr: '= 3. Nothing to do.\n' });
    expect(mutations(mock)).toHaveLength(sent);
  }
  const rows = (await jsonOf(fleet, 'drivers', 'assignments', '--vehicle', 'Truck 01')) as Record<string, string>[];
  const times = rows.map(({ startedAt, endedAt }) => [startedAt, endedAt]);
  expect(times).toContainEqual(['2026-03-02T06:00:00.000Z', '2026-03-02T14:00:00.000Z']);
  expect(times).toContainEqual(['2026-03-02T14:00:00.000Z', null]);
});

test('ends later and earlier', async () => {
  const fleet = shellOf('demo', service().fetch);
  const row = (end: string) => `vehicle,driver,startedAt,endedAt\nVan 01,Marek Ozols,2026-03-02 06:00,${end}\n`;
  const ends = ['2026-03-02 14:00', '2026-03-02 16:00', '2026-03-02 12:00', '', '2026-03-02 13:00'];
  for (const [index, end] of ends.entries()) {
    const { code, stdout, stderr } = await fleet([...apply('--yes'), '-o', 'json'], { input: row(end) });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ action: index === 0 ? 'create' : 'change', status: 'done' }]);
    expect((await fleet(apply('--yes'), { input: row(end) })).stderr).toBe('= 1. Nothing to do.\n');
  }
});

test('takes what the list of assignments prints', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const { stdout: input } = await fleet(['drivers', 'assignments', '--vehicle', 'Truck 01', '-o', 'csv']);
  const { code, stderr } = await fleet(apply('--prune', '--yes'), { input });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to do.') });
  expect(mutations(mock)).toEqual([]);
});

test.each([
  [['--utc'], 'startedAt (UTC),'],
  [['--time-zone', 'Asia/Kolkata'], 'startedAt (UTC+05:30),'],
  [['--time-zone', 'America/Phoenix'], 'startedAt (UTC-07:00),'],
  // Its first row has times at two offsets, so each carries its own.
  [['--time-zone', 'Europe/Tallinn'], 'startedAt,'],
])('takes the list with local times of %j, in whichever zone it is read', async (zone, title) => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const shift = 'vehicle,driver,startTimestamp\nVan 01,Marek Ozols,2026-03-02T06:00:00.250Z\n';
  expect((await fleet(apply('--yes'), { input: shift })).code).toBe(0);
  const sent = mutations(mock).length;
  const list = ['drivers', 'assignments', '--vehicle', 'Van 01', '--from', '2025-01-01', '-o', 'csv'];
  const { stdout: input } = await fleet([...list, ...zone]);
  expect(input).toContain(title);
  const { code, stderr } = await fleet(apply('--prune', '--yes', '--time-zone', 'Asia/Tokyo'), { input });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to do.') });
  expect(mutations(mock)).toHaveLength(sent);
});

describe('any file, by the rules of the service', () => {
  const now = 1_000;
  const ids = fc.constantFrom('a', 'b', 'c');
  const interval = fc
    .record({
      vehicleId: ids,
      driverId: ids,
      start: fc.integer({ min: 0, max: 40 }),
      length: fc.option(fc.integer({ min: 1, max: 12 })),
    })
    .map(({ length, ...rest }) => ({
      ...rest,
      start: now - 20 + rest.start,
      end: length === null ? null : now - 20 + rest.start + length,
    }));

  /** The assignments of the service, changed by its own rules. */
  function world(before: readonly Omit<AssignmentInterval, 'id'>[]) {
    let next = 0;
    let rows: AssignmentInterval[] = [];
    const make = (change: ReturnType<typeof assign>) => {
      if (change === null) return;
      const gone = new Set([...change.removed, ...change.resized].map(({ id }) => id));
      const added = change.added.map((one) => ({ ...one, id: String(next++) }));
      rows = [...rows.filter(({ id }) => !gone.has(id)), ...change.resized, ...added];
    };
    for (const one of before) make(assign(rows, one));
    const timeIn = (text: unknown) => (text === undefined ? null : Date.parse(String(text)));
    return {
      rows: () =>
        rows.map(({ start, end, ...pair }) => ({
          ...pair,
          version: null,
          createdAt: null,
          updatedAt: null,
          isDeleted: false,
          startedAt: new Date(start).toISOString(),
          endedAt: end === null ? null : new Date(end).toISOString(),
        })),
      send: (operation: string, variables: Readonly<Record<string, unknown>>) => {
        const input = Object(Object.values(variables)[0]);
        const pair = { vehicleId: input.vehicleId, driverId: input.driverId };
        if (operation === 'assignDriver') {
          make(assign(rows, { ...pair, start: timeIn(input.startTimestamp) ?? now, end: timeIn(input.endTimestamp) }));
          return true;
        }
        const time = timeIn(input.timestamp) ?? now;
        const change = unassign(
          rows.filter(({ vehicleId }) => vehicleId === pair.vehicleId),
          time,
          pair.driverId,
        );
        make(change);
        return change !== null;
      },
    };
  }

  const shift = (pair: string, start: number, end: number | null) => ({
    vehicleId: pair.slice(0, 1),
    driverId: pair.slice(1),
    start,
    end,
  });
  type Case = [ReturnType<typeof shift>[], ReturnType<typeof shift>[], boolean];
  /** Files that once needed a second run. */
  const examples: Case[] = [
    [[shift('bb', 980, null)], [shift('ab', 981, 982), shift('ba', 981, null), shift('bb', 980, 981)], false],
    [[shift('ac', 993, 994)], [shift('aa', 992, null), shift('bc', 991, 994), shift('aa', 980, null)], false],
    [[shift('cb', 980, null), shift('ab', 986, 992)], [shift('bb', 991, null), shift('ca', 990, 1000)], true],
    [[shift('ba', 991, null)], [shift('bb', 990, 1000), shift('aa', 990, null), shift('cb', 1000, null)], true],
  ];

  test('is true after one run: the second plan keeps everything', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        fc.array(interval, { maxLength: 6 }),
        fc.array(interval, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (before, wanted, prune) => {
          const shifts = wanted.map((one, index): Shift => ({ ...one, line: index + 2, source: {} }));
          const fleet = world(before);
          const options = { now, prune, nameOf: () => '' };
          const { steps, problems } = planShifts(shifts, fleet.rows(), options);
          fc.pre(problems.length === 0);
          tried++;
          for (const step of steps)
            for (const { operation, variables } of step.requests(new Map()))
              expect(fleet.send(operation, variables)).toBe(true);
          const again = planShifts(shifts, fleet.rows(), options);
          expect(
            again.steps.filter(({ action }) => action !== 'keep').map(({ action, changes }) => [action, changes]),
          ).toEqual([]);
        },
      ),
      { numRuns: 300, examples },
    );
    expect(tried).toBeGreaterThan(50);
  });
});
