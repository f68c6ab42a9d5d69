// How changes work, shown with `fleet groups` and `fleet people`: dry runs, skeletons, confirmation, one change or many.
import { chmodSync, existsSync, linkSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/cli/run/run.js';
import type { Fetch } from '../../src/core/ports.js';
import type { MockService } from '../../src/mock/service.js';
import { jsonOf } from './golden.js';
import { baseUrl, clock, type Shell, service, shell, shellOf } from './harness.js';

const someId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const ndjson = (...lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const winterRoster = '4f93fa3d-de4b-5f1e-9dc3-ce0f27fb8489';
const fieldService = '5fa3a67c-c8ac-5ed4-b108-dcc152aa2fd0';
const create = ['groups', 'create', '--yes', '--input', '-'];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-change-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Operations that reached the service. */
function operationsOf(world: MockService): readonly string[] {
  return world.requests.flatMap(({ operations }) => operations);
}

async function names(fleet: Shell): Promise<readonly string[]> {
  return Object.values(Object(await jsonOf(fleet, 'groups', 'list'))).map((group) => Object(group).name);
}

/** The statuses and lines of tsv output. */
function told(stdout: string): readonly string[] {
  const rows = stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => row.split('\t').slice(0, 2).join(' '));
}

describe('--dry-run', () => {
  const update = ['groups', 'update', 'Winter roster', '--parent', 'Long haul'];

  test('shows old and new values with names, changes nothing, and says by its exit code that something differs', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const { code, stdout, stderr } = await fleet([...update, '--dry-run'], { terminal: 80, env: { NO_COLOR: '1' } });
    expect({ code, stdout, stderr }).toEqual({
      code: 10,
      stdout: '   NAME           CHANGES\n~  Winter roster  parent none → Long haul\n',
      stderr: '1 to change. Nothing was changed.\n',
    });
    expect(operationsOf(world)).toEqual(['getGroups']);
    expect((await fleet(update)).code).toBe(0);
    const again = await fleet([...update, '--dry-run'], { terminal: 80 });
    expect(again).toEqual({ code: 0, stdout: '', stderr: 'Nothing to do.\n1 stays as it is. Nothing was changed.\n' });
  });

  test('in JSON is the same as data, with what would be sent', async () => {
    const world = service();
    const { stdout } = await shellOf('demo', world.fetch)([...update, '--dry-run', '-o', 'json']);
    const parent = '7e55ccbd-b392-50c1-a36a-592b06262013';
    expect(JSON.parse(stdout)).toEqual({
      action: 'update',
      kind: 'group',
      name: 'Winter roster',
      id: winterRoster,
      line: null,
      changes: [{ field: 'parentId', before: null, after: parent, names: { before: null, after: 'Long haul' } }],
      status: 'planned',
      error: null,
      operation: 'updateGroup',
      document: expect.stringContaining('mutation updateGroup('),
      variables: { groupId: winterRoster, updateGroupInput: { parentId: parent } },
    });
  });

  test('tells what would be sent only with --verbose', async () => {
    const fleet = shellOf('demo', service().fetch);
    const quiet = await fleet([...update, '--dry-run']);
    expect(`${quiet.stdout}${quiet.stderr}`).not.toContain('mutation');
    const { stdout, stderr } = await fleet([...update, '--dry-run', '--verbose']);
    expect(stdout).toBe(quiet.stdout);
    const line = stderr.split('\n').find((text) => text.startsWith('{')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ operation: 'updateGroup', variables: { groupId: winterRoster } });
  });

  test('of a creation needs no login where it names no record', async () => {
    const refuse: Fetch = () => Promise.reject(new Error('nothing may be sent'));
    const { code, stdout } = await shell(refuse, {})(['groups', 'create', '--name', 'New', '--dry-run', '-o', 'json']);
    expect(code).toBe(10);
    expect(JSON.parse(stdout)).toMatchObject({
      action: 'create',
      kind: 'group',
      name: 'New',
      id: null,
      changes: [{ field: 'name', before: null, after: 'New' }],
      operation: 'createGroup',
    });
  });

  test('does not ask before a deletion, and says that an id is that of no record', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout } = await fleet(['groups', 'delete', winterRoster, '--dry-run'], { terminal: 80 });
    expect({ code, stdout }).toEqual({ code: 10, stdout: expect.stringContaining('Winter roster') });
    const gone = await fleet(['groups', 'delete', someId(1), '--dry-run']);
    expect(gone).toMatchObject({ code: 5, stdout: '' });
    expect(gone.stderr).toContain(`There is no group with the id ${someId(1)}.`);
  });

  test('of many changes has a row for each, in every format', async () => {
    const fleet = shell(service().fetch, {});
    const input = ndjson({ name: 'a' }, { name: 'b' });
    const lines = (await fleet([...create, '--dry-run', '-o', 'ndjson'], { input })).stdout.trimEnd().split('\n');
    const array = JSON.parse((await fleet([...create, '--dry-run', '-o', 'json'], { input })).stdout);
    expect(lines.map((line) => JSON.parse(line))).toEqual(array);
    expect(array.map(({ line, variables }: { line: number; variables: unknown }) => [line, variables])).toEqual([
      [1, { createGroupInput: { name: 'a' } }],
      [2, { createGroupInput: { name: 'b' } }],
    ]);
    const table = await fleet([...create, '--dry-run'], { input });
    expect(table.stdout.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['action', 'name', 'id', 'line'],
      ['create', 'a', '', '1'],
      ['create', 'b', '', '2'],
      [''],
    ]);
  });

  test('reports every unknown name, and prints nothing', async () => {
    const world = service();
    const input = ndjson('Winter roster', 'nope', 'Service', 'neither');
    const outcome = await shellOf('demo', world.fetch)(['groups', 'delete', '--input', '-', '--dry-run'], { input });
    expect(outcome).toEqual({
      code: 5,
      stdout: '',
      stderr:
        'error: 2 of 4 lines cannot be sent.\n' +
        '  line 2: There is no group "nope".\n' +
        '  line 4: There is no group "neither".\n' +
        'hint: `fleet groups list` lists all of them.\n',
    });
  });

  test('reads ten thousand lines', async () => {
    const groups = Array.from({ length: 10_000 }, (_, n) => ({ name: `Group ${n}` }));
    const { stdout } = await shell(service().fetch, {})(['groups', 'create', '--input', '-', '--dry-run'], {
      input: ndjson(...groups),
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(10_001);
  });
});

