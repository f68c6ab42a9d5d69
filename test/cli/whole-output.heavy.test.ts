// The output of every command, in every format, is a complete document or empty after a failure.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type CommandPage, readTree } from '../../codegen/cli-docs/tree.js';
import type { Fetch } from '../../src/core/ports.js';
import type { FaultRule, MockService } from '../../src/mock/service.js';
import { isFullRun } from '../runs.js';
import { type Outcome, service, shellOf } from './harness.js';

const van = 'Van 01';
const hour = ['--from', '-1h'];
const area = '{"type":"Polygon","coordinates":[[[24.7,59.4],[24.8,59.4],[24.8,59.5],[24.7,59.4]]]}';
const files: Readonly<Record<string, string>> = {
  'shifts.csv': `vehicle,driver,startTimestamp\n${van},Liis Tamm,2026-03-01 08:00`,
  'groups.csv': 'name\nNight shift',
  'vehicles.csv': `id,licensePlate\n${van},510 JDX`,
  'people.csv': 'firstName,lastName,isDriver\nAnna,Tamm,yes',
  'tokens.csv': 'driver,value\nLiis Tamm,01A2B3C4',
  'area.geojson': area,
  'areas.geojson': `{"type":"Feature","properties":{"name":"Yard"},"geometry":${area}}`,
};

/** The arguments of each command. */
const calls: Readonly<Record<string, readonly string[]>> = {
  status: [],
  'users list': [],
  'users info': [],
  'vehicles list': [],
  'vehicles get': [van],
  'vehicles update': [van, '--name', 'Van 99'],
  'vehicles types': [],
  'vehicles fields': [van],
  'vehicles set-field': [van, 'Cost centre', '4000'],
  'vehicles sensors': [van],
  'vehicles groups': [van],
  'vehicles move': ['--from', 'City deliveries', '--to', 'Winter roster', van],
  'vehicles status': [],
  'vehicles near': ['Depot Tartu', '--radius', '900km'],
  'devices get': [],
  'vehicles apply': ['vehicles.csv', '--yes'],
  'drivers assign': [van, 'Liis Tamm', '--yes'],
  'drivers unassign': [van, '--yes'],
  'drivers apply': ['shifts.csv', '--yes'],
  'drivers assignments': ['--vehicle', van],
  'geofences list': [],
  'geofences get': ['Depot Tartu'],
  'geofences create': ['--name', 'Yard', '--geojson', 'area.geojson'],
  'geofences import': ['areas.geojson', '--yes'],
  'geofences update': ['Depot Tartu', '--color', '#D62728'],
  'geofences delete': ['Depot Tartu', '--yes'],
  'geofences visits': ['Depot Tartu', ...hour],
  'geofences groups': ['Depot Tartu', '--add', 'Deliveries'],
  'groups list': [],
  'groups create': ['--name', 'Night shift'],
  'groups update': ['Winter roster', '--name', 'Winter tires'],
  'groups delete': ['Winter roster', '--yes'],
  'groups get': ['Winter roster'],
  today: [],
  'groups apply': ['groups.csv', '--yes'],
  'people list': [],
  'people get': ['Liis Tamm'],
  'people create': ['--first-name', 'Anna', '--last-name', 'Tamm'],
  'people update': ['Liis Tamm', '--phone', '+3725551234'],
  'people delete': ['Liis Tamm', '--yes'],
  'people apply': ['people.csv', '--yes'],
  'people fields': ['Liis Tamm'],
  'people set-field': ['Liis Tamm', 'Department', 'Garage'],
  'people set-roles': ['Liis Tamm', 'Dispatcher'],
  'tokens create': ['Liis Tamm', '01A2B3C4'],
  'tokens apply': ['tokens.csv', '--yes'],
  'labels list': [],
  'roles list': [],
  'sensors list': [],
  'rules list': [],
  'rules get': ['Long idling'],
  'schedules list': [],
  'schedules get': ['Office hours'],
  'snapshots latest': [],
  'snapshots list': hour,
  'trips list': hour,
  'stops list': hour,
  sync: ['copy.db', '--only', 'vehicles,people,labels,roles'],
  'reports list': [],
  'reports inputs': ['vehicles'],
  'reports run': ['vehicles'],
  api: ['{ getRoles { id name } getLabels { name } }'],
  'schema check': [],
};

const notCalled: Readonly<Record<string, string>> = {
  login: 'prints no rows',
  logout: 'prints no rows',
  'users use': 'prints no rows',
  doctor: 'its rows are about what fails',
  'profiles list': 'asks no service',
  'profiles use': 'asks no service',
  'profiles remove': 'asks no service',
  'tokens update': 'prints what `tokens create` does',
  'tokens delete': 'prints what `people delete` does',
  map: 'prints a page, after everything has been read',
  'schema print': 'asks no service',
  'schema pull': 'prints one text',
  mcp: 'answers an assistant on its stdin',
  mock: 'serves until it is interrupted',
  completion: 'asks no service',
  watch: 'goes on until it is interrupted',
  'history get': 'asks no service',
  undo: 'has nothing to take back: nothing is kept of --demo',
};

