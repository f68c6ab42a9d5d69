// The stored session and the token store interface. A store never sees a password.

/** Lifetime of a refresh token by contract. */
export const REFRESH_TOKEN_LIFETIME_MS = 12 * 60 * 60 * 1_000;

export interface StoredSession {
  /** Null when unknown. */
  readonly username: string | null;
  readonly accessToken: string;
  /** Sending time of the request for the access token, in ms since 1970 by the local clock. */
  readonly accessIssuedAt: number;
  readonly accessLifetimeMs: number;
  readonly refreshToken: string | null;
  /** Sending time of the request for the refresh token, in ms since 1970 by the local clock. */
  readonly refreshIssuedAt: number;
  /** Lead of the service's clock at that time in milliseconds; left out when it was 0. */
  readonly serviceAheadMs?: number;
  /** `serviceAheadMs` at the login, if the clocks have moved apart by minutes since then. */
  readonly aheadAtLoginMs?: number;
  /** Time (ms since 1970) of a refresh without stored tokens: a crash may have lost them. */
  readonly refreshSentAt?: number;
}

export interface LockOptions<T> {
  /** Cancels the wait with the signal's reason; a running task is not affected. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Returns the outcome when another process has done the work of the task, otherwise null. A store
   * that polls calls it in between: an outcome ends the wait, and the task does not run.
   */
  readonly outcomeOfOthers?: (() => Promise<T | null>) | undefined;
}

/**
 * Stores sessions by key: base URL and username, or the client's `sessionKey`. Several clients,
 * processes or machines may share a store; `withLock` makes them log in and refresh once.
 */
export interface TokenStore {
  /** Returns the session of this key; null without one. */
  load(key: string): Promise<StoredSession | null>;
  /** Stores the session under this key, replacing any other. */
  save(key: string, session: StoredSession): Promise<void>;
  /** Removes the session; with `ifCurrent` only if that is still its access token. */
  clear(key: string, ifCurrent?: string): Promise<void>;
  /** Runs the task while no other user of this store runs one for the same key. */
  withLock<T>(key: string, task: () => Promise<T>, options?: LockOptions<T>): Promise<T>;
  /** Returns the keys of all sessions. A client without credentials uses the only session. */
  keys?(): Promise<string[]>;
}

/** Parses a session from a JSON value; returns null for other values. */
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
  // An invalid value of these is ignored: that is no reason to lose the session.
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

/** The sum of two such times is still a valid date. */
const LAST_TIME_MS = 4e15;

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LAST_TIME_MS;
}
