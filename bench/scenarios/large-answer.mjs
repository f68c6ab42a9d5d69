// @ts-check
// A thousand vehicles in one answer.
import { compareCalls } from '../lib/compare-calls.mjs';
import { servePrepared } from '../lib/prepared-vehicles.mjs';
import { listDocument } from '../lib/vehicle-queries.mjs';

export const title = '1,000 vehicles in one answer';

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const { bytes, target, stop } = await servePrepared(1000, listDocument);
  report.text(
    `getVehicles with thirteen fields; the answer has ${Math.round(bytes / 1000)} KB, and a plain server has it ready as bytes.`,
  );
  try {
    return await compareCalls(report, {
      target,
      call: (client) => client.vehicles(),
      calls: 6,
      rounds: 25,
      warmUp: 4,
      what: '1,000 vehicles',
      most: 1.1,
    });
  } finally {
    await stop();
  }
}
