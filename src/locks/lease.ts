// A lease file that one process of the machine holds at a time. The holder touches it regularly;
// the lease of a killed process is taken over.
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { backoffMs } from '../core/backoff.js';
import { errorCode } from '../core/error-code.js';
import { makeFolder } from '../core/private-file.js';
import { hostIdentity, ownIdentity, type ProcessIdentity, parseIdentity, stateOf } from './process-identity.js';
import { parseAddress, removeSocket, type WakeAddress } from './wake-address.js';

const HEARTBEAT_MS = 2000;
/** Age at which the holder of the file sleeps or is gone. */
const STALE_MS = 30_000;
/** A lease file is empty for microseconds; after this time its process was killed in between. */
const EMPTY_STALE_MS = 2000;
/**
 * Observation time for an old lease whose holder may be alive. After a clock jump every lease looks
 * old until it is touched. A lease that does not look old is observed for STALE_MS, because the
 * clock may have been set back.
 */
const OBSERVE_OLD_MS = 5000;
const POLL = { firstMs: 5, longestMs: 40, factor: 1.5 };
/** Windows returns EPERM while a file is being removed; after this time it is a real error. */
const EPERM_GRACE_MS = 3000;

export interface Lease {
  readonly id: string;
  /** Does nothing when another process took the lease over. */
  release(): void;
}

export interface LeaseOptions {
  /** Called once when another process takes the lease over although this one is alive. */
  readonly onLost?: (() => void) | undefined;
  /** Monotonic time in milliseconds. Default: that of the process. */
  readonly monotonic?: (() => number) | undefined;
}

/** Returns null when the lease is not free now. */
export function tryAcquireLease(path: string, { onLost }: Pick<LeaseOptions, 'onLost'> = {}): Lease | null {
  return new Contender(path, { onLost }).take();
}

interface WaitOptions extends LeaseOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Polls until the lease is acquired; waiters get it in random order. Rejects with the signal's
 * reason.
 */
export function acquireLease(path: string, options: WaitOptions = {}): Promise<Lease> {
  return acquireLeaseUnless<never>(path, async () => null, options);
}

/** Waits as `acquireLease`, but stops when `outcome`, called between polls, returns a value. */
export async function acquireLeaseUnless<Outcome>(
  path: string,
  outcome: () => Promise<Outcome | null>,
  { signal, ...options }: WaitOptions = {},
): Promise<Lease | Outcome> {
  const contender = new Contender(path, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const lease = contender.take() ?? contender.takeOver();
    if (lease) return lease;
    await pause(backoffMs(tries, POLL) * (0.5 + Math.random()), signal);
    const found = await outcome();
    if (found !== null) return found;
  }
}

export interface FreeLeaseOptions extends WaitOptions {
  /** Called once, when the check for a living holder may take up to 35 s. */
  readonly onWait?: (() => void) | undefined;
}

/**
 * Acquires the lease, or returns null when its holder is alive. Rejects with the signal's reason. A
 * lease is also taken over when its holder runs on another host, or cannot be identified, and does
 * not touch it.
 */
export async function acquireFreeLease(
  path: string,
  { signal, onWait, ...options }: FreeLeaseOptions = {},
): Promise<Lease | null> {
  const contender = new Contender(path, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const lease = contender.take() ?? contender.takeOver();
    if (lease) return lease;
    if (contender.isHolderAlive()) return null;
    if (tries === 1) onWait?.();
    await pause(backoffMs(tries, POLL), signal);
  }
}

export class Contender {
  readonly id: string;
  address: WakeAddress | null = null;
  readonly #path: string;
  readonly #onLost: (() => void) | undefined;
  readonly #monotonic: () => number;
  #deniedSince: number | null = null;
  #observed = { touchedAt: Number.NaN, since: 0 };
  #hasMoved = false;

  constructor(
    path: string,
    { onLost, monotonic = () => performance.now() }: LeaseOptions = {},
    id: string = randomUUID(),
  ) {
    this.id = id;
    this.#path = path;
    this.#onLost = onLost;
    this.#monotonic = monotonic;
  }

  take(): Lease | null {
    const { id, address } = this;
    const holder = { id, ...ownIdentity(), ...(address ? { address } : {}) };
    return this.#create(JSON.stringify(holder)) ? hold(this.#path, id, this.#onLost) : null;
  }

  /**
   * Takes over the lease of a dead holder; otherwise returns null. `isKnownGone`: returns true for
   * a process that is known to have ended, by other means than the file.
   */
  takeOver(isKnownGone: (id: string) => boolean = () => false): Lease | null {
    const path = this.#path;
    const isFree = () => isHolderKnownGone(path, isKnownGone) || this.#isAbandoned();
    if (!isFree()) return null;
    removeStale(path, isFree);
    return this.take();
  }

