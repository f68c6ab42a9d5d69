// What `fleet drivers` prints, to the letter, and how it keeps to the rules of assignments.
import { describe, expect, test } from 'vitest';
import { expectGolden, jsonOf } from './golden.js';
import { moment, type Place, service, shellOf } from './harness.js';

const assignments = ['drivers', 'assignments', '--vehicle', 'Van 01'];

describe('prints', () => {
  test('drivers assign', () =>
    expectGolden('drivers-assign', [
      ...['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', '-2d', '--to', '2026-03-02T18:00+02:00'],
    ]));
  test('drivers assign, of somebody unknown', () =>
    expectGolden('drivers-assign.unknown', ['drivers', 'assign', 'Van 01', 'Liis Tam'], { code: 5 }));
  test('drivers unassign', () => expectGolden('drivers-unassign', ['drivers', 'unassign', 'Van 01']));
  test('drivers unassign, of what nobody drives', () =>
    expectGolden('drivers-unassign.nobody', ['drivers', 'unassign', 'Van 01'], {
      code: 5,
      before: (fleet) => fleet(['drivers', 'unassign', 'Van 01']),
    }));
  test('drivers assignments', () => expectGolden('drivers-assignments', assignments));
});

/** Runs it, and says what was sent for it besides logins and look-ups. */
async function sent(words: readonly string[], place: Place = {}) {
  const world = service();
  const outcome = await shellOf('demo', world.fetch)(words, place);
  return { ...outcome, operations: world.requests.flatMap(({ operations }) => operations) };
}

describe('assignments', () => {
  test('and the names in them are read in one request, and only for people', async () => {
    const people = await sent(assignments, { terminal: 160 });
    expect(people.operations).toEqual(['getVehicles', 'getVehicles', 'getPeople', 'getDriverAssignments']);
    const world = service();
    await shellOf('demo', world.fetch)(assignments, { terminal: 160 });
    expect(world.requests.filter(({ path }) => path === '/graphql')).toHaveLength(2);
    for (const flags of [
      ['-o', 'json'],
      ['-o', 'tsv'],
      ['--fields', 'id'],
    ]) {
      const rows = await sent([...assignments, ...flags], { terminal: 160 });
      expect(rows.operations).toEqual(['getVehicles', 'getDriverAssignments']);
    }
  });

  test('are of a vehicle, of a driver, or of both', async () => {
    const fleet = shellOf('demo', service().fetch);
    const of = async (...words: readonly string[]) =>
      Object.values(Object(await jsonOf(fleet, 'drivers', 'assignments', ...words)));
    const ofVehicle = await of('--vehicle', 'van 01');
    expect(ofVehicle.length).toBeGreaterThan(1);
    expect(await of('--driver', 'jonas nowak')).toEqual(ofVehicle);
    expect(await of('--vehicle', 'van 01', '--driver', 'Liis Tamm')).toEqual([]);
    expect((await fleet(['drivers', 'assignments'])).code).toBe(2);
  });

  test('are shown all the same when the names cannot be read', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', times: 9, operation: 'getPeople', message: 'no' });
    const { id } = Object(await jsonOf(shellOf('demo', world.fetch), 'vehicles', 'get', 'Van 01'));
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assignments', '--vehicle', id], {
      terminal: 160,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('unknown');
    expect(stderr).toContain('warning: The names of vehicles and drivers could not be read.');
  });
});

