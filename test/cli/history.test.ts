// The journal of changes: its content, the omitted secrets, and `fleet history`.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { leaveLock } from '../locks/abandoned-lock.js';
import { expectShape } from './golden.js';
import { type Shell, service, shellOf } from './harness.js';
import { storeOf } from './store-of.js';

async function done(fleet: Shell, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await fleet(words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

function journalText({ folder }: Shell): string {
  const journal = join(folder, 'journal');
  return readdirSync(journal)
    .map((name) => readFileSync(join(journal, name), 'utf8'))
    .join('');
}

const changes = [
  ['vehicles', 'update', 'Van 01', '--name', 'Van 99', '--plate', '111 AAA'],
  ['groups', 'create', '--name', 'New'],
] as const;

test('the list, the latest first', async () => {
  await expectShape('history', ['history', '--time-zone', 'UTC'], {
    before: async (fleet) => {
      for (const words of changes) await done(fleet, ...words);
      await done(fleet, 'undo', '2', '--yes');
    },
  });
});

test('one entry with all that it changed', async () => {
  await expectShape('history.get', ['history', 'get', '1', '--time-zone', 'UTC'], {
    before: async (fleet) => {
      await done(fleet, ...changes[0]);
    },
  });
});

test('the plan of an undo', async () => {
  await expectShape('undo.plan', ['undo', '1', '--dry-run'], {
    code: 10,
    before: async (fleet) => {
      await done(fleet, 'groups', 'delete', 'Winter roster', '--yes');
    },
  });
});

test('is filtered by record, time and user', async () => {
  const fleet = shellOf('demo', service().fetch);
  for (const words of changes) await done(fleet, ...words);
  const numbers = async (...words: readonly string[]) =>
    (await done(fleet, 'history', '--fields', 'n', '--no-headers', ...words)).split('\n').filter((line) => line !== '');
  expect(await numbers()).toEqual(['2', '1']);
  expect(await numbers('--record', 'van 01')).toEqual(['1']);
  expect(await numbers('--since', '-1m')).toEqual(['2', '1']);
  expect(await numbers('--until', '-1m')).toEqual([]);
  expect(await numbers('--user', 'demo')).toEqual(['2', '1']);
  expect(await numbers('--user', 'somebody')).toEqual([]);
});

test('no value of a token, password or access token is in it, whatever the command', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, 'tokens', 'create', 'Karl Berg', '00SECRET00');
  await done(fleet, 'tokens', 'update', '00SECRET00', '--value', '11SECRET11');
  await done(fleet, 'tokens', 'delete', '11SECRET11', '--yes');
  await done(fleet, 'people', 'delete', 'Liis Tamm', '--yes');
  const document =
    'mutation ($v: String!, $d: UUID!) { createDriverToken(createDriverTokenInput: {value: $v, driverId: $d}) { id } }';
  const people = JSON.parse(await done(fleet, 'people', 'list', '-o', 'json'));
  const driver = people.find((person: { firstName: string }) => person.firstName === 'Karl').id;
  await done(fleet, 'api', document, '-v', 'v=22SECRET22', '-v', `d=${driver}`);
  const text = journalText(fleet);
  expect(text.split('\n').filter((line) => line.includes('"journal":1'))).toHaveLength(5);
  expect(text).toContain('createDriverToken');
  const secrets = [
    '00SECRET00',
    '11SECRET11',
    '22SECRET22',
    ...storeOf(world.snapshot())
      .filter((row) => row.startsWith('tokens: '))
      .map((row) => JSON.parse(row.slice('tokens: '.length)).value),
    'BB9A133C8C03C8D8',
    ...readdirSync(join(fleet.folder, 'sessions'))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => {
        const { accessToken, refreshToken } = JSON.parse(readFileSync(join(fleet.folder, 'sessions', name), 'utf8'));
        return [accessToken, refreshToken];
      }),
  ];
  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test.each([
  [['people', 'set-field', 'Karl Berg', 'Fuel card PIN', '33SECRET33'], 'people set-field'],
  [
    [
      'vehicles',
      'set-field',
      'Cost centre',
      '4300',
      '--group',
      'City deliveries',
      '--filter',
      'name!=PIN 33SECRET33',
      '--yes',
    ],
    'vehicles set-field --yes --group --filter',
  ],
  [['vehicles', 'update', 'Van 01', '--name', 'PIN 33SECRET33'], 'vehicles update --name'],
])('of the words %j no value is in it, because one may be a secret', async (words, journaledCommand) => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  // The service has no such field, but the request is in the journal.
  await fleet(words);
  const [head = '', ...steps] = journalText(fleet).split('\n');
  expect(JSON.parse(head).command).toBe(journaledCommand);
  // Names are not secrets.
  if (words[0] === 'people') expect(steps.join('\n')).not.toContain('33SECRET33');
});

