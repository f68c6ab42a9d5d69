// Tests a copy's rows about its syncs: times of changes, runs, freshness of parts, changed records.
import { describe, expect, test } from 'vitest';
import type { MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, rejection, START } from '../../../test/request/setup.js';
import { type SyncChange, type SyncOptions, type SyncTarget, syncFleet } from '../src/index.js';
import { altered } from './altered.js';
import { databases } from './databases.js';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();

function syncOnce(service: MockService, target: SyncTarget, options: SyncOptions = {}) {
  return syncFleet(makeClient(service), target, {
    since: new Date(START - 300 * MINUTE),
    parts: ['labels'],
    ...options,
  });
}

/** Converts times to RFC 3339 and counts to numbers. */
const plain = (rows: readonly (readonly unknown[])[]) =>
  rows.map((row) =>
    row.map((cell) =>
      cell instanceof Date ? cell.toISOString() : typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell,
    ),
  );
const json = (cell: unknown): unknown => (typeof cell === 'string' ? JSON.parse(cell) : cell);

/** Renames a person who can be deleted. */
async function rename(service: MockService, firstName: string): Promise<string> {
  const fleet = makeClient(service);
  const person = (await fleet.getPeople()).find(({ isUser, isDeleted }) => isUser === false && isDeleted !== true);
  await fleet.updatePerson({ personId: String(person?.id), personInput: { firstName } });
  return String(person?.id);
}

describe.each(databases)('%s', (_name, make) => {
  test('each row has the time at which it changed last, and a row that is the same keeps it', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    await syncOnce(service, target, { parts: ['people'] });
    const times = async () => plain(await run('SELECT id, synced_at FROM people ORDER BY id'));
    const before = await times();
    expect(before.every(([, time]) => String(time) >= at(0) && String(time) < at(1))).toBe(true);
    service.clock.advance(MINUTE);
    const id = await rename(service, 'Renamed');
    await syncOnce(service, target, { parts: ['people'] });
    const after = await times();
    expect(after.filter(([one]) => one !== id)).toEqual(before.filter(([one]) => one !== id));
    expect(String(after.find(([one]) => one === id)?.[1])).toMatch(at(1).slice(0, 17));
    service.clock.advance(MINUTE);
    await makeClient(service).deletePerson({ personId: id });
    await syncOnce(service, target, { parts: ['people'] });
    const [[gone] = []] = plain(await run(`SELECT synced_at FROM people WHERE id = '${id}'`));
    expect(String(gone)).toMatch(at(2).slice(0, 17));
  });

  test('the times go forward when the clock goes back', async () => {
    let now = START;
    const service = makeService({ vehicles: 2, clock: { now: () => now } });
    const { target, run } = await make();
    await syncOnce(service, target, { parts: ['people'] });
    const newest = async () => String(plain(await run('SELECT max(synced_at) FROM people'))[0]?.[0]);
    const before = await newest();
    now -= 60 * MINUTE;
    await rename(service, 'Renamed');
    await syncOnce(service, target, { parts: ['people'] });
    expect((await newest()) > before).toBe(true);
  });

  test('every run is there, with what it read, wrote and missed', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    await syncOnce(service, target);
    await syncOnce(service, target);
    const broken = altered(service, (name, value) => (name === 'getRoles' ? null : value));
    service.clock.advance(MINUTE);
    await syncFleet(makeClient(service, { fetch: broken, merge: false }), target, { parts: ['labels', 'roles'] });
    await rejection(syncOnce(service, target, { groupIds: ['nobody'] }));
    const rows = plain(
      await run(`SELECT id, outcome, rows_read, rows_written, rows_deleted, failures FROM sync_runs ORDER BY id`),
    );
    expect(rows).toEqual([
      [1, 'complete', 4, 4, 0, 0],
      [2, 'complete', 4, 0, 0, 0],
      [3, 'incomplete', 4, 0, 0, 1],
      [4, 'failed', null, 0, 0, null],
    ]);
    const [[began, ended, until, version, parts, messages] = []] = await run(
      'SELECT began_at, ended_at, read_until, version, parts, messages FROM sync_runs WHERE id = 3',
    );
    expect(plain([[until]])).toEqual([[at(1)]]);
    expect(
      plain([[began, ended]])
        .flat()
        .map((time) => String(time).slice(0, 17)),
    ).toEqual([at(1), at(1)].map((time) => time.slice(0, 17)));
    expect([version, json(parts)]).toEqual([expect.stringMatching(/^\d+\.\d+/), ['labels', 'roles']]);
    expect(json(messages)).toEqual([expect.stringContaining('null')]);
  });

  test('a run that its signal has ended was interrupted', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    const interrupt = new AbortController();
    const client = makeClient(service);
    const running = syncFleet(client, target, {
      ...{ parts: ['labels', 'latest', 'trips'], signal: interrupt.signal },
      onTable: () => {
        interrupt.abort();
        void client.close();
      },
    });
    await rejection(running);
    const [[outcome, ended, messages] = []] = await run('SELECT outcome, ended_at, messages FROM sync_runs');
    expect([outcome, ended === null]).toEqual(['interrupted', false]);
    expect(json(messages)).toEqual(['The sync was interrupted. The next one goes on from there.']);
  });

  test('the view says how current each part is: as of the last sync that read all of it', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    await syncOnce(service, target, { parts: ['labels', 'latest'] });
    service.clock.advance(MINUTE);
    const [vehicle] = await makeClient(service).getVehicles();
    const broken = altered(service, (name, value) => (name === 'getLabels' ? null : value));
    await syncFleet(makeClient(service, { fetch: broken, merge: false }), target, {
      parts: ['labels', 'latest', 'roles'],
      vehicleIds: [String(vehicle?.id)],
    });
    const rows = plain(await run('SELECT part, complete_until, failures, run_id FROM sync_freshness ORDER BY part'));
    expect(rows).toEqual([
      ['labels', at(0), 1, 2],
      ['latest', at(0), 0, 2],
      ['roles', at(1), 0, 2],
      ['vehicles', at(1), 0, 2],
    ]);
    const [[age] = []] = await run("SELECT age_s FROM sync_freshness WHERE part = 'roles'");
    // The clock of the database may be any day before or after.
    expect(Number.isFinite(Number(age)) && age !== null).toBe(true);
  });

  test('the changes of records are in a table, as onChange tells them, in the transaction of their rows', async () => {
    const service = makeService({ vehicles: 2 });
    const { target, run } = await make();
    await syncOnce(service, target, { parts: ['people'] });
    expect(plain(await run("SELECT count(*) FROM changes WHERE type = 'added' AND table_name = 'people'"))).toEqual([
      [4],
    ]);
    service.clock.advance(MINUTE);
    const id = await rename(service, 'Renamed');
    const emittedChanges: SyncChange[] = [];
    await syncOnce(service, target, { parts: ['people'], onChange: (change) => emittedChanges.push(change) });
    const [[ordinal, changedAt, table, record, type, fields] = []] = await run(
      'SELECT ordinal, changed_at, table_name, record_id, type, fields FROM changes WHERE run_id = 2',
    );
    expect(emittedChanges).toHaveLength(1);
    const [change] = emittedChanges;
    expect([...plain([[ordinal, changedAt]]).flat(), table, record, type]).toEqual([
      0,
      change?.changedAt,
      'people',
      id,
      'changed',
    ]);
    expect(json(fields)).toEqual(change?.type === 'changed' ? change.fields : null);
    expect(plain(await run(`SELECT synced_at FROM people WHERE id = '${id}'`))).toEqual([[change?.changedAt]]);
  });
});
