// A function in the cloud: one client, one call. What its bundle weighs is what a program pays for the SDK.
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
