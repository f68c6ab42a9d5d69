// Tests the content of a copy in SQLite after a sync and after the next ones.
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/index.js';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { previewSync, type SyncOptions, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { sqliteTargetOf } from '../src/sqlite/sqlite-target.js';
import { contentOf, query, tempFile } from './copies.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const since = new Date(START - 6 * HOUR);

/** Syncs with a new client, as a command does. */
function syncOnce(service: MockService, file: string, options: SyncOptions = {}) {
  return syncFleet(makeClient(service), sqliteTarget(file), { since, ...options });
}

async function idsOf(service: MockService): Promise<string[]> {
  return (await makeClient(service).getVehicles()).flatMap(({ id }) => id ?? []);
}

describe('the first sync', () => {
  test('copies what the service has: every record, snapshot and trip once', async () => {
    const service = makeService({ vehicles: 4 });
    const fleet = makeClient(service);
    const file = tempFile();
    const report = await syncOnce(service, file, { parts: syncParts });
    expect(report.failures).toEqual([]);
    const people = await fleet.getPeople();
    expect(await query(file, 'SELECT id, first_name FROM people ORDER BY id')).toEqual(
      people.map(({ id, firstName }) => [id, firstName]).sort(),
    );
    const vehicleIds = await idsOf(service);
    const snapshots: unknown[] = [];
    for await (const row of fleet.streamSnapshots({ vehicleIds, from: since, to: new Date(START) })) {
      snapshots.push([row.vehicleId, new Date(String(row.timestamp)).toISOString(), row.gps?.speed ?? null]);
    }
    const stored = await query(file, 'SELECT vehicle_id, recorded_at, speed_kmh FROM snapshots');
    expect(stored).toHaveLength(snapshots.length);
    expect(new Set(stored.map((row) => JSON.stringify(row)))).toEqual(
      new Set(snapshots.map((row) => JSON.stringify(row))),
    );
    const trips: unknown[] = [];
    for await (const trip of fleet.streamTrips({ vehicleIds, from: since, to: new Date(START) })) trips.push(trip.id);
    expect((await query(file, 'SELECT id FROM trips ORDER BY id')).flat()).toEqual(trips.sort());
  });

  test('fills the parts of records, and refers to nothing that is not there', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    await syncOnce(service, file);
    const vehicles = await makeClient(service).getVehicles();
    const groups = vehicles.flatMap(
      ({ id, assignedGroups }) => assignedGroups?.map((group) => `${id} ${group?.id}`) ?? [],
    );
    const stored = await query(file, 'SELECT vehicle_id, group_id FROM vehicle_groups');
    expect(stored.map((row) => row.join(' ')).sort()).toEqual(groups.sort());
    expect(await query(file, 'PRAGMA foreign_key_check')).toEqual([]);
  });

  test('without snapshots keeps only the newest of each vehicle', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    await syncOnce(service, file);
    expect(await query(file, 'SELECT count(*) FROM snapshots')).toEqual([[0]]);
    const latest = await makeClient(service).getLatestSnapshots({ vehicleIds: await idsOf(service) });
    expect(await query(file, 'SELECT vehicle_id, speed_kmh FROM latest_snapshots')).toEqual(
      latest.map(({ vehicleId, gps }) => [vehicleId, gps?.speed]).sort(),
    );
  });

  test('keeps the values that have no column', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    await syncOnce(service, file, { parts: ['snapshots'] });
    const rest = (await query(file, 'SELECT rest FROM snapshots WHERE rest IS NOT NULL LIMIT 500')).map(([text]) =>
      JSON.parse(String(text)),
    );
    const canBus = rest.flatMap((row) => Object.entries(row.canBus ?? {}));
    expect(canBus.length).toBeGreaterThan(0);
    expect(canBus.filter(([name, value]) => name === 'canDistance' || value === null)).toEqual([]);
  });

  test.each([
    // More than twice the requested size: after a weekend vehicles send more than before. The
    // details of trips add a third to their rows. Smaller answers would cost a sync of 25 vehicles
    // its fifth request (ten-syncs.nightly.test.ts).
    ['trips', 20],
    ['snapshots', 12],
  ] as const)('asks for %s in answers of at most %i MiB', async (part, mebibytes) => {
    const service = makeService({ vehicles: 4 });
    const sizes: number[] = [];
    const measured: Fetch = async (url, init) => {
      const response = await service.fetch(url, init);
      const text = await response.text();
      if (String(init.body).includes('getSnapshots')) sizes.push(text.length);
      return new Response(text, response);
    };
    const client = makeClient(service, { fetch: measured });
    await syncFleet(client, sqliteTarget(tempFile()), { parts: [part], since: new Date(START - 48 * HOUR) });
    expect(Math.max(...sizes)).toBeLessThan(mebibytes * 1024 * 1024);
  });

  test('reads each request with low priority', async () => {
    const service = makeService({ vehicles: 2 });
    const priorities = new Set<unknown>();
    const fleet = makeClient(service, {
      hooks: { onCall: (event) => void priorities.add(Reflect.get(event, 'priority')) },
    });
    await syncFleet(fleet, sqliteTarget(tempFile()), { since });
    expect([...priorities].filter((priority) => priority !== undefined && priority !== 'low')).toEqual([]);
  });
});

