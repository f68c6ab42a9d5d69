// The transport for short-lived processes, such as the command line: node:http(s), or undici when
// the environment names a proxy.
import type { HttpTransport } from './http-transport.js';
import { nodeTransport } from './node-transport.js';
import { type Environment, hasProxy, proxySettings } from './proxy.js';
import { undiciTransport } from './undici-transport.js';

/** @throws {InvalidInputError} when a proxy in the environment has no valid address. */
export function shortLivedTransport(env: Environment): HttpTransport {
  return hasProxy(proxySettings(env)) ? undiciTransport(env) : nodeTransport();
}
