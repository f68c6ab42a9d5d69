// `fleet watch`: flags, lines, folder and receivers, with a test clock and scripted vehicles.
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal } from '../../src/core/journal.js';
import type { Fetch } from '../../src/core/ports.js';
import { leaveLock } from '../locks/abandoned-lock.js';
import { until } from '../until.js';
import { moment, service, shellOf } from './harness.js';
import { handClock, type Setup, watching } from './watching.js';
import { answers, WebhookReceiver } from './webhook-receiver.js';

const minute = 60_000;
const nothing = () => undefined;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-alerts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function fleetOfOne() {
  const clock = handClock();
  const fleet = service({ vehicles: 1, clock });
  return { clock, fleet };
}

async function idOf(fleet: ReturnType<typeof service>): Promise<string> {
  const { stdout } = await shellOf('demo', fleet.fetch)(['vehicles', 'list', '-o', 'json', '--fields', 'id']);
  return JSON.parse(stdout)[0].id;
}

const place = { latitude: 10, longitude: 10 };
const elsewhere = { latitude: 10.2, longitude: 10 };

/** Parked, then driving at 120 km/h, then idling. `at`: minutes after the beginning. */
async function drive(fleet: ReturnType<typeof service>): Promise<void> {
  const row = (at: number, speed: number, ignition: boolean, where = place) => ({
    ...{ at: moment + at * minute, ignition, gps: { state: true, ...where, speed } },
  });
  fleet.telemetry.script(await idOf(fleet), [
    row(-1, 0, false),
    row(1, 0, true),
    row(2, 120, true),
    row(2.2, 130, true),
    row(2.4, 60, true, elsewhere),
    row(4, 0, true, elsewhere),
    row(20, 0, false, elsewhere),
  ]);
}

const words = ['watch', '--on', 'ignition,speeding,idle,silent', '--for', 'silent=30m', '--every', '5m'];
const tenLooks: Setup = { steps: Array.from({ length: 10 }, () => nothing) };

async function driving(more: readonly string[], setup: Setup = tenLooks, fetch?: (own: Fetch) => Fetch) {
  const { clock, fleet } = fleetOfOne();
  await drive(fleet);
  return watching([...words, ...more], fetch?.(fleet.fetch) ?? fleet.fetch, clock, setup);
}

