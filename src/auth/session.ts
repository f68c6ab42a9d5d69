// The session of a login: its tokens are obtained once for all callers that wait, refreshed before they expire, and replaced when the
// service refuses them. A caller whose token was refused says which one it was, so that a newer token is used and not replaced. A refresh
// may spend the refresh token: it is sent only under the store's lock and after the store was written, and its tokens are stored even if
// all callers have left meanwhile.
import { AuthenticationError, FleetError, HttpError, ProtocolError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import { isTransient } from '../core/http-status.js';
import type { Clock, Timers } from '../core/ports.js';
import { type CredentialsSource, hasOwnKey, readCredentials } from './credentials.js';
import { type Credentials, logIn, refresh, type SendLogin, type Tokens } from './login-endpoints.js';
import { type CallerDeadline, Renewal } from './renewal.js';
import { notLoggedIn, notRefreshed, notRemoved, sessionExpired, severalSessions } from './session-error.js';
import { REFRESH_TOKEN_LIFETIME_MS, type StoredSession, type TokenStore } from './token-store.js';

export type { CredentialsSource } from './credentials.js';

/** A token is refreshed when this part of its lifetime has passed. */
const REFRESH_FRACTION = 0.8;
/** When that fails while the token is still valid, the next refresh is due after this part of its lifetime. */
const REFRESH_RETRY_FRACTION = 0.05;
/** Closing a client waits for a refresh under way, the storing included, for no longer than this. */
const CLOSE_TIMEOUT_MS = 10_000;

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
  readonly timers: Timers;
  /** What it observed is stored with the session, for the next process. */
  readonly serviceClock: {
    readonly observedAheadMs: number | null;
    readonly jumpedFromMs: number | null;
    assume(aheadMs: number, expectedAheadMs: number): void;
    accept(): void;
  };
  readonly notifier: Notifier;
}

