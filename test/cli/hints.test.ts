// Hints about unknown words: they run nothing, and name only existing words.
import { describe, expect, test } from 'vitest';
import { readTree } from '../../codegen/cli-docs/tree.js';
import { answers, commandWords, flagWords, verbWords } from '../../src/cli/hints/synonyms.js';
import { registry } from '../../src/cli/run/registry.js';
import { service, shell } from './harness.js';

async function refused(words: readonly string[]): Promise<string> {
  const mock = service();
  const { code, stdout, stderr } = await shell(mock.fetch)(words);
  expect({ code, stdout, sent: mock.requests.length }).toEqual({ code: 2, stdout: '', sent: 0 });
  return stderr;
}

describe('a command that does not exist', () => {
  test.each([
    ['find 510JDR', 'Did you mean `fleet vehicles get 510JDR`?'],
    ['find', 'Did you mean `fleet vehicles get`?'],
    ['where', 'Did you mean `fleet map` or `fleet vehicles status`?'],
    ['overview', 'Did you mean `fleet today` or `fleet vehicles status`?'],
    [
      'people import staff.csv',
      'Did you mean `fleet people apply staff.csv`? It updates the existing records and creates the others.',
    ],
    ['show', 'Did you mean `fleet vehicles get`?'],
    ['whoami', 'Did you mean `fleet status` or `fleet users list`?'],
    ['version', 'Did you mean `fleet --version`?'],
    ['export', 'Did you mean `fleet vehicles list -o csv > vehicles.csv` or `fleet sync fleet.db`?'],
    ['vehicles find 510', 'Did you mean `fleet vehicles get 510`?'],
    ['vehicles list 510', 'Did you mean `fleet vehicles get 510`?'],
    ['labels list Night', 'Did you mean `fleet labels list --filter "name~Night"`?'],
    ['drivers list', 'Drivers are people: `fleet people list --drivers`.'],
    ['drivers add', 'Did you mean `fleet people create`?'],
    ['people add', 'Did you mean `fleet people create`?'],
    ['groups rm Winter', 'Did you mean `fleet groups delete Winter`?'],
    ['trips Van02', 'Commands of `fleet trips`: list. To look up a name: `fleet trips list Van02`.'],
    ['trips get Van02', 'Commands of `fleet trips`: list. To look up a name: `fleet trips list Van02`.'],
    ['geofences apply depots.csv', 'Did you mean `fleet geofences import depots.csv`?'],
    ['geofences upload depots.kml', 'Did you mean `fleet geofences import depots.kml`?'],
    ['geofences near', 'Did you mean `fleet vehicles near`?'],
    ['vehicel list', 'Did you mean vehicles?'],
    ['vehicles lst', 'Did you mean list?'],
  ])('fleet %s', async (words, hint) => {
    expect(await refused(words.split(' '))).toContain(`hint: ${hint}\n`);
  });

  test.each([
    [
      ['geofences', 'add', 'Customer X', '58.38,26.72', '200'],
      'Did you mean `fleet geofences create --name "Customer X" --at 58.38,26.72 --radius 200`?',
    ],
    [['geofences', 'add', 'Customer X', 'Main street'], 'Did you mean `fleet geofences create --help`?'],
    [
      ['geofences', 'rename', 'Depot', 'Depot Tartu'],
      'Did you mean `fleet geofences update Depot --name "Depot Tartu"`?',
    ],
    [['groups', 'add', 'Winter 5', 'Van 01'], 'Did you mean `fleet vehicles groups "Van 01" --add "Winter 5"`?'],
    [['groups', 'add', 'Winter 5'], 'Did you mean `fleet groups create --name "Winter 5"`?'],
    [
      ['drivers', 'add', 'Anna', 'Tamm'],
      'Did you mean `fleet people create --first-name Anna --last-name Tamm --is-driver`?',
    ],
    [
      ['groups', 'create', 'Winter 5', 'Van 01'],
      'Give the name with --name, such as --name "Winter 5". Add --help to see the other flags.',
    ],
    [
      ['geofences', 'create', 'Depot', '58.38,'],
      'Give the name with --name, such as --name "Winter 5". Add --help to see the other flags.',
    ],
    [['geofences', 'create', '--at', '58.38,', '26.72'], 'Write the position without a space: 58.38,26.72'],
    [['vehicles', 'near', '58.38,', '26.72'], 'Write the position without a space: 58.38,26.72'],
    [['where', 'Truck 07'], 'Did you mean `fleet vehicles status "Truck 07"` or `fleet map`?'],
    [['Truck 07'], 'Did you mean `fleet vehicles get "Truck 07"`?'],
  ])('fleet %s: the words stand where the command takes them', async (words, hint) => {
    expect(await refused(words)).toContain(`hint: ${hint}\n`);
  });

  test('what a shell would read otherwise is left out of the command', async () => {
    expect(await refused(['find', 'a;rm b'])).toContain('hint: Did you mean `fleet vehicles get`?\n');
    expect(await refused(['find', 'Van 02'])).toContain('hint: Did you mean `fleet vehicles get "Van 02"`?\n');
  });
});

