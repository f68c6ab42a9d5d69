// `fleet mcp --copy`: past trips and sums come from the copy, and match the service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FleetClient } from '../../../src/index.js';
import { baseUrl, clock, service } from '../../../test/cli/harness.js';
import { sqliteTarget, syncFleet } from '../../sync/src/index.js';
import { connectServer } from './mcp-client.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-mcp-trips-'));
const current = join(folder, 'current.db');
const old = join(folder, 'old.db');
const mock = service();

/** Number of snapshot requests, from which trips are built. */
let snapshotRequests = 0;
const fetch: typeof globalThis.fetch = (input, init) => {
  if (String(init?.body).includes('getSnapshots')) snapshotRequests++;
  return mock.fetch(input, init);
};

async function copyTo(path: string, { at = clock, of = mock, url = baseUrl, since = '2026-02-21T12:00:00Z' } = {}) {
  const credentials = { username: 'demo', password: 'demo' };
  await using fleet = new FleetClient({ baseUrl: url, credentials, fetch: of.fetch, clock: at });
  await syncFleet(fleet, sqliteTarget(path), { parts: ['vehicles', 'trips'], since });
}

beforeAll(async () => {
  await copyTo(current);
  // A copy made some days ago, in the middle of the day.
  const then = { now: () => Date.parse('2026-02-27T13:00:00Z') };
  await copyTo(old, { at: then, of: service({ clock: then }) });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const copies = { current, old };

type Case = readonly [tool: string, input: Readonly<Record<string, string>>, copiesAsked: readonly string[]];

describe.each(['current', 'old'] as const)('a copy that is %s', (name) => {
  test.each<Case>([
    ['list_trips', { on: 'yesterday' }, ['current']],
    ['list_trips', { from: '2026-02-25 08:00', to: '2026-02-25 17:00' }, ['current', 'old']],
    ['sum_trips', { on: 'last week', by: 'vehicle' }, ['current', 'old']],
    ['sum_trips', { on: 'last week', by: 'day' }, ['current', 'old']],
    ['sum_trips', { from: '2026-02-25 08:10', to: '2026-02-28 17:00', by: 'driver' }, ['current', 'old']],
    ['sum_trips', { from: '2026-02-25', to: 'now', by: 'group' }, ['current']],
    ['sum_trips', { from: '2026-02-20', to: '2026-02-23', by: 'vehicle' }, []],
  ])('%s %j: the answer is that of the service', async (tool, input, copiesAsked) => {
    const { ask } = await connectServer(mock.fetch, { words: ['--copy', copies[name]] });
    const { ask: askService } = await connectServer(mock.fetch);
    const [ofCopy, ofService] = [await ask(tool, input), await askService(tool, input)];
    const { source, asOf: _copied, ...answer } = ofCopy.data;
    const { source: _service, asOf: _now, ...expected } = ofService.data;
    expect(answer).toEqual(expected);
    expect(Number(answer.count)).toBeGreaterThan(0);
    // The service is used for periods that the copy covers by less than half or that begin before
    // it.
    const isOfCopy = copiesAsked.includes(name);
    expect(source).toEqual(isOfCopy ? expect.stringContaining('copy') : 'service');
  });
});

test('days of which no trip goes over midnight cost no request for snapshots', async () => {
  const { ask } = await connectServer(fetch, { words: ['--copy', current] });
  snapshotRequests = 0;
  const { data } = await ask('sum_trips', { from: '2026-02-25 03:00', to: '2026-02-26 03:00', by: 'vehicle' });
  expect(data).toMatchObject({
    source: expect.stringContaining('copy'),
    asOf: expect.stringMatching(/^2026-03-02 11:/),
  });
  const few = snapshotRequests;
  const { ask: askService } = await connectServer(fetch);
  snapshotRequests = 0;
  await askService('sum_trips', { from: '2026-02-25 03:00', to: '2026-02-26 03:00', by: 'vehicle' });
  expect(few).toBeLessThan(snapshotRequests);
});

test('a copy of another service is not asked, and the answer says so', async () => {
  const other = join(folder, 'other.db');
  await copyTo(other, { url: 'http://other.test', since: '2026-03-02T09:00:00Z' });
  const { ask } = await connectServer(mock.fetch, { words: ['--copy', other] });
  const { data } = await ask('sum_trips', { on: 'yesterday', by: 'vehicle' });
  expect(data.source).toBe('service');
  expect(String(data.notes)).toContain('another user or service');
});
