// Tests a vehicle that disappears while it drives: its trip ends as unfinished, and continues
// later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { root } from '../../../test/docs/markdown.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { contentOf } from './copies.js';
import { databases } from './databases.js';

const HOUR = 3_600_000;
const since = new Date(START - 6 * HOUR);
const text = readFileSync(join(root, 'docs/sync.md'), 'utf8');
const documentedQuery = /Who is under way\?\s+```sql\n([\s\S]*?);?\n```/.exec(text)?.[1] ?? '';

/** Returns a service that hides the vehicle, or lists it as deleted. */
function without(service: MockService, vehicleId: string, how: 'gone' | 'deleted'): Fetch {
  return async (url, init) => {
    const answer = await service.fetch(url, init);
    if (!String(init.body).includes('getVehicles')) return answer;
    const { data } = Object(await answer.json());
    const changed = Object.entries(data).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      if (how === 'gone') return [name, value.filter(({ id }) => id !== vehicleId)];
      return [name, value.map((one) => (one.id === vehicleId ? { ...one, isDeleted: true } : one))];
    });
    return Response.json({ data: Object.fromEntries(changed) });
  };
}

function syncOnce(service: MockService, target: SyncTarget, options: SyncOptions = {}, fetch: Fetch = service.fetch) {
  return syncFleet(makeClient(service, { fetch }), target, { since, ...options });
}

describe.each(databases)('%s', (_name, make) => {
  test.each(['gone', 'deleted'] as const)('a vehicle that is %s', async (how) => {
    let now = START;
    const service = makeService({ vehicles: 12, clock: { now: () => now } });
    const [{ target, run }, undisturbed] = [await make(), (await make()).target];
    await syncOnce(service, target);
    const [[vehicleId, trip] = []] = await run('SELECT vehicle_id, id FROM trips WHERE is_open ORDER BY id');
    const openTrips = 'SELECT vehicle_id FROM trips WHERE is_open ORDER BY vehicle_id';
    const others = (await run(openTrips)).filter(([id]) => id !== vehicleId);
    const fetch = without(service, String(vehicleId), how);
    // A vehicle that is not selected has not disappeared.
    await syncOnce(service, target, { vehicleIds: [String(others[0]?.[0])] });
    expect(await run(openTrips)).toHaveLength(others.length + 1);

    await syncOnce(service, target, {}, fetch);
    expect(await run(openTrips)).toEqual(others);
    const state = `SELECT ended_by, ended_at = last_seen_at FROM trips WHERE id = '${trip}'`;
    const [[endedBy, endsThere] = []] = await run(state);
    expect([endedBy, Boolean(endsThere)]).toEqual(['unfinished', true]);
    const stillOpen = `SELECT 1 FROM trip_segments WHERE trip_id = '${trip}' AND (ended_at IS NULL OR trip_ended_at IS NULL)`;
    expect(await run(stillOpen)).toEqual([]);
    expect(await run(documentedQuery)).toHaveLength(others.length);

    now += HOUR;
    await syncOnce(service, target);
    await syncOnce(service, undisturbed);
    expect(await contentOf(target)).toEqual(await contentOf(undisturbed));
  });

  test('the next sync ends the trip when one was killed before', async () => {
    const service = makeService({ vehicles: 12 });
    const { target, run } = await make();
    await syncOnce(service, target);
    const [[vehicleId, trip] = []] = await run('SELECT vehicle_id, id FROM trips WHERE is_open ORDER BY id');
    await run(`UPDATE vehicles SET deleted_at = '2026-03-01T12:00:00.000Z' WHERE id = '${vehicleId}'`);
    const fetch = without(service, String(vehicleId), 'gone');
    await syncOnce(service, target, { parts: ['vehicles'] }, fetch);
    expect(await run(`SELECT ended_by FROM trips WHERE id = '${trip}'`)).toEqual([['unfinished']]);
  });
});
