// @ts-check
// Controls a reference service in another process over its `/__mock/` endpoints: its recorded requests and its clock.
import { send } from './wire.mjs';

/** @typedef {{ path: string, status: number }} Asked */

/** What the service was asked since the last time. @param {string} url @returns {Promise<Asked[]>} */
export async function takeJournal(url) {
  const { text } = await send(`${url}/__mock/requests`, { method: 'GET' });
  await send(`${url}/__mock/requests`, { method: 'DELETE' });
  return JSON.parse(text).requests;
}

/** @param {string} url @param {number} ms */
export async function advanceClock(url, ms) {
  const { status, text } = await send(`${url}/__mock/clock`, { body: JSON.stringify({ advance: ms }) });
  if (status !== 200) throw new Error(`the clock cannot be moved: ${text}`);
}

/** @param {readonly Asked[]} journal @param {string} path */
export const askedFor = (journal, path) => journal.filter((entry) => entry.path === path).length;

/** @param {readonly Asked[]} journal @param {number} status */
export const answeredWith = (journal, status) => journal.filter((entry) => entry.status === status).length;
