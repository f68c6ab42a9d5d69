// @ts-check
// Keeps snapshots and trips in a PostgreSQL database of your own (DATABASE_URL; `npm install postgres`), exactly, even if it is killed at any
// moment: each vehicle goes on from a cursor of its own, which is written in one transaction with the rows before it. Run it every night:
// `node nightly-own-database.mjs [begin of the first run] [end]`; without them the first run begins a day ago, and each run ends now.
import { FleetClient, toDate } from 'fleet-telematics';
import postgres from 'postgres';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '', DATABASE_URL = '' } = process.env;
const [begin = new Date(Date.now() - 86_400_000), to = new Date()] = process.argv.slice(2).map((at) => new Date(at));
const credentials = { username: FLEET_USERNAME, password: FLEET_PASSWORD };
const fleet = new FleetClient({ baseUrl: FLEET_BASE_URL, credentials, share: 'machine' });
const sql = postgres(DATABASE_URL, { onnotice: () => undefined });
await sql.unsafe(`CREATE TABLE IF NOT EXISTS cursors (kind text, vehicle text, until timestamptz, PRIMARY KEY (kind, vehicle));
  CREATE TABLE IF NOT EXISTS reported (kind text, key text, vehicle text, at timestamptz, data jsonb, PRIMARY KEY (kind, key))`);
const ids = (await fleet.getVehicles({ select: { id: true } })).flatMap(({ id }) => id ?? []);

/** @type {import('fleet-telematics').VehicleFailure[]} */
const failures = [];

/** @typedef {{ key: string, vehicle: string, at: Date | null, data: object }} Row */
/** @typedef {import('fleet-telematics').VehiclesStreamOptions} Options */
/** @type {(kind: string, read: (vehicles: { vehicleId: string, from: Date }[], options: Options) => AsyncIterable<Row>) => Promise<void>} */
async function keep(kind, read) {
  // Devices send rows up to an hour late: the hour before the cursor is read again, in place of what is there.
  const cursors = await sql`SELECT vehicle, until - interval '1 hour' AS from FROM cursors WHERE kind = ${kind}`;
  await sql`DELETE FROM reported r WHERE kind = ${kind} AND NOT EXISTS (SELECT FROM cursors c
    WHERE c.kind = r.kind AND c.vehicle = r.vehicle AND r.at < c.until - interval '1 hour')`;
  const [begins, rows, reached] = [new Map(cursors.map(({ vehicle, from }) => [vehicle, from])), new Map(), new Map()];
  const vehicles = ids.map((vehicleId) => ({ vehicleId, from: begins.get(vehicleId) ?? begin }));
  const save = async () => {
    await sql.begin(async (sql) => {
      if (rows.size > 0)
        await sql`INSERT INTO reported ${sql([...rows.values()])}
        ON CONFLICT (kind, key) DO UPDATE SET at = excluded.at, data = excluded.data`;
      for (const [vehicle, until] of reached)
        await sql`INSERT INTO cursors ${sql({ kind, vehicle, until })}
        ON CONFLICT (kind, vehicle) DO UPDATE SET until = excluded.until`;
    });
    for (const saved of [rows, reached]) saved.clear();
  };
  const onComplete = (/** @type {string} */ vehicle, /** @type {string} */ until) => reached.set(vehicle, until);
  for await (const row of read(vehicles, { onComplete, onError: (failure) => failures.push(failure) })) {
    rows.set(row.key, { kind, ...row }); // identical ones once
    if (row.at !== null) reached.set(row.vehicle, row.at); // those of a vehicle come in order of time
    if (rows.size >= 1000) await save();
  }
  await save();
}

await keep('snapshot', async function* (vehicles, options) {
  const select = /** @type {const} */ ({ timestamp: true, gps: { speed: true }, canBus: { canDistance: true } });
  for await (const row of fleet.streamSnapshots({ vehicles, to }, { ...options, select })) {
    const { vehicleId: vehicle, ordinal, timestamp, ...data } = row;
    const at = toDate(timestamp);
    if (at) yield { key: `${vehicle} ${at.toISOString()} ${ordinal}`, vehicle, at, data };
  }
});
await keep('trip', async function* (vehicles, options) {
  for await (const data of fleet.streamTrips({ vehicles, to }, options))
    yield { key: data.id, vehicle: data.vehicleId, at: toDate(data.endedAt), data };
});
await Promise.all([sql.end(), fleet.close()]);
if (failures[0]) throw failures[0].error; // the others have all that there is
