// @ts-check
// A small node:http client for requests outside the load; fetch would add its start-up time.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true });

/**
 * @typedef {object} Received
 * @property {number} status
 * @property {string} type
 * @property {number} bytes
 * @property {string} text empty when `onChunk` reads it
 */

/**
 * Sends one request and reads the whole answer.
 * @param {string} url
 * @param {{
 *   method?: string, headers?: Record<string, string>, body?: string,
 *   onChunk?: (chunk: Buffer) => void
 * }} [options]
 * @returns {Promise<Received>}
 */
export function send(url, { method = 'POST', headers = {}, body = '', onChunk } = {}) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      /** @type {Buffer[]} */
      const chunks = [];
      let bytes = 0;
      incoming.on('data', (/** @type {Buffer} */ chunk) => {
        bytes += chunk.length;
        if (onChunk) onChunk(chunk);
        else chunks.push(chunk);
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        const status = incoming.statusCode ?? 0;
        resolve({
          status,
          type: incoming.headers['content-type'] ?? '',
          bytes,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * @typedef {object} User
 * @property {string} url
 * @property {Record<string, string>} headers of every GraphQL request
 */

/**
 * Logs in and picks the first user.
 * @param {string} url
 * @param {string} [username]
 * @param {string} [password]
 * @returns {Promise<User>}
 */
export async function logIn(url, username = 'demo', password = username) {
  /** @type {(name: string, value: string) => string} */
  const part = (name, value) => `--form\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const form = `${part('username', username)}${part('password', password)}--form--\r\n`;
  const type = { 'content-type': 'multipart/form-data; boundary=form' };
  const granted = await send(`${url}/login/token`, { headers: type, body: form });
  if (granted.status !== 200) throw new Error(`login answered ${granted.status}`);
  const authorization = `Bearer ${JSON.parse(granted.text).access_token}`;
  const users = await send(`${url}/login/userinfo`, { method: 'GET', headers: { authorization } });
  const [user] = JSON.parse(users.text);
  return { url, headers: { authorization, userid: user.userId, 'content-type': 'application/json' } };
}

/**
 * Sends a query and returns its data; throws when there are errors.
 * @template [Data=unknown]
 * @param {User} user
 * @param {string} query
 * @param {object} [variables]
 * @returns {Promise<{ data: Data, bytes: number, text: string, type: string }>}
 */
export async function ask(user, query, variables = {}) {
  const body = JSON.stringify({ query, variables });
  const { status, text, bytes, type } = await send(`${user.url}/graphql`, { headers: user.headers, body });
  const { data, errors } = JSON.parse(text);
  if (status !== 200 || errors) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
  return { data, bytes, text, type };
}
