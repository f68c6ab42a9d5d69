// @ts-check
// Consecutive calls for one vehicle by id.
import { compareCalls } from '../lib/compare-calls.mjs';
import { servePrepared } from '../lib/prepared-vehicles.mjs';
import { byIdDocument } from '../lib/vehicle-queries.mjs';

export const title = 'One small call over loopback';

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const { id, bytes, target, stop } = await servePrepared(25, byIdDocument);
  report.text(
    `getVehicleById with eight fields, one call after the other; the answer has ${bytes} bytes. A plain server has it`,
  );
  report.text(
    'ready as bytes, so that the client is what is measured; everybody asks for the same fields and checks for errors.',
  );
  report.text(
    "undici.request goes through undici's shared Agent, as it comes; a Pool of one's own saves some of that.",
  );
  try {
    return await compareCalls(report, {
      target,
      call: (client) => client.vehicleById(id),
      calls: 120,
      rounds: 41,
      warmUp: 16,
      what: 'small call, loopback',
      most: 1.25,
      honest: 1.35,
    });
  } finally {
    await stop();
  }
}