const separated = (text: string, separator: string) => {
  expect(text.endsWith('\n')).toBe(true);
  const widths = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(separator).length);
  expect(new Set(widths).size).toBe(1);
};
const xml = (text: string) =>
  new DOMParser({
    onError: (_level, message) => {
      throw new Error(message);
    },
  }).parseFromString(text, 'text/xml');

/** Parsers that throw for an incomplete text. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  ndjson: (text) => {
    expect(text.endsWith('\n')).toBe(true);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  },
  yaml: (text) => parseYaml(text),
  tsv: (text) => separated(text, '\t'),
  geojson: JSON.parse,
  gpx: xml,
  kml: xml,
};

/** Plans a fault for every request after the first ones. */
const failing =
  (allowedRequests: number, rule: FaultRule) =>
  ({ fetch, faults }: MockService): Fetch => {
    let requests = 0;
    return (url, init) => {
      if (new URL(url).pathname.endsWith('/graphql') && requests++ === allowedRequests)
        faults.add({ ...rule, times: 1_000_000 });
      return fetch(url, init);
    };
  };

/** Ends each answer of the service in the middle, after its first part has been sent. */
function breakingOff({ fetch }: MockService): Fetch {
  return async (url, init) => {
    const answer = await fetch(url, init);
    if (!new URL(url).pathname.endsWith('/graphql')) return answer;
    const text = await answer.text();
    const half = text.slice(0, Math.floor(text.length * 0.6));
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        if (at >= half.length) return controller.error(Object.assign(new Error('lost'), { code: 'ECONNRESET' }));
        controller.enqueue(Buffer.from(half.slice(at, at + 2000)));
        at += 2000;
      },
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}

const faults = {
  'an error of the service': failing(0, { kind: 'graphqlError', message: 'boom' }),
  'an error of the second request': failing(1, { kind: 'graphqlError', message: 'boom' }),
  'an error of one list': ({ fetch, faults: planned }: MockService): Fetch => {
    planned.add({ kind: 'graphqlError', operation: 'getPeople', message: 'boom', times: 1_000 });
    return fetch;
  },
  '503': failing(0, { kind: 'status', status: 503 }),
  '503 for the second request': failing(1, { kind: 'status', status: 503 }),
  'a cut body': failing(0, { kind: 'truncate' }),
  'no JSON': failing(0, { kind: 'malformed' }),
  'no JSON for the second request': failing(1, { kind: 'malformed' }),
  'an answer that breaks off': breakingOff,
} satisfies Readonly<Record<string, (world: MockService) => Fetch>>;

async function run(name: string, format: string, wrap: (world: MockService) => Fetch, flags: readonly string[]) {
  const world = service({ vehicles: 6 });
  const fleet = shellOf('demo', wrap(world));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(fleet.folder, file), text);
  const words = (calls[name] ?? []).map((word) => (/^[a-z]+\.\w+$/.test(word) ? join(fleet.folder, word) : word));
  return fleet([...name.split(' '), ...words, '-o', format, ...flags]);
}

const isWhole = (format: string, text: string): boolean => {
  try {
    readers[format]?.(text);
    return true;
  } catch {
    return false;
  }
};

const leaves = (page: CommandPage): readonly string[] =>
  page.commands.length === 0 ? [page.name.replace(/^fleet /, '')] : page.commands.flatMap(leaves);

const found = new Map<string, readonly string[]>();

/** Returns the commands that print this format when nothing fails. */
async function printing(format: string): Promise<readonly string[]> {
  const cachedNames = found.get(format);
  if (cachedNames !== undefined) return cachedNames;
  const names: string[] = [];
  for (const name of Object.keys(calls)) {
    const { code, stdout } = await run(name, format, ({ fetch }) => fetch, []);
    if (code === 0 && stdout !== '' && isWhole(format, stdout)) names.push(name);
  }
  found.set(format, names);
  return names;
}

test('every command is called, or there is a reason why not', async () => {
  expect([...Object.keys(calls), ...Object.keys(notCalled)].sort()).toEqual([...leaves(await readTree())].sort());
});

test('every call succeeds as long as nothing fails', async () => {
  expect(await printing('json')).toEqual(Object.keys(calls));
  expect(await printing('geojson')).toContain('vehicles list');
  expect(await printing('gpx')).toContain('snapshots list');
  expect(await printing('kml')).toContain('trips list');
});

/** One format of each kind; the nightly run tries all of them. */
const triedFormats = isFullRun ? Object.keys(readers) : ['json', 'tsv', 'gpx'];

describe.each(triedFormats)('%s', (format) => {
  test.each(Object.entries(faults))('%s', async (_, wrap) => {
    const outcomes = await Promise.all(
      (await printing(format)).map(
        async (name): Promise<readonly [string, Outcome]> => [
          name,
          // Retries would take 40 s.
          await run(name, format, wrap, ['--timeout', '1s']),
        ],
      ),
    );
    const cut = outcomes.filter(([, { stdout }]) => stdout !== '' && !isWhole(format, stdout));
    expect(cut.map(([name, { stdout }]) => `${name}: …${stdout.slice(-60)}`)).toEqual([]);
    expect(outcomes.filter(([, { code }]) => code !== 0).length).toBeGreaterThan(0);
  });
});
