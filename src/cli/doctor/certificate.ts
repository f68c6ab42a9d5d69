// Checks that the connection is encrypted, and that the certificate is trusted and does not expire soon.
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isLoopback } from '../../core/base-url.js';
import { codeOf } from '../config/file-error.js';
import type { Io } from '../io/io.js';
import { certificateWarningDays } from '../limits.js';
import { hostOf, portOf } from './address.js';
import { type Finding, failed, ok, skipped, warning } from './check.js';
import { proxyFor } from './proxy.js';

const DAY_MS = 86_400_000;

export async function checkCertificate(
  baseUrl: string,
  env: Io['env'],
  now: number,
  timeoutMs: number,
): Promise<Finding> {
  const url = new URL(baseUrl);
  if (url.protocol === 'http:') return plain(url);
  if (proxyFor(env, url)) return skipped('not checked through a proxy');
  const seen = await handshake(hostOf(url), portOf(url), timeoutMs);
  if ('failed' in seen) {
    return failed(
      'NETWORK',
      `no TLS connection can be made (${seen.failed})`,
      'Check that the address is https, and check the port.',
    );
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return warning(
      'certificates are not checked: NODE_TLS_REJECT_UNAUTHORIZED is 0',
      'Unset it, and name the file of your authority in NODE_EXTRA_CA_CERTS.',
    );
  }
  if (seen.untrusted !== null) {
    return failed(
      'NETWORK',
      `the certificate is not trusted (${seen.untrusted})`,
      'If your own authority signed it, name its file in NODE_EXTRA_CA_CERTS; otherwise ask the operator of the service.',
    );
  }
  const days = Math.floor((seen.validTo - now) / DAY_MS);
  const until = `the certificate is trusted and valid until ${new Date(seen.validTo).toISOString().slice(0, 10)}`;
  if (days >= certificateWarningDays) return ok(until);
  return warning(`${until}: ${days} days from now`, 'Ask the operator of the service to renew it.');
}

function plain(url: URL): Finding {
  if (isLoopback(url)) return ok('not used; the service is on this machine');
  return warning(
    'not used: others on the network can read passwords and data',
    'Use the https:// address, if the service has one.',
  );
}

type Handshake = { readonly failed: string } | { readonly untrusted: string | null; readonly validTo: number };

function handshake(host: string, port: number, timeoutMs: number): Promise<Handshake> {
  return new Promise((resolve) => {
    const end = (socket: TLSSocket, seen: Handshake) => {
      socket.destroy();
      resolve(seen);
    };
    // The check reports what is wrong with a certificate, so it must accept the connection. Nothing is sent over it.
    const options = { host, port, timeout: timeoutMs, rejectUnauthorized: false };
    const socket = connect({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) });
    socket.once('secureConnect', () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      // Its type is Error, but it is the code as a string.
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