export class Session {
  readonly #options: SessionOptions;
  /** A renewal waits for the store's lock, or the last one did until its callers had left. */
  isWaitingForLock = false;
  #current: StoredSession | null = null;
  /** The last session expired and was removed. Later callers get the error that says so, until there is a new session. */
  #hasExpired = false;
  #key: string | null = null;
  /** The user name that the credentials gave last. */
  #username: string | null = null;
  #renewing: Renewal | null = null;
  /** A refresh that is under way, up to the storing of its tokens. */
  #exchange: Promise<unknown> | null = null;
  /** The last session, when it could not be stored: it lives in this process only. `replaced`: the access token that the store still has. */
  #unstored: { readonly session: StoredSession; readonly replaced: string | null } | null = null;
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
  async token(deadline?: CallerDeadline): Promise<string> {
    return this.validToken() ?? (await this.#renew(this.#current?.accessToken ?? null, false, deadline)).accessToken;
  }

  /** Another token than the one that the service refused. */
  async replace(refused: string, deadline?: CallerDeadline): Promise<string> {
    const current = this.#current;
    if (current && current.accessToken !== refused && this.#isFresh(current)) return current.accessToken;
    const session = await this.#renew(refused, true, deadline);
    if (session.accessToken !== refused) return session.accessToken;
    // It joined a renewal that did not know of the refusal.
    return (await this.#renew(refused, true, deadline)).accessToken;
  }

  /** Makes sure that there is a token. */
  async ready(deadline?: CallerDeadline): Promise<SessionInfo> {
    await this.token(deadline);
    // A token has a session.
    if (this.#current === null) throw notLoggedIn();
    return this.#describe(this.#current);
  }

  /** Logs in with the credentials and stores the new session in place of any other. */
  async login(deadline?: CallerDeadline): Promise<SessionInfo> {
    const key = await this.key();
    await this.#renewing?.work.catch(() => undefined);
    const renewal = this.#begin((own) =>
      this.#locked(key, own.signal, () => {
        own.begin();
        return this.#logInNow(() => this.#options.serviceClock.accept());
      }),
    );
    renewal.join(deadline);
    return this.#describe(await renewal.work);
  }

  /**
   * Removes the session. The contract has no way to revoke a token: it expires by itself. When the store fails, the logout fails too,
   * because the next process would still use the session.
   */
  async logout(deadline?: CallerDeadline): Promise<void> {
    await this.#renewing?.work.catch(() => undefined);
    if (deadline?.aborted) return;
    this.#current = null;
    this.#hasExpired = false;
    const { store } = this.#options;
    try {
      const key = await this.#findKey(async () => (await store.keys?.()) ?? []);
      if (key === null) return;
      const waiting = new AbortController();
      const stopListening = deadline?.onExceeded(() => waiting.abort());
      try {
        await this.#locked(key, waiting.signal, async () => {
          // A file that cannot be read is removed all the same.
          const stored = await store.load(key).catch(() => null);
          if (stored === null || (await this.#isOwn(stored))) await store.clear(key);
        });
        // A call may have read it from the store meanwhile.
        this.#current = null;
        this.#unstored = null;
      } finally {
        stopListening?.();
      }
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
    return this.#describe(stored);
  }

  /**
   * Ends a wait for the store's lock. Resolves when a refresh that is under way is over and its tokens are stored; at once when there is none,
   * and in any case after a limit. Call it when all callers have left.
   */
  async finish(): Promise<void> {
    this.#renewing?.abandon();
    if (this.#exchange === null) return;
    let cancel = () => {};
    const limit = new Promise<void>((resolve) => {
      cancel = this.#options.timers.after(CLOSE_TIMEOUT_MS, resolve);
    });
    await Promise.race([this.#exchange.catch(() => undefined), limit]);
    cancel();
  }

  /** All callers that need a token share a renewal. Its failure is theirs; the next caller tries again. */
  async #renew(oldToken: string | null, isRefused: boolean, deadline?: CallerDeadline): Promise<StoredSession> {
    const renewal = this.#renewing ?? this.#begin((own) => this.#renewNow(oldToken, isRefused, own));
    renewal.join(deadline);
    // Calls go on with a valid token while it is replaced, whatever the store or the service does.
    const current = this.#current;
    if (current && this.#isValid(current, oldToken, isRefused)) renewal.answer(current);
    const session = await renewal.result;
    // It may be the old one, which is good enough while it is valid.
    return this.#isValid(session, oldToken, isRefused) ? session : renewal.work;
  }

  #begin(work: (renewal: Renewal) => Promise<StoredSession>): Renewal {
    const forget = () => {
      if (this.#renewing === renewal) this.#renewing = null;
    };
    this.isWaitingForLock = false;
    const renewal: Renewal = new Renewal(work, forget);
    this.#renewing = renewal;
    renewal.work.then(forget, forget);
    return renewal;
  }

  async #renewNow(oldToken: string | null, isRefused: boolean, renewal: Renewal): Promise<StoredSession> {
    const key = await this.key();
    const found = await this.#load(key);
    if (found && this.#isUsable(found, oldToken, isRefused)) return this.#adopt(found);
    const isValid = (session: StoredSession) => this.#isValid(session, oldToken, isRefused);
    // Calls go on with the token while it is replaced.
    if (found && isValid(found)) renewal.answer(this.#adopt(found));
    const renewedByOthers = async () => {
      const stored = await this.#load(key);
      return stored && isValid(stored) && this.#isFresh(stored) ? this.#adopt(stored) : null;
    };
    const renewUnderLock = (isLocked: boolean) => {
      renewal.begin();
      return this.#renewUnderLock(key, isLocked, isValid);
    };
    return this.#locked(key, renewal.signal, renewUnderLock, renewedByOthers);
  }

  async #renewUnderLock(
    key: string,
    isLocked: boolean,
    isValid: (session: StoredSession) => boolean,
  ): Promise<StoredSession> {
    // Another process may have renewed it while this one waited for the lock.
    const stored = await this.#load(key);
    if (stored && isValid(stored) && this.#isFresh(stored)) return this.#adopt(stored);
    let isSpendable = true;
    // Without credentials only the service says that a session is over: the clock of this machine may be hours ahead.
    if (stored?.refreshToken && (this.#isRefreshable(stored) || !this.#options.credentials)) {
      isSpendable = await this.#isSpendable(key, stored, isLocked);
      if (isSpendable) {
        const renewed = await this.#refresh(key, stored, stored.refreshToken, isValid(stored));
        if (renewed) return renewed;
      }
    }
    if (this.#options.credentials) return this.#logInNow();
    if (stored && isValid(stored)) {
      // It cannot be renewed any more: it is used until it expires.
      this.#extension = { accessToken: stored.accessToken, until: stored.accessIssuedAt + stored.accessLifetimeMs };
      return this.#adopt(stored);
    }
    if (!isSpendable) throw notRefreshed();
    if (stored) {
      const kept = stored === this.#unstored?.session ? this.#unstored.replaced : stored.accessToken;
      this.#current = null;
      this.#unstored = null;
      this.#hasExpired = true;
      if (kept !== null) await this.#tryStore(() => this.#options.store.clear(key, kept));
    }
    throw this.#hasExpired ? sessionExpired(stored?.refreshSentAt !== undefined) : notLoggedIn();
  }

  /**
   * Whether a refresh may spend the session's refresh token: not without the lock, and not when the new one could not be stored. Writes
   * down the intent, so that a process that finds the session after a crash knows what happened.
   */
  async #isSpendable(key: string, stored: StoredSession, isLocked: boolean): Promise<boolean> {
    // Nobody else knows it.
    if (stored === this.#unstored?.session) return true;
    if (!isLocked) return false;
    const announced = { ...stored, refreshSentAt: this.#options.clock.now() };
    const isStored = await this.#tryStore(async () => {
      await this.#options.store.save(key, announced);
      return true;
    });
    return isStored ?? false;
  }

  /** Null when the service refused. A failure while the token is still valid is no failure: calls go on with that. */
  async #refresh(
    key: string,
    stored: StoredSession,
    refreshToken: string,
    isEarly: boolean,
  ): Promise<StoredSession | null> {
    const exchange = refresh(this.#options.send, refreshToken, { isEarly }).then(
      (tokens) => tokens && this.#save(key, tokens, stored, 'refresh'),
    );
    this.#exchange = exchange;
    try {
      return await exchange;
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      if (isEarly) return this.#adoptForNow(stored);
      // With credentials, an answer that another request would not change is no reason to fail.
      if (this.#options.credentials && isDefinite(error)) return null;
      throw error;
    } finally {
      this.#exchange = null;
    }
  }

  /** Uses a token that is still valid for a while, although it is time to refresh it. */
  #adoptForNow(session: StoredSession): StoredSession {
    const { accessToken, accessIssuedAt, accessLifetimeMs } = session;
    const now = this.#options.clock.now();
    const until = Math.min(accessIssuedAt + accessLifetimeMs, now + accessLifetimeMs * REFRESH_RETRY_FRACTION);
    this.#extension = { accessToken, until };
    return this.#adopt(session);
  }

  async #logInNow(onTokens = () => {}): Promise<StoredSession> {
    const credentials = await this.#credentials();
    const tokens = await logIn(this.#options.send, credentials);
    onTokens();
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
    const { observedAheadMs, jumpedFromMs } = this.#options.serviceClock;
    const serviceAheadMs = observedAheadMs ?? 0;
    const session: StoredSession = {
      username: before.username,
      accessToken: tokens.accessToken,
      accessIssuedAt: tokens.sentAt,
      accessLifetimeMs: tokens.accessLifetimeMs,
      refreshToken: tokens.refreshToken ?? before.refreshToken ?? null,
      refreshIssuedAt: isNewRefreshToken ? tokens.sentAt : (before.refreshIssuedAt ?? tokens.sentAt),
      ...(serviceAheadMs === 0 ? {} : { serviceAheadMs }),
      ...(jumpedFromMs === null ? {} : { aheadAtLoginMs: jumpedFromMs }),
    };
    this.#use(session);
    try {
      await this.#options.store.save(key, session);
      this.#unstored = null;
    } catch {
      // Whatever the store says: the tokens are good, and the old ones may be spent.
      const replaced = this.#unstored?.session === before ? this.#unstored.replaced : (before.accessToken ?? null);
      this.#unstored = { session, replaced };
      this.#warnAboutStore();
    }
    this.#options.notifier.refresh({ how });
    return session;
  }

  #adopt(session: StoredSession): StoredSession {
    if (this.#current && this.#current.accessToken !== session.accessToken)
      this.#options.notifier.refresh({ how: 'adopt' });
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

  /** Whether the token can be used, though it may be time to refresh it. */
  #isValid(session: StoredSession, oldToken: string | null, isRefused: boolean): boolean {
    return !this.#isExpired(session) && !(isRefused && session.accessToken === oldToken);
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

  /**
   * The store decides, because another process may have logged out. The session in memory is used only when the store fails, or still has what
   * a session that could not be stored has replaced. A session of another login is left alone.
   */
  async #load(key: string): Promise<StoredSession | null> {
    const stored = await this.#tryStore(() => this.#options.store.load(key));
    if (stored && !(await this.#isOwn(stored))) return this.#unstored?.session ?? null;
    if (stored) {
      const aheadMs = stored.serviceAheadMs ?? 0;
      this.#options.serviceClock.assume(aheadMs, stored.aheadAtLoginMs ?? aheadMs);
    }
    if (stored === undefined) return this.#current;
    const unstored = this.#unstored;
    return unstored && (stored?.accessToken ?? null) === unstored.replaced ? unstored.session : stored;
  }

  /** Returns true for a session of the login that the credentials name. Without credentials, any session of the key will do. */
  async #isOwn({ username }: StoredSession): Promise<boolean> {
    const { credentials, sessionKey } = this.#options;
    if (!credentials || hasOwnKey(credentials)) return true;
    // A function is not called while the key itself is the user name.
    if (typeof credentials === 'function' && sessionKey === username) return true;
    return username === (await this.#ownUsername(credentials));
  }

  async #ownUsername(source: CredentialsSource): Promise<string> {
    this.#username ??= (await readCredentials(source)).username;
    return this.#username;
  }

  /** Runs the task under the store's lock. Without it when the store cannot lock: two logins are better than none. */
  async #locked<T>(
    key: string,
    signal: AbortSignal,
    task: (isLocked: boolean) => Promise<T>,
    outcomeOfOthers?: () => Promise<T | null>,
  ): Promise<T> {
    let started: Promise<T> | null = null;
    const start = async () => {
      this.isWaitingForLock = false;
      // A store of the user's own may not know of signals.
      signal.throwIfAborted();
      started = task(true);
      return started;
    };
    this.isWaitingForLock = true;
    try {
      const outcome = await this.#options.store.withLock(key, start, { signal, outcomeOfOthers });
      this.isWaitingForLock = false;
      return outcome;
    } catch (error) {
      // The outcome of the task counts, even if the lock failed after it.
      if (started !== null) return started;
      // The error of a caller that left still has to say that it waited for the lock.
      signal.throwIfAborted();
      this.isWaitingForLock = false;
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return task(false);
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
    this.#options.notifier.warning({
      code: 'SESSION_STORE',
      message:
        'The token store failed; the session is kept in memory only. Check that its folder exists and is writable.',
    });
  }

  async #credentials(): Promise<Credentials> {
    const source = this.#options.credentials;
    if (!source) throw notLoggedIn();
    const credentials = await readCredentials(source);
    this.#username = credentials.username;
    return credentials;
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
    else if (credentials) this.#key = keyOf(baseUrl, await this.#ownUsername(credentials));
    else {
      const keys = (await list()).filter((key) => key.startsWith(keyOf(baseUrl, '')));
      if (keys.length > 1) throw severalSessions(keys.length);
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

/** Whether the service answered, and would answer another request in the same way. */
function isDefinite(error: FleetError): boolean {
  if (error instanceof HttpError) return !isTransient(error.status);
  return error instanceof ProtocolError;
}

/** The key of a login's session in a token store. */
export function keyOf(baseUrl: string, login: string): string {
  return `${baseUrl} ${login}`;
}
