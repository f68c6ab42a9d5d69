// The token store for all machines that use the same Redis, with one login and one refresh for all.
// Sessions are encrypted before they leave the process. Their times use Redis' clock: an access
// token lives only for minutes, and the clocks of two machines may differ by as much.
import {
  type LockOptions,
  parseStoredSession,
  REFRESH_TOKEN_LIFETIME_MS,
  type StoredSession,
  type TokenStore,
} from '../auth/token-store.js';
import { InvalidInputError, NetworkError } from '../core/errors.js';
import { hashedName } from '../core/hashed-name.js';
import type { Warning } from '../core/hooks.js';
import { type Clock, realTimers, type Timers } from '../core/ports.js';
import { quietly } from '../core/safe-read.js';
import { type Connection, connectionOver, isRedisClient, type RedisClient } from './redis-client.js';
import {
  DEFAULT_LEASE_MS,
  defaultAnswerTimeoutMs,
  gateOver,
  type RedisGate,
  type RedisTurn,
  type WhenUnavailable,
} from './redis-gate.js';
import { RedisLink, RedisUnavailable } from './redis-link.js';
import { type EncryptionKey, noSeal, type Seal, sealWith } from './seal.js';
import { scriptOf } from './turn-script.js';

/** The protection of sessions in Redis. One of the two must be given. */
export type SessionProtection =
  | {
      /** Encrypts (AES-256-GCM) with the first key and decrypts with all, for rotation. */
      readonly encryptionKey: EncryptionKey | readonly EncryptionKey[];
      readonly unencrypted?: undefined;
    }
  | {
      /** Stores the tokens in clear: anyone who can read this Redis can use the login. */
      readonly unencrypted: true;
      readonly encryptionKey?: undefined;
    };

export type RedisTokenStoreOptions = SessionProtection & {
  /** The prefix of the keys in Redis, equal for all that share sessions. Default `fleet`. */
  readonly prefix?: string | undefined;
  /** Milliseconds that the lock outlives a dead holder; at least 100. Default 10000. */
  readonly leaseMs?: number | undefined;
  /** Milliseconds until Redis counts as unavailable. Default: 2000, at most half of `leaseMs`. */
  readonly answerTimeoutMs?: number | undefined;
  /**
   * The behaviour while Redis does not answer.
   * - `local` (the default): the client keeps its session in memory and warns (`SESSION_STORE`); it
   *   may log in once more.
   * - `wait`: calls that need a new token wait for Redis.
   * - `fail`: they fail with a {@link NetworkError}.
   */
  readonly whenUnavailable?: WhenUnavailable | undefined;
  /** The clock of the client, if you gave it one. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Called for an undecryptable session (`SESSION_STORE`) or a lost lock (`GATE_LOST`). */
  readonly onWarning?: ((event: Warning) => void) | undefined;
};

export interface RedisTokenStore extends TokenStore, AsyncDisposable {
  keys(): Promise<string[]>;
  /** Closes the second connection, if there is one. Your client stays open. */
  close(): Promise<void>;
}

/**
 * The encrypted content: the session, its key, and its save time on the clocks of Redis (`at`) and
 * of the saving machine (`savedAt`).
 */
interface DecryptedSession {
  readonly key: string;
  readonly at: number;
  readonly savedAt: number;
  readonly session: StoredSession;
}

/** Extra time that a session stays in Redis after it can be used. */
const MARGIN_MS = 3_600_000;
/** Smaller clock differences between two machines are not corrected. */
const CLOCK_TOLERANCE_MS = 2_000;
const RETRY_MS = 250;

/**
 * Returns a token store for all machines that use the same Redis, over your connected client of
 * `redis` 6 or `ioredis` 6. Sessions are stored encrypted, and expire in Redis when they can no
 * longer be used.
 *
 * @throws {InvalidInputError} without a key, unless `unencrypted` allows tokens in clear; and when
 * the client or an option cannot be used
 */
export function redisTokenStore(client: RedisClient, options: RedisTokenStoreOptions): RedisTokenStore {
  if (!isRedisClient(client)) {
    throw new InvalidInputError('redisTokenStore takes a client of redis 6 (createClient) or ioredis 6 (new Redis).');
  }
  return new StoreInRedis(connectionOver(client), options, realTimers);
}

class StoreInRedis implements RedisTokenStore {
  readonly #prefix: string;
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #whenUnavailable: WhenUnavailable;
  readonly #onWarning: (event: Warning) => void;
  readonly #locks: RedisGate;
  readonly #link: RedisLink;
  readonly #held = new Map<string, number | null>();

