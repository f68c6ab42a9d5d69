// One login's tokens: obtained once however many callers wait, refreshed before they expire, replaced when the service
// refuses them. A caller that failed says with which token, so that a token that is already newer is used, not thrown away.
import { AuthenticationError, FleetError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { Clock } from '../core/ports.js';
import { type CredentialsSource, readCredentials } from './credentials.js';
import { type Credentials, logIn, refresh, type SendLogin, type Tokens } from './login-endpoints.js';
import { expired, notLoggedIn, stillKept } from './session-error.js';
import type { StoredSession, TokenStore } from './token-store.js';

export type { CredentialsSource } from './credentials.js';

/** A token is replaced when this part of its lifetime has passed: a fraction, so that a short lifetime works too. */
const FRESH_FRACTION = 0.8;
/** After a refresh ahead of time that failed, the token is used for another part of its lifetime before the next one. */
const RESPITE_FRACTION = 0.05;
/** By contract a refresh token works for 12 hours from its issue. */
const REFRESH_WINDOW_MS = 12 * 60 * 60 * 1000;

/** What is known of the kept session. Holds no token. */
export interface SessionInfo {
  /** Who logged in; null when the kept session does not say. */
  readonly username: string | null;
  /** When the access token ends. It is replaced before that. */
  readonly accessExpiresAt: Date;
  /** Until when the session can be refreshed without credentials; null when it cannot. */
  readonly refreshUntil: Date | null;
}

export interface SessionOptions {
  /** Normalised; the first part of every key. */
  readonly baseUrl: string;
  readonly credentials?: CredentialsSource | undefined;
  readonly sessionKey?: string | undefined;
  readonly store: TokenStore;
  readonly send: SendLogin;
  readonly clock: Clock;
  /** Learned from answers; kept with the session for the next process. */
  readonly serviceTime: { readonly heardMs: number | null; recall(aheadMs: number): void };
  readonly report: Notifier;
}

export class Session {
  readonly #options: SessionOptions;
  #current: StoredSession | null = null;
  /** The last session ended by itself and was forgotten: what later callers are told until there is a newer one. */
  #hasExpired = false;
  #key: string | null = null;
  #renewing: Promise<StoredSession> | null = null;
  /** A token that could not be replaced ahead of time, and until when it is used all the same. */
  #respite: { readonly accessToken: string; readonly until: number } | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The token at hand, if it is fresh enough to be sent. */
  fresh(): string | null {
    return this.#current && this.#isFresh(this.#current) ? this.#current.accessToken : null;
  }

  /** A token that is fresh enough to be sent. */
  async token(): Promise<string> {
    return this.fresh() ?? (await this.#renew(this.#current?.accessToken ?? null, false)).accessToken;
  }

  /** A token in place of one that the service refused. */
  async replace(refused: string): Promise<string> {
    const current = this.#current;
    if (current && current.accessToken !== refused && this.#isFresh(current)) return current.accessToken;
    return (await this.#renew(refused, true)).accessToken;
  }

  /** A token that is fresh enough is at hand. */
  async ready(): Promise<SessionInfo> {
    await this.token();
    // There is one as soon as there is a token.
    if (this.#current === null) throw notLoggedIn();
    return this.#describe(this.#current);
  }

  /** Logs in with the credentials, whatever is kept, and keeps the new session instead. */
  async login(): Promise<SessionInfo> {
    await this.#renewing?.catch(() => undefined);
    const work = this.#locked(await this.key(), () => this.#logInNow());
    return this.#describe(await this.#asRenewing(work));
  }

  /**
   * Forgets the kept session. The contract has no way to end a token early: it runs out by itself. A store that fails here fails
   * the logout: the session would still be used by whoever comes next.
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
      throw error instanceof FleetError ? error : stillKept(error);
    }
  }

  /** What is kept; null when nothing is. Asks the store, never the service. */
  async info(): Promise<SessionInfo | null> {
    const key = await this.#findKey().catch((error: unknown) => {
      // Which one is meant cannot be told.
      if (error instanceof AuthenticationError) return null;
      throw error;
    });
    const kept = key === null ? null : await this.#load(key);
    if (kept === null) return null;
    this.#options.serviceTime.recall(kept.serviceAheadMs ?? 0);
    return this.#describe(kept);
  }

  #renew(unwanted: string | null, refused: boolean): Promise<StoredSession> {
    return this.#renewing ?? this.#asRenewing(this.#renewNow(unwanted, refused));
  }

  /** Lets everybody who needs a token wait for this work. Its failure is theirs, and not kept for those who come later. */
  #asRenewing(work: Promise<StoredSession>): Promise<StoredSession> {
    const renewing = work.finally(() => {
      if (this.#renewing === renewing) this.#renewing = null;
    });
    // All who waited may have left by the time it fails.
    renewing.catch(() => undefined);
    this.#renewing = renewing;
    return renewing;
  }

  async #renewNow(unwanted: string | null, refused: boolean): Promise<StoredSession> {
    const key = await this.key();
    const seen = await this.#load(key);
    if (seen && this.#isUsable(seen, unwanted, refused)) return this.#adopt(seen);
    return this.#locked(key, async () => {
      // Somebody else may have renewed it while this one waited for the lock.
      const kept = await this.#load(key);
      if (kept && this.#isUsable(kept, unwanted, refused)) return this.#adopt(kept);
      if (kept?.refreshToken && this.#mayRefresh(kept)) {
        const isAhead = this.#isAlive(kept) && !(refused && kept.accessToken === unwanted);
        const tokens = await this.#refresh(kept, kept.refreshToken, isAhead);
        if (tokens === 'later') return this.#adopt(kept);
        if (tokens) return this.#keep(key, tokens, kept, 'refresh');
      }
      if (this.#options.credentials) return this.#logInNow();
      if (kept && this.#isAlive(kept) && !(refused && kept.accessToken === unwanted)) {
        // Nothing can come after it: it is used to its end.
        this.#respite = { accessToken: kept.accessToken, until: kept.accessIssuedAt + kept.accessLifetimeMs };
        return this.#adopt(kept);
      }
      if (kept) {
        this.#current = null;
        this.#hasExpired = true;
        await this.#attempt(() => this.#options.store.clear(key, kept.accessToken));
      }
      throw this.#hasExpired ? expired() : notLoggedIn();
    });
  }

  /** `later`: it failed while the token is still good, which is no reason for a call to fail. Null: refused. */
  async #refresh(kept: StoredSession, refreshToken: string, isAhead: boolean): Promise<Tokens | 'later' | null> {
    try {
      return await refresh(this.#options.send, refreshToken, { isAhead });
    } catch (error) {
      if (!isAhead || !(error instanceof FleetError)) throw error;
      const { accessToken, accessIssuedAt, accessLifetimeMs } = kept;
      const now = this.#options.clock.now();
      const until = Math.min(accessIssuedAt + accessLifetimeMs, now + accessLifetimeMs * RESPITE_FRACTION);
      this.#respite = { accessToken, until };
      return 'later';
    }
  }

  async #logInNow(): Promise<StoredSession> {
    const credentials = await this.#credentials();
    const tokens = await logIn(this.#options.send, credentials);
    return this.#keep(await this.key(), tokens, { username: credentials.username }, 'login');
  }

  async #keep(
    key: string,
    tokens: Tokens,
    before: Pick<StoredSession, 'username'> & Partial<StoredSession>,
    how: 'login' | 'refresh',
  ): Promise<StoredSession> {
    // The window counts from the issue of the refresh token: getting the same one again does not lengthen it.
    const isNewRefreshToken = tokens.refreshToken !== null && tokens.refreshToken !== before.refreshToken;
    const serviceAheadMs = this.#options.serviceTime.heardMs ?? 0;
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
    await this.#attempt(() => this.#options.store.save(key, session));
    this.#options.report.refresh({ how });
    return session;
  }

  #adopt(session: StoredSession): StoredSession {
    if (this.#current && this.#current.accessToken !== session.accessToken)
      this.#options.report.refresh({ how: 'adopt' });
    this.#options.serviceTime.recall(session.serviceAheadMs ?? 0);
    this.#use(session);
    return session;
  }

  #use(session: StoredSession): void {
    this.#current = session;
    this.#hasExpired = false;
  }

  #isUsable(session: StoredSession, unwanted: string | null, refused: boolean): boolean {
    if (refused && session.accessToken === unwanted) return false;
    return this.#isFresh(session);
  }

  #isFresh(session: StoredSession): boolean {
    const { accessToken, until } = this.#respite ?? { accessToken: null, until: 0 };
    if (session.accessToken === accessToken && this.#options.clock.now() < until) return this.#isAlive(session);
    const age = this.#options.clock.now() - session.accessIssuedAt;
    // A negative age means that the clock was set back: how old the token is, nobody knows.
    return age >= 0 && age < session.accessLifetimeMs * FRESH_FRACTION;
  }

  /** Good by the local clock for the rest of its lifetime. */
  #isAlive(session: StoredSession): boolean {
    const age = this.#options.clock.now() - session.accessIssuedAt;
    return age >= 0 && age < session.accessLifetimeMs;
  }

  /** With a clock set back the window is unknown, and asking is cheap: the service says no if it is over. */
  #mayRefresh(session: StoredSession): boolean {
    return this.#options.clock.now() - session.refreshIssuedAt < REFRESH_WINDOW_MS;
  }

  /** What the store holds is the truth, a logout elsewhere included; only a store that fails is stood in for. */
  async #load(key: string): Promise<StoredSession | null> {
    const kept = await this.#attempt(() => this.#options.store.load(key));
    return kept === undefined ? this.#current : kept;
  }

  /** Runs the task in the store's lock; without it when the store cannot lock, because a login twice is better than none. */
  async #locked<T>(key: string, task: () => Promise<T>): Promise<T> {
    let begun: Promise<T> | null = null;
    try {
      return await this.#options.store.withLock(key, () => {
        begun = task();
        return begun;
      });
    } catch (error) {
      // The task's own failure goes to whoever asked for it; a lock that failed around it does not undo what it did.
      if (begun !== null) return begun;
      if (error instanceof FleetError) throw error;
      this.#warnOfStore();
      return task();
    }
  }

  /** A store that fails costs a login, not the call: undefined then. */
  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof FleetError) throw error;
      this.#warnOfStore();
      return undefined;
    }
  }

  #warnOfStore(): void {
    this.#options.report.warning({
      code: 'SESSION_STORE',
      message:
        'The token store failed; the session is kept in memory only. Check that its place exists and may be written.',
    });
  }

  async #credentials(): Promise<Credentials> {
    const source = this.#options.credentials;
    if (!source) throw notLoggedIn();
    return readCredentials(source);
  }

  /**
   * What the session is kept under. Never lets one login adopt another's token: it holds the base URL and who logs in.
   */
  async key(): Promise<string> {
    const key = await this.#findKey();
    if (key === null) throw notLoggedIn();
    return key;
  }

  /** Null when no credentials say who logs in and the store holds no session either. `list`: the keys of the store. */
  async #findKey(list: () => Promise<string[]> = () => this.#keptKeys()): Promise<string | null> {
    if (this.#key !== null) return this.#key;
    const { baseUrl, sessionKey, credentials } = this.#options;
    if (sessionKey !== undefined) this.#key = keyOf(baseUrl, sessionKey);
    else if (credentials) this.#key = keyOf(baseUrl, (await readCredentials(credentials)).username);
    else {
      const keys = (await list()).filter((key) => key.startsWith(keyOf(baseUrl, '')));
      if (keys.length > 1) {
        throw new AuthenticationError(
          `The token store holds ${keys.length} sessions for this base URL. Say which one with sessionKey (the username), or give credentials.`,
        );
      }
      this.#key = keys[0] ?? null;
    }
    return this.#key;
  }

  async #keptKeys(): Promise<string[]> {
    return (await this.#attempt(async () => (await this.#options.store.keys?.()) ?? [])) ?? [];
  }

  #describe(session: StoredSession): SessionInfo {
    return {
      username: session.username,
      accessExpiresAt: new Date(session.accessIssuedAt + session.accessLifetimeMs),
      refreshUntil: session.refreshToken === null ? null : new Date(session.refreshIssuedAt + REFRESH_WINDOW_MS),
    };
  }
}

/** The key a session is kept under. */
export function keyOf(baseUrl: string, who: string): string {
  return `${baseUrl} ${who}`;
}
