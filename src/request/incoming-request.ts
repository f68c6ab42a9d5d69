// Finds the caller of a call. A client object is a caller, and in an HTTP server each incoming
// request is a part of it. So the reads of one request do not wait for a change that another one
// makes with the same client. Calls outside of incoming requests are in order with all of them.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { type Caller, ClientPart } from './turn-order.js';

const incomingRequest = new AsyncLocalStorage<WeakMap<object, ClientPart>>();
let isSubscribed = false;

/**
 * Returns the caller. Incoming requests are distinguished from the first mutation on: reads need no
 * order.
 */
export function callerOf(client: object, kind: 'query' | 'mutation'): Caller {
  if (!isSubscribed) {
    if (kind === 'query') return client;
    subscribeToRequests();
  }
  const parts = incomingRequest.getStore();
  if (!parts) return client;
  const existing = parts.get(client);
  if (existing) return existing;
  const part = new ClientPart(client);
  parts.set(client, part);
  return part;
}

/** The channel runs in the async context of the request's handlers. */
function subscribeToRequests(): void {
  isSubscribed = true;
  subscribe('http.server.request.start', () => incomingRequest.enterWith(new WeakMap()));
}
