// @ts-check
// Starts a reference service with 250 vehicles and returns their ids. GraphQL requests take 50 ms;
// a second request of the user in that time gets 429.
import { demo } from './scenario.mjs';
import { startServer } from './server-process.mjs';
import { ask, logIn } from './wire.mjs';

export const latencyMs = 50;

/**
 * @typedef {object} FleetWithLatency
 * @property {import('../peers/peer.mjs').Target} target
 * @property {import('./wire.mjs').User} user
 * @property {readonly string[]} ids
 * @property {() => Promise<void>} stop
 */

/** @param {number} [vehicles] @returns {Promise<FleetWithLatency>} */
export async function startFleet(vehicles = 250) {
  const server = await startServer({ kind: 'service', options: { vehicles, latencyMs } });
  const user = await logIn(server.url);
  /** @type {{ data: { getVehicles: { id: string }[] } }} */
  const { data } = await ask(user, '{ getVehicles { id } }');
  return {
    target: { url: server.url, headers: user.headers, credentials: demo },
    user,
    ids: data.getVehicles.map(({ id }) => id),
    stop: server.stop,
  };
}
