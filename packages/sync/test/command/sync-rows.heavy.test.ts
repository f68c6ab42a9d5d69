// Tests `fleet sync` with trips and snapshots, which take seconds. sync.test.ts has the rest.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tryAcquireLease } from '../../../../src/locks/lease.js';
import { moment, service, shellOf } from '../../../../test/cli/harness.js';
import { query } from '../copies.js';

const records = [
  ...['vehicles', 'people', 'groups', 'geofences', 'labels', 'roles', 'rules', 'work_schedules'],
  ...['vehicle_types', 'meta_sensors', 'devices'],
];

function sessionOf(vehicles = 3) {
  const mock = service({ vehicles });
  const fleet = shellOf('demo', mock.fetch);
  return { mock, fleet, file: join(fleet.folder, 'fleet.db') };
}

test('prints a line per table, and fills the copy', async () => {
  const { fleet, file } = sessionOf();
  const { code, stdout, stderr } = await fleet(['sync', file, '--since', '-1h']);
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('table\tread\twritten\tadded\tchanged\tremoved');
  expect(lines.slice(1).map((line) => line.split('\t')[0])).toEqual([
    ...records,
    ...['driver_assignments', 'latest_snapshots', 'trips'],
  ]);
  expect(lines).toContain('vehicles\t3\t3\t3\t0\t0');
  expect(await query(file, 'SELECT count(*) FROM vehicles')).toEqual([[3]]);
});

test('on a terminal prints a table, and shows the progress until then', async () => {
  const { fleet, file } = sessionOf();
  const { stdout, stderr } = await fleet(['sync', file, '--since', '-1h'], { terminal: 80 });
  expect(stdout).toMatch(/TABLE +READ +WRITTEN/);
  expect(stderr).toMatch(/trips: \d+ rows/);
});

test('--snapshots copies snapshots in place of trips; with --trips both', async () => {
  const { fleet, file } = sessionOf(2);
  const one = await fleet(['sync', file, '--since', '-10m', '--snapshots', '--fields', 'table']);
  expect(one.stdout).toMatch(/\nsnapshots\n$/);
  expect(one.stdout).not.toContain('trips');
  const both = await fleet(['sync', file, '--snapshots', '--trips', '--fields', 'table']);
  expect(both.stdout).toMatch(/\ntrips\nsnapshots\n$/);
});

test('--vehicles takes names, and --group the vehicles in a group', async () => {
  const { mock, fleet, file } = sessionOf(6);
  const [first] = JSON.parse((await fleet(['vehicles', 'list', '-o', 'json'])).stdout);
  await fleet(['sync', file, '--since', '-10m', '--vehicles', first.name]);
  expect(await query(file, 'SELECT DISTINCT vehicle_id FROM sync_cursors')).toEqual([[first.id]]);
  mock.clearRequests();
  const unknown = await fleet(['sync', file, '--group', 'Nobody']);
  expect([unknown.code, unknown.stderr]).toEqual([5, expect.stringContaining('Nobody')]);
});

test.each([['--watch', '1s'], ['--watch=1s']])(
  '%s goes on until it is interrupted, which is no error',
  async (...watch) => {
    const { mock, fleet, file } = sessionOf();
    const stop = new AbortController();
    let lists = 0;
    const counted = shellOf('demo', async (url, init) => {
      if (/getLabels/.test(String(init?.body)) && ++lists === 3) stop.abort();
      return mock.fetch(url, init);
    });
    const { code, stderr } = await counted(['sync', file, '--only', 'labels', ...watch], {
      signal: stop.signal,
      sleep: async () => undefined,
    });
    expect(stderr).not.toContain('Interrupted');
    expect([code, lists]).toEqual([130, 3]);
    expect((await fleet(['sync', file, '--only', 'labels'])).stdout).toContain('labels\t4\t0\t0\t0\t0');
  },
);

test('--watch looks for late snapshots in the next round when a round could not do it', async () => {
  const { mock, fleet, file } = sessionOf(1);
  await fleet(['sync', file, '--since', '-6h']);
  mock.clock.advance(31 * 60_000);
  const other = tryAcquireLease(`${file}.sync`);
  const stop = new AbortController();
  const begins: number[] = [];
  const counted = shellOf('demo', async (url, init) => {
    const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? String(init?.body) : '{}'));
    for (const [name, value] of Object.entries(Object(variables))) {
      if (name.startsWith('from')) begins.push(Date.parse(String(value)));
    }
    return mock.fetch(url, init);
  });
  let pauses = 0;
  await counted(['sync', file, '--watch', '60s'], {
    signal: stop.signal,
    sleep: async () => {
      other?.release();
      if (++pauses === 2) stop.abort();
    },
  });
  expect(Math.min(...begins)).toBeLessThanOrEqual(moment - 2 * 3_600_000);
});
