// Checks that the host name of the service can be resolved and that its port accepts connections.
import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { errorCode } from '../../core/error-code.js';
import type { Io } from '../io/io.js';
import { type CheckFinding, failed, ok } from './check.js';
import { proxyFor } from './proxy.js';

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

/** Returns the next step when the service has another address. */
export function addressToUse(baseUrl: string): string {
  return `Use this address: --base-url ${baseUrl}, FLEET_BASE_URL, or the profile (\`fleet login\` with it).`;
}

export async function checkAddress(baseUrl: string, env: Io['env'], timeoutMs: number): Promise<CheckFinding> {
  const url = new URL(baseUrl);
  const proxy = proxyOrNone(env, url);
  const { host, port } = proxy ?? { host: hostOf(url), port: portOf(url) };
  const label = proxy ? `the proxy ${host}` : host;
  if (isIP(host) === 0) {
    try {
      await lookup(host);
    } catch (error) {
      return failed(
        'NETWORK',
        `${label} cannot be resolved to an address (${errorCode(error) ?? 'lookup failed'})`,
        proxy
          ? 'Correct HTTP_PROXY and HTTPS_PROXY.'
          : 'Check its spelling (--base-url, FLEET_BASE_URL or the profile), and the network.',
      );
    }
  }
  const problem = await tryConnect(host, port, timeoutMs);
  if (problem === null) return ok(`${label} accepts connections on port ${port}`);
  return failed(
    'NETWORK',
    `${label} does not accept connections on port ${port} (${problem})`,
    proxy
      ? 'Correct HTTP_PROXY and HTTPS_PROXY, start the proxy, or name the service in NO_PROXY.'
      : problem === 'ECONNREFUSED'
        ? 'No program listens on this port: check the port of the address, or start the service.'
        : 'Check the address, the network, and any firewall on the way.',
  );
}

/** An invalid proxy setting is reported by the proxy check. */
function proxyOrNone(env: Io['env'], url: URL): ReturnType<typeof proxyFor> {
  try {
    return proxyFor(env, url);
  } catch {
    return null;
  }
}

/** Returns null when the connection was accepted, else the reason. */
function tryConnect(host: string, port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (problem: string | null) => {
      socket.destroy();
      resolve(problem);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error) => end(errorCode(error) ?? 'failed'));
  });
}
