// @ts-check
// graphql-request with the global fetch and documents as text. Also behind p-queue with one request
// at a time, the usual answer to 429.
import { GraphQLClient } from 'graphql-request';
import PQueue from 'p-queue';
import { asking, graphqlUrl } from './peer.mjs';

/** @type {import('./peer.mjs').Open} */
export function open(target) {
  const client = new GraphQLClient(graphqlUrl(target), { headers: target.headers });
  return asking((document, variables) => client.request(document, variables));
}

/** @type {import('./peer.mjs').Open} */
export function openQueued(target) {
  const client = new GraphQLClient(graphqlUrl(target), { headers: target.headers });
  const queue = new PQueue({ concurrency: 1 });
  return asking((document, variables) => queue.add(() => client.request(document, variables)));
}
