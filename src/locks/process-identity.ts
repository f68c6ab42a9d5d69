import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The identity of a process, also when its pid is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Machine of the pid, from `hostIdentity`. */
  readonly host: string;
  /** Boot id and start tick; null on macOS and Windows. */
  readonly startedAt: string | null;
}

let identity: string | null = null;
let own: ProcessIdentity | null = null;
let boot: string | null = null;

/** Returns the scope of pids: this machine, and on Linux its pid namespace (containers). */
export function hostIdentity(): string {
  identity ??= readIdentity();
  return identity;
}

function readIdentity(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

export function ownIdentity(): ProcessIdentity {
  own ??= { pid: process.pid, host: hostIdentity(), startedAt: statOf(process.pid)?.startedAt ?? null };
  return own;
}

export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null;
  const pid: unknown = Reflect.get(value, 'pid');
  const host: unknown = Reflect.get(value, 'host');
  const startedAt: unknown = Reflect.get(value, 'startedAt');
  if (typeof pid !== 'number' || typeof host !== 'string') return null;
  return { pid, host, startedAt: typeof startedAt === 'string' ? startedAt : null };
}

/** `unknown`: another host, or a pid in use by a process that cannot be identified. */
export function stateOf({ pid, host, startedAt }: ProcessIdentity): 'running' | 'gone' | 'unknown' {
  if (host !== hostIdentity()) return 'unknown';
  if (!isInUse(pid)) return 'gone';
  const stat = statOf(pid);
  if (stat?.isZombie) return 'gone';
  if (startedAt === null || !stat?.startedAt) return 'unknown';
  return stat.startedAt === startedAt ? 'running' : 'gone';
}

function isInUse(pid: number): boolean {
  try {
    // Signal 0 only tests. Every error but ESRCH means that the pid is in use.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}

interface Stat {
  /** A zombie keeps its pid until its parent waits for it, which in a container may be never. */
  readonly isZombie: boolean;
  readonly startedAt: string | null;
}

function statOf(pid: number): Stat | null {
  if (process.platform !== 'linux') return null;
  try {
    // The name in parentheses may contain anything. After it, field 0 is the state and field 19 the
    // start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { isZombie: /^[ZX]$/.test(fields[0] ?? ''), startedAt: fields[19] ? `${boot} ${fields[19]}` : null };
  } catch {
    return null;
  }
}