describe('--skeleton', () => {
  test('has every member, sends nothing, and can be filled in as --input', async () => {
    const refuse: Fetch = () => Promise.reject(new Error('nothing may be sent'));
    const { code, stdout } = await shell(refuse, {})(['groups', 'update', '--skeleton']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      groupId: null,
      name: null,
      parentId: null,
      externalId: null,
      description: null,
    });
    const fleet = shellOf('demo', service().fetch);
    const filled = { ...JSON.parse(stdout), groupId: 'Winter roster', name: 'Filled in' };
    const changed = await fleet(['groups', 'update', '--input', '-', '-o', 'json'], { input: JSON.stringify(filled) });
    expect(JSON.parse(changed.stdout)).toMatchObject({ name: 'Filled in', externalId: null });
    const roles = await fleet(['people', 'set-roles', '--skeleton']);
    expect(JSON.parse(roles.stdout)).toEqual({ personId: null, roleIds: [] });
  });
});

describe('lines about one record', () => {
  const run = async (words: readonly string[], lines: readonly object[]) => {
    const world = service();
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const outcome = await shellOf('demo', world.fetch)([...words, '--input', '-', '--input-format', 'ndjson'], {
      input,
    });
    const sent = world.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));
    return { ...outcome, sent: sent.length };
  };

  test.each([
    ['vehicles update', ['vehicles', 'update'], { id: 'Van 01' }, 'licensePlate', 'B-AB 123', 'B-AB 124'],
    ['people update', ['people', 'update'], { id: 'Liis Tamm' }, 'phone', '1', '2'],
    ['set-roles', ['people', 'set-roles'], { personId: 'Liis Tamm' }, 'roleIds', ['Dispatcher'], ['Accountant']],
  ])('that contradict each other are refused with both lines: %s', async (_, words, record, member, one, other) => {
    const lines = [
      { ...record, [member]: one },
      { ...record, [member]: one },
      { ...record, [member]: other },
    ];
    const refused = await run(words, lines);
    expect(refused).toMatchObject({ code: 2, stdout: '', sent: 0 });
    expect(refused.stderr).toContain(`line 3: line 1 has another ${member} for this record`);
    const done = await run(words, lines.slice(0, 2));
    expect(done).toMatchObject({ code: 0, sent: 1, stderr: expect.stringContaining('1 of 1 done.\n') });
  });

  test('are found by every name of the record, and other members or custom fields are no contradiction', async () => {
    const vehicle = Object(await jsonOf(shellOf('demo', service().fetch), 'vehicles', 'get', 'Van 01'));
    const twice = [
      { id: 'Van 01', name: 'A' },
      { id: vehicle.id, name: 'B' },
    ];
    expect((await run(['vehicles', 'update'], twice)).stderr).toContain(
      'line 2: line 1 has another name for this record',
    );
    const other = [
      { id: 'Van 01', make: 'A' },
      { id: 'Van 01', model: 'B' },
    ];
    expect(await run(['vehicles', 'update'], other)).toMatchObject({ code: 0, sent: 2 });
    const field = (name: string, value: string) => ({ vehicleId: 'Van 01', name, value });
    const set = ['vehicles', 'set-field'];
    expect(await run(set, [field('Cost centre', '1'), field('Next inspection', '2')])).toMatchObject({
      code: 0,
      sent: 2,
    });
    const contradiction = await run(set, [field('Cost centre', '1'), field('Cost centre', '2')]);
    expect(contradiction).toMatchObject({ code: 2, sent: 0 });
    expect(contradiction.stderr).toContain('line 2: line 1 has another Cost centre for this record');
  });
});