describe('the printed events', () => {
  test('in a pipe, a line of JSON for each event; a condition that already holds is not an event', async () => {
    const { code, stdout, stderr } = await driving([]);
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr:
        'Watching 1 vehicle for ignition, speeding over 90 km/h, idle for 10 min, silent for 30 min; every 5 min. Ctrl-C to stop.\n',
    });
    await expect(stdout).toMatchFileSnapshot('golden/watch-alerts.ndjson');
  });

  test('on a terminal, a line with the local time, the vehicle and the event', async () => {
    const window = { columns: 100, rows: 20 };
    const { stdout } = await driving([], { ...tenLooks, window, env: { TZ: 'Europe/Tallinn' } });
    await expect(stdout).toMatchFileSnapshot('golden/watch-alerts.txt');
  });

  test('as csv there is one header, and --filter and --fields choose', async () => {
    const flags = ['-o', 'csv', '--fields', 'type,text', '--filter', 'type!=speeding'];
    const { stdout } = await driving(flags);
    expect(stdout).toBe(
      'type,text\nignition,Van 01: ignition on\nidle,Van 01: idling for 10 min\nignition,Van 01: ignition off\nsilent,"Van 01: silent, no data for 30 min"\n',
    );
  });

  test('with --resolved, also the end of a condition, with the id of its beginning', async () => {
    const { stdout } = await driving(['--resolved', '--fields', 'id,resolves,type,at,text', '-o', 'ndjson']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ends = events.filter(({ resolves }) => resolves !== null);
    expect(ends.map(({ type, at, text }) => [type, at, text])).toEqual([
      ['speeding', '2026-03-02T09:32:24.000Z', 'Van 01: speeding is over, up to 130 km/h, for 12 s'],
      ['idle', '2026-03-02T09:50:00.000Z', 'Van 01: idling is over, after 16 min'],
    ]);
    for (const { resolves, type } of ends) {
      expect(events.find(({ id }) => id === resolves)).toMatchObject({ type, resolves: null });
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  test('--resolved needs an event that has an end', async () => {
    const words = ['watch', '--on', 'geofence-exit', '--resolved'];
    const { code, stderr } = await shellOf('demo', service().fetch)(words);
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--resolved is for geofence-dwell and movement and silent and speeding and idle and low-battery and offline',
    );
  });

  test('events between two polls are found', async () => {
    const { fleet, clock } = fleetOfOne();
    await drive(fleet);
    const { parts } = await watching(words, fleet.fetch, clock, tenLooks);
    // Speeding lasts for 12 seconds in the middle of 5 minutes.
    expect(parts[1]?.split('\n').filter((line) => line.includes('"speeding"'))).toHaveLength(1);
    const sentOperations = fleet.requests
      .filter(({ path }) => path === '/graphql')
      .flatMap(({ operations }) => operations);
    // Only after a poll with a newer snapshot.
    expect(sentOperations.filter((name) => name === 'getSnapshots')).toHaveLength(2);
  });
});

describe('geofences', () => {
  test('a vehicle that leaves and comes back; --geofence takes names', async () => {
    const { fleet, clock } = fleetOfOne();
    const fleetShell = shellOf('demo', fleet.fetch);
    const circle = ['geofences', 'create', '--input', '-'];
    for (const [name, longitude] of [
      ['Yard', 10],
      ['Port', 10.06],
    ] as const) {
      const corners = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
        [-1, -1],
      ];
      const ring = corners.map(([x = 0, y = 0]) => [longitude + x / 100, 10 + y / 100]);
      const geojson = { type: 'Polygon', coordinates: [ring] };
      const made = await fleetShell(circle, { input: JSON.stringify({ name, geojson }) });
      expect(made.code, made.stderr).toBe(0);
    }
    const row = (at: number, longitude: number) => ({
      ...{ at: moment + at * minute, ignition: true, gps: { state: true, latitude: 10, longitude, speed: 50 } },
    });
    fleet.telemetry.script(await idOf(fleet), [row(-1, 10), row(1, 10.03), row(2, 10.06), row(3, 10.03), row(4, 10)]);
    const on = ['watch', '--on', 'geofence-enter,geofence-exit', '-o', 'csv', '--fields', 'at,text'];
    const all = await watching(on, fleet.fetch, clock, { steps: Array.from({ length: 10 }, () => nothing) });
    expect(all.stdout.trim().split('\n').slice(1)).toEqual([
      '2026-03-02T09:31:00.000Z,Van 01: left Yard',
      '2026-03-02T09:32:00.000Z,Van 01: entered Port',
      '2026-03-02T09:33:00.000Z,Van 01: left Port',
      '2026-03-02T09:34:00.000Z,Van 01: entered Yard',
    ]);
    const again = handClock();
    const same = service({ vehicles: 1, clock: again });
    same.restore(fleet.snapshot());
    const yard = await watching([...on, '--geofence', 'Yard'], same.fetch, again, {
      steps: Array.from({ length: 10 }, () => nothing),
    });
    expect(yard.stdout.match(/left|entered/g)).toEqual(['left', 'entered']);
    expect(yard.stdout).not.toContain('Port');
  });

  test('one that cannot be read is left out, and named', async () => {
    const { fleet, clock } = fleetOfOne();
    const nested = `${'{"type":"GeometryCollection","geometries":['.repeat(20_000)}${']}'.repeat(20_000)}`;
    const deep: Fetch = async (url, init) => {
      const response = await fleet.fetch(url, init);
      const text = (await response.text()).replace(/"geojson":\{.*?\}/, `"geojson":${nested}`);
      return {
        ok: response.ok,
        status: response.status,
        headers: response.headers,
        text: async () => text,
        json: async () => JSON.parse(text),
      };
    };
    const { code, stderr } = await watching(['watch', '--on', 'geofence-exit', '--every', '5m'], deep, clock, {
      steps: Array.from({ length: 6 }, () => nothing),
    });
    expect(code).toBe(130);
    // The geofences were read several times.
    expect(stderr.match(/^! .*$/gm)).toEqual([
      '! The geofence Depot Tartu cannot be read, so no vehicle is inside of it.',
    ]);
  });

  test('a name that no geofence has ends the watch', async () => {
    const { fleet, clock } = fleetOfOne();
    const on = ['watch', '--on', 'geofence-exit', '--geofence', 'Nowhere'];
    const { code, stderr } = await watching(on, fleet.fetch, clock);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no geofence "Nowhere"');
  });
});

type LastRow = Record<string, unknown> | null;

/** Returns the service, with changed last rows of its vehicles. */
function withLastRows(own: Fetch, change: (row: LastRow) => LastRow): Fetch {
  return async (url, init) => {
    const response = await own(url, init);
    const text = await response.text();
    const read = JSON.parse(text, (key, value: unknown) => (key === 'lastData' ? change(value as LastRow) : value));
    return { ...response, ok: response.ok, status: response.status, text: async () => JSON.stringify(read) };
  };
}

