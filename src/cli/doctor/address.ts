// Whether the address of the service has a name that is known and takes connections.
import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { codeOf } from '../config/file-error.js';
import type { Io } from '../run/io.js';
import { broken, type Finding, fine } from './check.js';
import { proxyFor } from './proxy.js';

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
}

export async function lookAtAddress(baseUrl: string, env: Io['env'], timeoutMs: number): Promise<Finding> {
  const url = new URL(baseUrl);
  const proxy = proxyOrNone(env, url);
  const { host, port } = proxy ?? { host: hostOf(url), port: portOf(url) };
  const what = proxy ? `the proxy ${host}` : host;
  if (isIP(host) === 0) {
    try {
      await lookup(host);
    } catch (error) {
      return broken(
        'NETWORK',
        `no address is known for ${what} (${codeOf(error) ?? 'lookup failed'})`,
        proxy
          ? 'Correct HTTP_PROXY and HTTPS_PROXY.'
          : 'Check its spelling (--base-url, FLEET_BASE_URL or the profile), and the network.',
      );
    }
  }
  const failed = await connecting(host, port, timeoutMs);
  if (failed === null) return fine(`${what} takes connections at port ${port}`);
  return broken(
    'NETWORK',
    `${what} does not take connections at port ${port} (${failed})`,
    failed === 'ECONNREFUSED'
      ? 'Nothing listens there: check the port of the address, or start the service.'
      : 'Check the address, the network, and any firewall between here and there.',
  );
}

/** One that cannot be read is told by the look at the proxy. */
function proxyOrNone(env: Io['env'], url: URL): ReturnType<typeof proxyFor> {
  try {
    return proxyFor(env, url);
  } catch {
    return null;
  }
}

/** Null when it was taken; else why not. */
function connecting(host: string, port: number, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (why: string | null) => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error) => end(codeOf(error) ?? 'failed'));
  });
}
