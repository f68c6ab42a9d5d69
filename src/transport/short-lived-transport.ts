// The fetch of processes that start, ask a little and end, such as the command line: over node:http(s), and over undici where the
// environment names a proxy.
import type { Fetch } from '../core/ports.js';
import { fetchFromTransport } from './http-transport.js';
import { nodeTransport } from './node-transport.js';
import { type Environment, hasProxy, proxySettings } from './proxy.js';
import { undiciTransport } from './undici-transport.js';

/** To be given to one FleetClient, which closes its sockets with its own. @throws {InvalidInputError} for a proxy that is no address. */
export function shortLivedFetch(env: Environment): Fetch {
  return fetchFromTransport(hasProxy(proxySettings(env)) ? undiciTransport(env) : nodeTransport());
}
