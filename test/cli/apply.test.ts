// `apply`: the plan of a file, the prompt, the outcome, and that a second run changes nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MockService } from '../../src/mock/service.js';
import { expectGolden, expectShape, jsonOf } from './golden.js';
import { type Shell, service, shell, shellOf } from './harness.js';

const apply = (noun: string, ...more: readonly string[]) => [
  ...[noun, noun === 'geofences' ? 'import' : 'apply', '-', '--input-format', 'csv', '--ignore-columns'],
  ...more,
];
const mutations = (mock: MockService) =>
  mock.requests.flatMap(({ operations }) => operations).filter((name) => !name.startsWith('get'));

const people = `firstName,lastName,phone,isUser,team
Jonas,Nowak,+372 555 2,yes,A
Anna,Tamm,,yes,A
Karl,Berg,,,B
`;
const groups = `name,parentId,description
Night vans,Night shift,
Night shift,Deliveries,From 22 to 6
Long haul,,Far away
Winter roster,,
`;

describe('prints', () => {
  test('the plan for people', () =>
    expectShape('people-apply.plan', apply('people', '--dry-run'), { input: people, code: 10 }));
  test('the outcome for groups', () => expectShape('groups-apply', apply('groups', '--yes'), { input: groups }));
  test('the plan with its deletions', () =>
    expectGolden('groups-apply.prune', apply('groups', '--prune', '--dry-run'), {
      code: 10,
      input: 'name\nLong haul\nService\n',
    }));
  test('nothing, when no record differs', () =>
    expectShape('groups-apply.nothing', apply('groups', '--yes'), { input: 'name\nLong haul\n' }));
  test('every line that cannot be used', () =>
    expectGolden('people-apply.problems', apply('people', '--yes'), {
      code: 2,
      input:
        'id,firstName,lastName,phone\n,Jonas,Nowak,1\n,Jonas,Nowak,2\nNobody,A,,\n,New,One,1\n,New,One,\n,,,\n6e1d2ded-577d-5efa-b9b2-024f21abfde4,,,\n',
    }));
  test('unknown parents', () =>
    expectGolden('groups-apply.parents', apply('groups', '--yes'), {
      code: 2,
      input: 'name,parentId\nA,Deliverys\nB,Nowhere\nC,Deliveries\n',
    }));
});

describe('records that are not in the file', () => {
  const input = 'firstName,lastName\nJonas,Nowak\nKarl,Berg\n';
  const several = /^\d+ people of the service are not in the file; --prune would delete them\.$/m;

  test('are reported by --dry-run, which still exits with 0, and before the question', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const format of ['table', 'tsv']) {
      const { code, stdout, stderr } = await fleet([...apply('people', '--dry-run'), '-o', format], { input });
      expect([code, stderr]).toEqual([0, expect.stringMatching(several)]);
      expect(stdout).not.toContain('--prune');
    }
    const changed = file('firstName,lastName,phone\nJonas,Nowak,1\nLiis,Tamm,2\n');
    const declined = await fleet(['people', 'apply', changed], { answers: [['[y/N]', 'n']] });
    expect(declined.stderr).toMatch(/not in the file; --prune would delete them\.\n.*Make these changes\?/);
  });

  test('are counted, and not reported with --prune or --yes', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const [first, ...others] = JSON.parse((await fleet(['groups', 'list', '-o', 'json'])).stdout);
    const all = JSON.stringify(others.map(({ id, name }: { id: string; name: string }) => ({ id, name })));
    const groups = ['groups', 'apply', '-', '--input-format', 'json'];
    const { code, stderr } = await fleet([...groups, '--dry-run'], { input: all });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('1 group of the service is not in the file; --prune would delete it.\n'),
    ]);
    const existingRecords = JSON.stringify(
      [...others, first].map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    );
    expect((await fleet([...groups, '--dry-run'], { input: existingRecords })).stderr).not.toContain('not in the file');
    expect((await fleet(apply('people', '--prune', '--dry-run'), { input })).stderr).not.toContain('--prune');
    expect((await fleet(apply('people', '--yes'), { input })).stderr).not.toContain('--prune');
  });

  test('include assignments on the vehicles in the file, but never vehicles', async () => {
    const fleet = shellOf('demo', service().fetch);
    const shifts = 'vehicle,driver,startTimestamp\nVan 01,Karl Schmidt,2030-03-04 06:00\n';
    const drivers = await fleet(apply('drivers', '--dry-run'), { input: shifts });
    expect(drivers.stderr).toMatch(
      /assignments? of the service (is|are) not in the file; --prune would end (it|them)\./,
    );
    const { stderr } = await fleet(apply('vehicles', '--dry-run'), { input: 'name,plate\nVan 01,X\n' });
    expect(stderr).not.toContain('not in the file');
  });

  test.each(['people apply', 'groups apply', 'geofences import', 'drivers apply', 'vehicles apply'])(
    '%s --help describes exit code 10',
    async (command) => {
      const fleet = shellOf('demo', service().fetch);
      const { stdout } = await fleet([...command.split(' '), '--help', '--all']);
      expect(stdout.replace(/\s+/g, ' ')).toContain('the plan only; exit code 10 when something differs');
      if (command !== 'vehicles apply')
        expect(stdout.replace(/\s+/g, ' ')).toContain('with --dry-run it only reports them');
    },
  );
});

