// @ts-check
// All compared clients, by their names in the tables. The first one is the baseline.
import { open as apollo } from './apollo.mjs';
import { open as batchExecute } from './batch-execute.mjs';
import { open as globalFetch } from './fetch.mjs';
import { open as sdk } from './fleet-telematics.mjs';
import { open as graphqlRequest, openQueued } from './graphql-request.mjs';
import { openPool, open as undici } from './undici.mjs';
import { open as urql } from './urql.mjs';

export const byHand = 'undici.request by hand';
export const ours = 'fleet-telematics';

/** @type {Readonly<Record<string, import('./peer.mjs').Open>>} */
export const peers = {
  [byHand]: undici,
  'undici Pool by hand': openPool,
  [ours]: sdk,
  'global fetch': globalFetch,
  'graphql-request': graphqlRequest,
  urql,
  'Apollo Client': apollo,
  'p-queue + graphql-request': openQueued,
  'batch-execute': batchExecute,
};

/**
 * Opens all clients, or the named ones.
 * @param {import('./peer.mjs').Target} target
 * @param {readonly string[]} [names]
 * @returns {Promise<Map<string, import('./peer.mjs').Client>>}
 */
export async function openAll(target, names = Object.keys(peers)) {
  const clients = new Map();
  for (const name of names) {
    const open = peers[name];
    if (open === undefined) throw new Error(`there is no peer ${name}`);
    clients.set(name, await open(target));
  }
  return clients;
}

/** @param {ReadonlyMap<string, import('./peer.mjs').Client>} clients */
export async function closeAll(clients) {
  for (const client of clients.values()) await client.close?.();
}