describe('the next sync', () => {
  test('writes nothing when nothing has changed', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    await syncOnce(service, file, { parts: syncParts });
    const before = await contentOf(sqliteTarget(file));
    const { tables } = await syncOnce(service, file, { parts: syncParts });
    expect(await contentOf(sqliteTarget(file))).toEqual(before);
    const records = tables.filter(({ added }) => added !== null);
    expect(records.map(({ written }) => written)).toEqual(records.map(() => 0));
  });

  test('takes a vehicle that drives for no changed vehicle', async () => {
    const service = makeService({ vehicles: 6 });
    const file = tempFile();
    await syncOnce(service, file, { parts: ['vehicles'] });
    const counters = 'SELECT * FROM vehicle_counters ORDER BY vehicle_id';
    const before = await query(file, counters);
    service.clock.advance(10 * MINUTE);
    const changes: unknown[] = [];
    const { tables } = await syncOnce(service, file, {
      parts: ['vehicles'],
      onChange: (change) => changes.push(change),
    });
    expect(tables.map(({ written }) => written)).toEqual([0]);
    expect(changes).toEqual([]);
    expect(await query(file, counters)).not.toEqual(before);
  });

  test('ends with the rows of one sync over the whole time', async () => {
    let now = START - 3 * HOUR;
    const service = makeService({ vehicles: 4, clock: { now: () => now } });
    const [inSteps, atOnce] = [tempFile(), tempFile()];
    for (const step of [0, 40, 95, 180]) {
      now = START - 3 * HOUR + step * MINUTE;
      await syncOnce(service, inSteps, { parts: syncParts });
    }
    await syncOnce(service, atOnce, { parts: syncParts });
    expect(await contentOf(sqliteTarget(inSteps))).toEqual(await contentOf(sqliteTarget(atOnce)));
  });

  test('closes a trip that was open, in place', async () => {
    let now = START;
    const service = makeService({ vehicles: 8, clock: { now: () => now } });
    const file = tempFile();
    await syncOnce(service, file);
    const open = await query(file, 'SELECT id FROM trips WHERE is_open = 1');
    expect(open.length).toBeGreaterThan(0);
    now += 10 * HOUR;
    await syncOnce(service, file);
    for (const [id] of open) {
      expect(await query(file, `SELECT is_open, ended_at IS NULL FROM trips WHERE id = '${id}'`)).toEqual([[0, 0]]);
    }
  });

  test('closes an open trip whose vehicle fell silent', async () => {
    let now = START;
    const service = makeService({ vehicles: 8, clock: { now: () => now } });
    const file = tempFile();
    await syncOnce(service, file);
    const [[id, vehicleId, startedAt] = []] = await query(
      file,
      'SELECT id, vehicle_id, started_at FROM trips WHERE is_open = 1',
    );
    const rows = await makeClient(service).getSnapshots({
      vehicleId: String(vehicleId),
      from: String(startedAt),
      to: new Date(START).toISOString(),
    });
    // It sends nothing from now on, and the sync has seen no end.
    const sent = rows.map(({ timestamp, ignition }) => ({
      at: String(timestamp),
      ignition: ignition?.engineStatus === true,
    }));
    service.telemetry.script(String(vehicleId), sent);
    now += 24 * HOUR;
    await syncOnce(service, file);
    expect(await query(file, `SELECT is_open, ended_by FROM trips WHERE id = '${id}'`)).toEqual([[0, 'silence']]);
  });

  test('brings snapshots that arrived late', async () => {
    let now = START;
    const service = makeService({ vehicles: 4, clock: { now: () => now }, variant: { lateRowsMs: 90 * MINUTE } });
    const [late, complete] = [tempFile(), tempFile()];
    await syncOnce(service, late, { parts: syncParts });
    const missing = await query(late, 'SELECT count(*) FROM snapshots');
    now += 100 * MINUTE;
    const until = new Date(START);
    await syncOnce(service, late, { parts: syncParts, until });
    await syncOnce(service, complete, { parts: syncParts, until });
    expect(await query(late, 'SELECT count(*) FROM snapshots')).not.toEqual(missing);
    const [one, other] = [await contentOf(sqliteTarget(late)), await contentOf(sqliteTarget(complete))];
    expect([one.snapshots, one.trips]).toEqual([other.snapshots, other.trips]);
  });

  test('marks what is gone, and keeps its row', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    await syncOnce(service, file);
    const fleet = makeClient(service);
    const used = (await fleet.getRules()).flatMap(({ geofenceIds }) => geofenceIds ?? []);
    const geofence = (await fleet.getGeofences()).find(({ id }) => !used.includes(id));
    await fleet.deleteGeofence({ geofenceId: String(geofence?.id) });
    const changes: unknown[] = [];
    const { tables } = await syncOnce(service, file, {
      onChange: ({ type, table, id }) => changes.push([type, table, id]),
    });
    expect(await query(file, 'SELECT id, deleted_at FROM geofences WHERE deleted_at IS NOT NULL')).toEqual([
      [geofence?.id, new Date(START).toISOString()],
    ]);
    expect(tables.find(({ table }) => table === 'geofences')).toMatchObject({ added: 0, changed: 0, removed: 1 });
    expect(changes).toEqual([['removed', 'geofences', geofence?.id]]);
  });

  test('reads from an earlier begin when it is asked to', async () => {
    const service = makeService({ vehicles: 4 });
    const [twice, once] = [tempFile(), tempFile()];
    await syncOnce(service, twice);
    await syncOnce(service, twice, { since: new Date(START - 12 * HOUR) });
    await syncOnce(service, once, { since: new Date(START - 12 * HOUR) });
    expect(await contentOf(sqliteTarget(twice))).toEqual(await contentOf(sqliteTarget(once)));
  });
});

