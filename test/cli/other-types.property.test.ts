// Values of other types than in the contract are shown in every format.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/core/ports.js';
import { runs } from '../runs.js';
import { type Shell, service, shellOf } from './harness.js';

const id = /^[0-9a-f-]{36}$/;

/** Replaces every value of a member. */
function replacing(fetch: Fetch, name: string, value: unknown): Fetch {
  const replaced = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(replaced);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([member, inner]) => {
        const isLeaf = typeof inner !== 'object' && !(typeof inner === 'string' && id.test(inner));
        return [member, member === name && isLeaf ? value : replaced(inner)];
      }),
    );
  };
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!url.endsWith('/graphql')) return response;
    const { data, ...rest } = Object(await response.json());
    return Response.json({ ...rest, data: replaced(data) }, { status: response.status });
  };
}

const values = [7, 0, -1.5, true, false, 'text', '', [], [1, 'a'], { a: { b: 1 } }, null];
const members = [
  ...[
    'name',
    'licensePlate',
    'vin',
    'make',
    'model',
    'year',
    'timestamp',
    'speed',
    'latitude',
    'direction',
    'engineStatus',
  ],
  ...['serial', 'value', 'firstName', 'lastName', 'email', 'phone', 'isDriver', 'deactivated', 'color', 'type', 'city'],
  ...[
    'description',
    'lastOdometer',
    'lastWorkingHours',
    'createdAt',
    'startedAt',
    'endedAt',
    'weekday',
    'begin',
    'enabled',
  ],
  ...['odometer', 'altitude', 'satellites', 'isDefault', 'beginGrace', 'externalId', 'driverBehaviourType'],
];
const lists = [
  ...[
    'vehicles list',
    'vehicles types',
    'vehicles status',
    'people list',
    'groups list',
    'labels list',
    'geofences list',
  ],
  ...['roles list', 'sensors list', 'rules list', 'schedules list', 'snapshots latest', 'reports list'],
].map((command) => command.split(' '));

describe.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv'])('%s', (format) => {
  test('every list and record is printed, whatever the type of its values', async () => {
    const mock = service();
    const first = async (shell: Shell, noun: string) =>
      JSON.parse((await shell([noun, 'list', '-o', 'json'])).stdout)[0].id;
    const plain = shellOf('demo', mock.fetch);
    const vehicle = await first(plain, 'vehicles');
    const records = [
      ['vehicles', 'get', vehicle],
      ['vehicles', 'fields', vehicle],
      ['vehicles', 'sensors', vehicle],
      ['people', 'get', await first(plain, 'people')],
      ['geofences', 'get', await first(plain, 'geofences')],
      ['rules', 'get', await first(plain, 'rules')],
      ['schedules', 'get', await first(plain, 'schedules')],
      ['snapshots', 'list', vehicle, '--from', '-1h'],
      ['trips', 'list', vehicle, '--from', '-3h'],
      ['drivers', 'assignments', '--vehicle', vehicle],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lists, ...records),
        fc.constantFrom(...members),
        fc.constantFrom(...values),
        async (words, member, value) => {
          const shell = shellOf('demo', replacing(mock.fetch, member, value));
          const { code, stderr } = await shell([...words, '-o', format], { terminal: 120 });
          // Exit code 6: the service answered with invalid data, and the command reports it.
          expect({ code: code === 6 ? 0 : code, stderr: code === 6 ? '' : stderr }).toEqual({
            code: 0,
            stderr: expect.not.stringContaining('unexpected'),
          });
        },
      ),
      { numRuns: runs(40) },
    );
  });
});

test.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv'])('a number for a name is shown in %s', async (format) => {
  const shell = shellOf('demo', replacing(service().fetch, 'name', 7));
  const { code, stdout } = await shell(['labels', 'list', '-o', format], { terminal: 80, env: { NO_COLOR: '1' } });
  expect(code).toBe(0);
  expect(stdout).toMatch(/\b7\b/);
});

test.each([
  ['api', '{ getLabels { name } }', '-o', 'json'],
  ['labels', 'list', '-o', 'ndjson'],
])('a value too deep to be printed is told: %s', async (...words) => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const { fetch } = service();
  const shell = shellOf('demo', async (url, init) => {
    if (!(init.body ?? '').includes('getLabels')) return fetch(url, init);
    return new Response(`{"data":{"getLabels":[{"id":"1","name":${deep}}]}}`);
  });
  const { code, stderr } = await shell(words);
  expect(code).toBe(6);
  expect(stderr).toContain('nested too deeply');
});
