// @ts-check
// Counts the harsh driving events of the last seven days by driver and kind, as TSV. Run
// `node harsh-events.mjs`, or `node harsh-events.mjs 2026-03-02` for the week before a date.
import { FleetClient } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const to = process.argv[2] ? new Date(`${process.argv[2]}T00:00:00Z`) : new Date();
const from = new Date(to.getTime() - 7 * 86_400_000);

const fleet = new FleetClient({
  baseUrl: FLEET_BASE_URL,
  credentials: { username: FLEET_USERNAME, password: FLEET_PASSWORD },
  share: 'machine',
});

const [vehicles, people] = await Promise.all([
  fleet.getVehicles({}, { select: { id: true } }),
  fleet.getPeople({}, { select: { id: true, firstName: true, lastName: true } }),
]);
const names = new Map(people.map(({ id, firstName, lastName }) => [id, `${firstName ?? ''} ${lastName ?? ''}`.trim()]));

/** @type {Map<string, number>} */
const counts = new Map();
const select = { driver: { driverId: true }, driverBehaviour: { driverBehaviourType: true } };
for (const { id: vehicleId } of vehicles) {
  if (!vehicleId) continue;
  for await (const { driver, driverBehaviour } of fleet.streamSnapshots({ vehicleId, from, to }, { select })) {
    const type = driverBehaviour?.driverBehaviourType;
    if (!type) continue;
    const key = `${names.get(driver?.driverId ?? '') ?? 'unknown driver'}\t${type}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

process.stdout.write('driver\tevent\tcount\n');
for (const [key, count] of [...counts].sort((one, other) => other[1] - one[1])) {
  process.stdout.write(`${key.replace(/[^\P{Cc}\t]/gu, '?')}\t${count}\n`);
}

await fleet.close();
