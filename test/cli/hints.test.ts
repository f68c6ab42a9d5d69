// Hints about unknown words: they run nothing, and name only existing commands and accepted flags.
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { views } from '../../packages/sync/src/views.js';
import { acceptedOptions, pathOf } from '../../src/cli/help/global-use.js';
import {
  answers,
  commandWords,
  flagAnswers,
  flagWords,
  likelyCommands,
  verbWords,
} from '../../src/cli/hints/synonyms.js';
import { loadAll } from '../../src/cli/run/program.js';
import { commandsOf } from './command-words.js';
import { service, shell } from './harness.js';
import { packages } from './packages.js';

const stream = new PassThrough();
const { signal } = new AbortController();
const program = await loadAll({ stdin: stream, stdout: stream, stderr: stream, env: {}, signal, packages }, () => {
  throw new TypeError('the commands are only read here');
});

async function refused(words: readonly string[]): Promise<string> {
  const mock = service();
  const { code, stdout, stderr } = await shell(mock.fetch)(words);
  expect({ code, stdout, sent: mock.requests.length }).toEqual({ code: 2, stdout: '', sent: 0 });
  expectUsable(stderr, words);
  return stderr;
}

/** Fails when a hint names a missing command, a flag that is refused, or too many words. */
function expectUsable(text: string, typed: readonly string[]): void {
  const hint = text.slice(text.indexOf('hint: '));
  for (const [, code = ''] of hint.matchAll(/`([^`]+)`/g)) {
    const words = commandsOf(code)[0]?.words ?? [];
    if (words[0] === 'fleet') expectCommand(words.slice(1), hint);
  }
  const [, suggested, owners] = /(-[\w-]+)[^`?]*`?(?:\? It)? belongs to (.*)\./.exec(hint) ?? [];
  for (const [, path = ''] of owners?.matchAll(/`fleet ([^`]+)`/g) ?? []) {
    expectCommand([...path.split(' '), suggested ?? ''], hint);
  }
  if (suggested !== undefined) return;
  const [, flag] = /Did you mean `?(-[^`?]*)/.exec(hint) ?? [];
  if (flag !== undefined) expectCommand([...pathIn(typed), ...(commandsOf(flag)[0]?.words ?? [])], hint);
}

function expectCommand(words: readonly string[], hint: string): void {
  const path = pathIn(words);
  const command = commandAt(path);
  const accepted = acceptedOptions(command);
  let operands = 0;
  const rest = words.slice(path.length);
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--help') continue;
    if (!/^--?[a-z]/i.test(word)) operands++;
    else {
      const option = accepted.find(({ short, long }) => short === word || long === word);
      expect(option, `${pathOf(command)} ${word} in ${hint}`).toBeDefined();
      if (option?.required) at++;
    }
  }
  const { registeredArguments } = command;
  const isVariadic = registeredArguments.some(({ variadic }) => variadic);
  if (!isVariadic) expect(operands, hint).toBeLessThanOrEqual(registeredArguments.length);
}

/** Returns the words at the start that are a command. */
function pathIn(words: readonly string[], from: Command = program): readonly string[] {
  const [first, ...rest] = words;
  const below = from.commands.find((command) => command.name() === first);
  return below === undefined ? [] : [below.name(), ...pathIn(rest, below)];
}

function commandAt(path: readonly string[]): Command {
  return path.reduce((command, name) => command.commands.find((below) => below.name() === name) ?? command, program);
}

const driverDays =
  'Each driver and day: `fleet trips list --on "last week" --sum-by driver,day`. A copy of `fleet sync fleet.db` has them in the view driver_days, by the local days of the vehicles.';
const vehicleDays = (vehicle: string) =>
  `Each vehicle and day: \`fleet trips list ${vehicle}--on "last week" --sum-by vehicle,day\`. A copy of \`fleet sync fleet.db\` has them in the view vehicle_days.`;
const odometers =
  'Now: `fleet vehicles list --fields name,lastOdometer`. At both ends of each day: `fleet trips list --on "last week" --sum-by vehicle,day`.';
const sums = ' --sum-by vehicle` or `fleet reports list`?';
const entries = '` or `fleet watch --on geofence-enter,geofence-exit`?';

