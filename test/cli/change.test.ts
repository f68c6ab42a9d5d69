// Changes of `fleet groups` and `fleet people`: dry runs, confirmation, one change or many.
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
const create = ['groups', 'create', '--input', '-'];
const apply = ['groups', 'apply', '-', '--input-format', 'ndjson', '--yes'];
const grouped = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `g${n}` }));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'fleet-change-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function operationsOf(world: MockService): readonly string[] {
  return world.requests.flatMap(({ operations }) => operations);
}

async function names(fleet: Shell): Promise<readonly string[]> {
  return Object.values(Object(await jsonOf(fleet, 'groups', 'list'))).map((group) => Object(group).name);
}

/** Returns line and status of each row of tsv output. */
function rowStatuses(stdout: string): readonly string[] {
  const rows = stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => {
    const cells = row.split('\t');
    return `${cells[3]} ${cells[5]}`;
  });
}

/** Returns a fetch that answers the creation of these groups with an error. */
function refusing(world: MockService, ...refused: readonly string[]): Fetch {
  return (url, init) => {
    const body = init.body ?? '';
    const isRefused = /mutation createGroup\b/.test(body) && refused.some((name) => body.includes(`"${name}"`));
    if (!isRefused) return world.fetch(url, init);
    return Promise.resolve(Response.json({ data: null, errors: [{ message: 'refused', path: ['createGroup'] }] }));
  };
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

  test('shows the request that would be sent only with --verbose', async () => {
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

  test('does not ask before a deletion, and reports an unknown id', async () => {
    const fleet = shellOf('demo', service().fetch);
    const { code, stdout } = await fleet(['groups', 'delete', winterRoster, '--dry-run'], { terminal: 80 });
    expect({ code, stdout }).toEqual({ code: 10, stdout: expect.stringContaining('Winter roster') });
    const gone = await fleet(['groups', 'delete', someId(1), '--dry-run']);
    expect(gone).toMatchObject({ code: 5, stdout: '' });
    expect(gone.stderr).toContain(`There is no group with the id ${someId(1)}.`);
  });

  test('reads ten thousand lines', async () => {
    const groups = Array.from({ length: 10_000 }, (_, n) => ({ name: `Group ${n}` }));
    const { stdout } = await shellOf('demo', service().fetch)([...apply, '--dry-run'], { input: ndjson(...groups) });
    expect(stdout.trimEnd().split('\n')).toHaveLength(10_001);
  });
});

describe('lines of a file about one record', () => {
  const world = service();
  const applied = async (...lines: readonly ((id: string) => object)[]) => {
    const fleet = shellOf('demo', world.fetch);
    const { id } = Object(await jsonOf(fleet, 'vehicles', 'get', 'Van 01'));
    world.clearRequests();
    const words = ['vehicles', 'apply', '-', '--input-format', 'ndjson', '--yes'];
    const outcome = await fleet(words, { input: ndjson(...lines.map((line) => line(id))) });
    return { ...outcome, sent: operationsOf(world).filter((name) => !name.startsWith('get')) };
  };

  test('that contradict each other are refused with both lines, by whatever name', async () => {
    const make = await applied(
      () => ({ id: 'Van 01', make: 'A' }),
      (id) => ({ id, make: 'B' }),
    );
    expect(make).toMatchObject({ code: 2, stdout: '', sent: [] });
    expect(make.stderr).toContain('line 2: "Van 01" is in the file already, in line 1, with another make.');
    expect(make.stderr).toContain('hint: Combine both lines into one.\n');
    const field = (value: string) => () => ({ id: 'Van 01', customFields: { 'Cost centre': value } });
    const fields = await applied(field('1'), field('2'));
    expect(fields).toMatchObject({ code: 2, stdout: '', sent: [] });
    expect(fields.stderr).toContain('line 2: "Van 01" is in the file already, in line 1, with another customFields.');
  });

  test('that say the same are done once', async () => {
    const done = await applied(
      () => ({ id: 'van 01', make: 'A' }),
      (id) => ({ id, make: 'A' }),
    );
    expect(done).toMatchObject({ code: 0, sent: ['updateVehicle'] });
    const named = await applied(
      () => ({ name: 'Van 01', make: 'B' }),
      (id) => ({ id, make: 'B' }),
    );
    expect(named).toMatchObject({ code: 0, sent: ['updateVehicle'] });
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

  test.each([
    [{ vehicel: 1 }, 'AssignDriverInput has no member "vehicel".'],
    [{ startTimestamp: '1 March 2026' }, 'startTimestamp is not of type DateTime.'],
    [{ driverId: undefined }, '<driver> is missing.'],
    [{ driverId: 7 }, '"driverId" is not a text.'],
  ])('of a fully known type is checked against the contract: %j', async (members, problem) => {
    const world = service();
    const { code, stderr } = await shellOf('demo', world.fetch)(['drivers', 'assign', '--input', '-'], {
      input: JSON.stringify({ vehicleId: someId(1), driverId: someId(2), ...members }),
    });
    expect({ code, sent: world.requests }).toEqual({ code: 2, sent: [] });
    expect(stderr).toContain(`${problem} Nothing was sent.`);
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

  test('may give the record by its own name, as id, or as in the variables', async () => {
    const fleet = shellOf('demo', service().fetch);
    const expected = { groupId: winterRoster, updateGroupInput: { name: 'x' } };
    for (const line of [{ groupId: winterRoster, name: 'x' }, { id: winterRoster, name: 'x' }, expected]) {
      const { stdout } = await fleet(['groups', 'update', '--input', '-', '--dry-run', '-o', 'json'], {
        input: JSON.stringify(line),
      });
      expect(JSON.parse(stdout).variables).toEqual(expected);
    }
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

  test('that cannot be read is reported before anything is sent', async () => {
    const { code, stderr } = await shell(service().fetch, {})(['groups', 'create', '--input', '/nowhere/x.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('The file /nowhere/x.json cannot be read (ENOENT).');
  });

  test('of a deletion is its arguments', async () => {
    const { code, stderr } = await shell(service().fetch, {})(['groups', 'delete', '--input', '-'], { input: '{}' });
    expect(code).toBe(2);
    expect(stderr).toContain("Unknown option '--input'.");
  });
});

describe('an input of several records is refused with a hint at apply', () => {
  const object = { name: 'a' };
  const table = 'it is a table, and this takes one JSON object';
  const other = 'it is not one JSON object';
  const commands = [
    create,
    ['people', 'set-roles', '--input', '-'],
    ['vehicles', 'set-field', '--input', '-'],
    ['vehicles', 'groups', '--input', '-'],
    ['drivers', 'unassign', '--yes', '--input', '-'],
    ['tokens', 'update', '--input', '-'],
    ['geofences', 'create', '--input', '-'],
  ];
  const refusal = async (words: readonly string[], input?: string) => {
    const world = service();
    const outcome = await shellOf('demo', world.fetch)(words, input === undefined ? {} : { input });
    expect({ ...outcome, sent: world.requests }).toMatchObject({ code: 2, stdout: '', sent: [] });
    return outcome.stderr;
  };
  const message = (reason: string) =>
    `error: The input cannot be used: ${reason}. Nothing was sent.\n` +
    'hint: Files of many records are for `apply`, such as `fleet people apply people.csv`.\n';

  test.each(commands)('by %s %s', async (...words) => {
    expect(await refusal(words, JSON.stringify([object]))).toBe(message(other));
  });

  test.each([
    ['an empty array', '[]'],
    ['lines', ndjson(object, object)],
    ['lines with an error', `${JSON.stringify(object)}\n{"name":"b",}\n`],
    ['objects over several lines', `${JSON.stringify(object, null, 2)}\n${JSON.stringify(object, null, 2)}\n`],
    ['a text', '"Winter roster"'],
    ['texts', ndjson('Winter roster', 'Service')],
    ['a table', 'name,description\na,b\n'],
  ])('as %s on stdin', async (_, input) => {
    expect(await refusal(create, input)).toBe(message(other));
  });

  test.each([
    ['groups.csv', 'name\na\n', table],
    ['groups.tsv', 'name\na\n', table],
    ['groups.xlsx', 'PK\u0003\u0004', table],
    ['workbook', 'PK\u0003\u0004', table],
    ['one.ndjson', ndjson(object, object), other],
    ['list.yaml', '- name: a\n', other],
    ['documents.yaml', 'name: a\n---\nname: b\n', other],
  ])('as the file %s', async (name, content, reason) => {
    const file = join(folder(), name);
    writeFileSync(file, content);
    expect(await refusal(['groups', 'create', '--input', file])).toBe(message(reason));
  });

  test('and an empty one asks for an object', async () => {
    expect(await refusal(create, ' \n')).toBe(
      'error: The input cannot be used: it is empty. Nothing was sent.\nhint: Give one JSON object.\n',
    );
  });

  test('and one object in a YAML file or alone in a file of lines is taken', async () => {
    const path = folder();
    writeFileSync(join(path, 'one.yaml'), 'name: Of YAML\n');
    writeFileSync(join(path, 'one.ndjson'), ndjson({ name: 'Of a line' }));
    const fleet = shellOf('demo', service().fetch);
    for (const file of ['one.yaml', 'one.ndjson']) {
      expect((await fleet(['groups', 'create', '--input', join(path, file)])).code).toBe(0);
    }
    expect(await names(fleet)).toEqual(expect.arrayContaining(['Of YAML', 'Of a line']));
  });
});

describe('an input with the members of a live service', () => {
  test.each([
    [['tokens', 'create'], 'createDriverToken', 'createDriverTokenInput', { personId: someId(1), tokenValue: 'x' }],
    [['geofences', 'create'], 'createGeofence', 'geofenceInput', { title: 'Yard', centre: { lat: 59, lon: 24 } }],
  ])('%j is sent as it is, with a warning for each of them', async (words, operation, variable, members) => {
    const world = service();
    const sent: unknown[] = [];
    const fetch: Fetch = (url, init) => {
      const body = init.body ?? '';
      if (!body.includes(`mutation ${operation}`)) return world.fetch(url, init);
      sent.push(JSON.parse(body).variables);
      return Promise.resolve(Response.json({ data: { [operation]: { id: someId(2) } } }));
    };
    const { code, stderr } = await shellOf('demo', fetch)([...words, '--input', '-'], {
      input: JSON.stringify(members),
    });
    expect({ code, sent }).toEqual({ code: 0, sent: [{ [variable]: members }] });
    const warnings = Object.keys(members).map(
      (name) =>
        `warning: "${name}" is not a known member of ${words[0] === 'tokens' ? 'CreateDriverTokenInput' : 'CreateGeofenceInput'}; it is sent as it is.\n`,
    );
    expect(stderr).toBe(`Done as #1; \`fleet undo 1\` takes it back.\n${warnings.join('')}`);
    expect(operationsOf(world)).toEqual([]);
  });

  test('needs what the contract demands without them, and has no members that are nearly known', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const create = async (noun: string, members: object) =>
      (await fleet([noun, 'create', '--input', '-'], { input: JSON.stringify(members) })).stderr;
    expect(await create('tokens', { value: 'x' })).toContain('<driver> is missing.');
    expect(await create('geofences', { name: 'Yard' })).toContain('The geofence has no shape.');
    expect(await create('tokens', { driverId: someId(1), valeu: 'x' })).toContain('Did you mean "value"?');
    expect(world.requests).toEqual([]);
  });
});

describe('an answer without a result', () => {
  /** Returns a fetch that replaces the answer of an operation. */
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
    const declined = await fleet(remove, { answers: [['[y/N]', '']] });
    expect(declined.code).toBe(130);
    expect(declined.stderr).toContain('  - Winter roster: 1 vehicle\n');
    expect(declined.stderr).toContain('1 to delete. Make this change? [y/N]');
    expect(declined.stderr).toContain('Not confirmed; nothing was changed.');
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
});

describe('the values of a plan', () => {
  const planned = async (words: readonly string[], input: unknown) => {
    const fleet = shellOf('demo', service().fetch);
    const place = { input: JSON.stringify(input), terminal: 400, env: { NO_COLOR: '1' } };
    return (await fleet([...words, '--input', '-', '--dry-run'], place)).stdout.split('\n')[1];
  };

  test('of a new record are all members but its name, also nested ones and those whose text is in the name', async () => {
    const person = {
      firstName: 'Tamm',
      lastName: 'Nora',
      isDriver: false,
      phone: '',
      customFields: [{ name: 'Department', value: 'Garage' }],
    };
    expect(await planned(['people', 'create'], person)).toMatch(
      /^\+ {2}Tamm Nora {2}isDriver no, customFields\.Department Garage *$/,
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
    writeFileSync(
      file,
      ndjson({ firstName: 'Anna', lastName: 'Tamm', phone: '1' }, { firstName: 'Mari', lastName: 'Saar' }),
    );
    const words = ['people', 'apply', file];
    const { stderr } = await fleet(words, { answers: [['[y/N]', 'n']] });
    expect(stderr).toContain('  + Anna Tamm: phone 1\n');
    const plan = Object(await fleet([...words, '--dry-run', '-o', 'json']));
    expect(JSON.parse(plan.stdout)[0].changes).toEqual([
      { field: 'firstName', before: null, after: 'Anna' },
      { field: 'lastName', before: null, after: 'Tamm' },
      { field: 'phone', before: null, after: '1' },
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
    ['tokens', 'create', 'update', 'delete', 'apply'],
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
      stderr:
        '9 groups of the service are not in the file; --prune would delete them.\n1 stays as it is. Nothing to do.\n',
    });
  });

  test('is needed for several lines that change a record, and nothing is changed without it', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const words = apply.filter((word) => word !== '--yes');
    const input = ndjson({ id: winterRoster, name: 'A' }, { id: fieldService, name: 'B' });
    const refused = await fleet(words, { input });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(
      'The plan needs a confirmation, and this is not a terminal: 2 to change. Nothing was changed.\nhint: Add --yes, or look at the plan with --dry-run.',
    );
    expect(operationsOf(world)).not.toContain('updateGroup');
    const one = ndjson({ id: winterRoster, name: 'A' }, { id: fieldService, name: 'Field service' });
    expect(await fleet(words, { input: one })).toMatchObject({ code: 0 });
  });
});

describe('many', () => {
  const input = ndjson({ name: 'North' }, { name: 'East' }, { name: 'South' }, { name: 'West' });
  const refused = ['East', 'South'];
  const plain = { NO_COLOR: '1' };

  test('continue after a failure, and end with the exit code of the first one', async () => {
    const world = service();
    const fleet = shellOf('demo', refusing(world, ...refused));
    const { code, stdout, stderr } = await fleet(apply, { input });
    expect(code).toBe(6);
    expect(rowStatuses(stdout)).toEqual(['1 done', '2 failed', '3 failed', '4 done']);
    expect(stderr).toContain('2 of 4 done, 2 failed; the same command tries again.\n');
    expect(stderr).toContain('error: "East": ');
    const table = await shellOf('demo', refusing(service(), ...refused))(apply, { input, terminal: 120, env: plain });
    expect(table.stdout.split('\n').map((row) => row.trimEnd().split(/ {2,}/))).toMatchObject([
      ['', 'NAME', 'STATUS', 'ERROR'],
      ['+', 'North', 'done'],
      ['+', 'East', 'failed', expect.stringContaining('refused')],
      ['+', 'South', 'failed', expect.stringContaining('refused')],
      ['+', 'West', 'done'],
      [''],
    ]);
    expect(await names(fleet)).toEqual(expect.arrayContaining(['North', 'West']));
  });

  test('stop at the first that fails with --max-failures 1', async () => {
    const world = service();
    const fleet = shellOf('demo', refusing(world, ...refused));
    const { stdout, stderr } = await fleet([...apply, '--max-failures', '1'], { input });
    expect(rowStatuses(stdout)).toEqual(['1 done', '2 failed']);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      '1 of 4 done, 1 failed, 2 not sent; the same command tries again. Stopped after 1 failure; --max-failures changes this number. ',
    );
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(1);
  });

  describe('when many fail', () => {
    const lines = ndjson(...grouped(12));
    /** Returns a service that answers each `createGroup` with this status, with exceptions. */
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
      const { code, stdout, stderr } = await fleet([...apply, '--failed', failed], { input: lines });
      expect([code, sent()]).toEqual([9, 7]);
      expect(rowStatuses(stdout).map((row) => row.split(' ')[1])).toEqual([
        'done',
        'done',
        ...Array(5).fill('unknown'),
      ]);
      expect(stderr.replace(/\s+/g, ' ')).toContain(
        `2 of 12 done, 5 with unknown outcome: check before you repeat them, 5 not sent; the same command tries again. Stopped after 5 failures in a row; --max-failures changes this number.`,
      );
      expect(readFileSync(failed, 'utf8')).toBe(lines.split('\n').slice(7).join('\n'));
    });

    test('continue when one in between succeeds', async () => {
      const { fleet, sent } = down(403, 5, 10);
      const { stderr } = await fleet(apply, { input: lines });
      expect(sent()).toBe(12);
      expect(stderr).toContain('2 of 12 done, 10 failed; the same command tries again.\n');
    });

    test.each([
      ['3', 3],
      ['none', 12],
    ])('--max-failures %s', async (count, expected) => {
      const { fleet, sent } = down(403);
      const { stderr } = await fleet([...apply, '--max-failures', count, '-o', 'json'], { input: lines });
      expect(sent()).toBe(expected);
      expect(JSON.parse(stderr).error.hint.includes('Stopped after 3 failures in a row')).toBe(count === '3');
    });

    test.each(['0', '-1', '2.5', 'all'])('--max-failures %s is refused', async (count) => {
      const { fleet, sent } = down(403);
      const { code, stderr } = await fleet([...apply, `--max-failures=${count}`], { input: lines });
      expect([code, sent()]).toEqual([2, 0]);
      expect(stderr).toContain('Write a whole number from 1, or none to send all changes.');
    });
  });

  test('report the line numbers of the file', async () => {
    const gaps = `\uFEFF\r\n${JSON.stringify({ name: 'North' })}\r\n\r\n  \r\n${JSON.stringify({ name: 'East' })}\r\n`;
    const fleet = shellOf('demo', refusing(service(), 'East'));
    expect(rowStatuses((await fleet(apply, { input: gaps })).stdout)).toEqual(['2 done', '5 failed']);
    expect((await fleet(apply, { input: gaps.replace('name":"East', 'description":"') })).stderr).toContain('line 5: ');
  });

  test('are an array with -o json, with one line of JSON on stderr when one fails and none otherwise', async () => {
    const fleet = shellOf('demo', refusing(service(), ...refused));
    const { stdout, stderr } = await fleet([...apply, '-o', 'json'], { input });
    const failed = { status: 'failed', id: null, error: { code: 'GRAPHQL', exitCode: 6 } };
    expect(JSON.parse(stdout)).toMatchObject([
      { line: 1, status: 'done', name: 'North', error: null },
      { line: 2, name: 'East', ...failed },
      { line: 3, name: 'South', ...failed },
      { line: 4, status: 'done', name: 'West' },
    ]);
    expect(stderr.split('\n')).toHaveLength(2);
    expect(JSON.parse(stderr).error).toMatchObject({
      exitCode: 6,
      hint: expect.stringContaining('2 of 4 done, 2 failed; the same command tries again.'),
    });
    const good = await fleet([...apply, '-o', 'ndjson'], { input: ndjson({ name: 'a' }, { name: 'b' }) });
    expect(good.stderr).toBe('');
    const statuses = good.stdout.trimEnd().split('\n');
    expect(statuses.map((line) => JSON.parse(line).status)).toEqual(['done', 'done']);
  });

  test('show the progress only on a terminal', async () => {
    const fleet = shellOf('demo', service().fetch);
    const lines = ndjson({ name: 'a' }, { name: 'b' });
    const seen = (await fleet(apply, { input: lines, terminal: 80 })).stderr;
    expect(seen).toBe(
      '2 to create\n\r\u001b[2K1 of 2\r\u001b[2K\r\u001b[2K2 of 2\r\u001b[2K2 of 2 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    );
    const others = ndjson({ name: 'c' }, { name: 'd' });
    expect((await fleet(apply, { input: others })).stderr).toBe(
      '2 to create\n2 of 2 done.\nDone as #2; `fleet undo 2` takes it back.\n',
    );
  });

  test('stop at once after an error that every other line would meet too', async () => {
    const world = service();
    const fetch: Fetch = (url, init) =>
      /mutation createGroup\b/.test(init.body ?? '')
        ? Promise.resolve(new Response('{}', { status: 401 }))
        : world.fetch(url, init);
    const { code, stdout, stderr } = await shellOf('demo', fetch)(apply, { input: ndjson(...grouped(5)) });
    expect(code).toBe(4);
    expect(rowStatuses(stdout)).toEqual(['1 failed']);
    expect(stderr).toContain('0 of 5 done, 1 failed, 4 not sent; the same command tries again.');
  });

  test('are all sent when the reader closes the pipe', async () => {
    const world = service();
    let portions = 0;
    const stdout = new Writable({
      write: (_chunk, _encoding, done) =>
        done(++portions > 1 ? Object.assign(new Error('nobody reads'), { code: 'EPIPE' }) : null),
    });
    const stderr = new PassThrough();
    const lines = grouped(30);
    const code = await run(apply, {
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
      stderr: '30 to create\n30 of 30 done.\nDone as #1; `fleet undo 1` takes it back.\n',
    });
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(30);
  });

  test('change nothing when there are none', async () => {
    const world = service();
    const { code, stdout, stderr } = await shellOf('demo', world.fetch)([...apply, '-o', 'json'], { input: '[]' });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '[]\n', stderr: 'Nothing to do.\n' });
    expect(operationsOf(world)).toEqual(['getGroups']);
  });

  test('look names up once', async () => {
    const world = service();
    const words = ['groups', 'delete', 'Winter roster', 'Service', 'Long haul West', '--yes'];
    await shellOf('demo', world.fetch)(words);
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
  const lines = [{ name: 'North' }, { name: 'East' }, { name: 'South', parentId: 'Service' }];
  const refused = ['East', 'South'];

  test('has the lines that were not done, readable only by its owner, and can be applied', async () => {
    const failed = join(folder(), 'failed.ndjson');
    const world = service();
    const { stderr } = await shellOf('demo', refusing(world, ...refused))([...apply, '--failed', failed], {
      input: ndjson(...lines),
    });
    expect(readFileSync(failed, 'utf8')).toBe(ndjson(lines[1], lines[2]));
    expect(stderr).toContain('1 of 3 done, 2 failed; the same command tries again.');
    if (process.platform !== 'win32') expect(statSync(failed).mode & 0o777).toBe(0o600);
    const rest = join(folder(), 'rest.ndjson');
    const words = ['groups', 'apply', failed, '--yes', '--failed', rest];
    const again = await shellOf('demo', refusing(world, 'East'))(words);
    expect(rowStatuses(again.stdout)).toEqual(['1 failed', '2 done']);
    expect(readFileSync(rest, 'utf8')).toBe(ndjson(lines[1]));
  });

  test('is emptied when everything is done, and unchanged when nothing was tried', async () => {
    const failed = join(folder(), 'failed.ndjson');
    writeFileSync(failed, 'of an earlier run\n');
    const fleet = shellOf('demo', service().fetch);
    expect((await fleet([...apply, '--failed', failed], { input: ndjson(...lines, 'oops') })).code).toBe(2);
    expect(readFileSync(failed, 'utf8')).toBe('of an earlier run\n');
    expect((await fleet([...apply, '--failed', failed], { input: ndjson({ name: 'a' }) })).code).toBe(0);
    expect(readFileSync(failed, 'utf8')).toBe('');
  });

  test('has the lines that were not sent', async () => {
    const failed = join(folder(), 'failed.ndjson');
    const fleet = shellOf('demo', refusing(service(), ...refused));
    await fleet([...apply, '--max-failures', '1', '--failed', failed], { input: ndjson(...lines) });
    expect(readFileSync(failed, 'utf8')).toBe(ndjson(lines[1], lines[2]));
  });

  test.each([
    ['that cannot be written', '/nowhere/f', 'cannot be written'],
    ['that is a folder', tmpdir(), 'cannot be written'],
    ['that is the file that is applied', 'same', '--failed is the file that is applied.'],
    ['that is a table for lines', 'again.csv', '--failed cannot write csv'],
  ])('%s is refused by --dry-run and before the question, as by the run', async (_what, name, said) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const path = folder();
    const file = join(path, 'input.ndjson');
    writeFileSync(file, ndjson(...lines));
    const failed = name === 'same' ? file : name.startsWith('/') ? name : join(path, name);
    const words = ['groups', 'apply', file, '--failed', failed];
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
    expect(operationsOf(world)).not.toContain('createGroup');
  });

  test('is not created by --dry-run', async () => {
    const failed = join(folder(), 'failed.ndjson');
    const words = ['groups', 'apply', '-', '--input-format', 'ndjson', '--failed', failed, '--dry-run'];
    const { code } = await shellOf('demo', service().fetch)(words, { input: ndjson({ name: 'a' }) });
    expect([code, existsSync(failed)]).toEqual([10, false]);
  });

  test('must not be the file that is applied, under any name', async () => {
    const path = folder();
    const file = join(path, 'input.ndjson');
    writeFileSync(file, ndjson(...lines));
    linkSync(file, join(path, 'linked.ndjson'));
    const world = service();
    for (const failed of [file, join(path, '.', 'x', '..', 'input.ndjson'), join(path, 'linked.ndjson')]) {
      const outcome = await shellOf('demo', world.fetch)(['groups', 'apply', file, '--yes', '--failed', failed]);
      expect(outcome.code).toBe(2);
      expect(outcome.stderr).toContain('--failed is the file that is applied.');
    }
    expect(operationsOf(world)).not.toContain('createGroup');
    expect(readFileSync(file, 'utf8')).toBe(ndjson(...lines));
  });

  test('that cannot be written is reported before anything is sent', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    const outcome = await fleet([...apply, '--failed', '/nowhere/f'], { input: ndjson(...lines) });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(operationsOf(world)).not.toContain('createGroup');
    expect((await fleet(['groups', 'create', '--name', 'x', '--failed', 'y'])).stderr).toContain(
      '--failed belongs to `fleet groups apply`.',
    );
    expect(existsSync('y')).toBe(false);
  });

  test('keeps the access rights of an existing file', async () => {
    const failed = join(folder(), 'failed.ndjson');
    writeFileSync(failed, '');
    chmodSync(failed, 0o644);
    await shellOf('demo', service().fetch)([...apply, '--failed', failed], { input: ndjson(...lines) });
    if (process.platform !== 'win32') expect(statSync(failed).mode & 0o777).toBe(0o644);
  });
});

describe('a change with an unknown outcome', () => {
  test('is reported as such, is not repeated and is not in the --failed file', async () => {
    const world = service();
    world.faults.add({ kind: 'reset', times: 1, operation: 'createGroup' });
    const failed = join(folder(), 'failed.ndjson');
    const fleet = shellOf('demo', refusing(world, 'c'));
    const { code, stdout, stderr } = await fleet([...apply, '--failed', failed], {
      input: ndjson({ name: 'a' }, { name: 'b' }, { name: 'c' }),
    });
    expect(code).toBe(9);
    expect(rowStatuses(stdout)).toEqual(['1 unknown', '2 done', '3 failed']);
    expect(stderr).toContain('1 of 3 done, 1 failed, 1 with unknown outcome: check before you repeat it');
    expect(readFileSync(failed, 'utf8')).toBe(ndjson({ name: 'c' }));
    expect(operationsOf(world).filter((name) => name === 'createGroup')).toHaveLength(2);
  });
});

describe('an interrupt', () => {
  test('during a change leaves its outcome unknown, and the others not sent', async () => {
    const lines = grouped(5);
    const world = service();
    const controller = new AbortController();
    const fetch: Fetch = (url, init) => {
      if (!init.body?.includes('"g1"')) return world.fetch(url, init);
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const failed = join(folder(), 'failed.ndjson');
    const { code, stdout, stderr } = await shellOf('demo', fetch)([...apply, '--failed', failed], {
      input: ndjson(...lines),
      signal: controller.signal,
    });
    expect(code).toBe(130);
    expect(rowStatuses(stdout)).toEqual(['1 done', '2 unknown']);
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
    const { code, stdout } = await shellOf('demo', fetch)(['groups', 'delete', 'Winter roster', 'Service', '--yes'], {
      signal: controller.signal,
    });
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(operationsOf(world)).toEqual([]);
  });
});

describe('the references to a deleted record', () => {
  const promptOf = async (...words: readonly string[]) => {
    const fleet = shellOf('demo', service().fetch);
    const { stderr } = await fleet(words, { answers: [['[y/N]', 'n']] });
    return stderr.split('Delete')[0];
  };

  test('are listed before the question: vehicles, subgroups and rules, the van and the token of a person', async () => {
    expect(await promptOf('groups', 'delete', 'Long haul')).toMatch(/ {2}- Long haul: .*2 groups below it/);
    expect(await promptOf('groups', 'delete', 'Winter roster')).toContain('  - Winter roster: 1 vehicle');
    expect(await promptOf('people', 'delete', 'Liis Tamm')).toContain('  - Liis Tamm: drives Van 03, 1 token');
    expect(await promptOf('geofences', 'delete', 'Depot Tartu')).toMatch(/- Depot Tartu: rules? "/);
    expect(await promptOf('tokens', 'delete', 'BB9A133C8C03C8D8')).toMatch(
      / {2}- BB9A133C8C03C8D8: identifies Liis Tamm/,
    );
  });

  test('are listed by apply --prune, for each record', async () => {
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
      effect: 'drives Van 03, 1 token, is a user of the service',
      dependents: { assignments: [{ vehicle: 'Van 03', endedAt: null }] },
    });
  });

  test('are reported when they cannot be read, and the deletion continues', async () => {
    const world = service();
    world.faults.add({ kind: 'graphqlError', operation: 'getRules', message: 'Closed' });
    const fleet = shellOf('demo', world.fetch);
    const { code, stderr } = await fleet(['groups', 'delete', 'Winter roster'], { answers: [['[y/N]', 'y']] });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /The references to the deleted records could not be read, so `fleet undo` could\snot restore them\..* - Winter roster: 1 vehicle/s,
    );
  });

  test('are in the plan too, and are read once for plan and journal', async () => {
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
