// Exact output of `fleet drivers`, and the rules of assignments.
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { moment, type Place, service, shellOf } from './harness.js';

const assignments = ['drivers', 'assignments', '--vehicle', 'Van 01'];

describe('prints', () => {
  test('drivers assign', () =>
    expectGolden('drivers-assign', [
      ...['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', '-2d', '--to', '2026-03-02T18:00+02:00', '--yes'],
    ]));
  test('drivers assign, of a pair that is assigned already: nothing changed, why, and what would end it', () =>
    expectGolden('drivers-assign.running', ['drivers', 'assign', 'Van 01', 'Jonas Nowak', '--to', 'today 18:00']));
  test('drivers assign --dry-run tells whose assignments end or change', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const words = ['drivers', 'assign', 'Van 01', 'Liis Tamm', '--dry-run'];
    const { code, stdout, stderr } = await fleet(words, { terminal: 100, env: { NO_COLOR: '1' } });
    expect({ code, stdout, stderr }).toEqual({
      code: 10,
      stdout:
        '   NAME                                           CHANGES\n' +
        '~  Jonas Nowak on Van 01, from 2025-06-20 00:00Z  ends at 2026-03-02 09:30Z\n' +
        '~  Liis Tamm on Van 03, from 2025-04-25 00:00Z    ends at 2026-03-02 09:30Z\n' +
        '+  Liis Tamm on Van 01, from 2026-03-02 09:30Z    begins\n',
      stderr: '1 to create, 2 to change. Nothing was changed.\n',
    });
    const asJson = JSON.parse((await fleet([...words, '-o', 'json'])).stdout);
    expect(asJson).toMatchObject({ operation: 'assignDriver', kind: 'driver assignment' });
    expect(asJson.effects.map(({ action }: { action: string }) => action)).toEqual(['update', 'update', 'create']);
    expect(world.requests.flatMap(({ operations }) => operations)).not.toContain('assignDriver');
  });
  test('drivers assign and unassign -o json print the assignments of the vehicle, as other formats do', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const assigned = await jsonOf(fleet, 'drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', '-1h', '--yes');
    expect(assigned).toMatchObject([
      { vehicle: 'Van 01', driver: 'Jonas Nowak', endedAt: '2026-03-02T08:30:00.000Z' },
      { vehicle: 'Van 01', driver: 'Liis Tamm', startedAt: '2026-03-02T08:30:00.000Z', endedAt: null },
    ]);
    const [, made] = Object(assigned);
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await jsonOf(fleet, 'drivers', 'unassign', 'Van 01', '--yes')).toContainEqual(
      expect.objectContaining({ id: made.id, driver: 'Liis Tamm', endedAt: '2026-03-02T09:30:00.000Z' }),
    );
    // After the change, the assignments are read for the outcome and for the output.
    world.faults.add({ kind: 'graphqlError', operation: 'getDriverAssignments', message: 'Closed', times: 9 });
    const blind = await fleet(['drivers', 'assign', 'Van 01', 'Karl Berg', '--yes', '-o', 'json']);
    expect(blind).toMatchObject({ code: 0, stdout: 'null\n', stderr: expect.stringContaining('could not be read') });
  });
  test('drivers assign, of an unknown driver', () =>
    expectGolden('drivers-assign.unknown', ['drivers', 'assign', 'Van 01', 'Liis Tam'], { code: 5 }));
  test('drivers unassign', () => expectGolden('drivers-unassign', ['drivers', 'unassign', 'Van 01', '--yes']));
  test('drivers unassign, of a vehicle without a driver', () =>
    expectGolden('drivers-unassign.nobody', ['drivers', 'unassign', 'Van 01'], {
      code: 5,
      before: (fleet) => fleet(['drivers', 'unassign', 'Van 01', '--yes']),
    }));
  test('drivers assignments', () => expectGolden('drivers-assignments', assignments));
});

/** Runs the command and returns the operations that it sent. */
async function sent(words: readonly string[], place: Place = {}) {
  const world = service();
  const outcome = await shellOf('demo', world.fetch)(words, place);
  return { ...outcome, operations: world.requests.flatMap(({ operations }) => operations) };
}

