// A lease that one process of the machine holds at a time: a file that exists while it is held. The holder touches it regularly; the
// lease of a process that was killed is taken over.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const HEARTBEAT_MS = 2000;
/** A file this old has a holder that sleeps, or that is another process with the same number. */
const STALE_MS = 30_000;
/** A lease file is empty for microseconds; longer means that its process was killed in between. */
const EMPTY_STALE_MS = 2000;
const MIN_POLL_MS = 5;
const MAX_POLL_MS = 40;
/** Windows answers EPERM for a moment while a file is being removed; after this time it is a real error. */
const EPERM_GRACE_MS = 3000;

export interface Lease {
  /** Does nothing when another process took the lease over. */
  release(): void;
}

export interface LeaseOptions {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once when another process takes the lease over although this one is alive. */
  readonly onLost?: (() => void) | undefined;
}

/** Null when the lease is not free now. */
export function tryAcquireLease(path: string, { onLost }: Pick<LeaseOptions, 'onLost'> = {}): Lease | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const text = JSON.stringify({ id, pid: process.pid, host: hostIdentity() });
  return create(path, text, Date.now()) ? hold(path, id, onLost) : null;
}

/** Waits for the lease. Among several processes that wait, chance decides; tickets.ts keeps their order. */
export async function acquireLease(path: string, { signal, onLost }: LeaseOptions = {}): Promise<Lease> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const text = JSON.stringify({ id, pid: process.pid, host: hostIdentity() });
  const startedAt = Date.now();
  let poll = MIN_POLL_MS;
  for (;;) {
    signal?.throwIfAborted();
    if (create(path, text, startedAt)) return hold(path, id, onLost);
    if (isStale(path)) removeStale(path);
    else {
      await pause(poll * (0.5 + Math.random()), signal);
      poll = Math.min(MAX_POLL_MS, poll * 1.5);
    }
  }
}

function create(path: string, text: string, startedAt: number): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    const isTemporary = process.platform === 'win32' && (hasCode(error, 'EPERM') || hasCode(error, 'EBUSY'));
    if (isTemporary && Date.now() - startedAt < EPERM_GRACE_MS) return false;
    throw error;
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
    release() {
      clearInterval(heartbeat);
      if (read(path)?.id === id) rmSync(path, { force: true });
    },
  };
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

/**
 * Two processes that find a lease stale must not remove each other's new one: only the holder of a second file removes it, after another
 * check.
 */
function removeStale(path: string): void {
  const guard = `${path}.succession`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > EMPTY_STALE_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
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

function read(path: string): { id: unknown; pid: number; host: unknown } | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const pid: unknown = Reflect.get(value, 'pid');
    return typeof pid === 'number' ? { id: Reflect.get(value, 'id'), pid, host: Reflect.get(value, 'host') } : null;
  } catch {
    return null;
  }
}

/** Where process numbers are valid: on this machine, and on Linux in this process namespace (a container has its own). */
export function hostIdentity(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether a process of this machine is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return !hasCode(error, 'ESRCH');
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

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
