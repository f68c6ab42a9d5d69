// `fleet drivers apply`: plans and makes the assignments of a file; a second run changes nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { planShifts, type Shift } from '../../src/cli/commands/drivers/apply-plan.js';
import { distinctAssignments } from '../../src/cli/commands/drivers/outcome.js';
import type { MockService } from '../../src/mock/service.js';
import { type AssignmentInterval, assign, unassign } from '../../src/mock/store/assignments.js';
import { expectGolden, jsonOf } from './golden.js';
import { clock, service, shellOf } from './harness.js';

const apply = (...more: readonly string[]) => ['drivers', 'apply', '-', '--input-format', 'csv', ...more];
const mutations = (mock: MockService) =>
  mock.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));

const file = `vehicle,driver,startTimestamp,endTimestamp
Truck 01,Jonas Nowak,2026-03-02 06:00,2026-03-02 14:00
Truck 01,Karl Schmidt,2026-03-02 14:00,
Van 01,Marek Ozols,,
`;

test('prints the plan', () =>
  expectGolden('drivers-apply.plan', apply('--dry-run', '--prune'), { input: file, code: 10 }));

/** Returns a service with a conflicting shift of another driver. */
async function withShift() {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  const shift = ['Van 01', 'Liis Tamm', '--from', '2026-03-04 08:00', '--to', '2026-03-04 16:00'];
  expect((await fleet(['drivers', 'assign', ...shift, '--yes'])).code).toBe(0);
  return { world, fleet };
}
const shift = 'vehicle,driver,startTimestamp,endTimestamp\nVan 01,Karl Schmidt,2026-03-04 06:00,2026-03-04 18:00\n';

test('-o json of the outcome has what else changed with each line', async () => {
  const { fleet } = await withShift();
  const { code, stdout, stderr } = await fleet([...apply('--yes'), '-o', 'json'], { input: shift });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [row, ...others] = JSON.parse(stdout);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ status: 'done', line: 2, kind: 'driver assignment' });
  expect(row.effects.map(({ action, name }: Record<string, string>) => [action, name?.split(',')[0]])).toEqual([
    ['update', 'Jonas Nowak on Van 01'],
    ['update', 'Karl Schmidt on Truck 01'],
    ['create', 'Karl Schmidt on Van 01'],
    ['delete', 'Liis Tamm on Van 01'],
    ['update', 'Jonas Nowak on Van 01'],
  ]);
});

test('the plan and the question name every assignment of others that ends, begins or moves, in local time', async () => {
  const { fleet } = await withShift();
  const place = { input: shift, env: { TZ: 'Europe/Tallinn', NO_COLOR: '1' } };
  const lines = [
    [
      '~',
      'Jonas Nowak on Van 01, from 2025-06-20 03:00+03:00',
      'ends at 2026-03-04 06:00+02:00, was 2026-03-04 10:00+02:00',
    ],
    [
      '~',
      'Karl Schmidt on Truck 01, from 2025-05-14 03:00+03:00',
      'interrupted from 2026-03-04 06:00+02:00 to 2026-03-04 18:00+02:00',
    ],
    ['+', 'Karl Schmidt on Van 01, from 2026-03-04 06:00+02:00', 'begins, until 2026-03-04 18:00+02:00'],
    ['-', 'Liis Tamm on Van 01, from 2026-03-04 10:00+02:00', 'removed, was until 2026-03-04 18:00+02:00'],
  ] as const;
  const plan = await fleet([...apply('--dry-run'), '-o', 'table', '--wide'], place);
  const [, ...rows] = plan.stdout.trimEnd().split('\n');
  expect(rows.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual(lines);
  const others = '2 driver assignments of the service are not in the file; --prune would end them.\n';
  expect(plan.stderr).toBe(`${others}1 to create, 2 to change, 1 to delete. Nothing was changed.\n`);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-shifts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'shifts.csv');
  writeFileSync(path, shift);
  const declined = await fleet(['drivers', 'apply', path], { env: place.env, answers: [['[y/N]', 'n']] });
  expect(declined.code).toBe(130);
  for (const [sign, name, what] of lines)
    expect(declined.stderr.replace(/\s+/g, ' ')).toContain(`${sign} ${name}: ${what} `);
});

