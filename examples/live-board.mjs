// @ts-check
// Shows the current status of every vehicle, and updates it every 30 seconds until Ctrl-C. Run
// `node live-board.mjs`, or `node live-board.mjs 1` to show it once.
import { setTimeout as pause } from 'node:timers/promises';
import { FleetClient, FleetError, liveStatus, toDate } from 'fleet-telematics';

const { FLEET_BASE_URL = '', FLEET_USERNAME = '', FLEET_PASSWORD = '' } = process.env;
const rounds = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);

const fleet = new FleetClient({
  baseUrl: FLEET_BASE_URL,
  credentials: { username: FLEET_USERNAME, password: FLEET_PASSWORD },
  share: 'machine',
  retry: { attempts: 1 }, // no retry: an error shows at once, and the next round requests again
});

const lastData = { timestamp: true, gps: { speed: true }, ignition: { engineStatus: true } };

async function board() {
  const vehicles = await fleet.getActiveVehicles({}, { select: { name: true, lastData }, timeoutMs: 9_000 });
  const rows = vehicles.map(({ name, lastData: last }) => {
    const seen = toDate(last?.timestamp)?.toISOString().slice(11, 16) ?? '';
    // A name may contain terminal control codes.
    return { name: (name ?? '').replace(/\p{Cc}/gu, '?'), status: liveStatus(last), speed: last?.gps?.speed, seen };
  });
  const lines = rows
    .sort((one, other) => one.status.localeCompare(other.status) || one.name.localeCompare(other.name))
    .map(({ name, status, speed, seen }) => `${status.padEnd(8)} ${name.padEnd(24)} ${speed ?? '-'} km/h  ${seen}`);
  const moving = rows.filter(({ status }) => status === 'moving').length;
  return [`${moving} of ${rows.length} moving, ${new Date().toISOString()}`, ...lines].join('\n');
}

for (let round = 1; round <= rounds; round++) {
  // If the service fails, show the error and try again in the next round.
  const text = await board().catch((error) => (error instanceof FleetError ? error.message : Promise.reject(error)));
  process.stdout.write(`${process.stdout.isTTY ? '\x1b[2J\x1b[H' : ''}${text}\n`);
  if (round < rounds) await pause(30_000);
}

await fleet.close();
