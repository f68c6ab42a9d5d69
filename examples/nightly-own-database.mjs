// @ts-check
// Stores snapshots and trips in PostgreSQL (DATABASE_URL), each row once even if it is killed. Run
// `node nightly-own-database.mjs [start of the first run, by default a day ago] [end]` every night.
import { FleetClient, toDate } from 'fleet-telematics';
import postgres from 'postgres';

const { FLEET_BASE_URL: baseUrl = '', FLEET_USERNAME: username = '', FLEET_PASSWORD: password = '' } = process.env;
const [begin = new Date(Date.now() - 86_400_000), to = new Date()] = process.argv.slice(2).map((at) => new Date(at));
const fleet = new FleetClient({ baseUrl, credentials: { username, password }, share: 'machine' });
const sql = postgres(process.env.DATABASE_URL ?? '', { onnotice: () => undefined });
await sql.unsafe(`CREATE TABLE IF NOT EXISTS cursors (kind text, vehicle text, until timestamptz, PRIMARY KEY (kind, vehicle));
  CREATE TABLE IF NOT EXISTS reported (kind text, key text, vehicle text, at timestamptz, data jsonb, PRIMARY KEY (kind, key))`);
const ids = (await fleet.getVehicles({}, { select: { id: true } })).flatMap(({ id }) => id ?? []);
const select = /** @type {const} */ ({ timestamp: true, gps: { speed: true }, canBus: { canDistance: true } });
/** @typedef {{vehicleId: string, ordinal: number, timestamp?: string | number | null}} Snapshot */
/** @typedef {AsyncIterable<Snapshot | import('fleet-telematics').Trip>} Rows */
/** @typedef {(event: import('fleet-telematics').VehiclesStreamEvent) => unknown} OnEvent */
/** @typedef {(vehicles: { vehicleId: string, from: Date }[], onEvent: OnEvent) => Rows} Read */
/** @type {(kind: string, read: Read) => Promise<void>} */
async function keep(kind, read) {
  // Devices send rows up to an hour late, so the hour before the cursor is read again and replaced.
  const begins = await sql`WITH begins AS (SELECT id, coalesce(until - interval '1 hour', ${begin}) AS begin
      FROM unnest(${ids}::text[]) id LEFT JOIN cursors ON kind = ${kind} AND vehicle = id),
    again AS (DELETE FROM reported USING begins WHERE kind = ${kind} AND vehicle = id AND (at IS NULL OR at >= begin))
    SELECT id, begin FROM begins`;
  const [rows, cursors] = [new Map(), new Map()]; // saved in one transaction
  const save = () =>
    sql.begin(async (sql) => {
      await sql`INSERT INTO reported SELECT * FROM jsonb_populate_recordset(NULL::reported, ${sql.json([...rows.values()])})
        ON CONFLICT (kind, key) DO UPDATE SET at = excluded.at, data = excluded.data`;
      await sql`INSERT INTO cursors SELECT ${kind}, key, value::timestamptz FROM jsonb_each_text(${sql.json(Object.fromEntries(cursors))})
        ON CONFLICT (kind, vehicle) DO UPDATE SET until = excluded.until`;
      for (const saved of [rows, cursors]) saved.clear();
    });
  const vehicles = begins.map(({ id, begin }) => ({ vehicleId: id, from: begin }));
  const onEvent = /** @type {OnEvent} */ ((one) => one.type === 'complete' && cursors.set(one.vehicleId, one.until));
  try {
    for await (const row of read(vehicles, onEvent)) {
      const at = toDate('id' in row ? row.endedAt : row.timestamp);
      const key = 'id' in row ? row.id : `${row.vehicleId} ${at?.toISOString()} ${row.ordinal}`;
      rows.set(key, { kind, key, vehicle: row.vehicleId, at, data: row });
      if (at !== null) cursors.set(row.vehicleId, at); // a vehicle's rows come in time order
      if (rows.size >= 1000) await save();
    }
  } finally {
    await save(); // the next run continues failed vehicles from here
  }
}

try {
  await keep('snapshot', (vehicles, onEvent) => fleet.streamSnapshots({ vehicles, to }, { onEvent, select }));
} finally {
  await keep('trip', (vehicles, onEvent) => fleet.streamTrips({ vehicles, to }, { onEvent }));
  await Promise.all([sql.end(), fleet.close()]);
}
