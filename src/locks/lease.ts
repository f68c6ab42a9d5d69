// The right to something, held by one process of the machine at a time: a file that exists while it is held. Its holder
// touches it again and again; a holder that was killed is noticed and succeeded.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

const HEARTBEAT_MS = 2000;
/** A holder that lives and whose file is older than this was asleep or is another process with the same number. */
const STALE_MS = 30_000;
/** Between making a lease file and writing into it lie microseconds; longer means that its maker was killed there. */
const UNWRITTEN_STALE_MS = 2000;
const SHORTEST_POLL_MS = 5;
const LONGEST_POLL_MS = 40;
/** Windows answers EPERM for a moment while a file is being removed; longer than this it means what it says. */
const PERMISSION_PATIENCE_MS = 3000;

export interface Lease {
  /** Gives it back. Does nothing when somebody else took it over. */
  release(): void;
}

export interface LeaseOptions {
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once when somebody else took the lease over although this process still lives. */
  readonly onLost?: (() => void) | undefined;
}

/** The lease, if it is free now; else null. */
export function tryAcquireLease(path: string, { onLost }: Pick<LeaseOptions, 'onLost'> = {}): Lease | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const text = JSON.stringify({ id, pid: process.pid, host: hostIdentity() });
  return create(path, text, Date.now()) ? hold(path, id, onLost) : null;
}

/** Waits for the lease of this file. Who waits longest is not served first: turns fall by chance. */
export async function acquireLease(path: string, { signal, onLost }: LeaseOptions = {}): Promise<Lease> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const id = randomUUID();
  const text = JSON.stringify({ id, pid: process.pid, host: hostIdentity() });
  const startedAt = Date.now();
  let poll = SHORTEST_POLL_MS;
  for (;;) {
    signal?.throwIfAborted();
    if (create(path, text, startedAt)) return hold(path, id, onLost);
    if (isStale(path)) succeed(path);
    else {
      await pause(poll * (0.5 + Math.random()), signal);
      poll = Math.min(LONGEST_POLL_MS, poll * 1.5);
    }
  }
}

function create(path: string, text: string, startedAt: number): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    const mayPass = process.platform === 'win32' && (hasCode(error, 'EPERM') || hasCode(error, 'EBUSY'));
    if (mayPass && Date.now() - startedAt < PERMISSION_PATIENCE_MS) return false;
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
  // What keeps the process alive is the work under the lease, not the lease.
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
    // The next heartbeat sees whether it is gone.
  }
}

/** Whether nobody holds the lease any more although its file is there. */
function isStale(path: string): boolean {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touchedAt === undefined) return false;
  const age = Date.now() - touchedAt;
  const holder = read(path);
  if (!holder) return age > UNWRITTEN_STALE_MS;
  if (holder.host === hostIdentity() && !isAlive(holder.pid)) return true;
  return age > STALE_MS;
}

/**
 * Removes a stale lease. Two that find it stale must not remove each other's new one: only who holds the right to
 * succeed removes, after looking again.
 */
function succeed(path: string): void {
  const guard = `${path}.succession`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch {
    const age = Date.now() - (statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > UNWRITTEN_STALE_MS) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Who holds a lease, for those who only look. */
export interface LeaseHolder {
  /** Null when its maker was killed before it could write it down. */
  readonly pid: number | null;
  /** Whether the process is one of this machine; another's cannot be looked at. */
  readonly isHere: boolean;
  /** Nobody holds it any more: who wants it next takes it over. */
  readonly isGone: boolean;
  /** Since it was taken, in milliseconds. */
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

/** Process numbers mean something only here: the machine, and on Linux the process namespace (a container has its own). */
export function hostIdentity(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Whether a process of this machine lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return !hasCode(error, 'ESRCH');
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