describe('assignments', () => {
  test('are read with their names in one request, and --fields without names need no names', async () => {
    const people = await sent(assignments, { terminal: 160 });
    expect(people.operations).toEqual(['getVehicles', 'getVehicles', 'getDriverAssignments', 'getPeople']);
    const world = service();
    await shellOf('demo', world.fetch)(assignments, { terminal: 160 });
    expect(world.requests.filter(({ path }) => path === '/graphql')).toHaveLength(2);
    const csv = await sent([...assignments, '-o', 'csv']);
    expect(csv.stdout).toMatch(/^vehicle,driver,id,vehicleId,driverId,startedAt,endedAt\nVan 01,Jonas Nowak,/);
    const rows = await sent([...assignments, '--fields', 'id'], { terminal: 160 });
    expect(rows.operations).toEqual(['getVehicles', 'getDriverAssignments']);
  });

  test('take vehicles as arguments, and a table states the period', async () => {
    const fleet = shellOf('demo', service().fetch);
    const of = async (...words: readonly string[]) => fleet(['drivers', 'assignments', ...words], { terminal: 160 });
    const byFlag = await of('--vehicle', 'Van 01');
    expect(byFlag).toMatchObject({ code: 0, stdout: expect.stringContaining('Jonas Nowak') });
    expect(await of('Van 01')).toEqual(byFlag);
    expect(await of('Van 01', '--vehicle', 'Truck 01')).toEqual(
      await of('--vehicle', 'Van 01', '--vehicle', 'Truck 01'),
    );
    expect((await of('Van 01', '--on', 'yesterday')).stderr).toContain('On Sunday, 2026-03-01.\n');
    expect((await of('--from', '2026-02', '--to', '2026-03')).stderr).toContain(
      'From Sunday, 2026-02-01 to Saturday, 2026-02-28.\n',
    );
    const inPipe = await fleet(['drivers', 'assignments', 'Van 01', '--on', 'yesterday']);
    expect(inPipe.stdout + inPipe.stderr).not.toContain('On Sunday');
    expect((await fleet(['drivers', '--help'])).stdout).toContain('`fleet trips list` shows who really drove');
  });

  test('are filtered by vehicle, by driver, or by both', async () => {
    const fleet = shellOf('demo', service().fetch);
    const of = async (...words: readonly string[]) =>
      Object.values(Object(await jsonOf(fleet, 'drivers', 'assignments', ...words)));
    const ofVehicle = await of('--vehicle', 'van 01');
    expect(ofVehicle.length).toBeGreaterThan(1);
    expect(await of('--driver', 'jonas nowak')).toEqual(ofVehicle);
    expect(await of('--vehicle', 'van 01', '--driver', 'Liis Tamm')).toEqual([]);
    const all = await of();
    const ofVan = all.filter((row) => Object(row).vehicle === 'Van 01');
    expect(ofVan).toMatchObject(ofVehicle);
    expect(ofVan).toMatchObject(ofVehicle.map(() => ({ driver: 'Jonas Nowak' })));
    expect(await of('--vehicle', 'Van 01', '--vehicle', 'Truck 01')).toEqual([
      ...ofVan,
      ...all.filter((row) => Object(row).vehicle === 'Truck 01'),
    ]);
    expect(await of('--driver', 'Jonas Nowak', '--driver', 'Nobody').catch(() => 'refused')).toBe('refused');
    expect((await of('--driver', 'Jonas Nowak', '--driver', 'Karl Schmidt')).length).toBeGreaterThan(ofVehicle.length);
  });

  test('are limited to a period by --on or --from', async () => {
    const fleet = shellOf('demo', service().fetch);
    const of = async (...words: readonly string[]) =>
      Object.values(Object(await jsonOf(fleet, ...assignments, ...words)));
    const all = await of();
    const active = (at: string) =>
      all.filter((row) => {
        const { startedAt, endedAt } = Object(row);
        return startedAt < `${at}T23:59` && (endedAt === null || endedAt > `${at}T00:00`);
      });
    expect(active('2026-02-23').length).toBeLessThan(all.length);
    expect(await of('--on', '2026-02-23')).toEqual(active('2026-02-23'));
    expect(await of('--from', '2000-01-01')).toEqual(all);
    expect((await shellOf('demo', service().fetch)([...assignments, '--to', 'now'])).code).toBe(2);
  });

  test('are shown without names when these cannot be read', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', times: 9, operation: 'getPeople', message: 'no' });
    const { id } = Object(await jsonOf(shellOf('demo', world.fetch), 'vehicles', 'get', 'Van 01'));
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assignments', '--vehicle', id], {
      terminal: 160,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(6);
    expect(stdout).toMatch(/[0-9a-f]{8}-/);
    expect(stderr).toContain('The names of people could not be read, so drivers are shown by id');
  });
});

