// Decides which requests the map server answers: only reads by its own page. Any web page can send
// requests to this machine, so the address holds a secret, and origin headers are checked.
import { timingSafeEqual } from 'node:crypto';

export interface GuardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export type Route =
  | { readonly kind: 'file'; readonly name: 'page' | 'script' | 'ground' | 'styles' | 'world' }
  | { readonly kind: 'streets' }
  | { readonly kind: 'events' }
  | { readonly kind: 'read'; readonly name: ReadName; readonly query: URLSearchParams }
  | { readonly kind: 'refused'; readonly status: 403 | 404 | 405; readonly reason: string };

export type ReadName = 'day' | 'geofences' | 'roads';

const routes: Readonly<Record<string, Exclude<Route, { kind: 'read' | 'refused' }> | ReadName>> = {
  '': { kind: 'file', name: 'page' },
  'map.js': { kind: 'file', name: 'script' },
  'ground.js': { kind: 'file', name: 'ground' },
  'map.css': { kind: 'file', name: 'styles' },
  'world.pmtiles': { kind: 'file', name: 'world' },
  'streets.pmtiles': { kind: 'streets' },
  events: { kind: 'events' },
  day: 'day',
  geofences: 'geofences',
  roads: 'roads',
};

/** `token`: the first part of every path. */
export function routeOf({ method, url, headers }: GuardedRequest, token: string): Route {
  const refused = (status: 403 | 404 | 405, reason: string) => ({ kind: 'refused', status, reason }) as const;
  const host = oneOf(headers.host);
  if (host === null || !isLoopbackHost(host)) return refused(403, 'Only requests to this machine are answered.');
  const origin = headers.origin === undefined ? `http://${host}` : oneOf(headers.origin);
  if (origin !== `http://${host}`) return refused(403, 'Only requests of this page are answered.');
  if (method !== 'GET') return refused(405, 'This map can only be read.');
  if (!URL.canParse(`http://map${url}`)) return refused(404, notHere);
  const { pathname, searchParams } = new URL(`http://map${url}`);
  const [, first = '', name = '', ...rest] = pathname.split('/');
  if (!isSame(first, token) || rest.length > 0 || !pathname.startsWith(`/${token}/`)) return refused(404, notHere);
  const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
  if (route === undefined) return refused(404, notHere);
  // A link in another page may open this page, but no other page may load its data.
  const site = oneOf(headers['sec-fetch-site']);
  const isVisit = name === '' && oneOf(headers['sec-fetch-dest']) === 'document';
  const isOwn = site === null || site === 'same-origin' || site === 'none';
  if (!isOwn && !isVisit) return refused(403, 'Only requests of this page are answered.');
  return typeof route === 'string' ? { kind: 'read', name: route, query: searchParams } : route;
}

const notHere = 'There is nothing here. Open the address that `fleet map` has printed.';

function oneOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Accepts any port, because a tunnel may end here. */
function isLoopbackHost(host: string): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/.test(host);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
