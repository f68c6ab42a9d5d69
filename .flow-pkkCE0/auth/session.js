import { AuthenticationError, FleetError, HttpError, ProtocolError } from "../core/errors.js";
import { isTransient } from "../core/http-status.js";
import { hasOwnKey, readCredentials } from "./credentials.js";
import { logIn, refresh } from "./login-endpoints.js";
import { Renewal } from "./renewal.js";
import { notLoggedIn, notRefreshed, notRemoved, sessionExpired, severalSessions } from "./session-error.js";
import { REFRESH_TOKEN_LIFETIME_MS } from "./token-store.js";
const REFRESH_FRACTION = 0.8;
const REFRESH_RETRY_FRACTION = 0.05;
const CLOSE_TIMEOUT_MS = 1e4;
class Session {
  #options;
  /** A renewal waits for the store's lock, or the last one did until its callers had left. */
  isWaitingForLock = false;
  #current = null;
  /** The last session expired and was removed. Later callers get the error that says so, until there is a new session. */
  #hasExpired = false;
  #key = null;
  /** The user name that the credentials gave last. */
  #username = null;
  #renewing = null;
  /** A refresh that is under way, up to the storing of its tokens. */
  #exchange = null;
  /** The last session, when it could not be stored: it lives in this process only. `replaced`: the access token that the store still has. */
  #unstored = null;
  /** A token that could not be refreshed early, and until when it is used nevertheless. */
  #extension = null;
  constructor(options) {
    this.#options = options;
  }
  /** The current token, unless it is time to refresh it. */
  validToken() {
    return this.#current && this.#isFresh(this.#current) ? this.#current.accessToken : null;
  }
  /** The current token, or a new one when it is time to refresh it. */
  async token(deadline) {
    return this.validToken() ?? (await this.#renew(this.#current?.accessToken ?? null, false, deadline)).accessToken;
  }
  /** Another token than the one that the service refused. */
  async replace(refused, deadline) {
    const current = this.#current;
    if (current && current.accessToken !== refused && this.#isFresh(current)) return current.accessToken;
    const session = await this.#renew(refused, true, deadline);
    if (session.accessToken !== refused) return session.accessToken;
    return (await this.#renew(refused, true, deadline)).accessToken;
  }
  /** Makes sure that there is a token. */
  async ready(deadline) {
    await this.token(deadline);
    if (this.#current === null) throw notLoggedIn();
    return this.#describe(this.#current);
  }
  /** Logs in with the credentials and stores the new session in place of any other. */
  async login(deadline) {
    const key = await this.key();
    await this.#renewing?.work.catch(() => void 0);
    const renewal = this.#begin(
      (own) => this.#locked(key, own.signal, () => {
        own.begin();
        return this.#logInNow(() => this.#options.serviceClock.accept());
      })
    );
    renewal.join(deadline);
    return this.#describe(await renewal.work);
  }
  /**
   * Removes the session. The contract has no way to revoke a token: it expires by itself. When the store fails, the logout fails too,
   * because the next process would still use the session.
   */
  async logout(deadline) {
    await this.#renewing?.work.catch(() => void 0);
    if (deadline?.aborted) return;
    this.#current = null;
    this.#hasExpired = false;
    const { store } = this.#options;
    try {
      const key = await this.#findKey(async () => await store.keys?.() ?? []);
      if (key === null) return;
      const waiting = new AbortController();
      const stopListening = deadline?.onExceeded(() => waiting.abort());
      try {
        await this.#locked(key, waiting.signal, async () => {
          const stored = await store.load(key).catch(() => null);
          if (stored === null || await this.#isOwn(stored)) await store.clear(key);
        });
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
  async info() {
    const key = await this.#findKey().catch((error) => {
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
  async finish() {
    this.#renewing?.abandon();
    if (this.#exchange === null) return;
    let cancel = () => {
    };
    const limit = new Promise((resolve) => {
      cancel = this.#options.timers.after(CLOSE_TIMEOUT_MS, resolve);
    });
    await Promise.race([this.#exchange.catch(() => void 0), limit]);
    cancel();
  }
  /** All callers that need a token share a renewal. Its failure is theirs; the next caller tries again. */
  async #renew(oldToken, isRefused, deadline) {
    const renewal = this.#renewing ?? this.#begin((own) => this.#renewNow(oldToken, isRefused, own));
    renewal.join(deadline);
    const current = this.#current;
    if (current && this.#isValid(current, oldToken, isRefused)) renewal.answer(current);
    const session = await renewal.result;
    return this.#isValid(session, oldToken, isRefused) ? session : renewal.work;
  }
  #begin(work) {
    const forget = () => {
      if (this.#renewing === renewal) this.#renewing = null;
    };
    this.isWaitingForLock = false;
    const renewal = new Renewal(work, forget);
    this.#renewing = renewal;
    renewal.work.then(forget, forget);
    return renewal;
  }
  async #renewNow(oldToken, isRefused, renewal) {
    const key = await this.key();
    const found = await this.#load(key);
    if (found && this.#isUsable(found, oldToken, isRefused)) return this.#adopt(found);
    const isValid = (session) => this.#isValid(session, oldToken, isRefused);
    if (found && isValid(found)) renewal.answer(this.#adopt(found));
    const renewedByOthers = async () => {
      const stored = await this.#load(key);
      return stored && isValid(stored) && this.#isFresh(stored) ? this.#adopt(stored) : null;
    };
    const renewUnderLock = (isLocked) => {
      renewal.begin();
      return this.#renewUnderLock(key, isLocked, isValid);
    };
    return this.#locked(key, renewal.signal, renewUnderLock, renewedByOthers);
  }
  async #renewUnderLock(key, isLocked, isValid) {
    const stored = await this.#load(key);
    if (stored && isValid(stored) && this.#isFresh(stored)) return this.#adopt(stored);
    let isSpendable = true;
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
    if (!isSpendable) throw notRefreshed();
    if (stored) {
      const kept = stored === this.#unstored?.session ? this.#unstored.replaced : stored.accessToken;
      this.#current = null;
      this.#unstored = null;
      this.#hasExpired = true;
      if (kept !== null) await this.#tryStore(() => this.#options.store.clear(key, kept));
    }
    throw this.#hasExpired ? sessionExpired(stored?.refreshSentAt !== void 0) : notLoggedIn();
  }
  /**
   * Whether a refresh may spend the session's refresh token: not without the lock, and not when the new one could not be stored. Writes
   * down the intent, so that a process that finds the session after a crash knows what happened.
   */
  async #isSpendable(key, stored, isLocked) {
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
  async #refresh(key, stored, refreshToken, isEarly) {
    const exchange = refresh(this.#options.send, refreshToken, { isEarly }).then(
      (tokens) => tokens && this.#save(key, tokens, stored, "refresh")
    );
    this.#exchange = exchange;
    try {
      return await exchange;
    } catch (error) {
      if (!(error instanceof FleetError)) throw error;
      if (isEarly) return this.#adoptForNow(stored);
      if (this.#options.credentials && isDefinite(error)) return null;
      throw error;
    } finally {
      this.#exchange = null;
    }
  }
  /** Uses a token that is still valid for a while, although it is time to refresh it. */
  #adoptForNow(session) {
    const { accessToken, accessIssuedAt, accessLifetimeMs } = session;
    const now = this.#options.clock.now();
    const until = Math.min(accessIssuedAt + accessLifetimeMs, now + accessLifetimeMs * REFRESH_RETRY_FRACTION);
    this.#extension = { accessToken, until };
    return this.#adopt(session);
  }
  async #logInNow(onTokens = () => {
  }) {
    const credentials = await this.#credentials();
    const tokens = await logIn(this.#options.send, credentials);
    onTokens();
    return this.#save(await this.key(), tokens, { username: credentials.username }, "login");
  }
  async #save(key, tokens, before, how) {
    const isNewRefreshToken = tokens.refreshToken !== null && tokens.refreshToken !== before.refreshToken;
    const { observedAheadMs, jumpedFromMs } = this.#options.serviceClock;
    const serviceAheadMs = observedAheadMs ?? 0;
    const session = {
      username: before.username,
      accessToken: tokens.accessToken,
      accessIssuedAt: tokens.sentAt,
      accessLifetimeMs: tokens.accessLifetimeMs,
      refreshToken: tokens.refreshToken ?? before.refreshToken ?? null,
      refreshIssuedAt: isNewRefreshToken ? tokens.sentAt : before.refreshIssuedAt ?? tokens.sentAt,
      ...serviceAheadMs === 0 ? {} : { serviceAheadMs },
      ...jumpedFromMs === null ? {} : { aheadAtLoginMs: jumpedFromMs }
    };
    this.#use(session);
    try {
      await this.#options.store.save(key, session);
      this.#unstored = null;
    } catch {
      const replaced = this.#unstored?.session === before ? this.#unstored.replaced : before.accessToken ?? null;
      this.#unstored = { session, replaced };
      this.#warnAboutStore();
    }
    this.#options.notifier.refresh({ how });
    return session;
  }
  #adopt(session) {
    if (this.#current && this.#current.accessToken !== session.accessToken)
      this.#options.notifier.refresh({ how: "adopt" });
    this.#use(session);
    return session;
  }
  #use(session) {
    this.#current = session;
    this.#hasExpired = false;
  }
  #isUsable(session, oldToken, isRefused) {
    if (isRefused && session.accessToken === oldToken) return false;
    return this.#isFresh(session);
  }
  /** Whether the token can be used, though it may be time to refresh it. */
  #isValid(session, oldToken, isRefused) {
    return !this.#isExpired(session) && !(isRefused && session.accessToken === oldToken);
  }
  #isFresh(session) {
    const { accessToken, until } = this.#extension ?? { accessToken: null, until: 0 };
    if (session.accessToken === accessToken && this.#options.clock.now() < until) return !this.#isExpired(session);
    const age = this.#options.clock.now() - session.accessIssuedAt;
    return age >= 0 && age < session.accessLifetimeMs * REFRESH_FRACTION;
  }
  /** By the local clock; a token of unknown age counts as expired. */
  #isExpired(session) {
    const age = this.#options.clock.now() - session.accessIssuedAt;
    return age < 0 || age >= session.accessLifetimeMs;
  }
  /** When the clock was set back this is unknown, and asking is cheap: the service refuses if the token has expired. */
  #isRefreshable(session) {
    return this.#options.clock.now() - session.refreshIssuedAt < REFRESH_TOKEN_LIFETIME_MS;
  }
  /**
   * The store decides, because another process may have logged out. The session in memory is used only when the store fails, or still has what
   * a session that could not be stored has replaced. A session of another login is left alone.
   */
  async #load(key) {
    const stored = await this.#tryStore(() => this.#options.store.load(key));
    if (stored && !await this.#isOwn(stored)) return this.#unstored?.session ?? null;
    if (stored) {
      const aheadMs = stored.serviceAheadMs ?? 0;
      this.#options.serviceClock.assume(aheadMs, stored.aheadAtLoginMs ?? aheadMs);
    }
    if (stored === void 0) return this.#current;
    const unstored = this.#unstored;
    return unstored && (stored?.accessToken ?? null) === unstored.replaced ? unstored.session : stored;
  }
  /** Returns true for a session of the login that the credentials name. Without credentials, any session of the key will do. */
  async #isOwn({ username }) {
    const { credentials, sessionKey } = this.#options;
    if (!credentials || hasOwnKey(credentials)) return true;
    if (typeof credentials === "function" && sessionKey === username) return true;
    return username === await this.#ownUsername(credentials);
  }
  async #ownUsername(source) {
    this.#username ??= (await readCredentials(source)).username;
    return this.#username;
  }
  /** Runs the task under the store's lock. Without it when the store cannot lock: two logins are better than none. */
  async #locked(key, signal, task, outcomeOfOthers) {
    let started = null;
    const start = async () => {
      this.isWaitingForLock = false;
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
      if (started !== null) return started;
      signal.throwIfAborted();
      this.isWaitingForLock = false;
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return task(false);
    }
  }
  /** Undefined when the store fails: that costs a login, not the call. */
  async #tryStore(task) {
    try {
      return await task();
    } catch (error) {
      if (error instanceof FleetError) throw error;
      this.#warnAboutStore();
      return void 0;
    }
  }
  #warnAboutStore() {
    this.#options.notifier.warning({
      code: "SESSION_STORE",
      message: "The token store failed; the session is kept in memory only. Check that its folder exists and is writable."
    });
  }
  async #credentials() {
    const source = this.#options.credentials;
    if (!source) throw notLoggedIn();
    const credentials = await readCredentials(source);
    this.#username = credentials.username;
    return credentials;
  }
  /** The session's key in the store: base URL and login, so that no login uses another one's token. */
  async key() {
    const key = await this.#findKey();
    if (key === null) throw notLoggedIn();
    return key;
  }
  /** Null when there are no credentials and the store holds no session. `list` returns the keys of the store. */
  async #findKey(list = () => this.#storedKeys()) {
    if (this.#key !== null) return this.#key;
    const { baseUrl, sessionKey, credentials } = this.#options;
    if (sessionKey !== void 0) this.#key = keyOf(baseUrl, sessionKey);
    else if (credentials) this.#key = keyOf(baseUrl, await this.#ownUsername(credentials));
    else {
      const keys = (await list()).filter((key) => key.startsWith(keyOf(baseUrl, "")));
      if (keys.length > 1) throw severalSessions(keys.length);
      this.#key = keys[0] ?? null;
    }
    return this.#key;
  }
  async #storedKeys() {
    return await this.#tryStore(async () => await this.#options.store.keys?.() ?? []) ?? [];
  }
  #describe(session) {
    return {
      username: session.username,
      accessExpiresAt: new Date(session.accessIssuedAt + session.accessLifetimeMs),
      refreshUntil: session.refreshToken === null ? null : new Date(session.refreshIssuedAt + REFRESH_TOKEN_LIFETIME_MS)
    };
  }
}
function isDefinite(error) {
  if (error instanceof HttpError) return !isTransient(error.status);
  return error instanceof ProtocolError;
}
function keyOf(baseUrl, login) {
  return `${baseUrl} ${login}`;
}
export {
  Session,
  keyOf
};
