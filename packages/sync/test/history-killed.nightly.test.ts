// Kills syncs with history while a changed fleet is read. After the next sync, the copy has the
// same versions as an undisturbed one, except for their times.
import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listening, MockService } from '../../../src/mock/service.js';
import { makeClient, makeService, START } from '../../../test/request/setup.js';
import { parquetTarget, postgresTarget, type SyncTarget, sqliteTarget, syncFleet, syncParts } from '../src/index.js';
import { tempFile } from './copies.js';
import { anyPostgres, dropDatabase, newDatabase, skipped } from './server.js';
import { buildSyncProgram, SyncProcess } from './sync-process.js';
import { expectWhole, versionsOf } from './versions.js';

const MINUTE = 60_000;
const since = new Date(START - 60 * MINUTE);
/** End of the first syncs, and end of the later ones. */
const [made, changed] = [START, START + 30 * MINUTE];

/** A service that has changed since its copy was made. */
interface Fleet {
  readonly service: MockService;
  readonly listening: Listening;
}

const clientOf = ({ service, listening }: Fleet) => makeClient(service, { baseUrl: listening.url });
const server = await anyPostgres();
if (server === null) skipped('the history of killed syncs in PostgreSQL');

let program = '';
let fleet: Fleet;
let expected: Awaited<ReturnType<typeof versionsOf>> = {};
/** Copies of the fleet before the change. */
const [file, folder] = [tempFile('suite'), `${tempFile('suite')}-copy`];
const urls: string[] = [];

const first = (target: SyncTarget) =>
  syncFleet(clientOf(fleet), target, { since, until: new Date(made), parts: syncParts, history: true });
const next = (target: SyncTarget) =>
  syncFleet(clientOf(fleet), target, { since, until: new Date(changed), parts: syncParts });

beforeAll(async () => {
  program = await buildSyncProgram();
  const service = makeService({ vehicles: 3 });
  fleet = { service, listening: await service.listen() };
  await first(sqliteTarget(file));
  await first(parquetTarget(folder));
  for (let count = 0; server !== null && count < inPostgres.length; count++) {
    const url = await newDatabase(server.port);
    urls.push(url);
    await first(postgresTarget(url));
  }
  service.clock.advance(20 * MINUTE);
  await change(service);
  service.clock.advance(10 * MINUTE);
  const undisturbed = tempFile('suite');
  cpSync(file, undisturbed);
  await next(sqliteTarget(undisturbed));
  expected = await versionsOf(sqliteTarget(undisturbed));
}, 120_000);
afterAll(async () => {
  await fleet.listening.close();
  for (const url of urls) await dropDatabase(url);
  server?.stop();
});

/** Changes groups of a vehicle, a name and a parent group; deletes a person and adds a group. */
async function change(service: MockService): Promise<void> {
  const client = makeClient(service);
  const [vehicle] = await client.getVehicles();
  const [group] = await client.getGroups();
  const [person, , ...people] = await client.getPeople();
  const added = String((await client.createGroup({ createGroupInput: { name: 'New' } }))?.id);
  const removeGroupIds = (vehicle?.assignedGroups ?? []).map((one) => String(one?.id));
  await client.changeVehicleGroups({
    vehicleId: String(vehicle?.id),
    changeVehicleGroupsInput: { addGroupIds: [added], removeGroupIds },
  });
  await client.updatePerson({ personId: String(person?.id), personInput: { lastName: 'Renamed' } });
  await client.updateGroup({ groupId: String(group?.id), updateGroupInput: { parentId: added } });
  const gone = people.find(({ isUser, isDeleted }) => isUser === false && isDeleted !== true);
  await client.deletePerson({ personId: String(gone?.id) });
}

const killPoints = ['before', 'transaction'] as const;
/** The sync first logs its begin and its time for the history; then come the lists. */
const moments = killPoints.flatMap((killPoint) => [2, 3, 4, 5, 7].map((at) => ({ killPoint, at })));

/** A new database takes seconds. */
const inPostgres = moments.filter(({ at }) => at === 3 || at === 5);

async function runKilled(target: string, { killPoint, at }: (typeof moments)[number]): Promise<void> {
  const child = new SyncProcess(program);
  const { url: baseUrl } = fleet.listening;
  const until = new Date(changed).toISOString();
  const job = { baseUrl, target, since: since.toISOString(), until, now: changed, killAt: at, killIn: killPoint };
  expect(await child.run(job)).toBe(null);
  await child.close();
}

async function expectHistory(target: SyncTarget): Promise<void> {
  await whenFree(() => next(target));
  expect(await versionsOf(target)).toEqual(expected);
  await expectWhole(target);
}

/** PostgreSQL notices within milliseconds that the process with the lock has ended. */
async function whenFree(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'reason') !== 'IN_USE') throw error;
    }
  }
}

test('the change makes versions', () => {
  const ended = (table: string) => expected[`${table}_history`]?.filter((row) => row.includes(false)).length;
  expect(['vehicles', 'vehicle_groups', 'people', 'groups'].map((table) => (ended(table) ?? 0) > 0)).toEqual([
    ...[true, true, true, true],
  ]);
});

describe.each(moments)('killed $killPoint batch $at', (moment) => {
  test('SQLite', { timeout: 60_000 }, async () => {
    const own = tempFile();
    cpSync(file, own);
    await runKilled(own, moment);
    await expectHistory(sqliteTarget(own));
  });

  test('Parquet files', { timeout: 60_000 }, async () => {
    const own = `${tempFile()}-copy`;
    cpSync(folder, own, { recursive: true });
    await runKilled(`${own}/`, moment);
    await expectHistory(parquetTarget(own));
  });
});

describe.skipIf(server === null)('PostgreSQL', () => {
  test.each(inPostgres.map((moment, index) => [moment.killPoint, moment.at, index] as const))(
    'killed %s batch %i',
    { timeout: 60_000 },
    async (killPoint, at, index) => {
      const url = urls[index] ?? '';
      await runKilled(url, { killPoint, at });
      await expectHistory(postgresTarget(url));
    },
  );
});