test('a vehicle whose id is missing in one answer is still there in the next', async () => {
  let looks = 0;
  const nameless =
    (own: Fetch): Fetch =>
    async (url, init) => {
      const response = await own(url, init);
      if (!url.endsWith('/graphql')) return response;
      const { data } = JSON.parse(await response.text());
      const lists = Object.values(Object(data)).filter((list) => Array.isArray(list) && 'lastData' in Object(list[0]));
      if (lists.length > 0) looks++;
      if (looks === 2) for (const list of lists) for (const row of Object(list)) row.id = null;
      return Response.json({ data });
    };
  const shown = ['-o', 'csv', '--fields', 'at,text'];
  const { stdout, stderr } = await driving(shown, tenLooks, nameless);
  expect(looks).toBeGreaterThan(3);
  expect({ stdout, stderr }).toEqual(await driving(shown).then(({ stdout, stderr }) => ({ stdout, stderr })));
});

const at = (ms: number) => new Date(ms).toISOString();

describe('rows that are ahead of the clock of the service', () => {
  const looks = [
    'watch',
    '--on',
    'ignition,speeding,idle,silent',
    '--for',
    'silent=30m',
    '-o',
    'csv',
    '--fields',
    'at,text',
  ];
  const events = (stdout: string) => stdout.trim().split('\n').slice(1);

  test('a vehicle whose last row is years ahead is watched from now on, and stderr says so', async () => {
    const ahead = (own: Fetch) => withLastRows(own, (row) => ({ ...row, timestamp: '2034-05-01T00:00:00Z' }));
    const { stdout, stderr } = await driving(['-o', 'csv', '--fields', 'at,text'], tenLooks, ahead);
    expect(events(stdout)).toEqual([
      '2026-03-02T09:32:00.000Z,"Van 01: speeding at 120 km/h, limit 90 km/h"',
      '2026-03-02T09:34:00.000Z,Van 01: idling for 10 min',
      '2026-03-02T09:50:00.000Z,Van 01: ignition off',
      '2026-03-02T09:50:00.000Z,"Van 01: silent, no data for 30 min"',
    ]);
    expect(stderr).toBe(
      '! The clock of the device of vehicle Van 01 is 2981 d ahead: rows from the future are not its current state, and its trips are dated by that clock.\nWatching 1 vehicle for ignition, speeding over 90 km/h, idle for 10 min, silent for 30 min; every 5 min. Ctrl-C to stop.\n',
    );
  });

  test('a vehicle that sends nothing but a row years ahead is silent', async () => {
    const { fleet, clock } = fleetOfOne();
    fleet.telemetry.script(await idOf(fleet), [{ at: moment - 400 * 86_400_000, ignition: false }]);
    const ahead = withLastRows(fleet.fetch, (row) => ({ ...row, timestamp: '2034-05-01T00:00:00Z' }));
    const { stdout } = await watching([...looks, '--every', '10m'], ahead, clock, tenLooks);
    expect(events(stdout)).toEqual(['2026-03-02T09:30:00.000Z,"Van 01: silent, no data for 30 min"']);
  });

  test.each([45_000, 240_000])('a row %i ms ahead does not hide those after it', async (aheadMs) => {
    const { fleet, clock } = fleetOfOne();
    const row = (seconds: number, ignition: boolean) => ({ at: moment + seconds * 1_000, ignition });
    fleet.telemetry.script(await idOf(fleet), [row(-60, false), row(15, true), row(25, false), row(35, true)]);
    let isFirst = true;
    const ahead = withLastRows(fleet.fetch, (row) => {
      const changed = isFirst ? { ...row, timestamp: at(moment + aheadMs) } : row;
      isFirst = false;
      return changed;
    });
    const { stdout, stderr } = await watching([...looks, '--every', '10s'], ahead, clock, tenLooks);
    expect(events(stdout)).toEqual([
      '2026-03-02T09:30:15.000Z,Van 01: ignition on',
      '2026-03-02T09:30:25.000Z,Van 01: ignition off',
      '2026-03-02T09:30:35.000Z,Van 01: ignition on',
    ]);
    expect(stderr).not.toContain('!');
  });
});

test.each<[string, LastRow, string]>([
  [
    'has never sent anything',
    null,
    '! No snapshot of 1 vehicle has arrived, so there are no events until one does: Van 01.\nWatching 0 vehicles',
  ],
  [
    'has a last row without a readable time',
    { timestamp: 'soon' },
    '! The last snapshot of 1 vehicle has no readable time; its events come from the others: Van 01.\nWatching 1 vehicle',
  ],
])('stderr names a vehicle that %s', async (_, lastRow, expected) => {
  const { stderr } = await driving([], {}, (own) => withLastRows(own, () => lastRow));
  expect(stderr).toContain(expected);
});