const file = (content: string, name = 'file.csv') => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

describe('which record a line means', () => {
  const plan = async (noun: string, input: string, before: readonly (readonly string[])[] = []) => {
    const fleet = shellOf('demo', service().fetch);
    for (const words of before) expect((await fleet(words)).code).toBe(0);
    const { code, stdout, stderr } = await fleet([...apply(noun, '--dry-run'), '-o', 'json'], { input });
    const rows: readonly { action: string; name: string }[] = code === 10 ? JSON.parse(stdout) : [];
    return { rows: rows.map(({ action, name }) => [action, name]), stderr: stderr.replaceAll('\\"', '"') };
  };
  const anna = (...more: readonly string[]) => [
    'people',
    'create',
    '--first-name',
    'Anna',
    '--last-name',
    'Lind',
    ...more,
  ];
  const header = 'firstName,lastName,employeeId,email,phone\n';

  test.each([
    ['people', 'firstName,lastName\nKARL,BERG\nLiis,TAMM\n', '"KARL BERG" is "Karl Berg", "Liis TAMM" is "Liis Tamm"'],
    ['people', 'email\nKARL.BERG.5@Example.com\n', null],
    ['groups', 'name\nlong  haul\nSERVICE\n', '"long  haul" is "Long haul", "SERVICE" is "Service"'],
    ['geofences', 'name,type\nDEPOT tartu,DEPOT\n', '"DEPOT tartu" is "Depot Tartu"'],
    ['vehicles', 'name,vin\nTRUCK 1,\nvan 001,\n', '"TRUCK 1" is "Truck 01", "van 001" is "Van 01"'],
  ])('%s in another spelling match existing records, which keep their spelling', async (noun, input, respellings) => {
    const words = apply(noun, '--dry-run').map((word) => (noun === 'geofences' && word === 'apply' ? 'import' : word));
    const { code, stderr } = await shellOf('demo', service().fetch)(words, { input });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).not.toContain('to create');
    if (respellings !== null)
      expect(stderr).toContain(`Names that the file spells differently are not changed: ${respellings}.`);
  });

  test('an id and another spelling is a new spelling', async () => {
    const fleet = shellOf('demo', service().fetch);
    const [person] = Object(await jsonOf(fleet, 'people', 'list', '--filter', 'lastName=BERG'));
    const { code, stdout } = await fleet(apply('people', '--dry-run'), {
      input: `id,lastName\n${person.id},BERG\n`,
      terminal: 120,
    });
    expect(code).toBe(10);
    expect(stdout).toContain('lastName Berg → BERG');
  });

  test('two lines of one record in two spellings are one', async () => {
    const input = 'name,description\nNight shift,x\nNIGHT SHIFT,x\n';
    const { code, stdout } = await shellOf('demo', service().fetch)(apply('groups', '--yes'), { input });
    expect(code).toBe(0);
    expect(stdout.match(/^create/gm)).toHaveLength(1);
  });

  test('an unknown employee id creates a new person, even when another person has the same name', async () => {
    const before = [anna('--employee-id', 'E-1017', '--email', 'anna@example.com')];
    expect((await plan('people', `${header}Anna,Lind,E-3002,,+49 1\n`, before)).rows).toEqual([
      ['create', 'Anna Lind'],
    ]);
    for (const line of ['Anna,Lind,E-1017,al@example.com,', 'Anna,Lind,,,+49 1', 'A,L,,anna@example.com,']) {
      expect((await plan('people', `${header}${line}\n`, before)).rows).toEqual([['update', 'Anna Lind']]);
    }
    const byEmail = await plan('people', `${header}Anna,Lind,E-1,a@example.com,\n`, [anna('--email', 'a@example.com')]);
    expect(byEmail.rows).toEqual([['update', 'Anna Lind']]);
  });

  test.each([
    [
      'E-3002,',
      [],
      'no person has its employee id, and "Anna Lind" has none: it is not clear whether they are the same.',
    ],
    [
      ',a@example.com',
      ['--email', 'b@example.com'],
      'no person has its e-mail, and "Anna Lind" has another: it is not clear',
    ],
    [
      'E-3002,a@example.com',
      ['--employee-id', 'E-1', '--email', 'a@example.com'],
      'its e-mail is that of a person with another employee id.',
    ],
  ])('it is an error where it is not clear: %s', async (texts, flags, problem) => {
    expect((await plan('people', `${header}Anna,Lind,${texts},\n`, [anna(...flags)])).stderr).toContain(
      `line 2: ${problem}`,
    );
  });

  test('two lines that say the same are taken once, and two that contradict each other are an error with both lines', async () => {
    const lines = (last: string) => `${header}Anna,Lind,E-1,,+49 1\nJonas,Nowak,,,+49 2\n${last}`;
    expect((await plan('people', lines('Anna,Lind,E-1,,+49 1\nJonas,Nowak,,,+49 2\n'))).rows).toEqual([
      ['create', 'Anna Lind'],
      ['update', 'Jonas Nowak'],
    ]);
    expect((await plan('people', lines('Jonas,Nowak,,,+49 3\n'))).stderr).toContain(
      'line 4: "Jonas Nowak" is in the file already, in line 3, with another phone',
    );
    expect((await plan('people', lines('Anna,Lind,E-1,,+49 3\n'))).stderr).toContain(
      'line 4: "Anna Lind" is in the file already, in line 2, with another phone',
    );
  });
});

