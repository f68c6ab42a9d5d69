// @ts-check
// Makes many lookups at once, and counts the callers' results and the service's requests.
import { countByPath, countByStatus, takeJournal } from './mock-control.mjs';

/**
 * @typedef {object} Outcome
 * @property {number} requests GraphQL requests that reached the service
 * @property {number} refused those of them that it answered with 429
 * @property {number} failed lookups that failed for their caller
 * @property {number} ms from the first lookup to the end of the last
 */

/**
 * @param {string} url of the reference service
 * @param {() => Promise<PromiseSettledResult<unknown>[]>} lookUpAll
 * @returns {Promise<Outcome>}
 */
export async function outcomeOf(url, lookUpAll) {
  await takeJournal(url);
  const begun = performance.now();
  const settled = await lookUpAll();
  const ms = performance.now() - begun;
  const journal = await takeJournal(url);
  return {
    requests: countByPath(journal, '/graphql'),
    refused: countByStatus(journal, 429),
    failed: settled.filter(({ status }) => status === 'rejected').length,
    ms,
  };
}

/**
 * @param {string} url
 * @param {import('../peers/peer.mjs').Client} client
 * @param {readonly string[]} ids
 */
export const lookUpAtOnce = (url, client, ids) =>
  outcomeOf(url, () => Promise.allSettled(ids.map((id) => client.vehicleById(id))));
