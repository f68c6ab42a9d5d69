// @ts-check
// Writes the trips that ended on one day (UTC) as CSV, so that no trip is in two files. Run
// `node nightly-trips.mjs` from 01:00 UTC for yesterday, or `node nightly-trips.mjs 2026-03-01`.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { FleetClient } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const dayMs = 86_400_000;
const day = process.argv[2] ?? new Date(Date.now() - dayMs).toISOString().slice(0, 10);
const from = new Date(`${day}T00:00:00Z`);
// Reads an hour more, because only later snapshots show that a trip has ended.
const to = new Date(from.getTime() + dayMs + 3_600_000);

const fleet = new FleetClient({
  baseUrl: FLEET_BASE_URL,
  credentials: { username: FLEET_USERNAME, password: FLEET_PASSWORD },
  share: 'machine', // shares turns with other scripts and the command line
});

const cells = ['id', 'startedAt', 'endedAt', 'distanceKm', 'distanceBy', 'movingSeconds', 'idleSeconds', 'topSpeedKmh'];

/** @param {readonly unknown[]} values */
const line = (values) => `${values.map((value) => `"${String(value ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;

async function* csv() {
  yield line(['vehicle', 'plate', 'drivers', ...cells]);
  for (const vehicle of await fleet.getVehicles({}, { select: { id: true, name: true, licensePlate: true } })) {
    if (!vehicle.id) continue;
    for await (const trip of fleet.streamTrips({ vehicleId: vehicle.id, from, to })) {
      if (!trip.endedAt?.startsWith(day)) continue;
      const who = [vehicle.name, vehicle.licensePlate, trip.driverIds.join(' ')];
      yield line([...who, ...cells.map((cell) => Reflect.get(trip, cell))]);
    }
  }
}

await pipeline(csv, createWriteStream(`trips-${day}.csv`));
await fleet.close();
