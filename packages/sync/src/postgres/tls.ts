// Whether a connection to PostgreSQL is encrypted. Passwords and personal data go to another host, so TLS is asked for unless somebody says otherwise.
import { isLoopback, SyncTargetError } from 'fleet-telematics/kit';

/** As libpq names them. postgres.js does not try without TLS first, so `allow` is as `prefer`. */
const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof modes)[number];

export interface Tls {
  /** What postgres.js is told. */
  readonly ssl: false | 'prefer' | 'require' | 'verify-full';
  /** Whether the server may be on another machine: then the user is told when the connection is not encrypted. */
  readonly isOtherHost: boolean;
}

/**
 * What the address says of TLS (`?sslmode=`), else PGSSLMODE; else TLS for other hosts, and none on this machine.
 * @throws {SyncTargetError} INVALID when there is no such mode.
 */
export function tlsOf(url: string, env: Readonly<Record<string, string | undefined>>): Tls {
  const { hostname, searchParams } = new URL(url);
  const hosts = (hostname === '' ? (env.PGHOST ?? 'localhost') : decodeURIComponent(hostname)).split(',');
  const isOtherHost = hosts.some((host) => !isOnThisMachine(host));
  // As libpq does: certificates of the system are good for nothing but a whole check.
  const byAddress = searchParams.get('sslrootcert') === 'system' ? 'verify-full' : searchParams.get('sslmode');
  const asked = byAddress ?? env.PGSSLMODE ?? '';
  const mode = asked === '' ? (isOtherHost ? 'require' : 'disable') : modes.find((known) => known === asked);
  if (mode !== undefined && !searchParams.has('ssl')) return { ssl: sslOf(mode), isOtherHost };
  const what = searchParams.has('ssl') ? 'ssl in the address is no setting' : 'The sslmode is none';
  throw new SyncTargetError(
    'INVALID',
    `${what} that PostgreSQL knows. Nothing was read.`,
    `Write ?sslmode=… in the address, or set PGSSLMODE: to one of ${modes.join(', ')}.`,
  );
}

/** A Unix socket, or a host that is this machine. */
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
      // postgres.js knows no check of the certificate without that of the name.
      return 'verify-full';
  }
}

/** The code of the error when the server has refused TLS, before it got to know user and password. */
export const NO_TLS = 'NO_TLS';
