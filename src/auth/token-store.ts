// What a stored session is, and what a token store does. A store never sees a password.

/** By contract a refresh token works for this long after it was issued. */
export const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1_000;

/** The tokens of a login. */
export interface StoredSession {
  /** Who logged in; null when unknown. */
  readonly username: string | null;
  readonly accessToken: string;
  /** When the request for the access token was sent, in milliseconds since 1970 by the local clock. */
  readonly accessIssuedAt: number;
  readonly accessLifetimeMs: number;
  readonly refreshToken: string | null;
  /** When the request for the refresh token was sent, in milliseconds since 1970 by the local clock. */
  readonly refreshIssuedAt: number;
  /** How far the service's clock was ahead of the local one at that time, in milliseconds; left out when they agreed. */
  readonly serviceAheadMs?: number;
  /** The same at the login, if the clocks have moved apart by minutes since then. */
  readonly aheadAtLoginMs?: number;
  /**
   * When a refresh was about to be sent whose new tokens are not stored yet, in milliseconds since 1970. If the process ended in between,
   * the refresh token may be spent.
   */
  readonly refreshSentAt?: number;
}

/** Options of `withLock`. */
export interface LockOptions<T> {
  /** Ends the wait with the signal's reason; a task that runs is not affected. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Returns the outcome when somebody else has done the work of the task, else null. A store that
   * waits by trying again calls it in between: an outcome ends the wait, and the task does not run.
   */
  readonly outcomeOfOthers?: (() => Promise<T | null>) | undefined;
}

/**
 * Stores sessions by key: base URL and username, or the client's `sessionKey`. Several clients, processes or machines may share a store;
 * `withLock` makes them log in and refresh once.
 */
export interface TokenStore {
  /** The session of this key; null when there is none. */
  load(key: string): Promise<StoredSession | null>;
  /** Stores the session under this key, in place of any other. */
  save(key: string, session: StoredSession): Promise<void>;
  /** Removes the session; with `ifCurrent` only if that is still its access token. */
  clear(key: string, ifCurrent?: string): Promise<void>;
  /** Runs the task while no other user of this store runs one for the same key. */
  withLock<T>(key: string, task: () => Promise<T>, options?: LockOptions<T>): Promise<T>;
  /** The keys of all sessions. Lets a client without credentials find the only session of its base URL. */
  keys?(): Promise<string[]>;
}

/** Reads a session from a JSON value; null when it is not one. */
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
  // A wrong value of these is left out: it is no reason to lose the session.
  const serviceAheadMs = read('serviceAheadMs');
  const aheadAtLoginMs = read('aheadAtLoginMs');
  const refreshSentAt = read('refreshSentAt');
  return {
    ...session,
    ...(typeof serviceAheadMs === 'number' && Number.isFinite(serviceAheadMs) ? { serviceAheadMs } : {}),
    ...(typeof aheadAtLoginMs === 'number' && Number.isFinite(aheadAtLoginMs) ? { aheadAtLoginMs } : {}),
    ...(isTime(refreshSentAt) ? { refreshSentAt } : {}),
  };
}

/** So early that the sum of two is a date too. */
const LAST_TIME_MS = 4e15;

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LAST_TIME_MS;
}