/** Returns a fetch that fails for the snapshots of one vehicle. */
function failingFor(service: MockService, vehicleId: string): Fetch {
  return async (url, init) => {
    const response = await service.fetch(url, init);
    const { variables } = Object(JSON.parse(url.endsWith('/graphql') ? (init.body ?? '{}') : '{}'));
    const names = Object.entries(Object(variables)).flatMap(([name, value]) => (value === vehicleId ? [name] : []));
    if (names.length === 0) return response;
    const { data } = Object(await response.json());
    const fields = names.map((name) => (name === 'vehicleId' ? 'getSnapshots' : name.replace('vehicleId_', 'q')));
    return Response.json({
      data: { ...data, ...Object.fromEntries(fields.map((field) => [field, null])) },
      errors: fields.map((field) => ({ message: 'broken', path: [field] })),
    });
  };
}

describe('a vehicle that fails', () => {
  test('is told, does not stop the others, and is read by the next sync', async () => {
    const service = makeService({ vehicles: 4 });
    const [broken, whole] = [tempFile(), tempFile()];
    await syncOnce(service, whole);
    const [, vehicleId = ''] = await idsOf(service);
    const fleet = makeClient(service, { fetch: failingFor(service, vehicleId) });
    const { failures } = await syncFleet(fleet, sqliteTarget(broken), { since });
    expect(failures.map((failure) => [failure.part, failure.vehicleId])).toEqual([['trips', vehicleId]]);
    expect((await syncOnce(service, broken)).failures).toEqual([]);
    expect(await contentOf(sqliteTarget(broken))).toEqual(await contentOf(sqliteTarget(whole)));
  });
});

describe('an interrupted sync', () => {
  test('ends after the next one with the rows of an undisturbed one, wherever it was interrupted', async () => {
    const service = makeService({ vehicles: 3 });
    const options = { since: new Date(START - HOUR), parts: syncParts };
    const whole = tempFile();
    let commits = 0;
    const count = sqliteTargetOf(whole, { beforeCommit: () => commits++ });
    await syncFleet(makeClient(service), count, options);
    const expected = await contentOf(sqliteTarget(whole));
    expect(commits).toBeGreaterThan(10);
    for (let at = 1; at <= commits; at++) {
      const file = tempFile();
      let left = at;
      const failing = sqliteTargetOf(file, {
        beforeCommit: () => {
          if (--left === 0) throw new Error('the machine stopped');
        },
      });
      await rejection(syncFleet(makeClient(service), failing, options));
      await syncFleet(makeClient(service), sqliteTarget(file), options);
      expect(await contentOf(sqliteTarget(file))).toEqual(expected);
    }
  });
});

