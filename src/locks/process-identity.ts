// Which process holds something, and whether it still runs.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let identity: string | null = null;
let mark: string | null = null;

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

/** The same in eight characters, for file names. */
export function hostMark(): string {
  mark ??= createHash('sha256').update(hostIdentity()).digest('hex').slice(0, 8);
  return mark;
}

/** Whether a process of this machine is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return !(typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH');
  }
}

/** A process that was killed keeps its number until its parent asks what has become of it, which in a container may be never. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    // The state follows the name, which is in brackets and may hold anything.
    return /^ [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, ''));
  } catch {
    return false;
  }
}
