// A worker without a server: it makes changes until SIGTERM. The active request still gets its
// answer.
import { FleetClient, FleetError } from 'fleet-telematics';

const say = (...words) => process.stdout.write(`${words.join(' ')}\n`);
const fleet = new FleetClient({
  baseUrl: process.argv[2],
  credentials: { username: 'demo', password: 'demo' },
  maxWaiting: 50,
  hooks: { onRequest: ({ operations }) => say('sends', ...operations) },
});
process.once('SIGTERM', () => void fleet.close({ drainMs: 20_000 }));

/** Each job has its own order: its read waits for its change only. */
async function work(vehicleId, licensePlate) {
  const job = fleet.fork();
  const [, vehicle] = await Promise.all([
    job.updateVehicle({ vehicleId, vehicleInput: { licensePlate } }),
    job.getVehicleById({ id: vehicleId }, { select: { licensePlate: true } }),
  ]);
  return vehicle?.licensePlate;
}

const [{ id }] = await fleet.getVehicles({}, { select: { id: true } });
for (let number = 1; ; number++) {
  try {
    say('done', await work(id, `JOB-${number}`));
  } catch (error) {
    if (!FleetError.is(error)) throw error;
    say('ended with', error.code);
    break;
  }
}
