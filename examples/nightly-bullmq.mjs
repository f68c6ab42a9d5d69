// @ts-check
// Reads the snapshots of many logins into PostgreSQL (DATABASE_URL) every night, with BullMQ
// workers on any number of machines. Redis (REDIS_URL) holds the queue, the turns and the sessions.
// Run `node nightly-bullmq.mjs work` on each machine, with FLEET_PASSWORDS='{"me@example.com":"…"}'
// and FLEET_SINCE=2026-03-01, the start of a vehicle's first read. Once a night, run
// `node nightly-bullmq.mjs add 2026-03-02 me@example.com …` to read up to the start of that day
// (UTC). Needs `npm install bullmq ioredis postgres`; see docs/distributed.md.
import { randomUUID } from 'node:crypto';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { FleetClient, FleetError, toDate } from 'fleet-telematics';
import { redisGate, redisTokenStore } from 'fleet-telematics/redis';
import { Redis } from 'ioredis';
import postgres from 'postgres';

/** A killed worker's jobs run again within this time. */
const RECOVERY_MS = 20_000;
const { FLEET_BASE_URL: baseUrl = '', FLEET_PASSWORDS = '{}', REDIS_PREFIX: prefix = 'fleet' } = process.env;
const [command, night = '', ...logins] = process.argv.slice(2);
const connection = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: null });
connection.on('error', (error) => process.stderr.write(`Redis: ${error.name}\n`));

if (command === 'add') {
  const removed = { age: 7 * 86_400 };
  const backoff = { type: 'exponential', delay: 2_000 }; // ten attempts take 17 minutes
  const defaultJobOptions = { attempts: 10, backoff, removeOnComplete: removed, removeOnFail: removed };
  const queue = new Queue('nightly', { connection, prefix, defaultJobOptions });
  for (const login of logins) {
    // The queue accepts each job id once. Redis stores the job data, so it holds no passwords.
    await queue.add('read', { login, night }, { jobId: `${night} ${encodeURIComponent(login)}` });
  }
  await queue.close();
  process.exit();
}

const since = new Date(process.env.FLEET_SINCE ?? '').toISOString();
const passwords = JSON.parse(FLEET_PASSWORDS); // or ask your secret store in read()
const gate = redisGate(connection, { prefix, whenUnavailable: 'wait' });
const tokenStore = redisTokenStore(connection, { prefix, encryptionKey: process.env.FLEET_REDIS_KEY ?? '' });
const sql = postgres(process.env.DATABASE_URL ?? '', { onnotice: () => undefined });
// Workers that start at the same time create the tables one after the other.
await sql.unsafe(`SELECT pg_advisory_xact_lock(hashtext('nightly-bullmq'));
  CREATE TABLE IF NOT EXISTS runs (reader text PRIMARY KEY, night date, run uuid);
  CREATE TABLE IF NOT EXISTS cursors (reader text, vehicle text, until timestamptz, PRIMARY KEY (reader, vehicle));
  CREATE TABLE IF NOT EXISTS snapshots (reader text, vehicle text, at timestamptz, ordinal int, data jsonb,
    PRIMARY KEY (reader, vehicle, at, ordinal))`);