describe('an input', () => {
  test('with unknown members is sent as it is, with a warning', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = JSON.stringify({ name: 'x', costCentre: 'y' });
    const { stdout, stderr } = await fleet([...create, '--dry-run', '-o', 'json'], { input });
    expect(JSON.parse(stdout).variables.createGroupInput).toEqual(JSON.parse(input));
    expect(stderr).toContain('warning: "costCentre" is not a known member of CreateGroupInput; it is sent as it is.\n');
  });

  test('with members that are nearly known is refused, all of them at once, nested ones too', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const one = await fleet(create, { input: JSON.stringify({ name: 'x', descriptoin: 'y', externalld: 'z' }) });
    expect(one).toMatchObject({ code: 2, stdout: '' });
    expect(one.stderr).toBe(
      'error: The input cannot be used: CreateGroupInput has no member "descriptoin" and no "externalld". Nothing was sent.\n' +
        'hint: Did you mean "description"? Did you mean "externalId"?\n',
    );
    const nested = await fleet(['geofences', 'update', '--input', '-'], {
      input: JSON.stringify({ id: 'Yard', address: { city: 'Tartu', contry: 'EE' } }),
    });
    expect(nested).toMatchObject({ code: 2, stdout: '' });
    expect(nested.stderr).toContain('address: AddressInput has no member "contry". Nothing was sent.');
    expect(world.requests).toEqual([]);
  });

  test('of a fully known type is checked against the contract, in every line', async () => {
    const world = service();
    const good = { vehicleId: someId(1), driverId: someId(2) };
    const lines = [
      { ...good, vehicel: 1 },
      good,
      { ...good, startTimestamp: '1 March 2026' },
      { vehicleId: someId(1) },
      { ...good, driverId: 7 },
    ];
    const { code, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assign', '--input', '-'], {
      input: ndjson(...lines),
    });
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'error: 4 of 5 lines cannot be used. Nothing was sent.',
      '  The input cannot be used: line 1: AssignDriverInput has no member "vehicel".',
      '  The input cannot be used: line 3: startTimestamp is not of type DateTime.',
      '  line 4: <driver> is missing.',
      '  line 5: "driverId" is not a text.',
    ]);
  });

  test('with a member named __proto__ is checked too', async () => {
    const fleet = shell(service().fetch, {});
    const { stdout } = await fleet([...create, '--dry-run', '-o', 'json'], {
      input: '{"name":"x","__proto__":{"y":1}}',
    });
    expect(stdout).toMatch(/"__proto__": \{\s+"y": 1/);
    const refused = await fleet(['drivers', 'assign', '--input', '-'], {
      input: `{"vehicleId":"${someId(1)}","driverId":"${someId(2)}","__proto__":{}}`,
    });
    expect(refused.stderr).toContain('AssignDriverInput has no member "__proto__"');
  });

  test('may give the record by its own name, as id, as a text, or as in the variables', async () => {
    const fleet = shellOf('demo', service().fetch);
    const wanted = { groupId: winterRoster, updateGroupInput: { name: 'x' } };
    for (const line of [{ groupId: winterRoster, name: 'x' }, { id: winterRoster, name: 'x' }, wanted]) {
      const { stdout } = await fleet(['groups', 'update', '--input', '-', '--dry-run', '-o', 'json'], {
        input: JSON.stringify(line),
      });
      expect(JSON.parse(stdout).variables).toEqual(wanted);
    }
    const text = ndjson(winterRoster, fieldService);
    const all = await fleet(['groups', 'update', '--input', '-', '--name', 'x', '--dry-run', '-o', 'json'], {
      input: text,
    });
    expect(JSON.parse(all.stdout)).toMatchObject([{ variables: wanted }, { variables: { groupId: fieldService } }]);
    expect((await fleet(create, { input: ndjson('a', 'b') })).stderr).toContain('is not enough to create a record');
  });

  test('and an argument must agree; flags win', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = JSON.stringify({ groupId: fieldService, name: 'x' });
    const both = await fleet(['groups', 'update', winterRoster, '--input', '-', '--dry-run'], { input });
    expect(both).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: <group> is given twice: as an argument and in --input. Nothing was sent.\n' +
        'hint: Leave out the argument, or "groupId" in --input.\n',
    });
    expect(
      (await fleet(['groups', 'update', fieldService, '--input', '-', '--dry-run', '-o', 'json'], { input })).code,
    ).toBe(10);
    const flag = await fleet(['groups', 'update', '--name', 'y', '--input', '-', '--dry-run', '-o', 'json'], { input });
    expect(JSON.parse(flag.stdout).variables.updateGroupInput).toEqual({ name: 'y' });
  });

  test('for a deletion has no other members', async () => {
    const input = JSON.stringify({ id: someId(1), name: 'x' });
    const { code, stderr } = await shell(service().fetch, {})(['groups', 'delete', '--yes', '--input', '-'], { input });
    expect(code).toBe(2);
    expect(stderr).toContain('deleteGroup has no member "name".');
  });

  test('that cannot be read is reported before anything is sent', async () => {
    const { code, stderr } = await shell(service().fetch, {})(['groups', 'create', '--input', '/nowhere/x.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('The file /nowhere/x.json cannot be read (ENOENT).');
  });

  test('with an empty array does nothing', async () => {
    const world = service();
    const { code, stdout } = await shellOf('demo', world.fetch)([...create, '-o', 'json'], { input: '[]' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
    expect(operationsOf(world)).toEqual([]);
  });
});

describe('an answer without a result', () => {
  /** Replaces the answer of an operation. */
  const answering = (operation: string, value: unknown): Fetch => {
    const { fetch } = service();
    return (url, init) =>
      new RegExp(`mutation ${operation}\\b`).test(init.body ?? '')
        ? Promise.resolve(Response.json({ data: { [operation]: value } }))
        : fetch(url, init);
  };

  test.each([
    ['deleteGroup', false, ['groups', 'delete', winterRoster, '--yes'], 'with false: the change was not made.'],
    ['updateGroup', null, ['groups', 'update', winterRoster, '--name', 'x'], 'with neither a result nor an error.'],
  ])('fails: %s with %s', async (operation, value, words, message) => {
    const { code, stdout, stderr } = await shellOf('demo', answering(operation, value))(words);
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' });
    expect(stderr).toContain(`The service answered ${operation} ${message}`);
  });
});

describe('delete', () => {
  const remove = ['groups', 'delete', 'winter roster'];

  test('asks with the real name of the record', async () => {
    const fleet = shellOf('demo', service().fetch);
    const kept = await fleet(remove, { answers: [['[y/N]', '']] });
    expect(kept.code).toBe(130);
    expect(kept.stderr).toContain('  - Winter roster: 1 vehicle\n');
    expect(kept.stderr).toContain('1 to delete. Make this change? [y/N]');
    expect(kept.stderr).toContain('Not confirmed; nothing was changed.');
    expect(await names(fleet)).toContain('Winter roster');
    expect((await fleet(remove, { answers: [['[y/N]', 'Ja ']] })).code).toBe(0);
    expect(await names(fleet)).not.toContain('Winter roster');
  });

  test('asks with the name of the record for an id, and not for an unknown id', async () => {
    const fleet = shellOf('demo', service().fetch);
    const id = '4f93fa3d-de4b-5f1e-9dc3-ce0f27fb8489';
    expect((await fleet(['groups', 'delete', id], { answers: [['[y/N]', 'n']] })).stderr).toContain('- Winter roster');
    const gone = await fleet(['groups', 'delete', someId(1)], { answers: [['[y/N]', 'y']] });
    expect(gone.code).toBe(5);
    expect(gone.stderr).not.toContain('[y/N]');
  });

  test('needs --yes without a terminal, and sends nothing without it', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    expect(await fleet(remove)).toMatchObject({ code: 2, stdout: '' });
    expect((await fleet([...remove, '--no-input'], { answers: [] })).stderr).toContain('--no-input forbids prompts');
    expect(world.requests).toEqual([]);
  });

  test('of many records asks once, with their names', async () => {
    const fleet = shellOf('demo', service().fetch);
    const file = join(folder(), 'ids.json');
    writeFileSync(file, JSON.stringify(['winter roster', 'nope', { id: 'Long haul West' }]));
    const all = ['groups', 'delete', '--input', file];
    const asked = await fleet(all, { answers: [['[y/N]', 'n']] });
    expect(asked.stderr).toMatch(
      /^ {2}- Winter roster: 1 vehicle\n {2}- Long haul West\n.*2 to delete\. Make these changes\?/,
    );
    const done = await fleet(all, { answers: [['[y/N]', 'y']] });
    expect(done.code).toBe(5);
    expect(told(done.stdout)).toEqual(['1 done', '2 failed', '3 done']);
  });
});

describe('the values of a plan', () => {
  const planned = async (words: readonly string[], input: unknown) => {
    const fleet = shellOf('demo', service().fetch);
    const place = { input: JSON.stringify(input), terminal: 400, env: { NO_COLOR: '1' } };
    return (await fleet([...words, '--input', '-', '--dry-run'], place)).stdout.split('\n')[1];
  };

  test('of a new record are all members, also nested ones and those whose text is in the name', async () => {
    const person = {
      firstName: 'Tamm',
      lastName: 'Nora',
      isDriver: false,
      phone: '',
      customFields: [{ name: 'Department', value: 'Garage' }],
    };
    expect(await planned(['people', 'create'], person)).toMatch(
      /^\+ {2}Tamm Nora {2}firstName Tamm, lastName Nora, isDriver no, customFields\.Department Garage *$/,
    );
    const group = { name: 'Night 22', description: '22', parentId: 'Long haul' };
    expect(await planned(['groups', 'create'], group)).toMatch(/Night 22 {2}description 22, parent Long haul *$/);
    const [longitude, latitude] = [26.7, 58.4];
    const ring = [0, 1, 1, 0].map((x, n) => [longitude + x / 100, latitude + (n > 1 ? 0.01 : 0)]);
    const geofence = {
      name: 'Yard',
      color: '#D62728',
      address: { city: 'Elva' },
      geojson: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
    };
    expect(await planned(['geofences', 'create'], geofence)).toMatch(
      /color #D62728, address\.city Elva, .* around 58\.405\d*, 26\.705\d* *$/,
    );
  });

  test('are in the question and in JSON too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const file = join(folder(), 'people.ndjson');
    writeFileSync(file, ndjson({ firstName: 'Anna', lastName: 'Tamm' }, { firstName: 'Mari', lastName: 'Saar' }));
    const { stderr } = await fleet(['people', 'create', '--input', file], { answers: [['[y/N]', 'n']] });
    expect(stderr).toContain('  + Anna Tamm: firstName Anna, lastName Tamm\n');
    const plan = Object(await fleet(['people', 'create', '--input', file, '--dry-run', '-o', 'json']));
    expect(JSON.parse(plan.stdout)[0].changes).toEqual([
      { field: 'firstName', before: null, after: 'Anna' },
      { field: 'lastName', before: null, after: 'Tamm' },
    ]);
  });

  test('that are long are shortened visibly', async () => {
    const row = await planned(['groups', 'create'], { name: 'A', description: 'x'.repeat(300) });
    expect(row).toContain(`description ${'x'.repeat(199)}…`);
  });

  test.each([
    ['Ju\u0308rgen', 'J\u00fcrgen', '"Ju\u0308rgen" (U+0075 U+0308) → "J\u00fcrgen" (U+00FC)'],
    ['Yard', 'Yard ', '"Yard" → "Yard "'],
    ['Yard  A', 'Yard A', '"Yard  A" → "Yard A"'],
    ['Yard A', 'Yard\u00a0A', '"Yard A" → "Yard\u00a0A" (U+00A0)'],
    ['A-1', 'A\u20131', '"A-1" (U+002D) → "A\u20131" (U+2013)'],
    ['A1', 'A\u200b1', '"A1" → "A\\u200b1" (U+200B)'],
    ['A1', ' B1', 'A1 → " B1"'],
    ['A1', 'B1', 'A1 → B1'],
  ])('%j → %j can be told apart', async (before, after, shown) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const update = (description: string) => JSON.stringify({ description });
    const words = ['groups', 'update', 'Winter roster', '--input', '-'];
    expect((await fleet(words, { input: update(before) })).code).toBe(0);
    const { stdout } = await fleet([...words, '--dry-run'], {
      input: update(after),
      terminal: 200,
      env: { NO_COLOR: '1' },
    });
    expect(stdout.split('\n')[1]).toContain(`description ${shown}`);
  });
});