test('what became of the assignments is compared with the plan, and a difference is told with exit code 6', async () => {
  const { world, fleet } = await withShift();
  const [vehicleId, driverId] = await Promise.all([
    jsonOf(fleet, 'vehicles', 'get', 'Van 02', '--fields', 'id'),
    jsonOf(fleet, 'people', 'get', 'Karl Schmidt', '--fields', 'id'),
  ]).then((found) => found.map((one) => Object(one).id));
  let hasMeddled = false;
  // The service, or another user, changes more than planned.
  const meddling: typeof world.fetch = async (url, init) => {
    const answer = await world.fetch(url, init);
    if (hasMeddled || !String(init?.body).includes('assignDriver(')) return answer;
    hasMeddled = true;
    // The request ends when its answer has been read.
    const text = await answer.text();
    const query = 'mutation ($input: AssignDriverInput!) { assignDriver(assignDriverInput: $input) }';
    const variables = { input: { vehicleId, driverId, startTimestamp: '2026-03-05T06:00:00Z' } };
    expect(await (await world.fetch(url, { ...init, body: JSON.stringify({ query, variables }) })).json()).toEqual({
      data: { assignDriver: true },
    });
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  const { code, stderr } = await shellOf('demo', meddling)(apply('--yes'), { input: shift });
  expect({ code, hasMeddled }).toEqual({ code: 6, hasMeddled: true });
  expect(stderr).toContain('error: The changes were made, but the assignments are not as planned.');
  expect(stderr).toContain('Karl Schmidt on Van 02, from 2026-03-05 06:00Z: it is there, but was not planned');
});

test('a line that is interrupted after the first of its requests has an unknown outcome', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  const middle = ['Van 01', 'Karl Schmidt', '--from', '2026-03-04 08:00', '--to', '2026-03-04 10:00'];
  expect((await fleet(['drivers', 'assign', ...middle, '--yes'])).code).toBe(0);
  const interrupt = new AbortController();
  let [now, assigned] = [clock.now(), 0];
  const fetch: typeof world.fetch = async (url, init) => {
    // The second request needs a new token and is never sent.
    if (assigned > 0) interrupt.abort();
    const answer = await world.fetch(url, init);
    if (!String(init?.body).includes('assignDriver(')) return answer;
    assigned++;
    now += 7 * 86_400_000;
    return answer;
  };
  const failed = join(fleet.folder, 'failed.ndjson');
  const more = '\nVan 02,Marek Ozols,2026-03-05 06:00,2026-03-05 18:00\n';
  const { code, stdout, stderr } = await shellOf('demo', fetch)(
    [...apply('--yes', '--failed', failed), '-o', 'ndjson'],
    { input: shift.trimEnd() + more, signal: interrupt.signal, clock: { now: () => now } },
  );
  expect({ code, assigned }).toEqual({ code: 130, assigned: 1 });
  expect(JSON.parse(stdout)).toMatchObject({
    line: 2,
    status: 'unknown',
    error: {
      code: 'AMBIGUOUS_MUTATION',
      exitCode: 9,
      message: 'Interrupted after 1 of the 2 requests of this change.',
    },
  });
  expect(stderr).toContain('1 with unknown outcome: check before you repeat it, 1 not sent');
  expect(readFileSync(failed, 'utf8')).toContain('Van 02');
  expect(readFileSync(failed, 'utf8')).not.toContain('Van 01');
});

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
  expect(stderr).toContain('line 2, driver: There is no driver "Nobody"');
  expect(stderr).toContain('line 3, vehicle: There is no vehicle "Nothing"');
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
    expect(again).toMatchObject({ code: 0, stderr: '3 stay as they are. Nothing to do.\n' });
    expect(mutations(mock)).toHaveLength(sent);
  }
  const rows = (await jsonOf(fleet, 'drivers', 'assignments', '--vehicle', 'Truck 01')) as Record<string, string>[];
  const times = rows.map(({ startedAt, endedAt }) => [startedAt, endedAt]);
  expect(times).toContainEqual(['2026-03-02T06:00:00.000Z', '2026-03-02T14:00:00.000Z']);
  expect(times).toContainEqual(['2026-03-02T14:00:00.000Z', null]);
});

test('three drivers who change their vehicles in each shift need one request per line', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const vehicles = ['Truck 01', 'Van 01', 'Van 02'];
  const drivers = ['Jonas Nowak', 'Karl Schmidt', 'Marek Ozols'];
  const times = ['2026-03-04 06:00', '2026-03-04 14:00', '2026-03-04 22:00', '2026-03-05 06:00'];
  const lines = [0, 1, 2].flatMap((shift) =>
    drivers.map((driver, index) => [vehicles[(index + shift) % 3], driver, times[shift], times[shift + 1]].join(',')),
  );
  const input = `vehicle,driver,startTimestamp,endTimestamp\n${lines.join('\n')}\n`;
  const { code, stdout, stderr } = await fleet([...apply('--yes'), '-o', 'json'], { input });
  expect(code, stderr).toBe(0);
  const rows: readonly { readonly line: number; readonly id: unknown }[] = JSON.parse(stdout);
  expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(mutations(mock)).toHaveLength(9);
  expect((await fleet(apply('--yes'), { input })).stderr).toBe('9 stay as they are. Nothing to do.\n');
});