/** @type {(fleet: FleetClient, reader: string, night: string) => Promise<number>} */
async function keep(fleet, reader, night) {
  const [run, to] = [randomUUID(), new Date(night)];
  const ids = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
  const vehicles = await sql.begin(async (sql) => {
    // From here on an earlier run can save nothing, even if its process was only suspended.
    const { count } = await sql`INSERT INTO runs VALUES (${reader}, ${night}, ${run}) ON CONFLICT (reader)
      DO UPDATE SET night = excluded.night, run = excluded.run WHERE runs.night <= excluded.night`;
    if (count === 0) return []; // a later night's job reads this night too
    // Devices send rows up to an hour late, so the last hour is read again and replaced.
    const begins = await sql`WITH begins AS (SELECT id, coalesce(until - interval '1 hour', ${since}) AS begin
        FROM unnest(${ids}::text[]) id LEFT JOIN cursors ON reader = ${reader} AND vehicle = id WHERE until IS NULL OR until < ${to}),
      again AS (DELETE FROM snapshots USING begins WHERE reader = ${reader} AND vehicle = id AND at >= begin)
      SELECT id, begin FROM begins`;
    return begins.map(({ id, begin }) => ({ vehicleId: id, from: begin }));
  });
  if (vehicles.length === 0) return 0;
  const [rows, cursors] = [new Map(), new Map()];
  const save = () =>
    sql.begin(async (sql) => {
      const { count } = await sql`SELECT FROM runs WHERE reader = ${reader} AND run = ${run} FOR UPDATE`;
      if (count === 0) throw new Error('Another worker has begun to read this user.');
      await sql`INSERT INTO snapshots SELECT * FROM jsonb_populate_recordset(NULL::snapshots, ${sql.json([...rows.values()])})
        ON CONFLICT (reader, vehicle, at, ordinal) DO UPDATE SET data = excluded.data`;
      await sql`INSERT INTO cursors SELECT ${reader}, key, value::timestamptz FROM jsonb_each_text(${sql.json(Object.fromEntries(cursors))})
        ON CONFLICT (reader, vehicle) DO UPDATE SET until = excluded.until`;
      for (const saved of [rows, cursors]) saved.clear();
    });
  const select = /** @type {const} */ ({ timestamp: true, gps: { speed: true }, canBus: { canDistance: true } });
  /** @type {(event: import('fleet-telematics').VehiclesStreamEvent) => unknown} */
  const onEvent = (event) => event.type === 'complete' && cursors.set(event.vehicleId, event.until);
  let count = 0;
  try {
    for await (const row of fleet.streamSnapshots({ vehicles, to }, { select, onEvent })) {
      const { vehicleId: vehicle, ordinal } = row;
      const at = toDate(row.timestamp)?.toISOString() ?? '-infinity'; // a row without a time
      rows.set(`${vehicle} ${at} ${ordinal}`, { reader, vehicle, at, ordinal, data: row });
      if (at !== '-infinity') cursors.set(vehicle, at); // a vehicle's rows come in time order
      count++;
      if (rows.size >= 1000) await save();
    }
  } finally {
    await save(); // the next attempt continues failed vehicles from here
  }
  return count;
}

/** @type {(job: import('bullmq').Job<{ login: string, night: string }>) => Promise<number>} */
async function read({ data: { login, night } }) {
  const credentials = { username: login, password: passwords[login] };
  const fleet = new FleetClient({ baseUrl, credentials, gate, tokenStore });
  try {
    let count = 0;
    for (const { userId } of await fleet.listLoginUsers())
      count += await keep(fleet.forUser({ userId }), userId, night);
    return count;
  } finally {
    await fleet.close();
  }
}

/** @type {(error: unknown) => never} */
function fail(error) {
  // A retry would fail too, and repeated wrong passwords may lock the login.
  const isFinal = FleetError.is(error) && ['AUTHENTICATION', 'INVALID_INPUT'].includes(error.code);
  throw isFinal ? new UnrecoverableError(`${error.code}: ${error.message}`) : error;
}

const worker = new Worker('nightly', (job) => read(job).catch(fail), {
  ...{ connection, prefix, concurrency: 4 },
  ...{ lockDuration: RECOVERY_MS / 2, stalledInterval: RECOVERY_MS / 4, maxStalledCount: 10 },
});
worker.on('completed', ({ id }, count) => process.stdout.write(`${id}: ${count} rows\n`));
worker.on('failed', (job, { message }) =>
  process.stdout.write(`${job?.id}: attempt ${job?.attemptsMade}: ${message}\n`),
);
worker.on('error', (error) => process.stderr.write(`queue: ${error.message}\n`));
process.once('SIGTERM', async () => {
  await worker.close(); // waits for running jobs
  await Promise.all([gate.close(), sql.end()]);
  connection.disconnect();
});
