// Who asks. A client object is a caller. In a program that serves HTTP, each incoming request is a caller of its own, so that nobody's reads
// wait for a change that somebody else makes with the same client.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Caller } from './turn-order.js';

/** The callers of one incoming request, one for each client that it uses. */
const incoming = new AsyncLocalStorage<WeakMap<object, object>>();
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
  const callers = incoming.getStore();
  if (!callers) return client;
  const known = callers.get(client);
  if (known) return known;
  const caller = {};
  callers.set(client, caller);
  return caller;
}

/** Node tells of each request that one of its http and https servers gets, in the async context in which its handlers run. */
function followRequests(): void {
  isFollowed = true;
  subscribe('http.server.request.start', () => incoming.enterWith(new WeakMap()));
}
