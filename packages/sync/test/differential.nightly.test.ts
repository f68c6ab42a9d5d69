// Compares every cell of every table of a copy with the service's answers, over all variants of the
// service, SQLite and PostgreSQL, Node 20, 22 and 24. It kills processes, changes rows and records
// between syncs, and sets clocks wrong. `DIFFERENTIAL=large` reads more, and prints how many cells
// were compared.
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nodeOf } from '../../../scripts/node-binaries.mjs';
import type { MockService, MockVariant, ScriptedRow } from '../../../src/mock/service.js';
import { namedVariants, type VariantName, variantOf } from '../../../src/mock/variants/names.js';
import { makeService, START } from '../../../test/request/setup.js';
import { ownTables, syncTables } from '../src/tables.js';
import { tempFile } from './copies.js';
import {
  type CopyTables,
  ExpectedCopy,
  ofAnswers,
  PlainGraphql,
  plainTables,
  type Span,
  Tally,
} from './expected-copy.js';
import { anyPostgres, dropDatabase, inDatabase, newDatabase, skipped } from './server.js';
import { buildSyncProgram, type SyncEnd, type SyncJob, SyncProcess } from './sync-process.js';

const isLarge = process.env.DIFFERENTIAL === 'large';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const nodes = ['20', '22', '24'].flatMap((range) => {
  const node = nodeOf(range);
  return 'missing' in node ? [] : [{ range, binary: node.binary }];
});
const reader = nodes.at(-1)?.binary ?? process.execPath;

let program = '';
beforeAll(async () => {
  program = await buildSyncProgram();
});
const server = await anyPostgres();
if (server === null) skipped('copies in PostgreSQL, cell by cell');
afterAll(() => server?.stop());

const names = [...syncTables, ...ownTables].map(({ name }) => name);

/** A copy and its content, as read by a program that uses nothing of this package. */
interface Copy {
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly target: string;
  read(): Promise<CopyTables>;
}

/** Prints the tables of a file, with Node's own SQLite. */
const readerProgram = `
  const [file, ...names] = process.argv.slice(1);
  const database = new (require('node:sqlite').DatabaseSync)(file, { readOnly: true });
  const rows = (name) => database.prepare('SELECT * FROM "' + name + '"').all();
  process.stdout.write(JSON.stringify(Object.fromEntries(names.map((name) => [name, rows(name)]))));
  if (database.prepare('PRAGMA integrity_check').get().integrity_check !== 'ok') process.exitCode = 1;
`;

function sqliteCopy(): Copy {
  const file = tempFile();
  return {
    database: 'SQLite',
    target: file,
    async read() {
      const words = ['--no-warnings', '-e', readerProgram, file, ...names];
      const { stdout } = await promisify(execFile)(reader, words, { maxBuffer: 2 ** 30 });
      return plainTables(JSON.parse(stdout));
    },
  };
}

async function postgresCopy(port: number): Promise<Copy> {
  const target = await newDatabase(port);
  onTestFinished(() => dropDatabase(target));
  // The server itself writes the JSON, so that no driver converts the values.
  const members = names.map((name) => `SELECT '${name}' AS name, coalesce(json_agg(t), '[]') AS rows FROM "${name}" t`);
  return {
    database: 'PostgreSQL',
    target,
    async read() {
      const [[text] = []] = await inDatabase(
        target,
        `SELECT json_object_agg(name, rows)::text FROM (${members.join(' UNION ALL ')}) AS tables`,
      );
      return plainTables(JSON.parse(String(text)));
    },
  };
}

const newCopies = async (): Promise<readonly Copy[]> => [
  sqliteCopy(),
  ...(server === null ? [] : [await postgresCopy(server.port)]),
];

let killed = 0;
/** By scenario, database and Node. */
const tallies = new Map<string, Tally>();
afterAll(() => {
  if (!isLarge) return;
  for (const [of, { cells, different }] of tallies) process.stdout.write(`${of} | ${cells} | ${different}\n`);
  process.stdout.write(`${killed} kills\n`);
});

function compared(
  scenario: string,
  node: string,
  copy: Copy,
  of: Readonly<Parameters<Tally['compare']>>,
): readonly string[] {
  const key = `${scenario} | ${copy.database} | ${node}`;
  const tally = tallies.get(key) ?? new Tally();
  tallies.set(key, tally);
  return tally.compare(...of);
}

function endOf(end: SyncEnd | null): { readonly until: string } {
  if (end === null || 'reason' in end || end.failures.length > 0)
    throw new Error(`the sync ended so: ${JSON.stringify(end)}`);
  return end;
}

