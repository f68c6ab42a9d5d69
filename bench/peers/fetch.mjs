// @ts-check
// The global fetch alone.
import { asking, graphqlUrl } from './peer.mjs';

/** @type {import('./peer.mjs').Open} */
export function open(target) {
  const url = graphqlUrl(target);
  const { headers } = target;
  return asking(async (query, variables) => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    /** @type {any} */
    const { data, errors } = await answer.json();
    if (errors) throw new Error(errors[0].message);
    return data;
  });
}
