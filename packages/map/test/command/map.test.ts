// `fleet map` for selected vehicles (names, group, label, filter), as a file and live.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../../../src/cli/run/run.js';
import { baseUrl, clock, service, shellOf } from '../../../../test/cli/harness.js';
import { packages } from '../../../../test/cli/packages.js';
import type { FileSetup } from '../../src/shapes.js';
import { fileSetupIn } from '../file-setup.js';

const mock = service({ vehicles: 12 });

async function namesOf(...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await shellOf(
    'demo',
    mock.fetch,
  )(['vehicles', 'list', ...flags, '--fields', 'name', '-o', 'json']);
  return JSON.parse(stdout)
    .map(({ name }: { name: string }) => name)
    .sort();
}

/** The flag --filter of `vehicles list` is --vehicle-filter here. */
const choices = [
  ['--group', 'City deliveries'],
  ['--label', 'Leased'],
  ['--vehicle-filter', 'name=Truck*'],
  ['--group', 'Long haul', '--label', 'Leased'],
].map((flags) => [flags, flags.map((flag) => flag.replace('--vehicle-', '--'))] as const);

describe('--file', () => {
  async function map(...flags: readonly string[]) {
    const fleet = shellOf('demo', mock.fetch);
    const outcome = await fleet(['map', '--file', join(fleet.folder, 'map.html'), '--from', '-1h', ...flags]);
    const setup = (): FileSetup => {
      const html = readFileSync(join(fleet.folder, 'map.html'), 'utf8');
      return fileSetupIn(html);
    };
    return { ...outcome, setup };
  }

  test.each(choices)('%j has the vehicles that `vehicles list` has', async (flags, same) => {
    const { code, setup } = await map(...flags);
    expect(code).toBe(0);
    const expectedNames = await namesOf(...same);
    expect(expectedNames.length).toBeGreaterThan(0);
    expect(expectedNames.length).toBeLessThan(12);
    expect(
      setup()
        .vehicles.map(({ name }) => name)
        .sort(),
    ).toEqual(expectedNames);
    expect(setup().days).toHaveLength(expectedNames.length);
  });

  test.each(['map.pdf', 'map.PNG', 'map', '.html/map'])('%s is refused: a map is a web page', async (file) => {
    const fleet = shellOf('demo', mock.fetch);
    mock.clearRequests();
    const { code, stderr } = await fleet(['map', '--on', 'yesterday', '--file', join(fleet.folder, file)]);
    expect([code, mock.requests, existsSync(join(fleet.folder, file))]).toEqual([2, [], false]);
    expect(stderr).toContain('does not end in .html: a map is a web page. Nothing was sent.');
    expect(stderr).toContain(`${file.replace(/\.\w+$/, '')}.html, and print it to PDF from the browser.`);
  });

  test('a period that has not begun is refused, and no file is written', async () => {
    const fleet = shellOf('demo', mock.fetch);
    const file = join(fleet.folder, 'map.html');
    const { code, stderr } = await fleet(['map', '--on', 'tomorrow', '--file', file]);
    expect([code, existsSync(file)]).toEqual([2, false]);
    expect(stderr).toContain('The period has not begun yet: it begins');
  });

  test.each(['map.htm', 'Map.HTML'])('writes a page to %s, with the singular for one vehicle', async (file) => {
    const fleet = shellOf('demo', mock.fetch);
    const { code, stderr } = await fleet(['map', 'Van 01', '--from', '-1h', '--file', join(fleet.folder, file)]);
    expect([code, existsSync(join(fleet.folder, file))]).toEqual([0, true]);
    expect(stderr).toMatch(/^The map of 1 vehicle was saved to \S+ \(\d\.\d MB\): it (drove|did not drive) between /m);
  });

  test('writes nothing when no vehicle is chosen', async () => {
    const { code, stderr, setup } = await map('--vehicle-filter', 'name=Boat*');
    expect(code).toBe(5);
    expect(stderr).toContain('No vehicle matches --group, --label and --vehicle-filter. Nothing was written.');
    expect(setup).toThrow(/ENOENT/);
  });

  test.each([
    [['Van 01', '--group', 'City deliveries'], 'Give either vehicles, or --group, --label and --vehicle-filter'],
    [['--vehicle-filter', 'nam=Van*'], 'no field "nam"'],
  ])('%j is refused before anything is sent', async (flags, message) => {
    mock.clearRequests();
    const { code, stderr } = await map(...flags);
    expect([code, mock.requests]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });
});

describe('live', () => {
  /** Starts the map. `read` returns new messages; `pass` ends the pause before the next poll. */
  async function live(...flags: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-map-'));
    const end = new AbortController();
    const stdout = new PassThrough();
    let pass = () => undefined as unknown;
    const ended = run(['map', ...flags], {
      packages,
      stdin: new PassThrough(),
      stdout,
      stderr: new PassThrough(),
      env: {
        FLEET_CONFIG_DIR: folder,
        FLEET_BASE_URL: baseUrl,
        FLEET_USERNAME: 'demo',
        FLEET_PASSWORD: 'demo',
        TZ: 'UTC',
      },
      signal: end.signal,
      fetch: mock.fetch,
      clock,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          pass = () => resolve();
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
    });
    onTestFinished(async () => {
      end.abort();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    const url = await new Promise<string>((resolve) => stdout.once('data', (text) => resolve(String(text).trim())));
    const texts: string[] = [];
    let arrived = () => undefined as unknown;
    const page = request(new URL('events', url), (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        texts.push(...text.split('\n').filter((line) => line.startsWith('data: ')));
        arrived();
      });
    });
    page.on('error', () => undefined).end();
    const read = async () => {
      while (texts.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
      return JSON.parse(texts.shift()?.slice('data: '.length) ?? '');
    };
    return { read, pass: () => pass() };
  }

  const namesIn = (message: { readonly vehicles: readonly { readonly name: string }[] }) =>
    message.vehicles.map(({ name }) => name).sort();

  test.each(choices)('%j shows the vehicles that `vehicles list` has', async (flags, same) => {
    const { read } = await live(...flags);
    expect(namesIn(await read())).toEqual(await namesOf(...same));
  });

  test('reports an unknown group before it opens a page', async () => {
    const { code, stdout, stderr } = await shellOf('demo', mock.fetch)(['map', '--group', 'No such group']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toContain('There is no group "No such group"');
  });

  test('a vehicle that gets into the group appears on the page, with one request for all; one that leaves it goes', async () => {
    const { read, pass } = await live('--group', 'City deliveries');
    expect(namesIn(await read())).not.toContain('Truck 01');
    const fleet = shellOf('demo', mock.fetch);
    onTestFinished(() => mock.reset());
    expect((await fleet(['vehicles', 'groups', 'Truck 01', '--add', 'City deliveries'])).code).toBe(0);
    mock.clearRequests();
    pass();
    const appeared = await read();
    expect([namesIn(appeared), appeared.gone]).toEqual([['Truck 01'], []]);
    expect(mock.requests.filter(({ path }) => path === '/graphql').map(({ operations }) => operations)).toEqual([
      ['getVehicles', 'getPeople', 'getGroups'],
    ]);
    await fleet(['vehicles', 'groups', 'Truck 01', '--remove', 'City deliveries']);
    pass();
    const left = await read();
    expect([namesIn(left), left.gone]).toEqual([[], [appeared.vehicles[0].id]]);
  });
});