function commandsBelow({ commands }: Command): readonly Command[] {
  const shown = commands.filter((command) => !command.name().startsWith('__'));
  return shown.flatMap((command) => [command, ...commandsBelow(command)]);
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
    ['drivers hours', driverDays],
    ['drivers days', driverDays],
    ['hours', driverDays],
    ['vehicles hours Van02', vehicleDays('Van02 ')],
    ['vehicles days', vehicleDays('')],
    ['vehicles odometer', odometers],
    ['odometer', odometers],
    ['drivers trips Anna', 'Did you mean `fleet trips list --driver "Anna" --on yesterday`?'],
    [
      'drivers history Anna',
      'Did you mean `fleet drivers assignments --driver "Anna"` or `fleet trips list --driver "Anna" --on yesterday`?',
    ],
    ['drivers distance', 'Did you mean `fleet trips list --on yesterday --sum-by driver` or `fleet reports list`?'],
    ['drivers status Anna', 'Did you mean `fleet vehicles status --filter "driver~Anna"`?'],
    ['drivers where Anna', 'Did you mean `fleet vehicles status --filter "driver~Anna"`?'],
    ['vehicles mileage Van02', `Did you mean \`fleet trips list Van02 --on yesterday${sums}`],
    ['mileage', `Did you mean \`fleet trips list --on yesterday${sums}`],
    ['fuel', `Did you mean \`fleet trips list --on yesterday${sums}`],
    ['idle', `Did you mean \`fleet trips list --on yesterday${sums}`],
    ['vehicles trips Van02', 'Did you mean `fleet trips list Van02 --on yesterday`?'],
    ['vehicles stops', 'Did you mean `fleet stops list --on yesterday`?'],
    [
      'vehicles history Van02',
      'Did you mean `fleet trips list Van02 --on yesterday`, `fleet snapshots list Van02 --on yesterday` or `fleet history --record "Van02"`?',
    ],
    [
      'vehicles track Van02',
      'Did you mean `fleet trips list Van02 --on yesterday -o gpx` or `fleet map Van02 --on yesterday`?',
    ],
    ['vehicles events', 'Did you mean `fleet watch`, `fleet vehicles status --watch` or `fleet rules list`?'],
    ['geofences events', `Did you mean \`fleet geofences visits --on yesterday${entries}`],
    ['geofences history Depot', `Did you mean \`fleet geofences visits Depot --on yesterday${entries}`],
    ['visits', `Did you mean \`fleet geofences visits --on yesterday${entries}`],
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
    ['trips list --vehicle Van02', 'Give the vehicle without a flag: `fleet trips list "Van02"`.'],
    ['vehicles get --vehicles Van02', 'Give the vehicle without a flag: `fleet vehicles get "Van02"`.'],
    ['drivers assign Van02 --driver Anna', 'Give the driver without a flag: `fleet drivers assign "Van02" "Anna"`.'],
    ['vehicles apply --file x.csv', 'Give the file without a flag: `fleet vehicles apply "x.csv"`.'],
    [
      'people list --vehicle Van02',
      'Who drives a vehicle: `fleet vehicles status "Van02"`; who drove it: `fleet drivers assignments "Van02"`.',
    ],
    ['today --vehicle Van02', 'The day of one vehicle: `fleet trips list "Van02" --on today --sum-by vehicle`.'],
    ['vehicles list --driver --active', 'Who drives each vehicle: `fleet vehicles status --filter "driver~…"`.'],
    ['vehicles list --count', 'Did you mean `--jq length`?'],
    ['vehicles list --template x', 'Did you mean `--jq \'.[] | "\\(.id) \\(.name)"\'`?'],
    ['history --on yesterday', 'Did you mean `--since yesterday`?'],
    // A flag of this command with one typing error.
    ['trips list --clp', 'Did you mean --clip?'],
    ['vehicles list --hepl', 'Did you mean --help?'],
    [
      'people list --driver Anna',
      'Did you mean --drivers? --driver belongs to `fleet trips list`, `fleet stops list`, `fleet today` and others.',
    ],
    // A flag of another command, of the same noun first.
    ['reports list --on yesterday', '--on belongs to `fleet reports run`.'],
    ['vehicles --active', '--active belongs to `fleet vehicles list` and `fleet vehicles status`.'],
    ['vehicles list --sum-by day', '--sum-by belongs to `fleet trips list`.'],
    ['today --sum-by day', '--sum-by belongs to `fleet trips list`.'],
    ['snapshots list --min 20m', '--min belongs to `fleet stops list`.'],
    ['trips list --radius 5km', '--radius belongs to `fleet vehicles near`.'],
    ['vehicles list --raduis 5km', 'Did you mean --radius? It belongs to `fleet vehicles near`.'],
    ['vehicles list --tiles x', '--tiles belongs to `fleet map`.'],
    ['geofences list --driver Anna', '--driver belongs to `fleet geofences visits`.'],
    [
      'vehicles list --yesterday',
      'Did you mean `--on yesterday`? It belongs to `fleet trips list`, `fleet stops list`, `fleet today` and others.',
    ],
    // A command that was typed after the flag.
    ['--driver Anna trips list', '--driver belongs to `fleet trips list`.'],
    [
      'vehicles list --from monday',
      '--from belongs to `fleet trips list`, `fleet stops list`, `fleet snapshots list` and others.',
    ],
    ['vehicles list --on today', '--on belongs to `fleet trips list`, `fleet stops list`, `fleet today` and others.'],
    // The command prints no rows.
    ['login --count', 'Add --help to see the arguments and flags of the command.'],
    ['vehicles list --radius 2km', '--radius belongs to `fleet vehicles near`.'],
    [
      'vehicles list --filter driver=Anna',
      'Who drives each vehicle: `fleet vehicles status --filter "driver~Anna"`. The id of the driver is lastData.driver.driverId.',
    ],
    ['vehicles list --since monday', '--since belongs to `fleet watch`, `fleet sync` and `fleet history`.'],
    ['vehicles list --zqzqzq', 'Add --help to see the arguments and flags of the command.'],
  ])('fleet %s', async (words, hint) => {
    expect(await refused(words.split(' '))).toContain(`hint: ${hint}\n`);
  });

  test.each(['vehicles list', 'groups update', 'login'])('fleet %s: each flag of another command', async (path) => {
    const words = path.split(' ');
    const accepted = acceptedOptions(commandAt(words)).flatMap(({ short, long }) => [short, long]);
    const flags = commandsBelow(program).flatMap(({ options }) => options.map(({ long }) => long ?? ''));
    for (const flag of new Set(flags)) {
      if (accepted.includes(flag)) continue;
      expect(await refused([...words, flag, 'x'])).not.toContain('hint: Add --help');
    }
    for (const word of Object.keys(flagWords)) {
      if (!accepted.includes(word)) await refused([...words, word, 'x']);
    }
  });

  test('flags are found without the optional packages', async () => {
    const missing = { versionOf: () => null, load: () => Promise.reject(new TypeError('not installed')) };
    const fleet = shell(service().fetch);
    const hintOf = async (flag: string) => (await fleet(['vehicles', 'list', flag], { packages: missing })).stderr;
    expect(await hintOf('--sum-by')).toContain('--sum-by belongs to `fleet trips list`.');
    expect(await hintOf('--tiles')).not.toContain('fleet map');
  });

  test('a very long one is not compared with each flag', async () => {
    expect(await refused(['vehicles', 'list', `--${'a'.repeat(1_000_000)}`])).toContain('hint: Add --help');
  });

  test('a time in the past is repeated, and what a shell would read otherwise is left out', async () => {
    const dated = await refused(['vehicles', 'get', 'Truck 07', '--at', 'yesterday 09:59']);
    expect(dated).toContain('`fleet vehicles status "Truck 07" --at "yesterday 09:59"`');
    const shellLike = await refused(['vehicles', 'get', '$(x)', '--at', '$(y)']);
    expect(shellLike).toContain('`fleet vehicles status "Truck 07" --at "…"`');
  });

  test('a password is not printed, and the hint says how one is given', async () => {
    const stderr = await refused(['login', '--password=hunter2']);
    expect(stderr).toContain("error: Unknown option '--password'.\nhint: No flag takes a password");
    expect(stderr).toContain('--password-stdin');
    expect(stderr).not.toContain('hunter2');
  });
});

