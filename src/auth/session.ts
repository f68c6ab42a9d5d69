// The session of a login: its tokens are obtained once for all callers that wait, refreshed before they expire, and replaced when the
// service refuses them. A caller whose token was refused says which one it was, so that a newer token is used and not replaced.
import { REFRESH_FRACTION, REFRESH_RETRY_FRACTION, REFRESH_TOKEN_LIFETIME_MS } from '../core/defaults.js';
import { AuthenticationError, FleetError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { Clock } from '../core/ports.js';
import { type CredentialsSource, readCredentials } from './credentials.js';
import { type Credentials, logIn, refresh, type SendLogin, type Tokens } from './login-endpoints.js';
import { notLoggedIn, notRemoved, sessionExpired } from './session-error.js';
import type { StoredSession, TokenStore } from './token-store.js';

export type { CredentialsSource } from './credentials.js';

/** What is known of a session. Holds no token. */
export interface SessionInfo {
  /** Who logged in; null when unknown. */
  readonly username: string | null;
  /** When the access token expires. It is replaced before that. */
  readonly accessExpiresAt: Date;
  /** Until when the session can be refreshed without credentials; null when it cannot be. */
  readonly refreshUntil: Date | null;
}

export interface SessionOptions {
  /** Normalised; the first part of the store's key. */
  readonly baseUrl: string;
  readonly credentials?: CredentialsSource | undefined;
  readonly sessionKey?: string | undefined;
  readonly store: TokenStore;
  readonly send: SendLogin;
  readonly clock: Clock;
  /** What it observed is stored with the session, for the next process. */
  readonly serviceClock: { readonly observedAheadMs: number | null; assume(aheadMs: number): void };
  readonly report: Notifier;
}

export class Session {
  readonly #options: SessionOptions;
  #current: StoredSession | null = null;
  /** The last session expired and was removed. Later callers are told so until there is a new one. */
  #hasExpired = false;
  #key: string | null = null;
  #renewing: Promise<StoredSession> | null = null;
  /** A token that could not be refreshed early, and until when it is used nevertheless. */
  #extension: { readonly accessToken: string; readonly until: number } | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The current token, unless it is time to refresh it. */
  validToken(): string | null {
    return this.#current && this.#isFresh(this.#current) ? this.#current.accessToken : null;
  }

  /** The current token, or a new one when it is time to refresh it. */
  async token(): Promise<string> {
    return this.validToken() ?? (await this.#renew(this.#current?.accessToken ?? null, false)).accessToken;
  }

  /** Another token than the one that the service refused. */
  async replace(refused: string): Promise<string> {
    const current = this.#current;
    if (current && current.accessToken !== refused && this.#isFresh(current)) return current.accessToken;
    return (await this.#renew(refused, true)).accessToken;
  }

  /** Makes sure that there is a token. */
  async ready(): Promise<SessionInfo> {
    await this.token();
    // A token has a session.
    if (this.#current === null) throw notLoggedIn();
    return this.#describe(this.#current);
  }

  /** Logs in with the credentials and stores the new session in place of any other. */
  async login(): Promise<SessionInfo> {
    await this.#renewing?.catch(() => undefined);
    const work = this.#locked(await this.key(), () => this.#logInNow());
    return this.#describe(await this.#shareRenewal(work));
  }

  /**
   * Removes the session. The contract has no way to revoke a token: it expires by itself. When the store fails, the logout fails too,
   * because the next process would still use the session.
   */
  async logout(): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    this.#current = null;
    this.#hasExpired = false;
    const { store } = this.#options;
    try {
      const key = await this.#findKey(async () => (await store.keys?.()) ?? []);
      if (key !== null) await this.#locked(key, () => store.clear(key));
    } catch (error) {
      throw error instanceof FleetError ? error : notRemoved(error);
    }
  }

  /** The stored session; null when there is none. Reads the store and sends nothing. */
  async info(): Promise<SessionInfo | null> {
    const key = await this.#findKey().catch((error: unknown) => {
      // There are several, and nothing says which one is meant.
      if (error instanceof AuthenticationError) return null;
      throw error;
    });
    const stored = key === null ? null : await this.#load(key);
    if (stored === null) return null;
    this.#options.serviceClock.assume(stored.serviceAheadMs ?? 0);
    return this.#describe(stored);
  }

  #renew(oldToken: string | null, isRefused: boolean): Promise<StoredSession> {
    return this.#renewing ?? this.#shareRenewal(this.#renewNow(oldToken, isRefused));
  }

  /** All callers that need a token wait for this work. Its failure is theirs; the next caller tries again. */
  #shareRenewal(work: Promise<StoredSession>): Promise<StoredSession> {
    const renewing = work.finally(() => {
      if (this.#renewing === renewing) this.#renewing = null;
    });
    // Its callers may have left by the time it fails.
    renewing.catch(() => undefined);
    this.#renewing = renewing;
    return renewing;
  }

  async #renewNow(oldToken: string | null, isRefused: boolean): Promise<StoredSession> {
    const key = await this.key();
    const found = await this.#load(key);
    if (found && this.#isUsable(found, oldToken, isRefused)) return this.#adopt(found);
    return this.#locked(key, async () => {
      // Another process may have renewed it while this one waited for the lock.
      const stored = await this.#load(key);
      if (stored && this.#isUsable(stored, oldToken, isRefused)) return this.#adopt(stored);
      const isValid = (session: StoredSession) =>
        !this.#isExpired(session) && !(isRefused && session.accessToken === oldToken);
      if (stored?.refreshToken && this.#isRefreshable(stored)) {
        const tokens = await this.#refresh(stored, stored.refreshToken, isValid(stored));
        if (tokens === 'later') return this.#adopt(stored);
        if (tokens) return this.#save(key, tokens, stored, 'refresh');
      }
      if (this.#options.credentials) return this.#logInNow();
      if (stored && isValid(stored)) {
        // It cannot be renewed any more: it is used until it expires.
        this.#extension = { accessToken: stored.accessToken, until: stored.accessIssuedAt + stored.accessLifetimeMs };
        return this.#adopt(stored);
      }
      if (stored) {
        this.#current = null;
        this.#hasExpired = true;
        await this.#tryStore(() => this.#options.store.clear(key, stored.accessToken));
      }
      throw this.#hasExpired ? sessionExpired() : notLoggedIn();
    });
  }

  /** `later`: it failed while the token is still valid, so calls go on with that. Null: the service refused. */
  async #refresh(stored: StoredSession, refreshToken: string, isEarly: boolean): Promise<Tokens | 'later' | null> {
    try {
      return await refresh(this.#options.send, refreshToken, { isEarly });
    } catch (error) {
      if (!isEarly || !(error instanceof FleetError)) throw error;
      const { accessToken, accessIssuedAt, accessLifetimeMs } = stored;
      const now = this.#options.clock.now();
      const until = Math.min(accessIssuedAt + accessLifetimeMs, now + accessLifetimeMs * REFRESH_RETRY_FRACTION);
      this.#extension = { accessToken, until };
      return 'later';
    }
  }

  async #logInNow(): Promise<StoredSession> {
    const credentials = await this.#credentials();
    const tokens = await logIn(this.#options.send, credentials);
    return this.#save(await this.key(), tokens, { username: credentials.username }, 'login');
  }

  async #save(
    key: string,
    tokens: Tokens,
    before: Pick<StoredSession, 'username'> & Partial<StoredSession>,
    how: 'login' | 'refresh',
  ): Promise<StoredSession> {
    // The lifetime of a refresh token counts from its issue: getting the same one again does not extend it.
    const isNewRefreshToken = tokens.refreshToken !== null && tokens.refreshToken !== before.refreshToken;
    const serviceAheadMs = this.#options.serviceClock.observedAheadMs ?? 0;
    const session: StoredSession = {
      username: before.username,
      accessToken: tokens.accessToken,
      accessIssuedAt: tokens.sentAt,
      accessLifetimeMs: tokens.accessLifetimeMs,
      refreshToken: tokens.refreshToken ?? before.refreshToken ?? null,
      refreshIssuedAt: isNewRefreshToken ? tokens.sentAt : (before.refreshIssuedAt ?? tokens.sentAt),
      ...(serviceAheadMs === 0 ? {} : { serviceAheadMs }),
    };
    this.#use(session);
    await this.#tryStore(() => this.#options.store.save(key, session));
    this.#options.report.refresh({ how });
    return session;
  }

  #adopt(session: StoredSession): StoredSession {
    if (this.#current && this.#current.accessToken !== session.accessToken)
      this.#options.report.refresh({ how: 'adopt' });
    this.#options.serviceClock.assume(session.serviceAheadMs ?? 0);
    this.#use(session);
    return session;
  }

  #use(session: StoredSession): void {
    this.#current = session;
    this.#hasExpired = false;
  }

  #isUsable(session: StoredSession, oldToken: string | null, isRefused: boolean): boolean {
    if (isRefused && session.accessToken === oldToken) return false;
    return this.#isFresh(session);
  }

  #isFresh(session: StoredSession): boolean {
    const { accessToken, until } = this.#extension ?? { accessToken: null, until: 0 };
    if (session.accessToken === accessToken && this.#options.clock.now() < until) return !this.#isExpired(session);
    const age = this.#options.clock.now() - session.accessIssuedAt;
    // A negative age shows that the clock was set back: the token's real age is unknown.
    return age >= 0 && age < session.accessLifetimeMs * REFRESH_FRACTION;
  }

  /** By the local clock; a token of unknown age counts as expired. */
  #isExpired(session: StoredSession): boolean {
    const age = this.#options.clock.now() - session.accessIssuedAt;
    return age < 0 || age >= session.accessLifetimeMs;
  }

  /** When the clock was set back this is unknown, and asking is cheap: the service refuses if the token has expired. */
  #isRefreshable(session: StoredSession): boolean {
    return this.#options.clock.now() - session.refreshIssuedAt < REFRESH_TOKEN_LIFETIME_MS;
  }

  /** The store decides, because another process may have logged out. Only when it fails is the session in memory used. */
  async #load(key: string): Promise<StoredSession | null> {
    const stored = await this.#tryStore(() => this.#options.store.load(key));
    return stored === undefined ? this.#current : stored;
  }

  /** Runs the task under the store's lock. Without it when the store cannot lock: two logins are better than none. */
  async #locked<T>(key: string, task: () => Promise<T>): Promise<T> {
    let started: Promise<T> | null = null;
    try {
      return await this.#options.store.withLock(key, () => {
        started = task();
        return started;
      });
    } catch (error) {
      // The outcome of the task counts, even if the lock failed after it.
      if (started !== null) return started;
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return task();
    }
  }

  /** Undefined when the store fails: that costs a login, not the call. */
  async #tryStore<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return undefined;
    }
  }

  #warnAboutStore(): void {
    this.#options.report.warning({
      code: 'SESSION_STORE',
      message:
        'The token store failed; the session is kept in memory only. Check that its folder exists and is writable.',
    });
  }

  async #credentials(): Promise<Credentials> {
    const source = this.#options.credentials;
    if (!source) throw notLoggedIn();
    return readCredentials(source);
  }

  /** The session's key in the store: base URL and login, so that no login uses another one's token. */
  async key(): Promise<string> {
    const key = await this.#findKey();
    if (key === null) throw notLoggedIn();
    return key;
  }

  /** Null when there are no credentials and the store holds no session. `list` returns the keys of the store. */
  async #findKey(list: () => Promise<string[]> = () => this.#storedKeys()): Promise<string | null> {
    if (this.#key !== null) return this.#key;
    const { baseUrl, sessionKey, credentials } = this.#options;
    if (sessionKey !== undefined) this.#key = keyOf(baseUrl, sessionKey);
    else if (credentials) this.#key = keyOf(baseUrl, (await readCredentials(credentials)).username);
    else {
      const keys = (await list()).filter((key) => key.startsWith(keyOf(baseUrl, '')));
      if (keys.length > 1) {
        throw new AuthenticationError(
          `The token store holds ${keys.length} sessions for this base URL. Choose one with sessionKey (the username), or give credentials.`,
        );
      }
      this.#key = keys[0] ?? null;
    }
    return this.#key;
  }

  async #storedKeys(): Promise<string[]> {
    return (await this.#tryStore(async () => (await this.#options.store.keys?.()) ?? [])) ?? [];
  }

  #describe(session: StoredSession): SessionInfo {
    return {
      username: session.username,
      accessExpiresAt: new Date(session.accessIssuedAt + session.accessLifetimeMs),
      refreshUntil:
        session.refreshToken === null ? null : new Date(session.refreshIssuedAt + REFRESH_TOKEN_LIFETIME_MS),
    };
  }
}

/** The key of a login's session in a token store. */
export function keyOf(baseUrl: string, login: string): string {
  return `${baseUrl} ${login}`;
}