  /**
   * Returns true when the holder's process runs, or has touched the lease since the first
   * `takeOver`.
   */
  isHolderAlive(): boolean {
    const holder = read(this.#path);
    return this.#hasMoved || (holder !== null && stateOf(holder) === 'running');
  }

  /** Returns true when the holder has ended, or has not touched the lease for a certain time. */
  #isAbandoned(): boolean {
    const touchedAt = touchedAtOf(this.#path);
    if (touchedAt === null) return false;
    if (isAbandonedFile(this.#path, touchedAt)) return true;
    if (touchedAt !== this.#observed.touchedAt) {
      this.#hasMoved = !Number.isNaN(this.#observed.touchedAt);
      this.#observed = { touchedAt, since: this.#monotonic() };
    }
    const stillMs = this.#monotonic() - this.#observed.since;
    return stillMs >= (Date.now() - touchedAt > STALE_MS ? OBSERVE_OLD_MS : STALE_MS);
  }

  #create(text: string, mayMakeFolder = true): boolean {
    try {
      writeFileSync(this.#path, text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (mayMakeFolder && errorCode(error) === 'ENOENT') {
        makeFolder(dirname(this.#path));
        return this.#create(text, false);
      }
      const isTemporary =
        process.platform === 'win32' && (errorCode(error) === 'EPERM' || errorCode(error) === 'EBUSY');
      if (!isTemporary) this.#deniedSince = null;
      if (errorCode(error) === 'EEXIST') return false;
      this.#deniedSince ??= this.#monotonic();
      if (isTemporary && this.#monotonic() - this.#deniedSince < EPERM_GRACE_MS) return false;
      throw error;
    }
  }
}

function hold(path: string, id: string, onLost: (() => void) | undefined): Lease {
  const heartbeat = setInterval(() => {
    if (read(path)?.id === id) touch(path);
    else {
      clearInterval(heartbeat);
      onLost?.();
    }
  }, HEARTBEAT_MS);
  // The work under the lease keeps the process alive, not the lease.
  heartbeat.unref();
  return {
    id,
    release() {
      clearInterval(heartbeat);
      if (read(path)?.id === id) removeFile(path);
    },
  };
}

/** Faster than rmSync, which calls stat first. */
function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The next heartbeat detects that the file is gone.
  }
}

function touchedAtOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** True when the holder is certainly gone, or was killed before it could write. */
function isAbandonedFile(path: string, touchedAt: number): boolean {
  const holder = read(path);
  return holder === null ? Math.abs(Date.now() - touchedAt) > EMPTY_STALE_MS : stateOf(holder) === 'gone';
}

function isHolderKnownGone(path: string, isKnownGone: (id: string) => boolean): boolean {
  const holder = read(path);
  return holder !== null && typeof holder.id === 'string' && isKnownGone(holder.id);
}

/**
 * Two processes that find a lease stale must not remove each other's new lease. Only the holder of
 * a guard file removes it, after another check.
 */
function removeStale(path: string, isGone: () => boolean): void {
  const guard = `${path}.succession`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch {
    const touchedAt = touchedAtOf(guard);
    if (touchedAt !== null && Math.abs(Date.now() - touchedAt) > EMPTY_STALE_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (!isGone()) return;
    const address = read(path)?.address;
    rmSync(path, { force: true });
    if (address) removeSocket(address);
  } finally {
    rmSync(guard, { force: true });
  }
}

export function reachableHolder(path: string): { readonly id: string; readonly address: WakeAddress } | null {
  const holder = read(path);
  return holder?.address && typeof holder.id === 'string' ? { id: holder.id, address: holder.address } : null;
}

export interface LeaseHolder {
  /** Null when the process was killed before it could write its pid. */
  readonly pid: number | null;
  readonly isHere: boolean;
  /** True for a stale lease: the next process that needs it takes it over. */
  readonly isGone: boolean;
  /** Milliseconds since it was acquired. */
  readonly heldMs: number;
}

export function leaseHolder(path: string): LeaseHolder | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  const holder = read(path);
  const isSilent = Date.now() - stats.mtimeMs > STALE_MS;
  return {
    pid: holder?.pid ?? null,
    isHere: holder?.host === hostIdentity(),
    isGone: isAbandonedFile(path, stats.mtimeMs) || (isSilent && holder !== null && stateOf(holder) === 'unknown'),
    heldMs: Math.max(0, Date.now() - (stats.birthtimeMs || stats.mtimeMs)),
  };
}

interface Holder extends ProcessIdentity {
  readonly id: unknown;
  readonly address: WakeAddress | null;
}

function read(path: string): Holder | null {
  try {
    // Reading from a pipe would not end.
    if (!statSync(path).isFile()) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const identity = parseIdentity(value);
    if (identity === null) return null;
    return {
      ...identity,
      id: Reflect.get(Object(value), 'id'),
      address: parseAddress(Reflect.get(Object(value), 'address')),
    };
  } catch {
    return null;
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