  constructor(connection: Connection, options: RedisTokenStoreOptions, timers: Timers) {
    this.#seal = sealOf(options);
    const {
      prefix = 'fleet',
      leaseMs = DEFAULT_LEASE_MS,
      whenUnavailable = 'local',
      clock = Date,
      onWarning,
    } = options;
    this.#prefix = prefix;
    this.#clock = clock;
    this.#timers = timers;
    this.#whenUnavailable = whenUnavailable;
    this.#onWarning = quietly(onWarning);
    const answerTimeoutMs = options.answerTimeoutMs ?? defaultAnswerTimeoutMs(leaseMs);
    this.#locks = gateOver(connection, { prefix, leaseMs, answerTimeoutMs, whenUnavailable, onWarning }, timers);
    // The client reports the failure of the store.
    this.#link = new RedisLink(connection, timers, answerTimeoutMs, { onDown: () => {}, onUp: () => {} });
  }

  async load(key: string): Promise<StoredSession | null> {
    return (await this.#read(key))?.session ?? null;
  }

  async save(key: string, session: StoredSession): Promise<void> {
    const name = hashedName(key);
    const lifetime = session.refreshToken === null ? session.accessLifetimeMs : REFRESH_TOKEN_LIFETIME_MS;
    const fence = this.#held.get(key) ?? '';
    await this.#run(async () => {
      // The time of Redis is encrypted with the session, so that its age cannot be forged.
      const { at } = await this.#loadText(name);
      const text = this.#seal.seal(JSON.stringify({ key, at, savedAt: this.#clock.now(), session }), name);
      const args = [name, text, String(fence), String(Math.ceil(lifetime + MARGIN_MS))];
      await this.#link.start(saveScript, this.#keysOf(name), args);
    });
  }

  async clear(key: string, ifCurrent?: string): Promise<void> {
    const name = hashedName(key);
    let only = '';
    if (ifCurrent !== undefined) {
      const stored = await this.#read(key);
      if (stored?.session.accessToken !== ifCurrent) return;
      only = stored.text;
    }
    await this.#run(() => this.#link.start(clearScript, this.#keysOf(name), [name, only]));
  }

  withLock<T>(key: string, task: () => Promise<T>, { signal }: LockOptions<T> = {}): Promise<T> {
    const run = async ({ fencingToken }: RedisTurn) => {
      this.#held.set(key, fencingToken);
      try {
        return await task();
      } finally {
        this.#held.delete(key);
      }
    };
    return this.#locks.hold(`session ${key}`, run, signal ? { signal } : {});
  }

  async keys(): Promise<string[]> {
    const found = await this.#run(() => this.#link.start(listScript, this.#keysOf(''), []));
    const all = Array.isArray(found) ? found.map(String) : [];
    const keys: string[] = [];
    // The script returns names and texts alternately.
    for (let index = 0; index + 1 < all.length; index += 2) {
      const stored = this.#parse(all[index] ?? '', all[index + 1] ?? '');
      if (stored) keys.push(stored.key);
    }
    return keys;
  }

  async close(): Promise<void> {
    await this.#locks.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #read(key: string): Promise<{ readonly session: StoredSession; readonly text: string } | null> {
    const name = hashedName(key);
    const { at, text } = await this.#run(() => this.#loadText(name));
    if (text === null) return null;
    const stored = this.#parse(name, text);
    if (stored?.key !== key) return null;
    const session = this.#inLocalTime(stored, at - stored.at);
    if (session === null) return null;
    return { session, text };
  }

  /** Returns the stored text, and the time of Redis (`at`) in milliseconds since 1970. */
  async #loadText(name: string): Promise<{ readonly at: number; readonly text: string | null }> {
    const found = await this.#link.start(loadScript, this.#keysOf(name), []);
    const [at, text]: unknown[] = Array.isArray(found) ? found : [];
    return { at: Number(at), text: typeof text === 'string' ? text : null };
  }

  /**
   * Converts the session's times to the local clock. `ageMs`: the age by the clock of Redis, so the
   * clock of the machine that saved it does not matter. Returns null for invalid times: without an
   * encryption key anyone may have written them.
   */
  #inLocalTime({ session, savedAt }: DecryptedSession, ageMs: number): StoredSession | null {
    const aheadMs = this.#clock.now() - ageMs - savedAt;
    if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return session;
    return parseStoredSession({
      ...session,
      accessIssuedAt: session.accessIssuedAt + aheadMs,
      refreshIssuedAt: session.refreshIssuedAt + aheadMs,
      serviceAheadMs: (session.serviceAheadMs ?? 0) - aheadMs,
      ...(session.aheadAtLoginMs === undefined ? {} : { aheadAtLoginMs: session.aheadAtLoginMs - aheadMs }),
    });
  }

  #parse(name: string, text: string): DecryptedSession | null {
    const opened = this.#seal.open(text, name);
    if ('problem' in opened) {
      this.#warn(opened.problem === 'unknown key' ? 'was not encrypted with a key of this store' : 'is damaged');
      return null;
    }
    let value: unknown;
    try {
      value = JSON.parse(opened.text);
    } catch {
      this.#warn('is damaged');
      return null;
    }
    if (typeof value !== 'object' || value === null) return null;
    const read = (name: string): unknown => Reflect.get(value, name);
    const [key, at, savedAt] = [read('key'), read('at'), read('savedAt')];
    const session = parseStoredSession(read('session'));
    if (!session || typeof key !== 'string' || typeof at !== 'number' || typeof savedAt !== 'number') return null;
    return { key, at, savedAt, session };
  }

  #warn(why: string): void {
    this.#onWarning({
      code: 'SESSION_STORE',
      message: `A session in Redis ${why} and is not used. A new login is needed; it replaces that session.`,
    });
  }

  /** Rejects so that the client sees a failed store; under `fail` so that the call fails. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await (this.#whenUnavailable === 'wait' ? work() : this.#link.within(work()));
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error;
        if (this.#whenUnavailable === 'local') throw error;
        if (this.#whenUnavailable === 'fail') {
          throw new NetworkError(
            `${error.message} It holds the session. Check that it runs and can be reached; with whenUnavailable: 'local' the client goes on without it.`,
          );
        }
        await new Promise<void>((resolve) => this.#timers.after(RETRY_MS, resolve));
      }
    }
  }

  #keysOf(name: string): readonly string[] {
    return [`{${this.#prefix}}:session:${name}`, `{${this.#prefix}}:sessions`];
  }
}

function sealOf(options: RedisTokenStoreOptions): Seal {
  const { encryptionKey, unencrypted } = options;
  if (encryptionKey !== undefined && unencrypted) {
    throw new InvalidInputError('redisTokenStore: give either encryptionKey or unencrypted, not both.');
  }
  if (encryptionKey !== undefined) return sealWith(isList(encryptionKey) ? encryptionKey : [encryptionKey]);
  // A forgotten key or an empty variable must not store tokens in clear.
  if (unencrypted !== true) {
    throw new InvalidInputError(
      'redisTokenStore needs an encryptionKey of 32 random bytes (`openssl rand -base64 32` prints one), so that tokens are never in clear in Redis. To store them in clear nevertheless, set unencrypted: true.',
    );
  }
  return noSeal;
}

function isList(keys: EncryptionKey | readonly EncryptionKey[]): keys is readonly EncryptionKey[] {
  return Array.isArray(keys);
}

// In Redis a session is a hash: the sealed text, and the fencing token of the lock under which it
// was saved. A set lists the sessions.

/**
 * KEYS: session, set. ARGV: the session's name, the text, the fencing token or '', lifetime in ms.
 * Returns 0 when a later holder has saved.
 */
const saveScript = scriptOf(`
local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or 0)
local fence = tonumber(ARGV[3]) or last
if fence < last then return 0 end
redis.call('HSET', KEYS[1], 'text', ARGV[2], 'fence', string.format('%.0f', fence))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('SADD', KEYS[2], ARGV[1])
if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[2], ARGV[4]) end
return 1
`);

/** KEYS: session. Returns Redis' time in ms since 1970, and the text if there is one. */
const loadScript = scriptOf(`
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
return { string.format('%.0f', now), redis.call('HGET', KEYS[1], 'text') or nil }
`);

/** KEYS: session, set. ARGV: name, and '' or the only text to remove. The fencing token stays. */
const clearScript = scriptOf(`
if ARGV[2] ~= '' and redis.call('HGET', KEYS[1], 'text') ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], 'text')
redis.call('SREM', KEYS[2], ARGV[1])
return 1
`);

/** KEYS: the prefix of the session keys, set. Returns names and texts alternately. */
const listScript = scriptOf(`
local found = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local stored = redis.call('HGET', KEYS[1] .. name, 'text')
  if stored then
    found[#found + 1] = name
    found[#found + 1] = stored
  else redis.call('SREM', KEYS[2], name) end
end
return found
`);
