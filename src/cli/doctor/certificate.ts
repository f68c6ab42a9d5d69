// Checks that the connection is encrypted and the certificate is trusted and valid for some time.
import { connect as connectPlain, isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { isLoopback } from '../../core/base-url.js';
import { errorCode } from '../../core/error-code.js';
import { DAY_MS } from '../../core/time-zone.js';
import type { Io } from '../io/io.js';
import { addressToUse, hostOf, portOf } from './address.js';
import { type CheckFinding, failed, ok, skipped, warning } from './check.js';
import { proxyFor } from './proxy.js';

/** Shorter validity is reported. */
const CERTIFICATE_WARNING_DAYS = 14;

export async function checkCertificate(
  baseUrl: string,
  env: Io['env'],
  now: number,
  timeoutMs: number,
): Promise<CheckFinding> {
  const url = new URL(baseUrl);
  if (url.protocol === 'http:') return plain(url);
  if (proxyFor(env, url)) return skipped('not checked through a proxy');
  const seen = await handshake(hostOf(url), portOf(url), timeoutMs);
  if ('failed' in seen) {
    if (await speaksHttp(url, timeoutMs)) {
      return failed(
        'NETWORK',
        `port ${portOf(url)} speaks plain HTTP and no TLS, and the address begins with https://`,
        `${addressToUse(withScheme(url, 'http:'))} Plain HTTP exposes passwords on the network: prefer a port with TLS.`,
      );
    }
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
  if (days >= CERTIFICATE_WARNING_DAYS) return ok(until);
  return warning(`${until}: ${days} days from now`, 'Ask the operator of the service to renew it.');
}

/** A TLS port answers the first message at once. */
const FIRST_ANSWER_MS = 2_000;

/** Returns the finding for an http:// address whose port speaks TLS, else null. */
export async function checkWrongScheme(
  baseUrl: string,
  env: Io['env'],
  timeoutMs: number,
): Promise<CheckFinding | null> {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' || proxyFor(env, url)) return null;
  if ('failed' in (await handshake(hostOf(url), portOf(url), Math.min(timeoutMs, FIRST_ANSWER_MS)))) return null;
  return failed(
    'NETWORK',
    `port ${portOf(url)} speaks TLS, and the address begins with http://`,
    addressToUse(withScheme(url, 'https:')),
  );
}

function withScheme(url: URL, scheme: 'http:' | 'https:'): string {
  const { hostname, pathname } = url;
  const isUsual = portOf(url) === (scheme === 'https:' ? 443 : 80);
  return `${scheme}//${hostname}${isUsual ? '' : `:${portOf(url)}`}${pathname === '/' ? '' : pathname}`;
}

/** True when the port answers plain HTTP. The request contains nothing but the host name. */
function speaksHttp(url: URL, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host: hostOf(url), port: portOf(url), timeout: timeoutMs });
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('connect', () => socket.write(`HEAD / HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`));
    socket.once('data', (chunk) => end(chunk.toString('latin1').startsWith('HTTP/')));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
  });
}

function plain(url: URL): CheckFinding {
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
    // Accepts any certificate in order to report its problem. Nothing is sent.
    const options = { host, port, timeout: timeoutMs, rejectUnauthorized: false };
    const socket = connect({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) });
    socket.once('secureConnect', () => {
      const validTo = Date.parse(socket.getPeerCertificate().valid_to);
      // Typed as Error, but it is the code as a string.
      const reason: unknown = socket.authorizationError;
      end(socket, { untrusted: socket.authorized ? null : reasonText(reason), validTo });
    });
    socket.once('timeout', () => end(socket, { failed: 'no answer' }));
    socket.once('error', (error) => end(socket, { failed: errorCode(error) ?? 'failed' }));
  });
}

function reasonText(reason: unknown): string {
  return typeof reason === 'string' ? reason : (errorCode(reason) ?? 'unknown reason');
}
