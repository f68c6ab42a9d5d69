// Every example in --help, the man page, the README and docs/ succeeds with --demo.
// `npx vitest run test/cli/examples.nightly.test.ts -u` updates the output in the documents.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { streetArchive } from '../../packages/map/test/vector-tiles.js';
import { run } from '../../src/cli/run/run.js';
import type * as Service from '../../src/mock/service.js';
import { type Block, generated, pages, root, shows } from '../docs/markdown.js';
import { commandsOf, type SimpleCommand } from './command-words.js';
import { packages } from './packages.js';
import { shownExamples } from './shown-examples.js';
import { Sink } from './sink.js';

/** A Monday morning with vehicles under way. */
const morning = '2026-03-02T09:30:00Z';
/** A Sunday night with few vehicles under way. */
const night = '2026-03-01T03:00:00Z';
const moments = [morning, night];

/** Prefixes of commands that cannot run with --demo. Each must match an example. */
const notRun: readonly (readonly [words: string, reason: string])[] = [
  ['login', '--demo needs no login and refuses it'],
  ['logout', '--demo keeps no session that could be forgotten'],
  ['users use', '--demo keeps nothing, so no user can be chosen for later'],
  ['profiles', '--demo has no profiles'],
  ['map --open', 'starts a browser; without it, it is run below'],
  ['watch --on', 'waits until something happens; test/cli/watch-alerts.test.ts does so on a clock of its own'],
  ['watch --rules alerts.yaml --since', 'the same'],
  ['history', '--demo has no journal; test/cli/history.test.ts runs it'],
  ['undo', 'the same'],
  ['sync postgres:', 'needs a server and a role; packages/sync/test/postgres-catalog.heavy.test.ts runs it'],
  ['mcp', 'answers an assistant on its stdin; test/e2e/mcp.heavy.test.ts asks it'],
  ['mock', 'serves until it is interrupted; test/docs/shell.heavy.test.ts runs it'],
];

const noCommand: readonly (readonly [line: string, reason: string])[] = [
  ['eval "$(fleet completion bash)"', 'its output is for the shell; test/cli/completion.test.ts covers it'],
];

/** Examples that fail on purpose. */
const failing: readonly (readonly [line: string, exitCode: number])[] = [
  [`fleet vehicles get 'No such truck' --demo -o json 2> error.json || echo "exit code $?"`, 5],
];

