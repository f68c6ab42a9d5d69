// Identifies processes, and says whether one still runs.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, also among those that had the same number before it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The machine where the number is valid, as `hostIdentity` returns it. */
  readonly host: string;
  /** The boot of the machine and the clock tick of the start; null where the system does not say (macOS, Windows). */
  readonly startedAt: string | null;
}

let identity: string | null = null;
let own: ProcessIdentity | null = null;
let boot: string | null = null;

/** Where process numbers are valid: on this machine, and on Linux in this process namespace (a container has its own). */
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

/** Returns the process in something that was read from a file; null when there is none. */
export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null;
  const pid: unknown = Reflect.get(value, 'pid');
  const host: unknown = Reflect.get(value, 'host');
  const startedAt: unknown = Reflect.get(value, 'startedAt');
  if (typeof pid !== 'number' || typeof host !== 'string') return null;
  return { pid, host, startedAt: typeof startedAt === 'string' ? startedAt : null };
}

/** `unknown`: it ran on another host, or its number is in use and the system does not say by which process. */
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
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it belongs to another user.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}

interface Stat {
  /** A killed process keeps its number until its parent waits for it, which in a container may be never. */
  readonly isZombie: boolean;
  readonly startedAt: string | null;
}

function statOf(pid: number): Stat | null {
  if (process.platform !== 'linux') return null;
  try {
    // The state is the first field after the name, which is in brackets and may hold anything; the start is the 20th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { isZombie: /^[ZX]$/.test(fields[0] ?? ''), startedAt: fields[19] ? `${boot} ${fields[19]}` : null };
  } catch {
    return null;
  }
}