describe('a change that the service has no operation for', () => {
  test.each([
    ['vehicles', 'create'],
    ['vehicles', 'add', 'create'],
    ['vehicles', 'delete'],
    ['vehicles', 'remove', 'delete'],
    ['labels', 'add', 'create'],
    ['roles', 'create'],
    ['devices', 'update'],
    ['rules', 'create'],
    ['schedules', 'edit', 'update'],
    ['sensors', 'delete'],
  ])('fleet %s %s', async (noun, typed, verb = typed) => {
    const stderr = await refused([noun, typed]);
    expect(stderr).toContain(`hint: The service has no operation to ${verb} ${noun}. Commands of \`fleet ${noun}\`: `);
    expect(stderr).not.toContain('Did you mean');
  });

  test('no other change is suggested in its place', async () => {
    // `update` and `move` are similar enough for a suggestion by spelling.
    expect(await refused(['vehicles', 'remove'])).not.toContain('Did you mean');
    expect(await refused(['vehicles', 'create'])).not.toContain('Did you mean');
  });
});

describe('a flag that does not exist', () => {
  test.each([
    ['vehicles list --json', 'Did you mean `-o json`?'],
    ['trips list --on yesterday --excel', 'Did you mean `-o xlsx`?'],
    ['vehicles list --utc', 'Did you mean `--time-zone UTC`?'],
    ['--json vehicles list', 'Did you mean `-o json`?'],
    ['--json', 'Did you mean `-o json`? It belongs to a command: `fleet vehicles list -o json`.'],
    ['trips list --yesterday', 'Did you mean `--on yesterday`?'],
    ['history --today', 'Did you mean `--since today`?'],
    ['vehicles list --search van', 'Did you mean `--filter "name~van"`?'],
    ['vehicles list --columns id,name', 'Did you mean `--fields id,name`?'],
    ['vehicles list --format csv', 'Did you mean `-o csv`?'],
    ['vehicles list --format=csv', 'Did you mean `-o csv`?'],
    ['vehicles list -q', 'Did you mean --quiet?'],
    ['trips list --since monday', 'Did you mean `--from monday`?'],
    ['vehicles get Van02 --at 08:00', 'Where a vehicle was then: `fleet vehicles status "Van02" --at "08:00"`.'],
    ['snapshots latest Van02 --at=-2h', 'Where a vehicle was then: `fleet vehicles status "Van02" --at "-2h"`.'],
    ['vehicles list --file all.xlsx', 'Did you mean `--output-file all.xlsx`?'],
    ['login status', 'Did you mean `fleet status`?'],
    ['vehicles list --activ', 'Did you mean --active?'],
    ['vehicles list --driver Anna', 'Who drives each vehicle: `fleet vehicles status --filter "driver~Anna"`.'],
    ['vehicles list --vehicle Van02', 'Vehicles are named without a flag: `fleet vehicles get "Van02"`.'],
    ['trips list --vehicle Van02', 'Vehicles are named without a flag: `fleet trips list "Van02"`.'],
    ['vehicles list --radius 2km', '--radius belongs to `fleet vehicles near`.'],
    [
      'vehicles list --filter driver=Anna',
      'Who drives each vehicle: `fleet vehicles status --filter "driver~…"`. The id of the driver is lastData.driver.driverId.',
    ],
    ['vehicles list --since monday', 'Add --help to see the arguments and flags of the command.'],
    ['vehicles list --zqzqzq', 'Add --help to see the arguments and flags of the command.'],
  ])('fleet %s', async (words, hint) => {
    expect(await refused(words.split(' '))).toContain(`hint: ${hint}\n`);
  });

  test('a time in the past is repeated, and what a shell would read otherwise is left out', async () => {
    const dated = await refused(['vehicles', 'get', 'Truck 07', '--at', 'yesterday 09:59']);
    expect(dated).toContain('`fleet vehicles status "Truck 07" --at "yesterday 09:59"`');
    const shellLike = await refused(['vehicles', 'get', '$(x)', '--at', '$(y)']);
    expect(shellLike).toContain('`fleet vehicles status "Truck 07" --at "08:00"`');
  });

  test('a password is not printed, and the hint says how one is given', async () => {
    const stderr = await refused(['login', '--password=hunter2']);
    expect(stderr).toContain("error: Unknown option '--password'.\nhint: No flag takes a password");
    expect(stderr).toContain('--password-stdin');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('the table', async () => {
  const tree = await readTree();
  const commands = new Set(tree.commands.map(({ name }) => name));
  const leads = [
    ...Object.values(commandWords).flat(),
    ...Object.values(answers).map((text) => /`fleet ([^`]+)`/.exec(text)?.[1]),
  ];

  test('names only commands of this program, or ones whose noun is still to come', () => {
    for (const lead of leads) {
      const words = (lead ?? '').split(' ');
      if (lead?.startsWith('--') || !Object.hasOwn(registry, words[0] ?? '')) continue;
      const isKnown = [1, 2].some((count) => commands.has(`fleet ${words.slice(0, count).join(' ')}`));
      expect(isKnown, lead).toBe(true);
    }
    expect(leads).not.toContain(undefined);
  });

  test('has no word that is a command, and each verb once', () => {
    for (const word of Object.keys(commandWords)) expect(Object.hasOwn(registry, word), word).toBe(false);
    const words = Object.values(verbWords).flat();
    expect(new Set(words).size).toBe(words.length);
  });

  test('never leads from a word that reads to one that changes', () => {
    const changes =
      /^(?!drivers|people apply|groups apply|geofences import)\S+ (create|update|delete|apply|move|set-\w+)\b/;
    for (const lead of Object.values(commandWords).flat()) expect(lead).not.toMatch(changes);
    for (const lead of Object.values(flagWords).flat()) expect(lead).not.toMatch(/--yes|--prune|--allow-deletions/);
  });
});