describe('--since', () => {
  test('last: continues where the last watch stopped, with the same ids as one that was never stopped', async () => {
    const whole = await driving([]);
    const folder = temporary();
    const { fleet, clock } = fleetOfOne();
    await drive(fleet);
    const env = { FLEET_CONFIG_DIR: folder };
    let found = '';
    for (let round = 0; round < 4; round++) {
      const part = await watching([...words, '--since', 'last'], fleet.fetch, clock, { env, steps: [nothing] });
      found += part.stdout;
      if (round === 0) expect(part.stderr).toContain('There is no earlier watch to continue, so this one begins now.');
      // A gap without a watch.
      clock.advance(7 * minute);
    }
    const ids = (text: string) => text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).id));
    expect(ids(found)).toEqual(ids(whole.stdout));
    expect(new Set(ids(found)).size).toBe(5);
  });

  test('a time: begins there, with the conditions of that time', async () => {
    const { fleet, clock } = fleetOfOne();
    await drive(fleet);
    clock.advance(30 * minute);
    const { stdout } = await watching(
      [...words, '--since', '-31m', '-o', 'csv', '--fields', 'text'],
      fleet.fetch,
      clock,
    );
    expect(stdout.trim().split('\n').slice(1)).toEqual([
      'Van 01: ignition on',
      '"Van 01: speeding at 120 km/h, limit 90 km/h"',
      'Van 01: idling for 10 min',
      'Van 01: ignition off',
    ]);
  });

  test('its files are private, and a second watch of the same folder is refused plainly', async () => {
    const folder = temporary();
    const { fleet, clock } = fleetOfOne();
    const env = { FLEET_CONFIG_DIR: folder };
    let second: Awaited<ReturnType<typeof watching>> | null = null;
    let isDone = false;
    const state = join(folder, 'mine');
    const first = await watching([...words, '--state', state], fleet.fetch, clock, {
      env,
      steps: [
        () => {
          for (const name of readdirSync(state)) expect(statSync(join(state, name)).mode & 0o077).toBe(0);
          void watching([...words, '--state', state], fleet.fetch, handClock(), { env }).then((outcome) => {
            second = outcome;
            isDone = true;
          });
        },
      ],
    });
    await until(() => isDone);
    expect(first.code).toBe(130);
    expect(second).toMatchObject({
      code: 3,
      stderr: `error: Another watch (process ${process.pid}) uses the folder ${state}. Nothing was sent.\nhint: End it first, or give this one a folder of its own: --state <folder>.\n`,
    });
    expect(existsSync(join(state, 'watch.lock'))).toBe(false);
  });

  test.skipIf(process.platform !== 'linux')(
    'the lock of a killed watch whose process number is in use again is taken over',
    async () => {
      const state = join(temporary(), 'state');
      const { fleet, clock } = fleetOfOne();
      await watching([...words, '--state', state], fleet.fetch, clock);
      leaveLock(join(state, 'watch.lock'));
      const next = await watching([...words, '--state', state], fleet.fetch, clock);
      expect(next).toMatchObject({ code: 130, stderr: expect.not.stringContaining('Another watch') });
      expect(existsSync(join(state, 'watch.lock'))).toBe(false);
    },
  );

  test('the folder of another user is refused', async () => {
    const state = join(temporary(), 'state');
    const { fleet, clock } = fleetOfOne();
    await watching([...words, '--state', state], fleet.fetch, clock);
    const other = await watching([...words, '--state', state], fleet.fetch, clock, {
      env: { FLEET_USERNAME: 'limited', FLEET_PASSWORD: 'limited' },
    });
    expect(other.code).toBe(3);
    expect(other.stderr).toContain('belongs to another service or user');
  });
});

describe('a disk that is full', () => {
  /** Makes every write to a file fail. */
  function fill(): void {
    const { appendFileSync, fsyncSync } = fs;
    const full = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    Object.assign(fs, { appendFileSync: full, fsyncSync: full });
    syncBuiltinESMExports();
    onTestFinished(() => {
      Object.assign(fs, { appendFileSync, fsyncSync });
      syncBuiltinESMExports();
    });
  }

  test.each(['before the watch', 'during the watch'])('%s', async (when) => {
    const state = join(temporary(), 'state');
    if (when === 'before the watch') fill();
    const { code, stderr } = await driving(['--state', state], { steps: [fill, nothing, nothing] });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `error: There is no space left for the folder ${state} of the watch.\nhint: Free some space`,
    );
  });
});