/** Scripts rows of four parts of the week before START, and moments with several rows. */
async function scriptRows(service: MockService): Promise<void> {
  const plain = new PlainGraphql(service);
  const every = isLarge ? 3 : 12;
  for (const { id } of await plain.list('getVehicles')) {
    const rows: ScriptedRow[] = [];
    for (const begin of [START - 7.1 * DAY, START - 6.1 * DAY, START - 2 * DAY - 4 * HOUR, START - 2 * HOUR]) {
      const period = { from: new Date(begin).toISOString(), to: new Date(begin + 2 * HOUR).toISOString() };
      const sent = await plain.list('getSnapshots', { vehicleId: id, ...period });
      for (const [at, row] of sent.entries()) if (at % every === 0 || at === sent.length - 1) rows.push(scripted(row));
    }
    const variedRows = rows.flatMap((row, at): readonly ScriptedRow[] => {
      if (at % 15 === 3)
        return [row, { ...row, gps: { ...row.gps, speed: 9 } }, { ...row, gps: { ...row.gps, speed: 10 } }];
      if (at % 15 === 7) return [row, row];
      if (at % 15 === 11) return [row, { ...row, gps: { ...row.gps, speed: -0.5, hdop: 1e-7 } }];
      if (at % 15 === 13) return [{ at: row.at }, { ...row, gps: { state: false, latitude: 0, longitude: 0 } }];
      return [row];
    });
    service.telemetry.script(String(id), variedRows);
  }
}

function scripted(row: Readonly<Record<string, unknown>>): ScriptedRow {
  const { timestamp, ignition, gps, canBus, driverBehaviour, fuel, misc } = withoutNulls(row);
  // Rows of the service have the types of the contract.
  const groups = { gps, canBus, driverBehaviour, fuel, misc } as Omit<ScriptedRow, 'at' | 'ignition'>;
  const engine = Object(ignition).engineStatus;
  return { at: String(timestamp), ...groups, ...(typeof engine === 'boolean' ? { ignition: engine } : {}) };
}

function withoutNulls(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (inner === null) return [];
      return [[name, typeof inner === 'object' ? withoutNulls(inner) : inner]];
    }),
  );
}

/** Deletes records before the first sync; with `deleted-kept` the service still lists them. */
async function deleteSome(service: MockService): Promise<void> {
  const plain = new PlainGraphql(service);
  const used = (await plain.list('getRules')).flatMap(({ geofenceIds }) => geofenceIds);
  const geofence = (await plain.list('getGeofences')).find(
    ({ id, isDeleted }) => !used.includes(id) && isDeleted !== true,
  );
  await plain.ask('deleteGeofence', { geofenceId: geofence?.id });
  const person = (await plain.list('getPeople')).find(
    ({ isUser, isDriver, isDeleted }) => isUser === false && isDriver === true && isDeleted !== true,
  );
  await plain.ask('deletePerson', { personId: person?.id });
}

/** Returns a fleet with these rows and deletions, the same in each call. */
async function variedFleet(): Promise<MockService> {
  const service = makeService({ vehicles: isLarge ? 5 : 3 });
  await scriptRows(service);
  await deleteSome(service);
  // By then, late rows have arrived.
  service.clock.advance(15 * MINUTE);
  return service;
}

const week: Span = { since: START - 7.1 * DAY + 20 * MINUTE, until: START, lookBackMs: HOUR };

describe('every variant', () => {
  const expected = new Map<string, Promise<CopyTables>>();
  const expectedFleet = once(variedFleet);
  /** Returns the expected copy of a variant, cached for variants with equal answers. */
  async function expectedOf(variant: MockVariant): Promise<CopyTables> {
    const service = await expectedFleet();
    const key = JSON.stringify(ofAnswers(variant));
    const cachedTables =
      expected.get(key) ?? new ExpectedCopy(service).after(variant, week, new Date(week.until).toISOString());
    expected.set(key, cachedTables);
    return cachedTables;
  }

  test.each(nodes.map((node, at) => [node.range, node, at] as const))(
    'is copied as the tidy service answers: Node %s',
    { timeout: 900_000 },
    async (range, { binary }, at) => {
      const service = await variedFleet();
      const listening = await service.listen();
      onTestFinished(() => listening.close());
      const child = new SyncProcess(program, binary);
      onTestFinished(() => child.close());
      const [since, until] = [new Date(week.since).toISOString(), new Date(week.until).toISOString()];
      const named = Object.entries<{ readonly variant: MockVariant }>(namedVariants);
      for (const [count, [name, { variant }]] of named.entries()) {
        // Each variant runs with one Node, in turn; the large run has all combinations.
        if (!isLarge && count % nodes.length !== at) continue;
        // Each wait for a lingering turn takes a second.
        service.setVariant(variant.lingerMs === undefined ? variant : { lingerMs: 5 });
        for (const copy of await newCopies()) {
          const job = {
            baseUrl: listening.url,
            target: copy.target,
            since,
            until,
            history: true,
            now: service.clock.now(),
          };
          endOf(await child.run(job));
          const of = [`${name} in ${copy.database}`, await expectedOf(variant), await copy.read()] as const;
          expect(compared('variants', range, copy, of)).toEqual([]);
        }
      }
    },
  );
});