test('only its owner can read it', async () => {
  const fleet = shellOf('demo', service().fetch);
  await done(fleet, ...changes[0]);
  const journal = join(fleet.folder, 'journal');
  expect(statSync(journal).mode & 0o777).toBe(0o700);
  expect(readdirSync(journal).map((name) => statSync(join(journal, name)).mode & 0o777)).toEqual([0o600]);
});

test('what is refused is failed, what has no answer is unknown; neither is redone', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  world.faults.add({ kind: 'graphqlError', operation: 'createGroup', times: 1, message: 'no' });
  expect((await fleet(['groups', 'create', '--name', 'A'])).code).toBe(6);
  world.faults.add({ kind: 'reset', operation: 'createGroup', times: 1 });
  expect((await fleet(['groups', 'create', '--name', 'B'])).code).toBe(9);
  const outcomes = await done(fleet, 'history', '--fields', 'n,outcome', '--no-headers');
  expect(outcomes).toBe('2\tunknown\n1\tfailed\n');
  const before = storeOf(world.snapshot());
  expect(await fleet(['undo', '1', '--yes'])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Nothing to do'),
  });
  expect(storeOf(world.snapshot())).toEqual(before);
});

test('a step without an answer is looked up before it is undone', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, 'vehicles', 'update', 'Van 01', '--name', 'Van 99');
  const file = join(fleet.folder, 'journal', '1.ndjson');
  const withoutOutcome = readFileSync(file, 'utf8').split('\n').slice(0, 2).join('\n');
  // The state after a process was killed while it wrote the outcome.
  writeFileSync(file, `${withoutOutcome}\n{"step":0,"out`);
  const { stdout, stderr } = await fleet(['history', '--fields', 'n,outcome', '--no-headers']);
  expect(stdout).toBe('1\tunknown\n');
  expect(stderr).toContain('Lines of #1');
  await done(fleet, 'undo', '1', '--yes');
  expect(await done(fleet, 'vehicles', 'list', '--fields', 'name')).not.toContain('Van 99');
  // The change was not made.
  await done(fleet, 'vehicles', 'update', 'Van 02', '--year', '2001');
  const other = join(fleet.folder, 'journal', '3.ndjson');
  writeFileSync(other, readFileSync(other, 'utf8').replaceAll('2001', '1999').split('\n').slice(0, 2).join('\n'));
  expect(await fleet(['undo', '3', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('year is 2001 now'),
  });
});

test('what somebody has changed since is a conflict', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, 'vehicles', 'update', 'Van 01', '--plate', 'A 1', '--year', '2001');
  await done(shellOf('demo', world.fetch), 'vehicles', 'update', 'Van 01', '--plate', 'B 2');
  const { code, stderr } = await fleet(['undo', '1', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('Somebody has changed the records since #1. Nothing was changed.');
  expect(stderr).toContain('Van 01: licensePlate is "B 2" now, not "A 1".');
  await done(fleet, 'undo', '1', '--yes', '--force');
  expect(await done(fleet, 'vehicles', 'list', '--fields', 'licensePlate')).toContain('510 JDR');
});