describe('--post and --exec', () => {
  const env = { FLEET_WEBHOOK_SECRET: 'secret-of-the-receiver' };
  /** Uses the service for its own address, and real HTTP for the receiver. */
  const alsoReal =
    (own: Fetch): Fetch =>
    (url, init) =>
      url.startsWith('http://127.0.0.1') ? fetch(url, init) : own(url, init);

  test('posts the printed events, in order', async () => {
    const receiver = await WebhookReceiver.start();
    const { stdout } = await driving(['--post', receiver.url], { ...tenLooks, env }, alsoReal);
    expect(receiver.posted.map(({ body }) => body)).toEqual(stdout.trim().split('\n'));
  });

  test('--post without an address posts to FLEET_WEBHOOK_URL', async () => {
    const receiver = await WebhookReceiver.start();
    const address = { ...env, FLEET_WEBHOOK_URL: receiver.url };
    const { stdout, stderr } = await driving(['--post'], { ...tenLooks, env: address }, alsoReal);
    expect(receiver.posted.map(({ body }) => body)).toEqual(stdout.trim().split('\n'));
    expect(stderr).not.toContain('hidden');
  });

  test('the next watch delivers undelivered events; refused events are kept in a file', async () => {
    const receiver = await WebhookReceiver.start();
    const state = join(temporary(), 'state');
    receiver.next.push(answers.status(410));
    receiver.always = answers.status(503);
    const flags = ['--post', receiver.url, '--state', state];
    const first = await driving(flags, { ...tenLooks, env }, alsoReal);
    expect(first.stderr).toContain('4 events are not delivered yet; the next watch delivers them.');
    expect(first.stderr).not.toContain('hidden');
    const printed = first.stdout.trim().split('\n');
    const dead = readFileSync(join(state, 'dead-letters.ndjson'), 'utf8').trim().split('\n');
    expect(dead.map((line) => JSON.parse(line))).toEqual([
      { receiver: 'post', reason: 'it answered 410', event: JSON.parse(printed[0] ?? '') },
    ]);
    receiver.posted.length = 0;
    receiver.always = answers.status(204);
    const { fleet, clock } = fleetOfOne();
    const second = await watching([...words, ...flags], alsoReal(fleet.fetch), clock, { env });
    expect(second.stderr).toContain('From an earlier watch, 4 events are delivered now.');
    expect(receiver.posted.map(({ body }) => body)).toEqual(printed.slice(1));
  });

  test('an event is too old by the clock of the service, whatever this machine says', async () => {
    const receiver = await WebhookReceiver.start();
    const state = join(temporary(), 'state');
    receiver.always = answers.status(503);
    const { fleet, clock } = fleetOfOne();
    await drive(fleet);
    const machine = { now: () => clock.now() + 240 * 86_400_000, advance: clock.advance };
    const flags = ['--post', receiver.url, '--state', state];
    const { stderr } = await watching([...words, ...flags], alsoReal(fleet.fetch), machine, { ...tenLooks, env });
    expect(stderr).toContain('5 events are not delivered yet; the next watch delivers them.');
    expect(stderr).not.toContain('too old');
  });

  test('reports a damaged file and keeps it; only events in the damaged bytes are lost', async () => {
    const receiver = await WebhookReceiver.start();
    const state = join(temporary(), 'state');
    receiver.always = answers.status(503);
    const flags = ['--post', receiver.url, '--state', state];
    const first = await driving(flags, { ...tenLooks, env }, alsoReal);
    const printed = first.stdout.trim().split('\n');
    const { fleet, clock } = fleetOfOne();
    const again = () => watching([...words, ...flags], alsoReal(fleet.fetch), clock, { env });
    // A new watch rewrites the file.
    await again();
    const file = join(state, 'watch.journal');
    const intact = readFileSync(file);
    const flipped = async (at: number) => {
      rmSync(state, { recursive: true });
      mkdirSync(state);
      const damaged = Buffer.from(intact);
      damaged[at] = (damaged[at] ?? 0) ^ 4;
      writeFileSync(file, damaged);
      receiver.posted.length = 0;
      receiver.always = answers.status(204);
      const { stderr } = await again();
      const [backup = ''] = readdirSync(state).filter((name) => name.startsWith('watch.journal.corrupt-'));
      expect(stderr).toMatch(/^! The file of the watch was damaged: \d+ bytes cannot be read/m);
      expect(stderr).toContain(`is kept as ${join(state, backup)}.\n`);
      expect(readFileSync(join(state, backup)).equals(damaged)).toBe(true);
      return receiver.posted.map(({ body }) => body);
    };
    const second = intact.indexOf(JSON.parse(printed[1] ?? '').id);
    expect(await flipped(60)).toEqual(printed);
    expect(await flipped(second)).toEqual(printed.filter((_, index) => index !== 1));
    expect(await flipped(intact.length - 10)).toEqual(printed);
  });

  test('--exec runs a command for each event', async () => {
    const file = join(temporary(), 'events.txt');
    const { stdout } = await driving(['--exec', `cat >> ${file}`]);
    await until(() => existsSync(file));
    const run = readFileSync(file, 'utf8').trim().split('\n');
    // Lines interrupted by the end of the watch are not written.
    expect(stdout.trim().split('\n').slice(0, run.length)).toEqual(run);
  });
});

