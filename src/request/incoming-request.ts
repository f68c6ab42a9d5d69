// Who asks. A client object is a caller. In a program that serves HTTP, each incoming request is a part of it, so that nobody's reads wait for a
// change that somebody else makes with the same client. What is asked for outside of incoming requests is in order with all of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { type Caller, PartOfClient } from './turn-order.js';

/** One incoming request, as a part of each client that it uses. */
const incoming = new AsyncLocalStorage<WeakMap<object, PartOfClient>>();
let isFollowed = false;

/**
 * The caller of a call. Incoming requests are told apart from the first change on: a program that only reads needs no order, and does not pay
 * for it.
 */
export function callerOf(client: object, kind: 'query' | 'mutation'): Caller {
  if (!isFollowed) {
    if (kind === 'query') return client;
    followRequests();
  }
  const parts = incoming.getStore();
  if (!parts) return client;
  const known = parts.get(client);
  if (known) return known;
  const part = new PartOfClient(client);
  parts.set(client, part);
  return part;
}

/** Node tells of each request that one of its http and https servers gets, in the async context in which its handlers run. */
function followRequests(): void {
  isFollowed = true;
  subscribe('http.server.request.start', () => incoming.enterWith(new WeakMap()));
}
