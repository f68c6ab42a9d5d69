// Decides on encryption. Passwords and personal data go to another host, so its default is TLS.
import { isLoopback, SyncTargetError } from 'fleet-telematics/kit';

/** The modes of libpq. postgres.js does not try without TLS first, so `allow` acts as `prefer`. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof modes)[number];

export interface Tls {
  readonly ssl: false | 'prefer' | 'require' | 'verify-full';
  /** True when a notice is due for an unencrypted connection. */
  readonly isOtherHost: boolean;
}

/**
 * Returns the mode of the address (`?sslmode=`) or PGSSLMODE; the default is TLS for other hosts
 * only.
 * @throws {SyncTargetError} INVALID for an unknown mode.
 */
export function tlsOf(url: string, env: Readonly<Record<string, string | undefined>>): Tls {
  const { hostname, searchParams } = new URL(url);
  const hosts = (hostname === '' ? (env.PGHOST ?? 'localhost') : decodeURIComponent(hostname)).split(',');
  const isOtherHost = hosts.some((host) => !isOnThisMachine(host));
  // As in libpq, the certificates of the system require the full check.
  const byAddress = searchParams.get('sslrootcert') === 'system' ? 'verify-full' : searchParams.get('sslmode');
  const requestedMode = byAddress ?? env.PGSSLMODE ?? '';
  const mode =
    requestedMode === ''
      ? isOtherHost
        ? 'require'
        : 'disable'
      : modes.find((candidate) => candidate === requestedMode);
  if (mode !== undefined && !searchParams.has('ssl')) return { ssl: sslOf(mode), isOtherHost };
  const what = searchParams.has('ssl') ? 'ssl in the address is no setting' : 'The sslmode is not one';
  throw new SyncTargetError(
    'INVALID',
    `${what} that PostgreSQL knows. Nothing was read.`,
    `Write ?sslmode=… in the address, or set PGSSLMODE: to one of ${modes.join(', ')}.`,
  );
}

function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || host === '::1' || isLoopback({ hostname: host.replace(/:\d+$/, '') });
}

function sslOf(mode: SslMode): Tls['ssl'] {
  switch (mode) {
    case 'disable':
      return false;
    case 'allow':
    case 'prefer':
      return 'prefer';
    case 'require':
      return 'require';
    case 'verify-ca':
    case 'verify-full':
      // postgres.js has no check of the certificate without its name.
      return 'verify-full';
  }
}

/** The error code when the server refuses TLS, before user and password are sent. */
export const NO_TLS = 'NO_TLS';
