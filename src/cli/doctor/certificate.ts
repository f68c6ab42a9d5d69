// Whether the connection to the service is encrypted, and its certificate trusted and good for a while.

import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isLoopback } from '../../core/base-url.js';
import { codeOf } from '../config/file-error.js';
import type { Io } from '../run/io.js';
import { hostOf, portOf } from './address.js';
import { broken, type Finding, fine, skipped, warning } from './check.js';
import { proxyFor } from './proxy.js';

const SOON_DAYS = 14;
const DAY_MS = 86_400_000;

export async function lookAtCertificate(
  baseUrl: string,
  env: Io['env'],
  now: number,
  timeoutMs: number,
): Promise<Finding> {
  const url = new URL(baseUrl);
  if (url.protocol === 'http:') return plain(url);
  if (proxyFor(env, url)) return skipped('the certificate is behind the proxy');
  const seen = await handshake(hostOf(url), portOf(url), timeoutMs);
  if ('failed' in seen) {
    return broken(
      'NETWORK',
      `no TLS connection can be made (${seen.failed})`,
      'Is it an https address? Check the port, too.',
    );
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return warning(
      'certificates are not checked: NODE_TLS_REJECT_UNAUTHORIZED is 0',
      'Unset it, and name your authority in NODE_EXTRA_CA_CERTS.',
    );
  }
  if (seen.untrusted !== null) {
    return broken(
      'NETWORK',
      `the certificate is not trusted (${seen.untrusted})`,
      'If an authority of your own has signed it, name its file in NODE_EXTRA_CA_CERTS; if not, ask who runs the service.',
    );
  }
  const days = Math.floor((seen.validTo - now) / DAY_MS);
  const until = `the certificate is trusted, until ${new Date(seen.validTo).toISOString().slice(0, 10)}`;
  if (days >= SOON_DAYS) return fine(until);
  return warning(`${until}: ${days} days from now`, 'Tell who runs the service to renew it.');
}

function plain(url: URL): Finding {
  if (isLoopback(url)) return fine('not used; the service is on this machine');
  return warning(
    'not used: passwords and data cross the network readable by others',
    'Use the https:// address, if the service has one.',
  );
}

type Seen = { readonly failed: string } | { readonly untrusted: string | null; readonly validTo: number };

function handshake(host: string, port: number, timeoutMs: number): Promise<Seen> {
  return new Promise((resolve) => {
    const end = (socket: TLSSocket, seen: Seen) => {
      socket.destroy();
      resolve(seen);
    };
    // What is wrong with a certificate is to be told, so it must not end the look at it. Nothing is sent here.
    const options = { host, port, timeout: timeoutMs, rejectUnauthorized: false };
    const socket = connect({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) });
    socket.once('secureConnect', () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      // Typed as an Error; it is the code as text.
      const reason: unknown = socket.authorizationError;
      end(socket, { untrusted: socket.authorized ? null : reasonText(reason), validTo });
    });
    socket.once('timeout', () => end(socket, { failed: 'no answer' }));
    socket.once('error', (error) => end(socket, { failed: codeOf(error) ?? 'failed' }));
  });
}

function reasonText(reason: unknown): string {
  return typeof reason === 'string' ? reason : (codeOf(reason) ?? 'unknown reason');
}
