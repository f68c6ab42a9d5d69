// What a kept session is, and what keeps it. A store never sees a password.

/** One login's tokens. */
export interface StoredSession {
  /** Who logged in; null when it is not known. */
  readonly username: string | null;
  readonly accessToken: string;
  /** When the request that brought the access token left, in milliseconds since 1970 by the local clock. */
  readonly accessIssuedAt: number;
  readonly accessLifetimeMs: number;
  readonly refreshToken: string | null;
  /** When the request that brought the refresh token left, in milliseconds since 1970. */
  readonly refreshIssuedAt: number;
  /** What the service's clock was ahead of the local one when the token was brought, in milliseconds; left out when they agreed. */
  readonly serviceAheadMs?: number;
}

/**
 * Keeps sessions by key: base URL and username, or what `sessionKey` says. Several clients, processes or machines may
 * share one store; `withLock` is what makes them log in and refresh once.
 */
export interface TokenStore {
  /** The session kept under this key; null when there is none. */
  load(key: string): Promise<StoredSession | null>;
  /** Keeps this session under this key, in place of what was there. */
  save(key: string, session: StoredSession): Promise<void>;
  /** Forgets the session; when `ifCurrent` is given only while that access token is still the kept one. */
  clear(key: string, ifCurrent?: string): Promise<void>;
  /** Runs the task while nobody else who uses this store runs one for the same key. */
  withLock<T>(key: string, task: () => Promise<T>): Promise<T>;
  /** The keys under which sessions are kept. Lets a client without credentials find the only session of its base URL. */
  keys?(): Promise<string[]>;
}

/** Reads a session from JSON of unknown origin; null when it is not one. */
export function parseStoredSession(value: unknown): StoredSession | null {
  if (typeof value !== 'object' || value === null) return null;
  const read = (name: string): unknown => Reflect.get(value, name);
  const username = read('username');
  const accessToken = read('accessToken');
  const accessIssuedAt = read('accessIssuedAt');
  const accessLifetimeMs = read('accessLifetimeMs');
  const refreshToken = read('refreshToken');
  const refreshIssuedAt = read('refreshIssuedAt');
  if (typeof username !== 'string' && username !== null) return null;
  if (typeof accessToken !== 'string' || accessToken === '') return null;
  if (typeof refreshToken !== 'string' && refreshToken !== null) return null;
  if (!isTime(accessIssuedAt) || !isTime(accessLifetimeMs) || !isTime(refreshIssuedAt)) return null;
  const session = { username, accessToken, accessIssuedAt, accessLifetimeMs, refreshToken, refreshIssuedAt };
  const serviceAheadMs = read('serviceAheadMs');
  // No reason to lose a session.
  return typeof serviceAheadMs === 'number' && Number.isFinite(serviceAheadMs)
    ? { ...session, serviceAheadMs }
    : session;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