describe('apply', () => {
  test.each([
    ['people', people],
    ['groups', groups],
  ])('of %s makes the file true, and sends no change when it is run again', async (noun, input) => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    expect((await fleet(apply(noun, '--yes'), { input })).code).toBe(0);
    const sent = mutations(mock).length;
    expect(sent).toBeGreaterThan(1);
    const again = await fleet(apply(noun, '--yes'), { input });
    expect(again).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^(Not inputs.*\n)?\d (stays|stay) as (it is|they are)\. Nothing to do\.\n$/),
    });
    expect(mutations(mock)).toHaveLength(sent);
  });

  test('over HTTP, twice', async () => {
    const mock = service();
    const server = await mock.listen({ port: 0 });
    onTestFinished(() => server.close());
    const env = { FLEET_BASE_URL: server.url, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
    const fleet = shell(fetch, env);
    for (const summary of [
      '2 to create, 1 to change, 1 stays as it is\n3 of 3 done.\nDone as #1; `fleet undo 1` takes it back.\n',
      '4 stay as they are. Nothing to do.\n',
    ]) {
      expect(await fleet(apply('groups', '--yes'), { input: groups })).toMatchObject({ code: 0, stderr: summary });
    }
    expect(mutations(mock)).toEqual(['createGroup', 'createGroup', 'updateGroup']);
  });

  test('of what a list prints changes nothing', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const noun of ['groups', 'people', 'geofences']) {
      const { stdout: input } = await fleet([noun, 'list', '-o', 'csv']);
      const { code, stderr } = await fleet(apply(noun, '--prune', '--yes'), { input });
      expect({ noun, code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to do.') });
    }
    expect(mutations(mock)).toEqual([]);
  });

  test('asks on a terminal, with every change field by field', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const words = ['people', 'apply', file(people), '--ignore-columns'];
    const no = await fleet(words, { answers: [['Make these changes? [y/N]', 'n']] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain(
      '  ~ Jonas Nowak: phone +37257129007 → +372 555 2, isUser no → yes\n  + Anna Tamm: isUser yes\n',
    );
    expect(no.stderr).toContain('Not confirmed; nothing was changed.');
    expect(mutations(mock)).toEqual([]);
    expect((await fleet(words, { answers: [['Make these changes? [y/N]', 'y']] })).code).toBe(0);
    expect(mutations(mock)).not.toEqual([]);
  });

  test('needs --yes without a terminal for several records, and says what the plan would do', async () => {
    const mock = service();
    const { code, stderr } = await shellOf('demo', mock.fetch)(apply('people'), { input: people });
    const sent = mock.requests.flatMap(({ operations }) => operations);
    expect({ code, sent }).toEqual({ code: 2, sent: ['getPeople'] });
    expect(stderr).toMatch(
      /The plan needs a confirmation, and this is not a terminal: \d+ to create.*\. Nothing was changed\.\nhint: Add --yes, or look at the plan with --dry-run\./,
    );
  });

  test.each([
    ['a new group', 'name,parentId\nNight shift,Winter roster\n', 'line 2: "Night shift" is below "Winter roster"'],
    ['a group that moves', 'name,parentId\nService,Winter roster\n', 'line 2: "Service" is below "Winter roster"'],
    ['a group that stays where it is', 'name\nLong haul East\n', 'line 2: "Long haul East" is below "Long haul"'],
  ])('finds in the plan that --prune would delete the parent of %s', async (_, input, said) => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    for (const flag of ['--dry-run', '--yes']) {
      const { code, stderr } = await fleet(apply('groups', '--prune', flag), { input });
      expect(code).toBe(2);
      expect(stderr).toContain(`${said}, which is not in the file: --prune would delete it. Nothing was changed.`);
      expect(stderr).toContain('hint: Add it to the file, or leave out --prune.');
    }
    expect(mock.requests.flatMap(({ operations }) => operations)).not.toContain('createGroup');
    expect((await fleet(apply('groups', '--yes'), { input })).code).toBe(0);
  });

  test('deletes only with --prune, groups below others first', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const input = 'name\nLong haul\nNew\n';
    expect(await fleet(apply('groups', '--yes'), { input })).toMatchObject({ code: 0 });
    expect(mutations(mock)).toEqual(['createGroup']);
    const { code, stderr } = await fleet(apply('groups', '--prune', '--yes'), { input });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('8 to delete, 2 stay as they are\n8 of 8 done.'),
    });
    expect(Object(await jsonOf(fleet, 'groups', 'list')).length).toBe(2);
  });

  test('finds people by employee id, e-mail and name, so that each of them can change', async () => {
    const fleet = shellOf('demo', service().fetch);
    const [person] = (await jsonOf(fleet, 'people', 'list', '--filter', 'isDriver=yes')) as Record<string, string>[];
    const steps = (input: string) => plan(fleet, input);
    expect(await steps(`employeeId,lastName\n${person?.employeeId},Married\n`)).toMatchObject([
      {
        action: 'update',
        id: person?.id,
        changes: [{ field: 'lastName', before: person?.lastName, after: 'Married' }],
      },
    ]);
    expect(
      await steps(`employeeId,firstName,email\n${person?.employeeId},${person?.firstName},new@example.com\n`),
    ).toMatchObject([{ action: 'update', id: person?.id, changes: [{ field: 'email', after: 'new@example.com' }] }]);
    expect(await steps(`id,phone\n${person?.firstName} ${person?.lastName},null\n`)).toMatchObject([
      { action: 'update', id: person?.id, changes: [{ field: 'phone', after: null }] },
    ]);
  });

  test('distinguishes two people with the same name only by another text', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const email of ['a@example.com', 'b@example.com']) {
      await fleet(['people', 'create', '--first-name', 'Twin', '--last-name', 'Tamm', '--email', email]);
    }
    const refused = await fleet(apply('people', '--dry-run'), { input: 'firstName,lastName,phone\nTwin,Tamm,1\n' });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('line 2: there are 2 people with the name "Twin Tamm"');
    expect(refused.stderr).toContain('`fleet people list -o csv` prints them');
    expect(await plan(fleet, 'firstName,lastName,email,phone\nTwin,Tamm,b@example.com,1\n')).toMatchObject([
      { action: 'update', changes: [{ field: 'phone', before: null, after: '1' }] },
    ]);
  });

  test('gives people roles and custom fields, also new ones, and undo takes them back', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const input =
      'firstName,lastName,isDriver,roles,customFields.Department\n' +
      'Anna,Tamm,yes,Dispatcher;Accountant,Garage\nLiis,Tamm,,Accountant,Office\nKarl,Berg,,,\n';
    const before = await jsonOf(fleet, 'people', 'list', '--sort', 'id');
    const plan = await fleet(apply('people', '--dry-run'), { input, terminal: 200, env: { NO_COLOR: '1' } });
    expect(plan.stdout).toMatch(/\+ {2}Anna Tamm .*roles Dispatcher, Accountant/);
    expect(await fleet(apply('people', '--yes'), { input })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 to create, 1 to change, 1 stays as it is\n2 of 2 done.\n'),
    });
    expect(mutations(mock)).toContain('setPersonCustomRoles');
    const people = ['people', 'get', 'Anna Tamm', 'Liis Tamm', '--fields', 'roles.name,customFields.value'];
    expect(await jsonOf(fleet, ...people)).toMatchObject([
      {
        roles: [{ name: 'Dispatcher' }, { name: 'Accountant' }],
        customFields: expect.arrayContaining([{ value: 'Garage' }]),
      },
      { roles: [{ name: 'Accountant' }], customFields: expect.arrayContaining([{ value: 'Office' }]) },
    ]);
    expect((await fleet(apply('people', '--dry-run'), { input })).code).toBe(0);
    expect((await fleet(['undo', '1', '--yes'])).code).toBe(0);
    const texts = (rows: unknown) =>
      JSON.stringify(rows, (key, value) => (key === 'updatedAt' || key === 'version' ? undefined : value));
    expect(texts(await jsonOf(fleet, 'people', 'list', '--sort', 'id'))).toBe(texts(before));
  });

  test('compares custom fields by name, and sends those that the file does not name too', async () => {
    const fleet = shellOf('demo', service().fetch);
    const people = (await jsonOf(fleet, 'people', 'list')) as {
      readonly id: string;
      readonly customFields: readonly { readonly name: string; readonly value: string | null }[];
    }[];
    const person = people.find(({ customFields }) => customFields.length > 1);
    const [field, other] = person?.customFields ?? [];
    const input = `[{"id":"${person?.id}","customFields":[{"name":"${field?.name}","value":"new"}]}]`;
    const words = ['people', 'apply', '-', '--yes', '-o', 'json'];
    expect(JSON.parse((await fleet(words, { input })).stdout)).toMatchObject([
      { changes: [{ field: `customFields.${field?.name}`, before: field?.value, after: 'new' }], status: 'done' },
    ]);
    expect(await jsonOf(fleet, 'people', 'fields', person?.id ?? '')).toEqual(
      expect.arrayContaining([{ name: field?.name, value: 'new' }, other]),
    );
  });

  test('writes what failed to --failed, and has the exit code of the first failure', async () => {
    const mock = service();
    const fleet = shellOf('demo', mock.fetch);
    const failed = file('', 'again.csv');
    mock.faults.add({ kind: 'graphqlError', times: 1, operation: 'createGroup' });
    const { code, stdout, stderr } = await fleet(apply('groups', '--yes', '--failed', failed), { input: groups });
    expect(code).toBe(6);
    expect(stdout).toMatch(/create\tNight shift\t\t3\t.*\tfailed\tGRAPHQL\t/);
    // Its parent is missing.
    expect(stdout).toMatch(
      /create\tNight vans\t\t2\t.*\tfailed\tGRAPHQL\tIt refers to "Night shift", which was not created/,
    );
    expect(stderr).toContain('1 of 3 done, 2 failed; the same command tries again.');
    expect(readFileSync(failed, 'utf8')).toBe(
      'name,parentId,description\nNight shift,Deliveries,From 22 to 6\nNight vans,Night shift,\n',
    );
    expect(await fleet(['groups', 'apply', failed, '--yes'])).toMatchObject({
      code: 0,
      stderr: '2 to create\n2 of 2 done.\nDone as #2; `fleet undo 2` takes it back.\n',
    });
  });

  test('refuses groups that are their own parents', async () => {
    const { code, stderr } = await shellOf('demo', service().fetch)(apply('groups', '--dry-run'), {
      input: 'name,parentId\nA,B\nB,A\n',
    });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('would be its own parent') });
  });

  test.each([
    ['a group and one below it', 'name,parentId\nLong haul,Long haul East\n'],
    ['a group and a new one', 'name,parentId\nNight,Long haul\nLong haul,Night\n'],
  ])('refuses a circle of %s in the plan', async (_, input) => {
    const mock = service();
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(apply('groups', '--dry-run'), { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('"Long haul" would be its own parent.');
    expect(mutations(mock)).toEqual([]);
  });

  test('distinguishes new groups with the same name', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = 'name,externalId,parentId\nDepot X,D1,\nDepot X,D2,\nChild,,D1\n';
    expect(await fleet(apply('groups', '--yes'), { input })).toMatchObject({ code: 0 });
    const listed = await jsonOf(fleet, 'groups', 'list', '--fields', 'id,name,externalId,parentId');
    const rows: readonly unknown[] = Array.isArray(listed) ? listed : [];
    const first = Object(rows.find((row) => Object(row).externalId === 'D1'));
    expect(rows.find((row) => Object(row).name === 'Child')).toMatchObject({ parentId: first.id });
    const unclear = await fleet(apply('groups', '--dry-run'), {
      input: 'name,externalId,parentId\nDepot Y,E1,\nDepot Y,E2,\nChild 2,,Depot Y\n',
    });
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    expect(unclear.stderr).toContain('The file has 2 groups "Depot Y".');
  });

  test('takes a group for a parent that the file gives its name', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = `id,name,parentId\n${'Winter roster'},Summer roster,\n,Child,Summer roster\n`;
    expect(await fleet(apply('groups', '--yes'), { input })).toMatchObject({ code: 0 });
    const [child, parent] = await Promise.all(
      ['Child', 'Summer roster'].map((name) => jsonOf(fleet, 'groups', 'get', name)),
    );
    expect(Object(child).parentId).toBe(Object(parent).id);
  });

  test('treats empty custom fields as no change', async () => {
    const fleet = shellOf('demo', service().fetch);
    for (const customFields of [{}, []]) {
      const input = JSON.stringify({ id: 'Van 01', customFields });
      const { code, stderr } = await fleet(['vehicles', 'apply', '-', '--input-format', 'json', '--yes'], { input });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '1 stays as it is. Nothing to do.\n' });
    }
  });

  test('of new groups below each other is undone', async () => {
    const fleet = shellOf('demo', service().fetch);
    const before = await jsonOf(fleet, 'groups', 'list', '--fields', 'id,name,parentId');
    expect(await fleet(apply('groups', '--yes'), { input: groups })).toMatchObject({ code: 0 });
    expect(await fleet(['undo', '1', '--yes'])).toMatchObject({ code: 0 });
    expect(await jsonOf(fleet, 'groups', 'list', '--fields', 'id,name,parentId')).toEqual(before);
  });

  test('takes the ids of another fleet for those of its own lines', async () => {
    const fleet = shellOf('demo', service().fetch);
    const [one, other] = ['00000000-0000-5000-8000-000000000001', '00000000-0000-5000-8000-000000000002'];
    const input = `id,name,parentId\n${one},New top,\n${other},New child,${one}\n`;
    expect(await fleet(apply('groups', '--yes'), { input })).toMatchObject({ code: 0 });
    expect(Object(await jsonOf(fleet, 'groups', 'get', 'New child')).parentId).toBe(
      Object(await jsonOf(fleet, 'groups', 'get', 'New top')).id,
    );
    const unknown = await fleet(apply('groups', '--dry-run'), { input: `name,parentId\nX,${one}\n` });
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain(`There is no group with the id ${one}.`);
  });

  test('refuses custom fields that are given twice or are no texts', async () => {
    const fleet = shellOf('demo', service().fetch);
    const field = (value: unknown) => ({ name: 'Cost centre', value });
    for (const [customFields, text] of [
      [[field('1'), field('2')], 'The custom field "Cost centre" is given twice.'],
      [{ 'Cost centre': 5 }, 'The value of the custom field "Cost centre" is not a text.'],
      [[{ name: 'Cost centre' }], 'customFields is neither an object nor a list of names and values.'],
    ] as const) {
      const input = JSON.stringify({ id: 'Van 01', customFields });
      for (const words of [
        ['vehicles', 'apply', '-', '--input-format', 'json', '--dry-run'],
        ['vehicles', 'update', '--input', '-', '--dry-run'],
      ]) {
        const { code, stdout, stderr } = await fleet(words, { input });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(text);
      }
    }
  });

  test('a parent and a group below it change places in one run', async () => {
    const fleet = shellOf('demo', service().fetch);
    const input = 'name,parentId\nLong haul,Long haul East\nLong haul East,null\n';
    expect(await fleet(apply('groups', '--yes'), { input })).toMatchObject({ code: 0 });
    expect(await fleet(apply('groups', '--dry-run'), { input })).toMatchObject({ code: 0 });
  });

  test('changes nothing after an incomplete answer', async () => {
    const mock = service();
    const fetch: typeof mock.fetch = async (url, init) => {
      const response = await mock.fetch(url, init);
      if (!String(init?.body ?? '').includes('getGroups')) return response;
      const body = JSON.parse(await response.text());
      return Response.json({ ...body, errors: [{ message: 'broken', path: ['getGroups', 0, 'name'] }] });
    };
    const { code, stderr } = await shellOf('demo', fetch)(apply('groups', '--yes'), { input: groups });
    expect({ code, stderr }).toMatchObject({ code: 6, stderr: expect.stringContaining('only in part') });
    expect(mutations(mock)).toEqual([]);
  });
});