describe('assign', () => {
  const assign = (...flags: readonly string[]) => sent(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--yes', ...flags]);
  const iso = (ms: number) => new Date(ms).toISOString();
  const tenDays = 10 * 86_400_000;

  test('must begin at most ten days ago, by the clock of the run', async () => {
    expect((await assign('--from', iso(moment - tenDays))).code).toBe(0);
    const early = await assign('--from', iso(moment - tenDays - 1));
    expect(early).toMatchObject({ code: 2, stdout: '', operations: [] });
    expect(early.stderr).toBe(
      'error: The assignment would begin more than 10 days ago. Nothing was sent.\n' +
        'hint: The service accepts a start at most 10 days in the past, such as --from -9d.\n',
    );
  });

  test('must end after it begins', async () => {
    for (const flags of [
      ['--to', 'now'],
      ['--from', '-1h', '--to', '-1h'],
      ['--from', '+2h', '--to', '+1h'],
    ]) {
      const { code, stderr, operations } = await assign(...flags);
      expect({ flags, code, operations }).toEqual({ flags, code: 2, operations: [] });
      expect(stderr).toContain('The assignment must end after it begins.');
    }
    expect((await assign('--from', '+1h', '--to', '+2h')).code).toBe(0);
  });

  test.each([
    [{ startTimestamp: '2026-01-01T00:00:00Z' }, 'The assignment would begin more than 10 days ago.'],
    [{ endTimestamp: '2026-03-01T00:00:00Z' }, 'The assignment must end after it begins.'],
  ])('checks the times of --input: %j', async (times, problem) => {
    const input = JSON.stringify({ vehicleId: 'Van 01', driverId: 'Liis Tamm', ...times });
    const { code, stderr, operations } = await sent(['drivers', 'assign', '--input', '-'], { input });
    expect({ code, operations }).toEqual({ code: 2, operations: [] });
    expect(stderr).toContain(`error: ${problem} Nothing was sent.`);
  });

  test.each([
    ['soon', '.'],
    ['2026-02-30', ': the calendar has no such day.'],
    ['25:00', '.'],
  ])('refuses an invalid time: %s', async (text, why) => {
    const { code, stderr, operations } = await assign('--from', text);
    expect({ code, operations }).toEqual({ code: 2, operations: [] });
    expect(stderr).toContain(`--from "${text}" is not a time${why}`);
  });

  test('reads times without a zone in the zone of TZ', async () => {
    const { stdout } = await sent(
      ['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', 'today 06:00', '--dry-run', '-o', 'json'],
      {
        env: { TZ: 'Europe/Tallinn' },
      },
    );
    expect(JSON.parse(stdout).variables.assignDriverInput.startTimestamp).toBe('2026-03-02T04:00:00.000Z');
  });

  test('is sent again after a lost answer only with --from', async () => {
    const run = async (...flags: readonly string[]) => {
      const world = service();
      world.faults.add({ kind: 'reset', times: 1, operation: 'assignDriver' });
      const { code } = await shellOf(
        'demo',
        world.fetch,
      )(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--yes', ...flags]);
      return { code, sent: world.requests.filter(({ operations }) => operations.includes('assignDriver')).length };
    };
    expect(await run('--from', 'now')).toEqual({ code: 0, sent: 2 });
    expect(await run()).toEqual({ code: 9, sent: 1 });
  });

  test('looks up its names in one request', async () => {
    const world = service();
    await shellOf('demo', world.fetch)(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--dry-run']);
    const lookUps = world.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations);
    expect(lookUps[0]).toEqual(['getVehicles', 'getPeople']);
  });

  test('prefers the driver to another person with the same name', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { id } = Object(await jsonOf(fleet, 'people', 'get', 'Liis Tamm'));
    await fleet(['people', 'create', '--first-name', 'Liis', '--last-name', 'Tamm']);
    expect((await fleet(['people', 'update', 'Liis Tamm', '--phone', '1'])).code).toBe(2);
    const { stdout } = await fleet(['drivers', 'assign', 'Van 01', 'liis tamm', '--dry-run', '-o', 'json']);
    expect(JSON.parse(stdout).variables.assignDriverInput.driverId).toBe(id);
    await fleet(['people', 'create', '--first-name', 'Liis', '--last-name', 'Tamm', '--is-driver']);
    const two = await fleet(['drivers', 'assign', 'Van 01', 'Liis Tamm']);
    expect(two.code).toBe(2);
    expect(two.stderr).toContain('"Liis Tamm" matches 2 drivers.');
  });

  test('succeeds when the new state cannot be read', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', times: 9, operation: 'getDriverAssignments', message: 'no' });
    const { code, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--yes'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'Done as #1; `fleet undo 1` takes it back.\nwarning: The change was made, but its new state could not be read.\n',
    });
  });
});