const area = '{"type":"Polygon","coordinates":[[[24.7,59.4],[24.8,59.4],[24.8,59.5],[24.7,59.4]]]}';
const namedArea = `{"type":"Feature","properties":{"name":"Yard"},"geometry":${area}}`;
const placemark = `<Placemark><name>Yard</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
24.7,59.4 24.8,59.4 24.8,59.5 24.7,59.4</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;

/** Files that examples read, by command prefix. */
const files: readonly (readonly [words: string, name: string, content: string | Uint8Array])[] = [
  ['map', 'region.pmtiles', await streetArchive([0, 1], null)],
  ['api', 'query.graphql', 'mutation ($input: CreateGroupInput!) { createGroup(createGroupInput: $input) { id } }'],
  ['api', 'input.json', '{ "name": "Night shift" }'],
  [
    'api @query.graphql -v name:=null',
    'query.graphql',
    'mutation ($name: String) { createGroup(createGroupInput: { name: "Night shift", description: $name }) { id } }',
  ],
  ['geofences', 'depot.geojson', area],
  ['geofences', 'customers.kml', `<kml xmlns="http://www.opengis.net/kml/2.2">${placemark}</kml>`],
  ['geofences', 'stops.gpx', '<gpx version="1.1"><wpt lat="59.4" lon="24.7"><name>Stop</name></wpt></gpx>'],
  ['geofences import', 'depots.geojson', namedArea],
  ['geofences import', 'depots.kml', `<kml xmlns="http://www.opengis.net/kml/2.2">${placemark}</kml>`],
  ['vehicles apply', 'inspections.csv', '\uFEFFVehicle;customFields.Next inspection\r\nTruck 07;2027-03-15'],
  ['vehicles apply', 'vehicles.xlsx', readFileSync(new URL('workbooks/vehicles.xlsx', import.meta.url))],
  ['vehicles apply', 'vehicles.csv', 'name,licensePlate\nTruck 01,593 NYM'],
  ['geofences import', 'customers.csv', 'name,latitude,longitude,radius\nYard,59.4,24.7,200'],
  ['drivers apply', 'shifts.csv', 'vehicle,driver,startTimestamp\nTruck 07,Anna Lind,2026-02-28 08:00'],
  ['groups apply', 'groups.csv', 'name,parentId\nDeliveries,\nNight shift,Deliveries'],
  ['people apply', 'drivers.csv', 'firstName,lastName,isDriver\nAnna,Tamm,yes'],
  ['geofences import', 'geofences.csv', 'name,color\nDepot Tartu,#00FF00'],
  ['people apply', 'people.csv', 'id,phone\nAnna Lind,+3725551234'],
  ['tokens apply', 'tokens.csv', 'driver,value\nAnna Lind,01A2B3C4'],
  ['reports', 'trips.json', '{ "period": { "from": "2026-02-23T00:00:00Z", "to": "2026-03-02T00:00:00Z" } }'],
  ['watch', 'alerts.yaml', 'rules:\n  - on: speeding\n    speedLimit: 110'],
];

// Each run has a new demo service with shared telemetry, whose computation takes most of the time.
vi.mock('../../src/mock/service.js', async (original) => {
  const { createMockService } = await original<typeof Service>();
  let clock = { now: () => Date.now() };
  const shared = createMockService({ clock: { now: () => clock.now() } });
  return {
    createMockService: ({ clock: newClock }: Service.MockServiceOptions) => {
      if (newClock) clock = newClock;
      shared.reset();
      return shared;
    },
  };
});

let folder: string;
const home = process.cwd();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-examples-'));
  // Examples read files from the current folder.
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the fleet commands of a line, including `npx fleet`. */
function fleetCommandsOf(line: string): readonly SimpleCommand[] {
  return commandsOf(line)
    .map((command) => (command.words[0] === 'npx' ? { ...command, words: command.words.slice(1) } : command))
    .filter(({ words: [name] }) => name === 'fleet');
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Interrupts endless commands after their first output. */
class Screen extends Sink {
  readonly #onText: () => void;

  constructor(onText: () => void) {
    super();
    this.#onText = onText;
  }

  override _write(chunk: Buffer, encoding: string, done: () => void): void {
    super._write(chunk, encoding, done);
    this.#onText();
  }
}

/** True when the command ends only by an interrupt. */
const isEndless = (words: readonly string[]) =>
  words.includes('--watch') || (words[0] === 'map' && !words.includes('--file'));

/** Runs the example with a new demo service and confirms prompts. Written files count as output. */
async function outcomeOf({ words: [, ...words], stdin: source }: SimpleCommand, moment: string): Promise<Outcome> {
  const interrupt = new AbortController();
  const stdin = Object.assign(new PassThrough(), { isTTY: source === null });
  if (source === null) stdin.write('y\r');
  else stdin.end(readFileSync(source));
  const stdout = new Screen(() => isEndless(words) && interrupt.abort());
  const stderr = Object.assign(new Sink(), { isTTY: true });
  const demo = words.includes('--demo') ? [] : ['--demo'];
  const time = words.includes('--demo-time') ? [] : ['--demo-time', moment];
  const code = await run([...demo, ...time, ...words], {
    stdin,
    stdout,
    stderr,
    env: { FLEET_CONFIG_DIR: folder, TZ: 'UTC' },
    signal: interrupt.signal,
    packages,
  });
  const flag = ['--out', '--file', '--output-file'].find((name) => words.includes(name));
  const file = flag === undefined ? undefined : words[words.indexOf(flag) + 1];
  const written = code === 0 && file ? readFileSync(file, 'utf8') : '';
  return { code, stdout: `${stdout.text}${written}`, stderr: stderr.text };
}

/** True for a header without rows and for an empty list. */
function isNothing(stdout: string, { words }: SimpleCommand): boolean {
  const text = stdout.trim();
  const format = words[words.indexOf('-o') + 1];
  if (text === '' || text === '[]') return true;
  if (format === 'geojson') return /"features": ?\[\s*\]/.test(text);
  if (format === 'gpx' || format === 'kml') return !/<(wpt|trkpt|Placemark)\b/.test(text);
  return /^[a-z][\w.]*(([\t,]| {2,})[a-z][\w.]*)*$/i.test(text);
}

/** Writes the files that the examples read. */
function layFiles(said: string): void {
  for (const [beginning, name, content] of files) {
    if (said.startsWith(beginning)) writeFileSync(name, typeof content === 'string' ? `${content}\n` : content);
  }
}

const reasonFor = (said: string) => notRun.find(([words]) => said.startsWith(words));

test.for(moments)(
  'every example works with --demo at %s and prints something',
  { timeout: 900_000 },
  async (moment, { signal }) => {
    const wrong: string[] = [];
    const used = new Set<unknown>();
    for (const shown of await shownExamples()) {
      // After a timeout the current folder is the project, which must not be written to.
      if (signal.aborted) return;
      const exempt = noCommand.find(([line]) => line === shown.line);
      used.add(exempt);
      const commands = exempt ? [] : fleetCommandsOf(shown.line);
      if (commands.length === 0 && !exempt) wrong.push(`${shown.where}: ${shown.line}\n  no command was found in it`);
      for (const command of commands) {
        const said = command.words.slice(1).join(' ');
        const reason = reasonFor(said);
        used.add(reason);
        if (reason) continue;
        layFiles(said);
        const expected = failing.find(([line]) => line === shown.line);
        used.add(expected);
        const { code, stdout, stderr } = await outcomeOf(command, moment);
        const isPlan = command.words.includes('--dry-run');
        // A plan with changes ends with exit code 10.
        const [, expectedCode] = expected ?? [
          null,
          command.words.includes('--watch') ? 130 : isPlan && code === 10 ? 10 : 0,
        ];
        const complaint =
          code !== expectedCode
            ? `exit code ${code}: ${stderr}`
            : !expected && isNothing(stdout, command)
              ? 'prints nothing'
              : '';
        if (complaint !== '') wrong.push(`${shown.where}: ${shown.line}\n  ${complaint.trim()}`);
      }
    }
    expect(wrong.join('\n')).toBe('');
    expect([...notRun, ...noCommand, ...failing].filter((exception) => !used.has(exception))).toEqual([]);
  },
);

const isReproducible = ({ language, code, output }: Block) =>
  language === 'sh' && output !== null && code.trim().split('\n').length === 1 && code.includes('--demo');
const shownOutputs = pages().filter(({ file, blocks }) => !generated.includes(file) && blocks.some(isReproducible));

test.each(shownOutputs.map((page) => [page.file, page] as const))('what %s shows is printed', async (file, page) => {
  let text = page.text;
  for (const { code, output } of page.blocks.filter(isReproducible)) {
    const [command] = commandsOf(code);
    if (!command || output === null) continue;
    const { stdout } = await outcomeOf(command, morning);
    if (shows(output, stdout)) continue;
    const block = (printed: string) => `${code}\`\`\`\n\n\`\`\`text\n${printed}\`\`\`\n`;
    expect(text, 'output stands as text right below its command').toContain(block(output));
    text = text.replace(block(output), () => block(stdout));
  }
  await expect(text).toMatchFileSnapshot(join(root, file));
});