/** Caches the result of the first call. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

/** Starts a gateway with its own clock in front of the service. */
async function gatewayOf(service: MockService): Promise<{ readonly url: string; aheadMs: number }> {
  const gateway = { url: '', aheadMs: 0 };
  const http = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization, userid, fleetid, 'content-type': type } = request.headers;
    const body = chunks.length === 0 ? null : Buffer.concat(chunks);
    const answer = await service.fetch(`http://behind.test${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(
        Object.entries({ authorization, userid, fleetid, 'content-type': type }).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      body,
    });
    const date = new Date(service.clock.now() + gateway.aheadMs).toUTCString();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '', date });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  gateway.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return gateway;
}

/** Returns pseudo-random numbers, the same in each run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Round {
  /** Before the sync. */
  readonly minutes: number;
  readonly change?: (service: MockService, vehicle: ScriptedVehicle) => Promise<void> | void;
  /** Lead of the Date header over the service's clock. */
  readonly aheadMs?: number;
  /** Kills of the sync before it may end. */
  readonly kills: number;
}

async function changeRecords(service: MockService, turn: number): Promise<void> {
  const plain = new PlainGraphql(service);
  const people = (await plain.list('getPeople')).filter(({ isDeleted }) => isDeleted !== true);
  const [person, driver] = [people[turn], people.find(({ isDriver }) => isDriver === true)];
  const groups = await plain.list('getGroups');
  const [vehicle, other] = await plain.list('getVehicles');
  await plain.ask('updatePerson', { personId: person?.id, personInput: { lastName: `Ö'\\"\u{1f69a} ${turn}` } });
  const changeVehicleGroupsInput = { addGroupIds: [groups[turn]?.id] };
  await plain.ask('changeVehicleGroups', { vehicleId: vehicle?.id, changeVehicleGroupsInput });
  const before = groups.find(({ name }) => name === `Group ${turn - 1}`);
  if (before) await plain.ask('deleteGroup', { groupId: before.id });
  await plain.ask('createGroup', { createGroupInput: { name: `Group ${turn}` } });
  await plain.ask('assignDriver', { assignDriverInput: { vehicleId: other?.id, driverId: driver?.id } });
}

/** Returns the rows of the first vehicle from 6 hours before a time until 3 hours after it. */
async function rowsAround(time: number, vehicles: number): Promise<ScriptedVehicle> {
  const later = time + 3 * HOUR;
  const plain = new PlainGraphql(makeService({ vehicles, clock: { now: () => later } }));
  const [vehicle] = await plain.list('getVehicles');
  const period = { from: new Date(time - 6 * HOUR).toISOString(), to: new Date(later).toISOString() };
  const sent = await plain.list('getSnapshots', { vehicleId: vehicle?.id, ...period });
  return { vehicleId: String(vehicle?.id), rows: sent.map(scripted) };
}

interface ScriptedVehicle {
  readonly vehicleId: string;
  readonly rows: readonly ScriptedRow[];
}

/** Withdraws, changes and adds rows, within the period that each sync reads again. */
function changeRows(service: MockService, { vehicleId, rows }: ScriptedVehicle): void {
  const now = service.clock.now();
  const changed = rows.flatMap((row, at): readonly ScriptedRow[] => {
    const time = Date.parse(String(row.at));
    if (time < now - 80 * MINUTE || time > now) return [row];
    if (at % 7 === 1) return [];
    if (at % 7 === 3) return [{ ...row, gps: { ...row.gps, speed: at % 60 }, ignition: at % 2 === 0 }];
    return at % 7 === 5 ? [row, { ...row, gps: { ...row.gps, speed: 77 } }] : [row];
  });
  service.telemetry.script(vehicleId, changed);
}