describe('--yes', () => {
  const verbs: readonly (readonly [noun: string, ...verbs: string[]])[] = [
    ['vehicles', 'update', 'set-field', 'groups', 'move', 'apply'],
    ['drivers', 'assign', 'unassign', 'apply'],
    ['geofences', 'create', 'update', 'delete', 'groups', 'import'],
    ['groups', 'create', 'update', 'delete', 'apply'],
    ['people', 'create', 'update', 'delete', 'set-field', 'set-roles', 'apply'],
    ['tokens', 'create', 'update', 'delete'],
  ];
  const commands = [...verbs.flatMap(([noun, ...all]) => all.map((verb) => [noun, verb])), ['undo']];

  test.each(commands)('is described by the help of %s %s in the same words', async (...words) => {
    const { stdout } = await shellOf('demo', service().fetch)([...words, '--help', '--all']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      '-y, --yes do not ask; required without a terminal to delete or end something, or to change several records',
    );
  });

  test('is not needed for one record that is neither deleted nor ended, which is not asked about either', async () => {
    const fleet = shellOf('demo', service().fetch);
    expect(await fleet(['groups', 'create', '--name', 'One'])).toMatchObject({ code: 0 });
    expect(await fleet(['groups', 'update', 'One', '--name', 'Two'], { answers: [] })).toMatchObject({ code: 0 });
    const file = join(folder(), 'groups.csv');
    writeFileSync(file, 'name,description\nTwo,new\n');
    expect(await fleet(['groups', 'apply', file])).toMatchObject({ code: 0 });
    expect(await fleet(['groups', 'apply', file])).toMatchObject({
      code: 0,
      stderr: '1 stays as it is. Nothing to do.\n',
    });
  });

  test('is needed for several lines of --input that change a record, and nothing is changed without it', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const words = ['groups', 'update', '--input', '-'];
    const input = ndjson({ id: 'Winter roster', name: 'A' }, { id: 'Field service', name: 'B' });
    const refused = await fleet(words, { input });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'The plan needs a confirmation, and this is not a terminal: 2 to change. Nothing was changed.\nhint: Add --yes, or look at the plan with --dry-run.',
    );
    expect(operationsOf(world)).not.toContain('updateGroup');
    const one = ndjson({ id: 'Winter roster', name: 'A' }, { id: 'Field service', name: 'Field service' });
    expect(await fleet(words, { input: one })).toMatchObject({ code: 0 });
  });
});