describe('what is read', () => {
  test('can be chosen by vehicle and by group; the lists stay complete', async () => {
    const service = makeService({ vehicles: 6 });
    const [vehicleId = ''] = await idsOf(service);
    const file = tempFile();
    await syncOnce(service, file, { vehicleIds: [vehicleId] });
    expect(await query(file, 'SELECT DISTINCT vehicle_id FROM sync_cursors')).toEqual([[vehicleId]]);
    expect(await query(file, 'SELECT count(*) FROM vehicles')).toEqual([[6]]);
  });

  test('ids of vehicles and groups fit in any case', async () => {
    const service = makeService({ vehicles: 6 });
    const [vehicleId = ''] = await idsOf(service);
    const [vehicle, group, same] = [tempFile(), tempFile(), tempFile()];
    await syncOnce(service, vehicle, { vehicleIds: [vehicleId.toUpperCase()] });
    expect(await query(vehicle, 'SELECT DISTINCT vehicle_id FROM sync_cursors')).toEqual([[vehicleId]]);
    const [root] = (await makeClient(service).getGroups()).filter(({ parentId }) => parentId === null);
    const cursors = 'SELECT DISTINCT vehicle_id FROM sync_cursors ORDER BY 1';
    await syncOnce(service, group, { groupIds: [String(root?.id).toUpperCase()] });
    const found = await query(group, cursors);
    await syncOnce(service, same, { groupIds: [String(root?.id)] });
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual(await query(same, cursors));
  });

  test.each([
    [{ parts: ['vehicle' as never] }, 'There is no part "vehicle". Did you mean "vehicles"?'],
    [{ parts: ['everything' as never] }, 'There is no part "everything". The parts are vehicles, people,'],
    [{ parts: [] }, 'parts is an empty list'],
    [{ lateMs: 1 }, 'lateMs must be'],
    [{ since: 'yesterday' }, 'since must be RFC 3339'],
    [{ since, until: since }, 'since is not before until'],
    [{ vehicleIds: ['nobody'] }, 'no vehicle with the id nobody'],
    [{ groupIds: ['nobody'] }, 'no group with the id nobody'],
  ])('refuses %j before it writes', async (options, message) => {
    const error = await rejection(syncFleet(makeClient(makeService()), sqliteTarget(tempFile()), options));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) });
  });

  test('of the trips of many vehicles takes few requests', async () => {
    const service = makeService({ vehicles: 12 });
    await syncFleet(makeClient(service), sqliteTarget(tempFile()), {
      parts: ['trips'],
      since: new Date(START - 6 * HOUR),
    });
    expect(service.requests.filter(({ operations }) => operations.includes('getSnapshots')).length).toBeLessThan(10);
  });

  test('leaves out the list of vehicles when nothing refers to it', async () => {
    const service = makeService();
    const file = tempFile();
    await syncFleet(makeClient(service), sqliteTarget(file), { parts: ['labels'] });
    expect(await query(file, 'SELECT count(*) > 0 FROM labels')).toEqual([[1]]);
    expect(await query(file, 'SELECT count(*) FROM vehicles')).toEqual([[0]]);
    expect((await previewSync(makeClient(service), sqliteTarget(file), { parts: ['labels'] })).parts).toEqual([
      'labels',
    ]);
    expect(service.requests.some(({ operations }) => operations.includes('getVehicles'))).toBe(false);
  });

  test('is told without writing anything', async () => {
    const service = makeService({ vehicles: 4 });
    const file = tempFile();
    const first = await previewSync(makeClient(service), sqliteTarget(file), { since });
    expect(first.periods).toEqual([{ part: 'trips', from: since.toISOString(), vehicles: 4 }]);
    expect(await sqliteTarget(file).look()).toBeNull();
    await syncOnce(service, file, { parts: ['snapshots'] });
    const next = async (options: SyncOptions) =>
      (await previewSync(makeClient(service), sqliteTarget(file), { parts: ['snapshots'], ...options })).periods;
    const since2h = new Date(START - 2 * HOUR).toISOString();
    const since10m = new Date(START - 10 * MINUTE).toISOString();
    expect(await next({ lateEveryMs: 0 })).toEqual([{ part: 'snapshots', from: since2h, vehicles: 4 }]);
    // Late snapshots were checked just now.
    expect(await next({})).toEqual([{ part: 'snapshots', from: since10m, vehicles: 4 }]);
  });
});