async function plan(fleet: Shell, input: string): Promise<unknown> {
  const { code, stdout, stderr } = await fleet(apply('people', '--dry-run', '-o', 'json'), { input });
  expect(code, stderr).toBe(10);
  return JSON.parse(stdout);
}

test('geofences import takes a table, a list of inputs and a map', async () => {
  const mock = service();
  const fleet = shellOf('demo', mock.fetch);
  const shape = {
    type: 'Polygon',
    coordinates: [
      [
        [24, 59],
        [25, 59],
        [25, 60],
        [24, 59],
      ],
    ],
  };
  const table = `name,color,geojson\nYard,#FF0000,"${JSON.stringify(shape).replaceAll('"', '""')}"\nDepot Tartu,#00FF00,\n`;
  const done = await fleet([...apply('geofences', '--yes'), '-o', 'json'], { input: table });
  expect(JSON.parse(done.stdout)).toMatchObject([
    { action: 'create', name: 'Yard', status: 'done' },
    { action: 'update', name: 'Depot Tartu', changes: [{ field: 'color', after: '#00FF00' }], status: 'done' },
  ]);
  const inputs = [
    JSON.stringify([{ name: 'Yard', geojson: shape, color: '#ff0000' }]),
    '{"name":"Yard"}\n{"name":"Depot Tartu","color":"#00ff00"}\n',
    JSON.stringify({ type: 'Feature', properties: { name: 'Yard' }, geometry: shape }),
  ];
  for (const input of inputs) {
    expect(await fleet(['geofences', 'import', '-', '--yes'], { input })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing to do.'),
    });
  }
  const flat = await fleet(apply('geofences', '--yes'), { input: 'name\nNowhere\n' });
  expect(flat).toMatchObject({ code: 2, stderr: expect.stringContaining('line 2: a new geofence needs a shape') });
  // An id would not help a line with missing values.
  expect(flat.stderr).not.toContain('An id tells records');
});