test('a line that is there twice counts once', async () => {
  const { fleet } = await withShift();
  const [, line = ''] = shift.trim().split('\n');
  const once = await fleet([...apply('--dry-run'), '-o', 'json'], { input: shift });
  expect(await fleet([...apply('--dry-run'), '-o', 'json'], { input: `${shift}${line}\n` })).toEqual(once);
});

test('ends later and earlier', async () => {
  const fleet = shellOf('demo', service().fetch);
  const row = (end: string) => `vehicle,driver,startedAt,endedAt\nVan 01,Marek Ozols,2026-03-02 06:00,${end}\n`;
  const ends = ['2026-03-02 14:00', '2026-03-02 16:00', '2026-03-02 12:00', '', '2026-03-02 13:00'];
  for (const [index, end] of ends.entries()) {
    const { code, stdout, stderr } = await fleet([...apply('--yes'), '-o', 'json'], { input: row(end) });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ action: index === 0 ? 'create' : 'update', status: 'done' }]);
    expect((await fleet(apply('--yes'), { input: row(end) })).stderr).toBe('1 stays as it is. Nothing to do.\n');
  }
});

test('a line without a vehicle is refused, with the name of its column', async () => {
  const mock = service();
  const { code, stderr } = await shellOf('demo', mock.fetch)(apply('--yes'), { input: 'driver\nLiis Tamm\n' });
  expect({ code, sent: mock.requests }).toEqual({ code: 2, sent: [] });
  expect(stderr).toContain('line 2: <vehicle> is missing.');
  expect(stderr).toContain('hint: Give it in the line, as "vehicle".');
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
  [['--time-zone', 'UTC'], 'startedAt (UTC),'],
  [['--time-zone', 'Asia/Tokyo'], 'startedAt (Asia/Tokyo),'],
  [['--time-zone', 'America/Phoenix'], 'startedAt (America/Phoenix),'],
  // Rows with times at two offsets.
  [['--time-zone', 'Europe/Tallinn'], 'startedAt (Europe/Tallinn),'],
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

  /** Returns the assignments of a service that are changed by its own rules. */
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
  /** Regressions: files that once needed a second run. */
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
        (before, fileIntervals, prune) => {
          const shifts = fileIntervals.map((one, index): Shift => ({ ...one, line: index + 2, source: {} }));
          const fleet = world(before);
          const name = (id: string) => id;
          const options = { now, prune, driver: name, vehicle: name, zone: 'UTC' };
          const { steps, problems } = planShifts(shifts, distinctAssignments(fleet.rows()), options);
          fc.pre(problems.length === 0);
          tried++;
          for (const step of steps)
            for (const { operation, variables } of step.requests) expect(fleet.send(operation, variables)).toBe(true);
          const again = planShifts(shifts, distinctAssignments(fleet.rows()), options);
          expect(
            again.steps
              .filter(({ record }) => record.action !== 'keep')
              .map(({ record }) => [record.action, record.changes]),
          ).toEqual([]);
        },
      ),
      { numRuns: 300, examples },
    );
    expect(tried).toBeGreaterThan(50);
  });
});

describe('ids in a file of assignments', () => {
  const times = '2026-03-03 06:00,2026-03-03 14:00';

  test('may stand in the columns of names too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const vehicle = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01')).id;
    const driver = Object(await jsonOf(fleet, 'people', 'get', 'Karl Berg')).id;
    const input = `vehicle,vehicleId,driver,driverId,startTimestamp,endTimestamp\n${vehicle},${vehicle},${driver},${driver},${times}\n`;
    const { code } = await fleet(['drivers', 'apply', '-', '--input-format', 'csv', '--dry-run'], { input });
    expect(code).toBe(10);
  });

  test.each(['vehicle', 'driver'])('of an unknown %s are refused in the plan', async (noun) => {
    const fleet = shellOf('demo', service().fetch);
    const unknown = '11111111-2222-5333-8444-555555555555';
    const [vehicle, driver] = [noun === 'vehicle' ? unknown : 'Van 01', noun === 'driver' ? unknown : 'Karl Berg'];
    const input = `vehicle,driver,startTimestamp,endTimestamp\n${vehicle},${driver},${times}\n`;
    const { code, stdout, stderr } = await fleet(['drivers', 'apply', '-', '--input-format', 'csv', '--dry-run'], {
      input,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`no ${noun} with the id ${unknown}`);
  });
});