test('a change of its own is named, to be undone first', async () => {
  const fleet = shellOf('demo', service().fetch);
  await done(fleet, 'vehicles', 'update', 'Van 01', '--plate', 'A 1');
  await done(fleet, 'vehicles', 'update', 'Van 01', '--plate', 'B 2');
  await done(fleet, 'vehicles', 'update', 'Van 02', '--plate', 'C 3');
  const { code, stderr } = await fleet(['undo', '1', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toContain('error: Your #2 has changed the records since #1. Nothing was changed.');
  expect(stderr).toContain('hint: Undo that first: `fleet undo 2`. Or: `fleet undo 1 --force`');
  await done(fleet, 'undo', '2', '--yes');
  await done(fleet, 'undo', '1', '--yes');
});

test('an entry is undone once; undo without a number goes further back', async () => {
  const fleet = shellOf('demo', service().fetch);
  await done(fleet, 'groups', 'create', '--name', 'A');
  await done(fleet, 'groups', 'create', '--name', 'B');
  expect((await fleet(['undo', '--yes'], { answers: [] })).code).toBe(0);
  expect(await fleet(['undo', '2', '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('undone by #3'),
  });
  expect((await fleet(['undo', '--yes'], { answers: [] })).code).toBe(0);
  expect(await done(fleet, 'groups', 'list', '--fields', 'name')).not.toMatch(/^[AB]$/m);
  expect(await fleet(['undo', '--yes'], { answers: [] })).toMatchObject({ code: 5 });
});

test.each([
  [['--yes'], {}, 'this is not a terminal'],
  [['--dry-run'], {}, 'this is not a terminal'],
  [['--yes', '--no-input'], { answers: [], env: { NO_COLOR: '1' } }, '--no-input forbids prompts'],
] as const)(
  'undo %j without a number is refused where nobody can be asked, and names the last entry',
  async (flags, place, why) => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    await done(fleet, 'groups', 'create', '--name', 'A');
    world.clearRequests();
    const { code, stdout, stderr } = await fleet(['undo', ...flags], place);
    expect({ code, stdout, requests: world.requests }).toEqual({ code: 2, stdout: '', requests: [] });
    expect(stderr.replace(/\s+/g, ' ')).toBe(
      `error: The number of the command is missing, and ${why}. Nothing was sent. hint: The last one is #1, groups create --name A: \`fleet undo 1\`. \`fleet history\` lists all. `,
    );
  },
);

test.skipIf(process.platform !== 'linux')(
  'the lock of a killed undo whose process number is in use again is taken over',
  async () => {
    const fleet = shellOf('demo', service().fetch);
    await done(fleet, 'groups', 'create', '--name', 'A');
    leaveLock(join(fleet.folder, 'journal', 'undo.lock'));
    await done(fleet, 'undo', '1', '--yes');
  },
);

test('another service or user is refused', async () => {
  const world = service();
  const fleet = shellOf('demo', world.fetch);
  await done(fleet, ...changes[0]);
  const { code, stderr } = await fleet(['undo', '1', '--yes', '--base-url', 'https://other.test']);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('demo at https://fleet.test') });
});