describe('assign', () => {
  const assign = (...flags: readonly string[]) => sent(['drivers', 'assign', 'Van 01', 'Liis Tamm', ...flags]);
  const iso = (ms: number) => new Date(ms).toISOString();
  const tenDays = 10 * 86_400_000;

  test('begins at most ten days ago, by the clock of the run', async () => {
    expect((await assign('--from', iso(moment - tenDays))).code).toBe(0);
    const early = await assign('--from', iso(moment - tenDays - 1));
    expect(early).toMatchObject({ code: 2, stdout: '', operations: [] });
    expect(early.stderr).toBe(
      'error: The assignment would begin more than 10 days ago. Nothing was sent.\n' +
        'hint: The service accepts a begin at most 10 days in the past, such as --from -9d.\n',
    );
  });

  test('ends after it begins', async () => {
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

  test('holds every line of --input to the rules', async () => {
    const lines = [{ startTimestamp: '2026-01-01T00:00:00Z' }, { endTimestamp: '2026-03-01T00:00:00Z' }, {}];
    const input = lines.map((line) => `${JSON.stringify({ vehicleId: 'Van 01', driverId: 'Liis Tamm', ...line })}\n`);
    const { code, stderr, operations } = await sent(['drivers', 'assign', '--input', '-'], { input: input.join('') });
    expect({ code, operations }).toEqual({ code: 2, operations: [] });
    expect(stderr).toContain('2 of 3 lines cannot be used. Nothing was sent.');
    expect(stderr).toContain('line 1: The assignment would begin more than 10 days ago.');
    expect(stderr).toContain('line 2: The assignment must end after it begins.');
  });

  test.each(['soon', '2026-02-30', '10:00'])('is told of a time that is none: %s', async (text) => {
    const { code, stderr, operations } = await assign('--from', text);
    expect({ code, operations }).toEqual({ code: 2, operations: [] });
    expect(stderr).toContain(`--from "${text}" is not a time.`);
  });

  test('reads times without a zone in the zone of TZ', async () => {
    const { stdout } = await sent(['drivers', 'assign', 'Van 01', 'Liis Tamm', '--from', 'today 06:00', '--dry-run'], {
      env: { TZ: 'Europe/Tallinn' },
    });
    expect(JSON.parse(stdout).variables.assignDriverInput.startTimestamp).toBe('2026-03-02T04:00:00.000Z');
  });

  test('is repeated after a lost answer when it says from when, and only then', async () => {
    const run = async (...flags: readonly string[]) => {
      const world = service();
      world.faults.add({ kind: 'reset', times: 1, operation: 'assignDriver' });
      const { code } = await shellOf('demo', world.fetch)(['drivers', 'assign', 'Van 01', 'Liis Tamm', ...flags]);
      return { code, sent: world.requests.filter(({ operations }) => operations.includes('assignDriver')).length };
    };
    expect(await run('--from', 'now')).toEqual({ code: 0, sent: 2 });
    expect(await run()).toEqual({ code: 9, sent: 1 });
  });

  test('means the driver where somebody else has the same name', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { id } = Object(await jsonOf(fleet, 'people', 'get', 'Liis Tamm'));
    await fleet(['people', 'create', '--first-name', 'Liis', '--last-name', 'Tamm']);
    expect((await fleet(['people', 'update', 'Liis Tamm', '--phone', '1'])).code).toBe(2);
    const { stdout } = await fleet(['drivers', 'assign', 'Van 01', 'liis tamm', '--dry-run']);
    expect(JSON.parse(stdout).variables.assignDriverInput.driverId).toBe(id);
    await fleet(['people', 'create', '--first-name', 'Liis', '--last-name', 'Tamm', '--is-driver']);
    const two = await fleet(['drivers', 'assign', 'Van 01', 'Liis Tamm']);
    expect(two.code).toBe(2);
    expect(two.stderr).toContain('"Liis Tamm" matches 2 drivers.');
  });

  test('stays done when how things are now cannot be read', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', times: 9, operation: 'getDriverAssignments', message: 'no' });
    const { code, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assign', 'Van 01', 'Liis Tamm'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'warning: The change was made, but its new state could not be read.\n',
    });
  });
});

describe('unassign', () => {
  test('ends it only if it is of the driver named, at the time named', async () => {
    const fleet = shellOf('demo', service().fetch);
    const end = (...flags: readonly string[]) => fleet(['drivers', 'unassign', 'Van 01', ...flags]);
    expect((await end('--driver', 'Liis Tamm')).code).toBe(5);
    expect(await end('--driver', 'Jonas Nowak', '--at', 'today 08:00')).toMatchObject({
      code: 0,
      stdout: 'result\ntrue\n',
    });
    const rows = Object.values(Object(await jsonOf(fleet, ...assignments)));
    expect(rows.at(-1)).toMatchObject({ endedAt: '2026-03-02T08:00:00.000Z' });
  });

  test('takes vehicles line by line', async () => {
    const { code, stdout } = await sent(['drivers', 'unassign', '--input', '-'], { input: '"Van 01"\n"no such"\n' });
    expect(code).toBe(5);
    expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual(['status', 'done', 'failed', undefined]);
  });
});
