// The session of a login, shared by all waiting callers. Tokens are refreshed before they expire,
// and replaced when refused. A caller passes the refused token, so that a newer one is not
// replaced. A refresh may use up the refresh token: it needs the store's lock and a successful
// write before, and its tokens are stored even if all callers have left.
import { AuthenticationError, FleetError, HttpError, ProtocolError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import { isTransient } from '../core/http-status.js';
import type { Clock, Timers } from '../core/ports.js';
import { type CredentialsSource, hasOwnKey, readCredentials } from './credentials.js';
import { type Credentials, logIn, refresh, type SendLogin, type Tokens } from './login-endpoints.js';
import { type CallerDeadline, Renewal } from './renewal-callers.js';
import {
  notLoggedInError,
  refreshNotSentError,
  removalError,
  sessionExpiredError,
  severalSessionsError,
} from './session-error.js';
import { REFRESH_TOKEN_LIFETIME_MS, type StoredSession, type TokenStore } from './token-store.js';

export type { CredentialsSource } from './credentials.js';

/** The part of a token's lifetime after which it is refreshed. */
const REFRESH_FRACTION = 0.8;
/** The part of a token's lifetime between retries of a refresh. */
const REFRESH_RETRY_FRACTION = 0.05;
/** Limit for closing a client while a refresh is sent or stored. */
const CLOSE_TIMEOUT_MS = 10_000;

export interface SessionInfo {
  /** Null when unknown. */
  readonly username: string | null;
  /** The access token is replaced before that. */
  readonly accessExpiresAt: Date;
  /** Null when it cannot be refreshed without credentials. */
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
  /** Its observations are stored with the session, for the next process. */
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
  /** True while a renewal waits for the lock, and after its last caller left during that wait. */
  isWaitingForLock = false;
  #current: StoredSession | null = null;
  /** True after the session expired and was removed, until there is a new one. */
  #hasExpired = false;
  #key: string | null = null;
  #username: string | null = null;
  #renewing: Renewal | null = null;
  #exchange: Promise<unknown> | null = null;
  /** The last session, if not stored. `replaced`: the access token that is still in the store. */
  #unstored: { readonly session: StoredSession; readonly replaced: string | null } | null = null;
  /** A token whose early refresh failed, and the time until it is still used. */
  #extension: { readonly accessToken: string; readonly until: number } | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns the current token, or null when a refresh is due. */
  validToken(): string | null {
    return this.#current && this.#isFresh(this.#current) ? this.#current.accessToken : null;
  }

  /** Returns the current token, or a new one when a refresh is due. */
  async token(deadline?: CallerDeadline): Promise<string> {
    return this.validToken() ?? (await this.#renew(this.#current?.accessToken ?? null, false, deadline)).accessToken;
  }

  /** Returns another token than the one that the service refused. */
  async replace(refused: string, deadline?: CallerDeadline): Promise<string> {
    const current = this.#current;
    if (current && current.accessToken !== refused && this.#isFresh(current)) return current.accessToken;
    const session = await this.#renew(refused, true, deadline);
    if (session.accessToken !== refused) return session.accessToken;
    // It joined a renewal that started before the refusal.
    return (await this.#renew(refused, true, deadline)).accessToken;
  }

  async ready(deadline?: CallerDeadline): Promise<SessionInfo> {
    await this.token(deadline);
    // A token always has a session; narrows the type.
    if (this.#current === null) throw notLoggedInError();
    return this.#describe(this.#current);
  }

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
   * Removes the session. The contract has no way to revoke a token, which expires by itself. Fails
   * when the store fails, because the next process would still use the session.
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
          // A file that cannot be read is removed too.
          const stored = await store.load(key).catch(() => null);
          if (stored === null || (await this.#isOwn(stored))) await store.clear(key);
        });
        this.#current = null;
        this.#unstored = null;
      } finally {
        stopListening?.();
      }
    } catch (error) {
      throw error instanceof FleetError ? error : removalError(error);
    }
  }

  /** Returns the stored session; null without one. Reads the store and sends nothing. */
  async info(): Promise<SessionInfo | null> {
    const key = await this.#findKey().catch((error: unknown) => {
      if (error instanceof AuthenticationError) return null;
      throw error;
    });
    const stored = key === null ? null : await this.#load(key);
    if (stored === null) return null;
    return this.#describe(stored);
  }

  /** Cancels a wait for the lock, and waits for a running refresh, up to a limit. */
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

  /** Joins or starts a renewal. All callers share its failure; the next caller retries. */
  async #renew(oldToken: string | null, isRefused: boolean, deadline?: CallerDeadline): Promise<StoredSession> {
    const renewal = this.#renewing ?? this.#begin((own) => this.#renewNow(oldToken, isRefused, own));
    renewal.join(deadline);
    const current = this.#current;
    if (current && this.#isValid(current, oldToken, isRefused)) renewal.answer(current);
    const session = await renewal.result;
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

  /** Returns the stored session if it is usable; otherwise renews it under the lock. */
  async #renewNow(oldToken: string | null, isRefused: boolean, renewal: Renewal): Promise<StoredSession> {
    const key = await this.key();
    const found = await this.#load(key);
    if (found && this.#isUsable(found, oldToken, isRefused)) return this.#adopt(found);
    const isValid = (session: StoredSession) => this.#isValid(session, oldToken, isRefused);
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
    // Only the service decides if there are no credentials: the local clock may be hours ahead.
    if (stored?.refreshToken && (this.#isRefreshable(stored) || !this.#options.credentials)) {
      isSpendable = await this.#isSpendable(key, stored, isLocked);
      if (isSpendable) {
        const renewed = await this.#refresh(key, stored, stored.refreshToken, isValid(stored));
        if (renewed) return renewed;
      }
    }
    if (this.#options.credentials) return this.#logInNow();
    if (stored && isValid(stored)) {
      this.#extension = { accessToken: stored.accessToken, until: stored.accessIssuedAt + stored.accessLifetimeMs };
      return this.#adopt(stored);
    }
    if (!isSpendable) throw refreshNotSentError();
    if (stored) {
      const storedToken = stored === this.#unstored?.session ? this.#unstored.replaced : stored.accessToken;
      this.#current = null;
      this.#unstored = null;
      this.#hasExpired = true;
      if (storedToken !== null) await this.#tryStore(() => this.#options.store.clear(key, storedToken));
    }
    throw this.#hasExpired ? sessionExpiredError(stored?.refreshSentAt !== undefined) : notLoggedInError();
  }

  /**
   * Returns true when a refresh may use up the refresh token: only under the lock, and only when
   * the new one can be stored. Stores `refreshSentAt` first, so that after a crash the next process
   * knows of the refresh.
   */
  async #isSpendable(key: string, stored: StoredSession, isLocked: boolean): Promise<boolean> {
    // It was never stored, so no other process can use its refresh token.
    if (stored === this.#unstored?.session) return true;
    if (!isLocked) return false;
    const withIntent = { ...stored, refreshSentAt: this.#options.clock.now() };
    const isStored = await this.#tryStore(async () => {
      await this.#options.store.save(key, withIntent);
      return true;
    });
    return isStored ?? false;
  }

  /** Returns null when the service refused. After a failure a valid token stays in use. */
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
      // The answer would not change, so log in with the credentials instead.
      if (this.#options.credentials && isDefinite(error)) return null;
      throw error;
    } finally {
      this.#exchange = null;
    }
  }

  #adoptForNow(session: StoredSession): StoredSession {
    const { accessToken, accessIssuedAt, accessLifetimeMs } = session;
    const now = this.#options.clock.now();
    const until = Math.min(accessIssuedAt + accessLifetimeMs, now + accessLifetimeMs * REFRESH_RETRY_FRACTION);
    this.#extension = { accessToken, until };
    return this.#adopt(session);
  }

  /** Logs in and saves the session. `onTokens` is called before it is saved. */
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
    // A refresh token's lifetime counts from its issue, not from receiving the same one again.
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
      // The tokens are valid, and the old ones may be used up.
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

  /** True when the token can be used, even if its refresh is due. */
  #isValid(session: StoredSession, oldToken: string | null, isRefused: boolean): boolean {
    return !this.#isExpired(session) && !(isRefused && session.accessToken === oldToken);
  }

  /** Returns true while no refresh is due. A token whose early refresh failed gets more time. */
  #isFresh(session: StoredSession): boolean {
    const { accessToken, until } = this.#extension ?? { accessToken: null, until: 0 };
    if (session.accessToken === accessToken && this.#options.clock.now() < until) return !this.#isExpired(session);
    const age = this.#options.clock.now() - session.accessIssuedAt;
    // A negative age means that the clock was set back: the token's real age is unknown.
    return age >= 0 && age < session.accessLifetimeMs * REFRESH_FRACTION;
  }

  /** True by the local clock; a token of unknown age counts as expired. */
  #isExpired(session: StoredSession): boolean {
    const age = this.#options.clock.now() - session.accessIssuedAt;
    return age < 0 || age >= session.accessLifetimeMs;
  }

  /** Also true for a clock that was set back: the service refuses an expired token anyway. */
  #isRefreshable(session: StoredSession): boolean {
    return this.#options.clock.now() - session.refreshIssuedAt < REFRESH_TOKEN_LIFETIME_MS;
  }

  /**
   * Returns the stored session, because another process may have logged out. The session in memory
   * is used only when the store fails, or still contains the session that could not be replaced. A
   * session of another login is ignored.
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

  /** True for the login of the credentials; without credentials, for any session of the key. */
  async #isOwn({ username }: StoredSession): Promise<boolean> {
    const { credentials, sessionKey } = this.#options;
    if (!credentials || hasOwnKey(credentials)) return true;
    // The function is not called when the key is the user name.
    if (typeof credentials === 'function' && sessionKey === username) return true;
    return username === (await this.#ownUsername(credentials));
  }

  async #ownUsername(source: CredentialsSource): Promise<string> {
    this.#username ??= (await readCredentials(source)).username;
    return this.#username;
  }

  /** Runs the task under the lock; without it when locking fails: two logins beat no login. */
  async #locked<T>(
    key: string,
    signal: AbortSignal,
    task: (isLocked: boolean) => Promise<T>,
    outcomeOfOthers?: () => Promise<T | null>,
  ): Promise<T> {
    let started: Promise<T> | null = null;
    const start = async () => {
      this.isWaitingForLock = false;
      // A custom store may ignore the signal.
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
      // `isWaitingForLock` stays true: the error of a caller that left names the wait.
      signal.throwIfAborted();
      this.isWaitingForLock = false;
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return task(false);
    }
  }

  /** Returns undefined when the store fails: that costs a login, not the call. */
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
    if (!source) throw notLoggedInError();
    const credentials = await readCredentials(source);
    this.#username = credentials.username;
    return credentials;
  }

  /** Returns the store key: base URL and login, so that no login uses another one's token. */
  async key(): Promise<string> {
    const key = await this.#findKey();
    if (key === null) throw notLoggedInError();
    return key;
  }

  /** Returns null without credentials and stored session. `list` returns the keys of the store. */
  async #findKey(list: () => Promise<string[]> = () => this.#storedKeys()): Promise<string | null> {
    if (this.#key !== null) return this.#key;
    const { baseUrl, sessionKey, credentials } = this.#options;
    if (sessionKey !== undefined) this.#key = keyOf(baseUrl, sessionKey);
    else if (credentials) this.#key = keyOf(baseUrl, await this.#ownUsername(credentials));
    else {
      const keys = (await list()).filter((key) => key.startsWith(keyOf(baseUrl, '')));
      if (keys.length > 1) throw severalSessionsError(keys.length);
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

/** True when the service answered, and would answer a retry in the same way. */
function isDefinite(error: FleetError): boolean {
  if (error instanceof HttpError) return !isTransient(error.status);
  return error instanceof ProtocolError;
}

export function keyOf(baseUrl: string, login: string): string {
  return `${baseUrl} ${login}`;
}
