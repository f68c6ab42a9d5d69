// @ts-check
// Injects faults during a soak: random planned faults, which it counts, and a clock that runs ahead so that tokens expire every few seconds.
// Each of its requests uses its own connection, so that the open sockets at the service are those of the clients.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** @param {string} url @param {object} body @returns {Promise<void>} */
function post(url, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const outgoing = request(url, { method: 'POST', headers, agent: false }, (incoming) => {
      incoming.resume();
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        if (status >= 200 && status <= 299) resolve();
        else reject(new Error(`${url} answered ${status}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** @param {import('./dice.mjs').Dice} dice @returns {import('../../dist/mock/service.js').FaultRule} */
function fault(dice) {
  const times = 1 + dice.upTo(3);
  const path = dice.pick(
    /** @type {const} */ (['/graphql', '/graphql', '/graphql', '/graphql', '/login/token', '/login/refresh']),
  );
  const kind = dice.pick(
    /** @type {const} */ ([
      'status',
      'status',
      'status',
      'delay',
      'reset',
      'truncate',
      'malformed',
      'html',
      'graphqlError',
    ]),
  );
  switch (kind) {
    case 'status': {
      const status = dice.pick([429, 401, 500, 502, 503, 504, 400, 403]);
      return status === 429 && dice.roll() < 0.2
        ? { kind, path, times, status, retryAfter: 1 }
        : { kind, path, times, status };
    }
    case 'html':
      return { kind, path, times, status: dice.pick([200, 502]) };
    case 'delay':
      return { kind, path, times, ms: 20 + dice.upTo(300) };
    case 'graphqlError':
      return { kind, path: '/graphql', times };
    default:
      return { kind, path, times };
  }
}

const HALF_A_DAY_MS = 13 * 3_600_000;

/**
 * Makes trouble until it is told to stop.
 * @param {string} url
 * @param {import('./dice.mjs').Dice} dice
 * @param {(ms: number) => void} advanceClients
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, number>>} how often what went wrong
 */
export async function makeTrouble(url, dice, advanceClients, signal) {
  /** @type {Record<string, number>} */
  const made = {};
  const count = (/** @type {string} */ what) => {
    made[what] = (made[what] ?? 0) + 1;
  };
  for (let round = 1; !signal.aborted; round++) {
    await sleep(50 + dice.upTo(150));
    const rule = fault(dice);
    await post(`${url}/__mock/faults`, rule);
    count(rule.kind === 'status' ? `status ${rule.status}` : rule.kind);
    if (round % 8 !== 0) continue;
    // Now and then past the time in which a session can be refreshed.
    const ms = round % 240 === 0 ? HALF_A_DAY_MS : 60_000;
    count(ms === HALF_A_DAY_MS ? 'session expired' : 'clock moved');
    // Whoever is ahead for a moment: clients that renew too early, or a service that refuses a token they think is good.
    const isClientFirst = dice.roll() < 0.5;
    if (isClientFirst) advanceClients(ms);
    await post(`${url}/__mock/clock`, { advance: ms });
    if (!isClientFirst) advanceClients(ms);
  }
  return made;
}
