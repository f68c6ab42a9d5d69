// The fetch of processes that start, ask a little and end, such as the command line: over node:http(s), and over undici where the
// environment names a proxy.
import type { Fetch } from '../outside.js';
import { nodeFetch } from './node-fetch.js';
import { type Environment, hasProxy, proxySettings } from './proxy-settings.js';
import { fetchOver } from './thin-fetch.js';
import { undiciFetch } from './undici-fetch.js';

/** To be given to one FleetClient, which closes its sockets with its own. @throws {InvalidInputError} for a proxy that is no address. */
export function quickFetch(env: Environment): Fetch {
  return fetchOver(hasProxy(proxySettings(env)) ? undiciFetch(env) : nodeFetch());
}