describe('rules', () => {
  const rules = `rules:
  - name: long idle
    on: idle
    for: 30m
    group: City deliveries
  - name: short idle
    on: idle
  - on: speeding
    speedLimit: 110
    label: [Leased]
    vehicleFilter: name=Van*
  - on: geofence-exit
    geofence: Depot Tartu
`;

  function written(text: string, name = 'alerts.yaml'): string {
    const file = join(temporary(), name);
    writeFileSync(file, text);
    return file;
  }

  test('--dry-run shows them with their defaults, and sends nothing', async () => {
    const { fleet } = fleetOfOne();
    const shell = shellOf('demo', fleet.fetch);
    const flags = ['watch', '--rules', written(rules), '--dry-run'];
    const table = await shell(flags, { terminal: 100, env: { NO_COLOR: '1' } });
    const json = await shell([...flags, '-o', 'json']);
    expect(fleet.requests).toEqual([]);
    await expect(`${table.stdout}--- json\n${json.stdout}`).toMatchFileSnapshot('golden/watch-rules.txt');
  });

  test('reports every mistake with its line, before anything is sent', async () => {
    const { fleet } = fleetOfOne();
    const wrong = `rules:
  - on: speding
  - on: idle
    for: soon
    speedlimit: 90
  - for: 10m
  - on: ignition
    speedLimit: 90
  - on: low-battery
  - on: silent
  - on: silent
  - name:
    on: offline
`;
    const { code, stderr } = await shellOf('demo', fleet.fetch)(['watch', '--rules', written(wrong)]);
    expect({ code, sent: fleet.requests.length }).toEqual({ code: 2, sent: 0 });
    await expect(stderr.replace(/in \S+alerts\.yaml/, 'in alerts.yaml')).toMatchFileSnapshot(
      'golden/watch-wrong-rules.txt',
    );
  });

  test.each([
    ['{"rules": [{"on": "idle",}', 'line 1, column'],
    ['- on: [', 'line 1, column'],
    ['rules: 5', 'line 1: rules must be a list'],
    ['', 'line 1: the file must have a list of rules'],
    ['rule:\n  - on: idle', 'line 1: the key "rule" is not allowed here, only "rules".'],
  ])('%j is refused', async (text, problem) => {
    const { code, stderr } = await shellOf('demo', service().fetch)(['watch', '--rules', written(text)]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  test('JSON will do, and groups, labels and filters choose the vehicles of a rule', async () => {
    const { fleet, clock } = fleetOfOne();
    await drive(fleet);
    const { stdout: list } = await shellOf('demo', fleet.fetch)(['vehicles', 'list', '-o', 'json']);
    const [{ name }] = JSON.parse(list);
    const json = JSON.stringify([
      { name: 'mine', on: 'ignition', vehicleFilter: `name=${name}` },
      { name: 'others', on: 'ignition', vehicleFilter: `name!=${name}` },
    ]);
    const flags = ['watch', '--rules', written(json, 'alerts.json'), '-o', 'csv', '--fields', 'rule'];
    const { stdout } = await watching(flags, fleet.fetch, clock, {
      steps: Array.from({ length: 50 }, () => nothing),
    });
    expect(stdout.trim().split('\n')).toEqual(['rule', 'mine', 'mine']);
  });
});

describe('rules with hours', () => {
  /** Drives for the ten minutes around 09:35 UTC, which is 11:35 in Tallinn. */
  async function driveAt(fleet: ReturnType<typeof service>): Promise<void> {
    const row = (at: number, speed: number) => ({
      ...{
        at: moment + at * minute,
        ignition: speed > 0,
        gps: { state: true, latitude: 10 + Math.min(at, 9) / 1e3, longitude: 10, speed },
      },
    });
    const driving = [1, 3, 5, 7, 9].map((at) => row(at, 50));
    fleet.telemetry.script(await idOf(fleet), [row(-1, 0), ...driving, row(16, 0), row(18, 0)]);
  }
  const on = ['watch', '--on', 'ignition,movement', '--time-zone', 'Europe/Tallinn', '--every', '5m'];
  const shown = ['-o', 'csv', '--fields', 'at,text'];
  const watched = async (flags: readonly string[]) => {
    const { clock, fleet } = fleetOfOne();
    await driveAt(fleet);
    return watching([...on, ...shown, ...flags], fleet.fetch, clock, tenLooks);
  };
  const events = (stdout: string) => stdout.trim().split('\n').slice(1);
  const all = [
    '2026-03-02T09:31:00.000Z,Van 01: ignition on',
    '2026-03-02T09:31:00.000Z,Van 01: moving at 50 km/h',
    '2026-03-02T09:46:00.000Z,Van 01: ignition off',
  ];

  test.each<[string, readonly string[], readonly string[]]>([
    ['without hours', [], all],
    [
      'hours that open meanwhile',
      ['--between', '11:35-12:00'],
      ['2026-03-02T09:35:00.000Z,Van 01: moving at 50 km/h', all[2] ?? ''],
    ],
    ['other hours', ['--between', '22:00-06:00'], []],
    ['the day', ['--days', 'mon-fri'], all],
    ['other days', ['--days', 'tue,sat'], []],
    ['in a schedule', ['--schedule', 'Office hours'], all],
    ['outside of it', ['--outside-schedule', 'Office hours'], []],
    [
      'both',
      ['--schedule', 'Office hours', '--between', '11:40-12:00'],
      ['2026-03-02T09:46:00.000Z,Van 01: ignition off'],
    ],
  ])('%s', async (_, flags, expected) => {
    const { stdout, stderr } = await watched(flags);
    expect(events(stdout)).toEqual(expected);
    expect(stderr.match(/is read as [^:]*:.*$/m)?.[0] ?? null).toEqual(
      flags.join().includes('chedule')
        ? 'is read as mon 08:00-17:00, tue 08:00-17:00, wed 08:00-17:00, thu 08:00-17:00, fri 08:00-17:00: the contract gives no unit of its durations, and minutes are likeliest. Its grace times are left out.'
        : null,
    );
  });

  test('the first line names them', async () => {
    const { stderr } = await watched(['--between', '22:00-06:00', '--days', 'fri']);
    expect(stderr).toContain('ignition on fri between 22:00-06:00, movement on fri between 22:00-06:00; every 5 min');
  });

  test('a schedule that does not exist ends the watch', async () => {
    const { code, stderr } = await watched(['--schedule', 'Nights']);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no work schedule "Nights"');
  });
});

test('"left the yard at night" of docs/alerts.md does what it says', async () => {
  const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8');
  const [rule = ''] = / {2}- name: left the yard at night\n( {4}.*\n)+/.exec(page) ?? [];
  expect(rule).toContain('between: 22:00-06:00');
  const { clock, fleet } = fleetOfOne();
  const { stdout: yard } = await shellOf('demo', fleet.fetch)(['geofences', 'get', 'Depot Tartu', '-o', 'json']);
  const [[longitude, latitude]] = JSON.parse(yard).geojson.coordinates[0];
  // The script begins at 11:30 in Tallinn. The second position is 30 km north of the yard.
  const row = (hours: number, north: number) => ({
    ...{
      at: moment + hours * 60 * minute,
      ignition: true,
      gps: { state: true, latitude: latitude + north, longitude, speed: 0 },
    },
  });
  fleet.telemetry.script(await idOf(fleet), [
    row(-1, 0),
    row(4, 0.3),
    row(8, 0),
    row(11.5, 0.3),
    row(15, 0),
    row(30, 0.3),
  ]);
  const file = join(temporary(), 'rules.yaml');
  writeFileSync(file, `rules:\n${rule.replace(/ +label: .*\n/, '')}`);
  const flags = ['watch', '--rules', file, '--time-zone', 'Europe/Tallinn', '--every', '4h'];
  const { stdout } = await watching([...flags, '-o', 'csv', '--fields', 'at,rule,text'], fleet.fetch, clock, tenLooks);
  // It leaves by day at 15:30 and at 17:30, and by night at 23:00.
  expect(stdout.trim().split('\n').slice(1)).toEqual([
    '2026-03-02T21:00:00.000Z,left the yard at night,Van 01: left Depot Tartu',
  ]);
});

test('a journal of an earlier version is refused, and stays as it is', async () => {
  const state = temporary();
  const file = join(state, 'watch.journal');
  const earlier = new Journal(file, () => undefined, { readOnly: false });
  earlier.append({ kind: 'owner', version: 1, owner: 'any' }, []);
  earlier.close();
  const bytes = readFileSync(file);
  const { fleet, clock } = fleetOfOne();
  const { code, stderr } = await watching([...words, '--state', state], fleet.fetch, clock);
  expect(code).toBe(3);
  expect(stderr).toContain(`The watch in ${state} was written by another version of fleet.`);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

describe('flags that do not fit are refused before anything is sent', () => {
  test.each<[readonly string[], string]>([
    [[], 'There is nothing to watch for.'],
    [['--on', 'speding'], '"speding" is not an event, but speeding is.'],
    [['--on', 'low-battery'], '--on low-battery needs --battery-below.'],
    [['--on', 'idle', '--speed-limit', '90'], '--speed-limit is for speeding, which --on does not name.'],
    [['--on', 'idle', '--for', 'silent=5m'], '--for silent=… is for silent, which --on does not name.'],
    [['--on', 'idle', '--for', 'soon'], 'Write it as 30s, 10m, 6h or 7d'],
    [['--on', 'silent', '--for', '0'], 'silent needs a time above 0.'],
    [['--on', 'idle', '--geofence', 'Depot'], '--geofence is for geofence-enter and geofence-exit'],
    [['--on', 'idle', '--rules', 'x.yaml'], 'Give either --rules or --on.'],
    [['--days', 'mon', '--rules', 'x.yaml'], 'Give either --rules or --days.'],
    [['--on', 'geofence-dwell'], 'geofence-dwell needs the time that a vehicle has to stay.'],
    [['--on', 'idle', '--between', '22-6'], '"22-6" is not a range of hours. Write it as 22:00-06:00'],
    [['--on', 'idle', '--days', 'mo'], '"mo" is not a day of the week. Write days as mon,wed or mon-fri.'],
    [['--on', 'idle', '--schedule', ' '], 'It needs a name or an id.'],
    [
      ['--on', 'idle', '--schedule', 'a', '--outside-schedule', 'b'],
      'A rule takes the hours of a work schedule or the hours outside of one, not both.',
    ],
    [['--rules', 'no-such-file.yaml'], 'cannot be read (ENOENT)'],
    [['--on', 'idle', '--post', 'https://u:topsecret@example.com'], 'has a user name or a password in it'],
    [['--on', 'idle', '--post', 'ftp://topsecret'], '--post needs a web address.'],
    [['--on', 'idle', '--post', 'https://example.com'], '--post needs a secret to sign with.'],
    [['--on', 'idle', '--post'], '--post needs an address.'],
    [['--on', 'idle', '--unsigned'], '--unsigned needs --post.'],
    [['--on', 'idle', '--retry-for', '1h'], '--retry-for needs --post or --exec.'],
    [['--on', 'idle', '--exec', ' '], '--exec is empty.'],
    [['--on', 'idle', '--since', 'soonish'], '--since "soonish" is not a time.'],
    [['--on', 'idle', '--sort', 'at'], '--sort needs a complete list'],
    [['--on', 'idle', '-o', 'yaml'], 'fleet watch cannot print yaml'],
    [['--on', 'idle', '--vehicle-filter', 'nam=x'], 'nam'],
  ])('%j', async (flags, problem) => {
    const { fleet } = fleetOfOne();
    const { code, stdout, stderr } = await shellOf('demo', fleet.fetch)(['watch', ...flags]);
    expect({ code, stdout, sent: fleet.requests.length }).toEqual({ code: 2, stdout: '', sent: 0 });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain('topsecret');
  });
});

describe('the secret of --post', () => {
  const post = ['watch', '--on', 'idle', '--post', 'https://example.com'];

  function secretFile(text: string, mode: number): string {
    const file = join(temporary(), 'secret');
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  }

  test.skipIf(process.platform === 'win32')('is refused in a file that others can read', async () => {
    const { fleet } = fleetOfOne();
    const file = secretFile('x'.repeat(40), 0o644);
    const { code, stderr } = await shellOf('demo', fleet.fetch)([...post, '--secret-file', file]);
    expect({ code, sent: fleet.requests.length }).toEqual({ code: 3, sent: 0 });
    expect(stderr).toContain(`Other users can access the secret file ${file} (0644).`);
    // For a file of root, the hint allows reading by the group.
    expect(stderr).toMatch(/Run chmod 06[04]0 /);
  });

  test('is refused when it is short, from a file and from the environment', async () => {
    const { fleet } = fleetOfOne();
    const words = [...post, '--secret-file', secretFile('x'.repeat(15), 0o600)];
    const short = 'The secret of --post has 15 characters, so it can be guessed.';
    const fromFile = await shellOf('demo', fleet.fetch)(words);
    expect(fromFile).toMatchObject({ code: 2, stderr: expect.stringContaining(short) });
    const env = { FLEET_WEBHOOK_SECRET: 'x'.repeat(15) };
    const fromVariable = await shellOf('demo', fleet.fetch)(post, { env });
    expect(fromVariable).toMatchObject({ code: 2, stderr: expect.stringContaining(short) });
    expect(fleet.requests).toEqual([]);
  });
});

test('reports an outage, and finds the events during it', async () => {
  const { fleet, clock } = fleetOfOne();
  await drive(fleet);
  const steps = [
    () => void fleet.faults.add({ kind: 'status', status: 500, times: 1, path: '/graphql' }),
    ...Array.from({ length: 10 }, () => nothing),
  ];
  const { stderr, stdout } = await watching(words, fleet.fetch, clock, { steps });
  expect(stderr).toContain('! no answer since');
  expect(stderr).toContain('! the service answers again');
  expect(stdout.match(/"type":"[a-z]+"/g)).toHaveLength(5);
});