const rounds: readonly Round[] = [
  { minutes: 0, kills: 2 },
  { minutes: 40, kills: 1, change: (service) => changeRecords(service, 1) },
  { minutes: 1, kills: 0, change: deleteSome },
  { minutes: 25, kills: 0, aheadMs: 8 * HOUR },
  { minutes: 20, kills: 2, change: changeRows },
  { minutes: 10, kills: 1, aheadMs: -5 * HOUR },
  { minutes: 55, kills: 1, change: (service) => changeRecords(service, 2) },
];

const mixed: readonly VariantName[] = [
  ...(['rows-late', 'rows-shuffled', 'flags-number', 'gps-text', 'times-epoch', 'deleted-kept'] as const),
];
/** The Nodes that sync a copy one after the other. */
const followers = [...nodes.map((node) => [node]), nodes];

describe.each<{ readonly title: string; readonly variants: readonly VariantName[]; readonly of: typeof followers }>([
  { title: 'tidy service', variants: [], of: isLarge ? followers : followers.slice(0, 2) },
  // The large run has all of them; this one has each Node and each service at least once.
  { title: 'mixed variants', variants: mixed, of: isLarge ? followers : followers.slice(-2) },
])('kills, changes and wrong clocks ($title)', ({ variants, of }) => {
  test.each(of.map((those) => [those.map(({ range }) => range).join(', '), those] as const))(
    'leave no cell different: Node %s',
    { timeout: 900_000 },
    async (node, those) => {
      const variant = variantOf(variants);
      // A Monday at noon.
      const begin = START + DAY;
      const vehicles = isLarge ? 5 : 2;
      const service = makeService({ vehicles, clock: { now: () => begin }, variant });
      const vehicle = await rowsAround(begin, vehicles);
      service.telemetry.script(vehicle.vehicleId, vehicle.rows);
      const gateway = await gatewayOf(service);
      const random = randoms(node.length + variants.length);
      const expectation = new ExpectedCopy(service);
      const copies = await newCopies();
      // A deleted driver changes the rows of his drives, which must be in the period to reread.
      const since = begin - HOUR;
      for (const [count, { minutes, change, aheadMs = 0, kills }] of rounds.entries()) {
        service.clock.advance(minutes * MINUTE);
        await change?.(service, vehicle);
        gateway.aheadMs = aheadMs;
        await using processes = new Restarted(those[count % those.length]?.binary);
        let until = '';
        for (const { target } of copies) {
          const begins = count === 0 ? new Date(since).toISOString() : undefined;
          // Rows change within minutes, so each sync must check for changed ones.
          const job = {
            baseUrl: gateway.url,
            target,
            since: begins,
            lateEveryMs: 0,
            history: true,
            now: service.clock.now(),
          };
          for (let kill = 0; kill < kills; kill++) await processes.kill(job, random);
          until = (await processes.end(job)).until;
        }
        if (aheadMs !== 0) continue;
        const span: Span = { since, until: Date.parse(until), lookBackMs: 4 * HOUR };
        const expected = await expectation.after(variant, span, until);
        for (const copy of copies) {
          const title = `Node ${node}, round ${count} in ${copy.database}`;
          expect(compared('kills, changes, clocks', node, copy, [title, expected, await copy.read()])).toEqual([]);
        }
      }
    },
  );
});

/** A process for syncs, which is replaced after a kill. */
class Restarted {
  readonly #binary: string | undefined;
  #child: SyncProcess;

  constructor(binary: string | undefined) {
    this.#binary = binary;
    this.#child = new SyncProcess(program, binary);
  }

  /** Starts a sync, and kills it at a random moment, unless it ends before. */
  async kill(job: SyncJob, random: () => number): Promise<void> {
    const killPoint = (['before', 'transaction', 'outside'] as const)[Math.floor(random() * 3)];
    const killAt = 1 + Math.floor(random() * 14);
    const delayMs = random() * 20;
    const child = this.#child;
    let timer: NodeJS.Timeout | undefined;
    const end = await child.run(killPoint === 'outside' ? job : { ...job, killAt, killIn: killPoint }, (batch) => {
      if (killPoint === 'outside' && batch === killAt) timer = setTimeout(() => child.kill(), delayMs);
    });
    clearTimeout(timer);
    if (end !== null) return;
    killed++;
    await child.close();
    this.#child = new SyncProcess(program, this.#binary);
  }

  /** Syncs to the end. PostgreSQL needs milliseconds to release the lock of a killed process. */
  async end(job: SyncJob): Promise<{ readonly until: string }> {
    for (;;) {
      const end = await this.#child.run(job);
      if (end === null || !('reason' in end) || end.reason !== 'IN_USE') return endOf(end);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.close();
  }
}
