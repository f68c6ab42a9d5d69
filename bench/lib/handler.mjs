// A cloud function with one client and one call. Its bundle size is the SDK's cost for a program.
import process from 'node:process';
import { FleetClient } from '../../dist/esm/sdk/index.js';

export const fleet = new FleetClient({
  baseUrl: process.env.FLEET_BASE_URL ?? '',
  credentials: { username: process.env.FLEET_USERNAME ?? '', password: process.env.FLEET_PASSWORD ?? '' },
  ...(process.env.OWN_FETCH ? { fetch: globalThis.fetch } : {}),
});

export async function handler() {
  const vehicles = await fleet.getVehicles({}, { select: { id: true, name: true } });
  return { statusCode: 200, body: JSON.stringify(vehicles) };
}