test('FLEET_JOURNAL=off means that nothing is written', async () => {
  const fleet = shellOf('demo', service().fetch);
  expect((await fleet(changes[1], { env: { FLEET_JOURNAL: 'off' } })).code).toBe(0);
  expect(existsSync(join(fleet.folder, 'journal'))).toBe(false);
  for (const words of [changes[1], [...changes[1], '--dry-run']]) {
    expect(await fleet(words, { env: { FLEET_JOURNAL: 'no' } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('neither on nor off'),
    });
  }
  await done(fleet, ...changes[0]);
  expect(await done(fleet, 'history', '--fields', 'n', '--no-headers')).toBe('1\n');
});

test('where nothing can be written, the change is made with one warning', async () => {
  const fleet = shellOf('demo', service().fetch);
  mkdirSync(fleet.folder, { recursive: true });
  writeFileSync(join(fleet.folder, 'journal'), '');
  const input = '{"name":"A"}\n{"name":"B"}\n';
  const { code, stderr } = await fleet(['groups', 'apply', '-', '--yes'], { input });
  expect(code).toBe(0);
  expect(stderr.match(/could not be written/g)).toHaveLength(1);
});

describe('the number of a change is told', () => {
  const journalNote = 'Done as #1; `fleet undo 1` takes it back.\n';
  const create = ['groups', 'create', '--name', 'A'];

  test('in a pipe and on a terminal, but not with --quiet, and not where there is no journal', async () => {
    expect((await shellOf('demo', service().fetch)(create)).stderr).toBe(journalNote);
    expect((await shellOf('demo', service().fetch)(create, { terminal: 80 })).stderr).toBe(journalNote);
    expect((await shellOf('demo', service().fetch)([...create, '--quiet'])).stderr).toBe('');
    expect((await shellOf('demo', service().fetch)(create, { env: { FLEET_JOURNAL: 'off' } })).stderr).toBe('');
  });

  test('after the record of the service in JSON, and not when the change fails', async () => {
    const world = service();
    const fleet = shellOf('demo', world.fetch);
    world.faults.add({ kind: 'graphqlError', operation: 'createGroup', times: 1 });
    const failed = await fleet([...create, '-o', 'json']);
    expect(Object.keys(JSON.parse(failed.stderr))).toEqual(['error']);
    expect(failed.stderr).not.toContain('Done as');
    const { stdout, stderr } = await fleet([...create, '-o', 'json']);
    expect(JSON.parse(stdout)).not.toHaveProperty('journal');
    expect(stderr).toBe(journalNote.replaceAll('1', '2'));
  });

  test('in each row of JSON that was sent, and nowhere else', async () => {
    const fleet = shellOf('demo', service().fetch);
    const words = ['groups', 'apply', '-', '--input-format', 'ndjson', '--yes', '-o', 'json'];
    const lines = await fleet(words, { input: '{"name":"A"}\n{"name":"B"}\n' });
    expect(JSON.parse(lines.stdout)).toMatchObject([{ journal: 1 }, { journal: 1 }]);
    expect(lines.stderr).not.toContain('Done as');
    const undone = await fleet(['undo', '1', '--yes', '-o', 'json']);
    expect(JSON.parse(undone.stdout)).toMatchObject([{ journal: 2 }, { journal: 2 }]);
    expect(undone.stderr).not.toContain('Done as');
    const plan = await fleet(['undo', '2', '--dry-run', '-o', 'json']);
    expect(JSON.parse(plan.stdout)[0]).not.toHaveProperty('journal');
  });
});

test('commands at the same time get numbers of their own', async () => {
  const fleet = shellOf('demo', service().fetch);
  const names = Array.from({ length: 8 }, (_, index) => `G${index}`);
  await Promise.all(names.map((name) => done(fleet, 'groups', 'create', '--name', name)));
  const rows = await done(fleet, 'history', '--fields', 'n,outcome', '--no-headers');
  expect(rows.split('\n').filter((row) => row !== '')).toEqual(names.map((_, index) => `${8 - index}\tdone`));
  appendFileSync(join(fleet.folder, 'journal', '9.ndjson'), 'nonsense\n');
  expect((await fleet(['history'])).stderr).toContain('#9');
});

test('the demo service leaves nothing', async () => {
  const fleet = shellOf('demo', service().fetch);
  await done(fleet, 'groups', 'create', '--name', 'A', '--demo');
  expect(existsSync(join(fleet.folder, 'journal'))).toBe(false);
  expect(await fleet(['undo', '--demo'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--demo has no journal'),
  });
});
