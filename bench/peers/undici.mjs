// @ts-check
// Plain undici: `undici.request` and JSON.parse, the baseline. Also with a Pool, which is faster.
import { Pool, request } from 'undici';
import { asking, graphqlUrl } from './peer.mjs';

/** @param {import('undici').Dispatcher.ResponseData} answer */
async function read({ statusCode, body }) {
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
  const { data, errors } = JSON.parse(text);
  if (errors) throw new Error(errors[0].message);
  return data;
}

/** @type {import('./peer.mjs').Open} */
export function open(target) {
  const url = graphqlUrl(target);
  const { headers } = target;
  return asking(async (query, variables) =>
    read(await request(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })),
  );
}

/** @type {import('./peer.mjs').Open} */
export function openPool({ url, headers }) {
  const pool = new Pool(url);
  const client = asking(async (query, variables) =>
    read(await pool.request({ path: '/graphql', method: 'POST', headers, body: JSON.stringify({ query, variables }) })),
  );
  return { ...client, close: () => pool.close() };
}