describe('many', () => {
  const input = ndjson(
    { name: 'North' },
    { description: 'nameless' },
    { name: 'South', parentId: 'nope' },
    { name: 'West' },
  );

  test('continue after a failure, and end with the exit code of the first one', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout, stderr } = await fleet(create, { input });
    expect(code).toBe(6);
    expect(told(stdout)).toEqual(['1 done', '2 failed', '3 failed', '4 done']);
    expect(stderr).toContain('2 of 4 done, 2 failed.\n');
    expect(await names(fleet)).toEqual(expect.arrayContaining(['North', 'West']));
  });

  test('stop at the first that fails with --max-failures 1', async () => {
    const world = service();
    const { stdout, stderr } = await shellOf('demo', world.fetch)([...create, '--max-failures', '1'], { input });
    expect(told(stdout)).toEqual(['1 done', '2 failed']);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      '1 of 4 done, 1 failed, 2 not sent. Stopped after 1 failure; --max-failures changes this number. ',
    );
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(2);
  });

  describe('of which many fail', () => {
    const lines = ndjson(...Array.from({ length: 12 }, (_, n) => ({ name: `g${n}` })));
    /** Every `createGroup` but those at these places is answered with this status. */
    const down = (status: number, ...done: readonly number[]) => {
      const world = service();
      let sent = 0;
      const fetch: Fetch = (url, init) => {
        if (!/mutation createGroup\b/.test(init.body ?? '')) return world.fetch(url, init);
        sent++;
        return done.includes(sent) ? world.fetch(url, init) : Promise.resolve(new Response('{}', { status }));
      };
      return { fleet: shellOf('demo', fetch), sent: () => sent };
    };

    test('stop after five in a row, also when their outcome is unknown, and say why', async () => {
      const failed = join(folder(), 'failed.ndjson');
      const { fleet, sent } = down(503, 1, 2);
      const { code, stdout, stderr } = await fleet([...create, '--failed', failed], { input: lines });
      expect([code, sent()]).toEqual([9, 7]);
      expect(told(stdout).map((row) => row.split(' ')[1])).toEqual(['done', 'done', ...Array(5).fill('unknown')]);
      expect(stderr.replace(/\s+/g, ' ')).toContain(
        `2 of 12 done, 5 with unknown outcome: check before you repeat them, 5 not sent; --input ${failed} repeats what was not done. Stopped after 5 failures in a row; --max-failures changes this number.`,
      );
      expect(readFileSync(failed, 'utf8')).toBe(lines.split('\n').slice(7).join('\n'));
    });

    test('go on when one in between is done', async () => {
      const { fleet, sent } = down(403, 5, 10);
      const { stderr } = await fleet(create, { input: lines });
      expect(sent()).toBe(12);
      expect(stderr).toContain('2 of 12 done, 10 failed.\n');
    });

    test.each([
      ['3', 3],
      ['none', 12],
    ])('--max-failures %s', async (count, wanted) => {
      const { fleet, sent } = down(403);
      const { stderr } = await fleet([...create, '--max-failures', count, '-o', 'json'], { input: lines });
      expect(sent()).toBe(wanted);
      expect(JSON.parse(stderr).error.hint.includes('Stopped after 3 failures in a row')).toBe(count === '3');
    });

    test.each(['0', '-1', '2.5', 'all'])('--max-failures %s is refused', async (count) => {
      const { fleet, sent } = down(403);
      const { code, stderr } = await fleet([...create, `--max-failures=${count}`], { input: lines });
      expect([code, sent()]).toEqual([2, 0]);
      expect(stderr).toContain('Write a whole number from 1, or none to send all changes.');
    });
  });

  test('report the line numbers of the file', async () => {
    const gaps = `\uFEFF\r\n${JSON.stringify({ name: 'North' })}\r\n\r\n  \r\n${JSON.stringify({ description: '' })}\r\n`;
    const { stdout, stderr } = await shellOf('demo', service().fetch)(create, { input: gaps });
    expect(told(stdout)).toEqual(['2 done', '5 failed']);
    expect(stderr).toContain('error: Line 5: ');
  });

  test('are an array with -o json, with one line of JSON on stderr when one fails and none otherwise', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { stdout, stderr } = await fleet([...create, '-o', 'json'], { input });
    expect(JSON.parse(stdout)).toMatchObject([
      { line: 1, status: 'done', result: { name: 'North' }, error: null },
      { line: 2, status: 'failed', id: null, result: null, error: { code: 'GRAPHQL', exitCode: 6 } },
      { line: 3, status: 'failed', error: { code: 'NOT_FOUND', message: 'There is no group "nope".', exitCode: 5 } },
      { line: 4, status: 'done', result: { name: 'West' } },
    ]);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(JSON.parse(stderr).error).toMatchObject({ exitCode: 6, hint: '2 of 4 done, 2 failed.' });
    const good = await fleet([...create, '-o', 'ndjson'], { input: ndjson({ name: 'a' }, { name: 'b' }) });
    expect(good.stderr).toBe('');
    expect(
      good.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).status),
    ).toEqual(['done', 'done']);
  });

  test('show the progress only on a terminal', async () => {
    const fleet = shellOf('demo', service().fetch);
    const lines = ndjson({ name: 'a' }, { name: 'b' });
    const seen = (await fleet(create, { input: lines, terminal: 80 })).stderr;
    expect(seen).toBe(
      '\r\u001b[2K1 of 2\r\u001b[2K\r\u001b[2K2 of 2\r\u001b[2K2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    );
    expect((await fleet(create, { input: lines })).stderr).toBe(
      '2 of 2 done.\nDone as #2; `fleet undo 2` takes it back.\n',
    );
  });

  test('stop at once after an error that every other line would meet too', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const lines = ndjson(...Array.from({ length: 5 }, (_, n) => ({ name: `g${n}` })));
    world.faults.add({ kind: 'status', status: 401, times: 1_000, path: '/graphql' });
    const { code, stdout, stderr } = await fleet(create, { input: lines });
    expect(code).toBe(4);
    expect(told(stdout)).toEqual(['1 failed']);
    expect(stderr).toContain('0 of 5 done, 1 failed, 4 not sent.');
  });

  test('with one line count as many in an ndjson file', async () => {
    const file = join(folder(), 'one.ndjson');
    writeFileSync(file, ndjson({ name: 'alone' }));
    const fleet = shellOf('demo', service().fetch);
    expect(JSON.parse((await fleet(['groups', 'create', '--input', file, '-o', 'json'])).stdout)).toMatchObject([
      { line: 1, status: 'done' },
    ]);
  });

  test('are all sent when the reader closes the pipe', async () => {
    const world = service();
    let portions = 0;
    const stdout = new Writable({
      write: (_chunk, _encoding, done) =>
        done(++portions > 1 ? Object.assign(new Error('nobody reads'), { code: 'EPIPE' }) : null),
    });
    const stderr = new PassThrough();
    const lines = Array.from({ length: 30 }, (_, n) => ({ name: `g${n}` }));
    const code = await run(create, {
      stdin: Readable.from([ndjson(...lines)]),
      stdout,
      stderr,
      env: { FLEET_CONFIG_DIR: folder(), FLEET_BASE_URL: baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' },
      signal: new AbortController().signal,
      fetch: world.fetch,
      clock,
    });
    expect({ code, stderr: String(stderr.read()) }).toEqual({
      code: 0,
      stderr: '30 of 30 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    });
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(30);
  });

  test('look names up once', async () => {
    const world = service();
    const lines = ndjson('Winter roster', 'Service', 'Long haul West');
    await shellOf('demo', world.fetch)(['groups', 'delete', '--yes', '--input', '-'], { input: lines });
    expect(operationsOf(world)).toEqual([
      'getGroups',
      'getRules',
      'getGroups',
      'deleteGroup',
      'deleteGroup',
      'deleteGroup',
    ]);
  });
});

describe('--failed', () => {
  const lines = [{ name: 'North' }, { description: 'nameless' }, 'oops', { name: 'South', parentId: 'nope' }];
  const usable = lines.filter((line) => typeof line !== 'string');

  test('has the lines that were not done, readable only by its owner, and works as --input', async () => {
    const failed = join(folder(), 'failed.ndjson');
    const fleet = shellOf('demo', service().fetch);
    const { stderr } = await fleet([...create, '--failed', failed], { input: ndjson(...usable) });
    expect(readFileSync(failed, 'utf8')).toBe(ndjson(usable[1], usable[2]));
    expect(stderr).toContain(`--input ${failed} repeats what was not done.`);
    if (process.platform !== 'win32') expect(statSync(failed).mode & 0o777).toBe(0o600);
    await fleet(['groups', 'create', '--name', 'nope']);
    const rest = join(folder(), 'rest.ndjson');
    const again = await fleet(['groups', 'create', '--yes', '--input', failed, '--failed', rest]);
    expect(told(again.stdout)).toEqual(['1 failed', '2 done']);
    expect(readFileSync(rest, 'utf8')).toBe(ndjson(usable[1]));
  });

  test('is emptied when everything is done, and unchanged when nothing was tried', async () => {
    const failed = join(folder(), 'failed.ndjson');
    writeFileSync(failed, 'of an earlier run\n');
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet([...create, '--failed', failed], { input: ndjson(...lines) })).code).toBe(2);
    expect(readFileSync(failed, 'utf8')).toBe('of an earlier run\n');
    expect((await fleet([...create, '--failed', failed], { input: ndjson({ name: 'a' }) })).code).toBe(0);
    expect(readFileSync(failed, 'utf8')).toBe('');
  });

  test('has the lines that were not sent', async () => {
    const failed = join(folder(), 'failed.ndjson');
    await shellOf('demo', service().fetch)([...create, '--max-failures', '1', '--failed', failed], {
      input: ndjson(...usable),
    });
    expect(readFileSync(failed, 'utf8')).toBe(ndjson(usable[1], usable[2]));
  });

  test.each([
    ['that cannot be written', '/nowhere/f', 'cannot be written'],
    ['that is a folder', tmpdir(), 'cannot be written'],
    ['that is the file of --input', 'same', '--failed and --input name the same file.'],
    ['that is a table for lines', 'again.csv', '--failed cannot write csv'],
  ])('%s is refused by --dry-run and before the question, as by the run', async (_what, name, said) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const path = folder();
    const file = join(path, 'input.ndjson');
    writeFileSync(file, ndjson(...usable));
    const failed = name === 'same' ? file : name.startsWith('/') ? name : join(path, name);
    const words = ['groups', 'update', '--name', 'x', '--input', file, '--failed', failed];
    writeFileSync(file, ndjson('Winter roster', 'Long haul West'));
    const outcomes = [
      await fleet([...words, '--dry-run']),
      await fleet([...words, '--yes']),
      await fleet(words, { answers: [], env: { NO_COLOR: '1' } }),
    ];
    for (const { code, stdout, stderr } of outcomes) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.replace(/\s+/g, ' ')).toContain(said);
      expect(stderr.replace(/\s+/g, ' ')).toBe(outcomes[0]?.stderr.replace(/\s+/g, ' '));
    }
    expect(operationsOf(world)).not.toContain('updateGroup');
  });

  test('is not created by --dry-run', async () => {
    const failed = join(folder(), 'failed.ndjson');
    const { code } = await shellOf('demo', service().fetch)([...create, '--failed', failed, '--dry-run'], {
      input: ndjson({ name: 'a' }),
    });
    expect([code, existsSync(failed)]).toEqual([10, false]);
  });

  test('must not be the file of --input, under any name', async () => {
    const path = folder();
    const file = join(path, 'input.ndjson');
    writeFileSync(file, ndjson(...usable));
    linkSync(file, join(path, 'linked.ndjson'));
    const world = service();
    for (const failed of [file, join(path, '.', 'x', '..', 'input.ndjson'), join(path, 'linked.ndjson')]) {
      const outcome = await shellOf(
        'demo',
        world.fetch,
      )(['groups', 'create', '--yes', '--input', file, '--failed', failed]);
      expect(outcome.code).toBe(2);
      expect(outcome.stderr).toContain('--failed and --input name the same file.');
    }
    expect(operationsOf(world)).not.toContain('createGroup');
    expect(readFileSync(file, 'utf8')).toBe(ndjson(...usable));
  });

  test('that cannot be written is reported before anything is sent', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const outcome = await fleet([...create, '--failed', '/nowhere/f'], { input: ndjson(...usable) });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(operationsOf(world)).not.toContain('createGroup');
    expect((await fleet(['groups', 'create', '--name', 'x', '--failed', 'y'])).stderr).toContain(
      'needs --input with many changes',
    );
    expect(existsSync('y')).toBe(false);
  });

  test('keeps the access rights of an existing file', async () => {
    const failed = join(folder(), 'failed.ndjson');
    writeFileSync(failed, '');
    chmodSync(failed, 0o644);
    await shellOf('demo', service().fetch)([...create, '--failed', failed], { input: ndjson(...usable) });
    if (process.platform !== 'win32') expect(statSync(failed).mode & 0o777).toBe(0o644);
  });
});

