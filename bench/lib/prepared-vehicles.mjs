// @ts-check
// A server that accepts every login and answers every GraphQL request with the same bytes. It does
// very little work, so that the client is measured.
import { demo } from './scenario.mjs';
import { startServer } from './server-process.mjs';
import { ask, logIn } from './wire.mjs';

const json = 'application/json';

/**
 * @typedef {object} PreparedVehicles
 * @property {string} id of a vehicle
 * @property {number} bytes of the answer
 * @property {import('../peers/peer.mjs').Target} target
 * @property {() => Promise<void>} stop
 */

/**
 * @param {number} vehicles
 * @param {string} document of all clients
 * @param {number} [copies] of each vehicle, to make a long list fast
 * @returns {Promise<PreparedVehicles>}
 */
export async function servePrepared(vehicles, document, copies = 1) {
  const service = await startServer({ kind: 'service', options: { vehicles } });
  const user = await logIn(service.url);
  /** @type {{ data: { getVehicles: { id: string }[] } }} */
  const { data } = await ask(user, '{ getVehicles { id } }');
  const id = data.getVehicles[0]?.id ?? '';
  const answer = await ask(user, document, document.includes('$id') ? { id } : {});
  const text = copies === 1 ? answer.text : withCopies(answer.text, copies);
  const bytes = Buffer.byteLength(text);
  await service.stop();

  const plain = await startServer({ kind: 'plain' });
  await plain.answerWith([
    { path: '/graphql', type: json, body: text },
    { path: '/login/token', type: json, body: JSON.stringify({ access_token: 'a', refresh_token: 'r' }) },
    { path: '/login/refresh', type: json, body: JSON.stringify({ access_token: 'a' }) },
    {
      path: '/login/userinfo',
      type: json,
      body: JSON.stringify([{ userId: '4f6e2a10-0000-4000-8000-000000000001', userName: 'u', fleetName: 'f' }]),
    },
  ]);
  const headers = { authorization: 'Bearer a', userid: 'u', 'content-type': json };
  return { id, bytes, target: { url: plain.url, headers, credentials: demo }, stop: plain.stop };
}

/** @param {string} text an answer whose data is one list @param {number} copies */
function withCopies(text, copies) {
  const [begin, end] = [text.indexOf('[') + 1, text.lastIndexOf(']')];
  return text.slice(0, begin) + Array(copies).fill(text.slice(begin, end)).join(',') + text.slice(end);
}