describe('the tables', () => {
  test.each([
    ...Object.values(commandWords)
      .flat()
      .map((lead) => `\`fleet ${lead}\``),
    ...Object.values(answers),
  ])('%s', (hint) => {
    expect(hint).toMatch(/`fleet /);
    expectUsable(hint, []);
  });

  test.each(Object.values(flagAnswers))('%s', (hint) => {
    expectUsable(hint, []);
  });

  test('name views that a copy has', () => {
    const named = Object.values(answers).flatMap((text) =>
      [...text.matchAll(/the view (\w+)/g)].map(([, name]) => name),
    );
    expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    expect(named).not.toEqual([]);
  });

  test('name likely commands that exist', () => {
    for (const path of likelyCommands) expect(pathIn(path.split(' ')).join(' ')).toBe(path);
  });

  test('have no word that is a command, only nouns that exist, and each verb once', () => {
    for (const key of [...Object.keys(commandWords), ...Object.keys(answers)]) {
      const words = key.split(' ');
      expect(pathIn(words), key).toEqual(words.slice(0, -1));
    }
    const words = Object.values(verbWords).flat();
    expect(new Set(words).size).toBe(words.length);
  });

  test('never lead from a word that reads to one that changes', () => {
    const changes =
      /^(?!drivers|people apply|groups apply|geofences import)\S+ (create|update|delete|apply|move|set-\w+)\b/;
    for (const lead of Object.values(commandWords).flat()) expect(lead).not.toMatch(changes);
    for (const lead of Object.values(flagWords).flat()) expect(lead).not.toMatch(/--yes|--prune|--allow-deletions/);
  });
});