describe('a change with an unknown outcome', () => {
  test('is reported as such, is not repeated and is not in the --failed file', async () => {
    const world = service();
    world.faults.add({ kind: 'reset', times: 1, operation: 'createGroup' });
    const failed = join(folder(), 'failed.ndjson');
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)([...create, '--failed', failed], {
      input: ndjson({ name: 'a' }, { name: 'b' }, { description: '' }),
    });
    expect(code).toBe(9);
    expect(told(stdout)).toEqual(['1 unknown', '2 done', '3 failed']);
    expect(stderr).toContain('1 of 3 done, 1 failed, 1 with unknown outcome: check before you repeat it');
    expect(readFileSync(failed, 'utf8')).toBe(ndjson({ description: '' }));
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(3);
  });
});

describe('an interrupt', () => {
  test('during a change leaves its outcome unknown, and the others not sent', async () => {
    const lines = Array.from({ length: 5 }, (_, n) => ({ name: `g${n}` }));
    const world = service();
    const controller = new AbortController();
    const fetch: Fetch = (url, init) => {
      if (!init.body?.includes('"g1"')) return world.fetch(url, init);
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const failed = join(folder(), 'failed.ndjson');
    const { code, stdout, stderr } = await shellOf('demo', fetch)([...create, '--failed', failed], {
      input: ndjson(...lines),
      signal: controller.signal,
    });
    expect(code).toBe(130);
    expect(told(stdout)).toEqual(['1 done', '2 unknown']);
    expect(stderr).toContain('1 of 5 done, 1 with unknown outcome: check before you repeat it, 3 not sent');
    expect(stderr).toContain('error: Interrupted.\n');
    expect(stderr).not.toContain('hint:');
    expect(readFileSync(failed, 'utf8')).toBe(ndjson(...lines.slice(2)));
    expect(await names(shellOf('demo', world.fetch))).toContain('g0');
  });

  test('while a name is looked up sends no change', async () => {
    const world = service();
    const controller = new AbortController();
    const fetch: Fetch = (url, init) => {
      if (!init.body?.includes('getGroups')) return world.fetch(url, init);
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const { code, stdout } = await shellOf('demo', fetch)(['groups', 'delete', '--yes', '--input', '-'], {
      input: ndjson('Winter roster', 'Service'),
      signal: controller.signal,
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(operationsOf(world)).toEqual([]);
  });
});

describe('what hangs on a record that is deleted', () => {
  const asked = async (...words: readonly string[]) => {
    const fleet = shellOf('demo', service().fetch);
    const { stderr } = await fleet(words, { answers: [['[y/N]', 'n']] });
    return stderr.split('Delete')[0];
  };

  test('stands in the question: vehicles, groups below and rules, the van and the token of a person', async () => {
    expect(await asked('groups', 'delete', 'Long haul')).toMatch(/ {2}- Long haul: .*2 groups below it/);
    expect(await asked('groups', 'delete', 'Winter roster')).toContain('  - Winter roster: 1 vehicle');
    expect(await asked('people', 'delete', 'Liis Tamm')).toContain('  - Liis Tamm: drives Van 03, 1 token');
    expect(await asked('geofences', 'delete', 'Depot Tartu')).toMatch(/- Depot Tartu: rules? "/);
    expect(await asked('tokens', 'delete', 'BB9A133C8C03C8D8')).toMatch(/ {2}- BB9A133C8C03C8D8: identifies Liis Tamm/);
  });

  test('and in that of apply --prune, each record with its own', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = 'firstName,lastName\nKarl,Berg\n';
    const words = ['people', 'apply', '-', '--input-format', 'csv', '--prune', '--dry-run'];
    const table = await fleet(words, { input, terminal: 120, env: { NO_COLOR: '1' } });
    expect(table.stdout).toMatch(/^- {2}Liis Tamm +drives Van 03, 1 token, is a user of the service$/m);
    const rows: readonly Record<string, unknown>[] = JSON.parse(
      (await fleet([...words, '-o', 'json'], { input })).stdout,
    );
    expect(rows.find(({ name }) => name === 'Liis Tamm')).toMatchObject({
      action: 'delete',
      told: 'drives Van 03, 1 token, is a user of the service',
      dependents: { assignments: [{ vehicle: 'Van 03', endedAt: null }] },
    });
  });

  test('that cannot be read is said, and nothing else changes', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', operation: 'getRules', message: 'Closed' });
    const fleet = shellOf('demo', world.fetch);
    const { code, stderr } = await fleet(['groups', 'delete', 'Winter roster'], { answers: [['[y/N]', 'y']] });
    expect(code).toBe(0);
    expect(stderr).toMatch(/could not be read: `fleet undo` would not bring it\sback\..* - Winter roster: 1 vehicle/s);
  });

  test('stands in the plan too, and is read once for plan and journal', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const { stdout } = await fleet(['groups', 'delete', 'Winter roster', '--dry-run'], {
      terminal: 80,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toBe('   NAME           CHANGES\n-  Winter roster  1 vehicle\n');
    expect(operationsOf(world)).toContain('getRules');
    const quiet = service();
    await shellOf('demo', quiet.fetch)(['groups', 'delete', 'Winter roster', '--yes']);
    expect(operationsOf(quiet)).toEqual(['getGroups', 'getRules', 'getGroups', 'deleteGroup']);
  });
});
