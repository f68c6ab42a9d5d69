// Protects the control endpoints and GraphiQL, which need no login, from web pages of other sites.
// A page can send requests here or point its own name here; both show in Host or Origin.
import { errorResponse, type ServiceResponse } from '../core/messages.js';

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}

function hostnameOf(host: string): string | null {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : null;
}

function isProtected(path: string): boolean {
  return path.includes('/__mock/') || /\/graphiql(\/|$)/.test(path);
}

/** Refuses a protected path when Host or Origin is not local or in `allowed`; otherwise null. */
export function foreignHostResponse(
  path: string,
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  allowed: readonly string[],
): ServiceResponse | null {
  if (!isProtected(path)) return null;
  const names = allowed.map((name) => hostnameOf(name.includes(':') && !name.startsWith('[') ? `[${name}]` : name));
  const isAllowed = (hostname: string | null): boolean =>
    hostname !== null && (isLoopback(hostname) || names.includes(hostname));
  const refuse = (header: string): ServiceResponse =>
    errorResponse(
      403,
      'FORBIDDEN',
      `Only requests with a ${header} header of this machine are answered here. Allow another host name with allowHosts or --allow-host.`,
    );
  if (!isAllowed(host === undefined ? null : hostnameOf(host))) return refuse('Host');
  if (origin === undefined) return null;
  return isAllowed(URL.canParse(origin) ? new URL(origin).hostname : null) ? null : refuse('Origin');
}