describe('a file in another encoding than UTF-8', () => {
  const latin1 = (name: string, text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, name), text, 'latin1');
    return join(folder, name);
  };
  const remark = 'The file was read as Windows-1252: line 2 is not UTF-8. If letters are wrong, save it as UTF-8.';

  test('is read as Windows-1252, with a line on stderr', async () => {
    const fleet = shellOf('demo', service().fetch);
    const file = latin1('people.csv', 'firstName;lastName\r\nJürgen;Groß\r\n');
    const plan = await fleet(['people', 'apply', file, '--dry-run']);
    expect(plan.stdout).toContain('Jürgen Groß');
    expect(plan.stderr.split('\n')[0]).toBe(remark);
    const json = await fleet(['people', 'apply', file, '--dry-run', '-o', 'json']);
    expect(json.stderr).toContain(`warning: ${remark}`);
  });

  test('may be XML that declares its encoding, or GeoJSON', async () => {
    const fleet = shellOf('demo', service().fetch);
    const ring = '1,1 2,1 2,2 1,1';
    const kml = `<?xml version="1.0" encoding="ISO-8859-1"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark>
<name>Põhja</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>
</Placemark></kml>`;
    const words = ['geofences', 'import', '--dry-run'];
    const { stdout, stderr } = await fleet([...words, latin1('depots.kml', kml)]);
    expect(stdout).toContain('Põhja');
    expect(stderr).not.toContain(remark);
    const feature = `{"type":"Feature",\n"properties":{"name":"Lõuna"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}}`;
    const read = await fleet([...words, latin1('a.geojson', feature)]);
    expect(read.stdout).toContain('Lõuna');
    expect(read.stderr).toContain(remark);
  });
});