describe('unassign', () => {
  test('ends the assignment only of the given driver, at the given time', async () => {
    const fleet = shellOf('demo', service().fetch);
    const end = (...flags: readonly string[]) => fleet(['drivers', 'unassign', 'Van 01', '--yes', ...flags]);
    expect((await end('--driver', 'Liis Tamm')).code).toBe(5);
    expect(await end('--driver', 'Jonas Nowak', '--at', 'today 08:00')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2026-03-02T08:00:00.000Z'),
    });
    const rows = Object.values(Object(await jsonOf(fleet, ...assignments)));
    expect(rows.at(-1)).toMatchObject({ endedAt: '2026-03-02T08:00:00.000Z' });
  });

  test('takes the vehicle by its name in --input', async () => {
    const words = ['drivers', 'unassign', '--yes', '--input', '-'];
    const done = await sent(words, { input: '{"vehicleId":"Van 01"}' });
    expect(done.code).toBe(0);
    expect(done.operations).toContain('unassignDriver');
    const unknown = await sent(words, { input: '{"vehicleId":"no such"}' });
    expect(unknown.code).toBe(5);
    expect(unknown.operations).not.toContain('unassignDriver');
  });
});

describe('an assignment that takes a driver or a vehicle from another one', () => {
  const taking = ['drivers', 'assign', 'Van 01', 'Karl Schmidt'];
  const mutations = (world: ReturnType<typeof service>) =>
    world.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));

  test('is asked about on a terminal, and no sends nothing', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(taking, { answers: [['[y/N]', 'n']] });
    expect([code, mutations(world)]).toEqual([130, []]);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(/Jonas Nowak .*Karl Schmidt .*Make these changes\? \[y\/N\]/);
  });

  test('yes makes it', async () => {
    const world = service();
    const { code } = await shellOf('demo', world.fetch)(taking, { answers: [['[y/N]', 'y']] });
    expect([code, mutations(world)]).toEqual([0, ['assignDriver']]);
  });

  test('--yes is not asked', async () => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)([...taking, '--yes'], { answers: [] });
    expect([code, mutations(world), stderr.includes('[y/N]')]).toEqual([0, ['assignDriver'], false]);
  });

  test.each([
    ['assign', taking, /: 1 to create, \d to change\. Nothing was changed\./],
    ['unassign', ['drivers', 'unassign', 'Van 01'], /: 1 to change\. Nothing was changed\./],
  ])('%s needs --yes without a terminal', async (_verb, words, said) => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(words);
    expect([code, mutations(world)]).toEqual([2, []]);
    expect(stderr).toMatch(said);
  });

  test('an assignment that only begins is not asked about, and needs no --yes', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const words = ['drivers', 'assign', 'Van 01', 'Karl Schmidt', '--from'];
    expect((await fleet(['drivers', 'unassign', 'Van 01', '--yes'])).code).toBe(0);
    expect((await fleet(['drivers', 'unassign', 'Truck 01', '--yes'])).code).toBe(0);
    expect(await fleet([...words, '+1d', '--to', '+2d'])).toMatchObject({ code: 0 });
    const prompted = await fleet([...words, '+3d', '--to', '+4d'], { answers: [] });
    expect([prompted.code, prompted.stderr.includes('[y/N]')]).toEqual([0, false]);
  });

  test('--dry-run reports an unassign that the service will refuse', async () => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['drivers', 'unassign', 'Van 01', '--driver', 'Liis Tamm'];
    const plan = await fleet([...words, '--dry-run']);
    expect(plan.stderr).toContain(
      'Liis Tamm is not assigned to Van 01 at 2026-03-02 09:30Z. The service will refuse the change.',
    );
    expect((await fleet(words)).code).toBe(5);
  });

  test('a change whose effects cannot be read needs --yes', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', times: 1_000, operation: 'getDriverAssignments' });
    const { code, stderr } = await shellOf('demo', world.fetch)(taking);
    expect([code, mutations(world)]).toEqual([2, []]);
    expect(stderr).toContain('The plan needs a confirmation');
  });

  test('fleet undo lists all that it did', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet([...taking, '--yes'])).code).toBe(0);
    const plan = await fleet(['undo', '1', '--dry-run', '-o', 'table']);
    const done = await fleet(['undo', '1', '--yes', '-o', 'table']);
    const names = (text: string) => [...text.matchAll(/^[+~-] +(.*? on \S+ \d+)/gm)].map(([, name]) => name).sort();
    expect(names(plan.stdout).length).toBeGreaterThan(1);
    expect([done.code, names(done.stdout)]).toEqual([0, names(plan.stdout)]);
  });
});
