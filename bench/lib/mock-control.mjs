// @ts-check
// Reads the journal of a reference service in another process over `/__mock/`.
import { send } from './wire.mjs';

/** @typedef {{ path: string, status: number }} JournalEntry */

/**
 * Returns the requests since the last call.
 * @param {string} url
 * @returns {Promise<JournalEntry[]>}
 */
export async function takeJournal(url) {
  const { text } = await send(`${url}/__mock/requests`, { method: 'GET' });
  await send(`${url}/__mock/requests`, { method: 'DELETE' });
  return JSON.parse(text).requests;
}

/** @param {readonly JournalEntry[]} journal @param {string} path */
export const countByPath = (journal, path) => journal.filter((entry) => entry.path === path).length;

/** @param {readonly JournalEntry[]} journal @param {number} status */
export const countByStatus = (journal, status) => journal.filter((entry) => entry.status === status).length;
