// A lease that one process of the machine holds at a time: a file that exists while it is held. The holder touches it regularly; the
// lease of a process that was killed is taken over.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../core/error-code.js';
import { pauseAfter } from '../core/growing-pause.js';
import { hostIdentity, isAlive } from './process-identity.js';
import { parseAddress, removeSocket, type WakeAddress } from './wake-address.js';

const HEARTBEAT_MS = 2000;
/** A file this old has a holder that sleeps, or that is another process with the same number. */
const STALE_MS = 30_000;
/** A lease file is empty for microseconds; longer means that its process was killed in between. */
const EMPTY_STALE_MS = 2000;
/**
 * The lease of a holder that may be alive is observed for this long before it is taken: after a jump of the clock every lease looks old until
 * it is touched.
 */
const STANDS_STILL_MS = 5000;
const POLL = { firstMs: 5, longestMs: 40, factor: 1.5 };
/** Windows answers EPERM for a moment while a file is being removed; after this time it is a real error. */
const EPERM_GRACE_MS = 3000;

export interface Lease {
  /** Identifies its holder. */
  readonly id: string;
  /** Does nothing when another process took the lease over. */
  release(): void;
}

export interface LeaseOptions {
  /** Called once when another process takes the lease over although this one is alive. */
  readonly onLost?: (() => void) | undefined;
  /** Time that only goes forward, in milliseconds. Default: that of the process. */
  readonly monotonic?: (() => number) | undefined;
}

/** Null when the lease is not free now. */
export function tryAcquireLease(path: string, { onLost }: Pick<LeaseOptions, 'onLost'> = {}): Lease | null {
  return new Contender(path, { onLost }).take();
}

/** Waits for the lease by looking again and again. Among several processes that wait, chance decides. Rejects with the signal's reason. */
export async function acquireLease(
  path: string,
  { signal, ...options }: LeaseOptions & { readonly signal?: AbortSignal | undefined } = {},
): Promise<Lease> {
  const contender = new Contender(path, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const lease = contender.take() ?? contender.takeOver();
    if (lease) return lease;
    await pause(pauseAfter(tries, POLL) * (0.5 + Math.random()), signal);
  }
}

/** The lease is free, or its holder is gone; only another process that begins at the same moment can take it first. */
const FREE_LEASE_MS = 1000;

/** The lease, for a caller that does not wait until its holder is done: null when a process holds it that may be alive. */
export async function acquireFreeLease(path: string, options: LeaseOptions = {}): Promise<Lease | null> {
  const holder = leaseHolder(path);
  if (holder !== null && !holder.isGone) return null;
  try {
    return await acquireLease(path, { ...options, signal: AbortSignal.timeout(FREE_LEASE_MS) });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return null;
    throw error;
  }
}

/** Somebody who wants a lease. */
export class Contender {
  readonly id: string;
  /** Where the holder can be reached; written into the lease. */
  address: WakeAddress | null = null;
  readonly #path: string;
  readonly #onLost: (() => void) | undefined;
  readonly #monotonic: () => number;
  #deniedSince: number | null = null;
  #seen = { touchedAt: Number.NaN, since: 0 };

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

  /** Null when the lease is not free now. */
  take(): Lease | null {
    const { id, address } = this;
    const holder = { id, pid: process.pid, host: hostIdentity(), ...(address ? { address } : {}) };
    return this.#create(JSON.stringify(holder)) ? hold(this.#path, id, this.#onLost) : null;
  }

  /** Takes the lease of a holder that is gone; null when there is none. `isKnownGone` says what is known besides the file. */
  takeOver(isKnownGone: (id: string) => boolean = () => false): Lease | null {
    const path = this.#path;
    const isKnown = () => isHolderKnownGone(path, isKnownGone);
    if (!isKnown() && !(isStale(path) && (isHolderDead(path) || this.#standsStill()))) return null;
    removeStale(path, () => isKnown() || isStale(path));
    return this.take();
  }

  #standsStill(): boolean {
    const touchedAt = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    if (touchedAt !== this.#seen.touchedAt) this.#seen = { touchedAt, since: this.#monotonic() };
    return this.#monotonic() - this.#seen.since >= STANDS_STILL_MS;
  }

  #create(text: string, mayMakeFolder = true): boolean {
    try {
      writeFileSync(this.#path, text, { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (mayMakeFolder && errorCode(error) === 'ENOENT') {
        mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
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

/** Faster than rmSync, which looks at the file first. */
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
    // The next heartbeat detects that it is gone.
  }
}

/** Whether the file is left from a process that no longer holds the lease. */
function isStale(path: string): boolean {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touchedAt === undefined) return false;
  const age = Date.now() - touchedAt;
  const holder = read(path);
  if (!holder) return age > EMPTY_STALE_MS;
  if (holder.host === hostIdentity() && !isAlive(holder.pid)) return true;
  return age > STALE_MS;
}

/** Whether the holder is dead, whatever the time. An empty file has none. */
function isHolderDead(path: string): boolean {
  const holder = read(path);
  return holder === null || (holder.host === hostIdentity() && !isAlive(holder.pid));
}

function isHolderKnownGone(path: string, isKnownGone: (id: string) => boolean): boolean {
  const holder = read(path);
  return holder !== null && typeof holder.id === 'string' && isKnownGone(holder.id);
}

/**
 * Two processes that find a lease stale must not remove each other's new one: only the holder of a second file removes it, after another
 * check.
 */
function removeStale(path: string, isGone: () => boolean): void {
  const guard = `${path}.succession`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > EMPTY_STALE_MS) rmSync(guard, { force: true });
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

/** Who holds the lease and can be reached; null when it is free, or its holder cannot be reached. */
export function reachableHolder(path: string): { readonly id: string; readonly address: WakeAddress } | null {
  const holder = read(path);
  return holder?.address && typeof holder.id === 'string' ? { id: holder.id, address: holder.address } : null;
}

/** The holder of a lease, for reports. */
export interface LeaseHolder {
  /** Null when the process was killed before it could write its number. */
  readonly pid: number | null;
  /** Whether it is a process of this machine. */
  readonly isHere: boolean;
  /** The lease is stale: the next process that needs it takes it over. */
  readonly isGone: boolean;
  /** Milliseconds since it was acquired. */
  readonly heldMs: number;
}

/** Null when it is free. */
export function leaseHolder(path: string): LeaseHolder | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  const holder = read(path);
  return {
    pid: holder?.pid ?? null,
    isHere: holder?.host === hostIdentity(),
    isGone: isStale(path),
    heldMs: Math.max(0, Date.now() - (stats.birthtimeMs || stats.mtimeMs)),
  };
}

function read(path: string): { id: unknown; pid: number; host: unknown; address: WakeAddress | null } | null {
  try {
    // Reading from a pipe would not end.
    if (!statSync(path).isFile()) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const pid: unknown = Reflect.get(value, 'pid');
    if (typeof pid !== 'number') return null;
    const address = parseAddress(Reflect.get(value, 'address'));
    return { id: Reflect.get(value, 'id'), pid, host: Reflect.get(value, 'host'), address };
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
