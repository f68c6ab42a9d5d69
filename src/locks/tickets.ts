// The order in which processes get a lease: each puts a ticket into a folder, and the oldest ticket of a living process is next. Tickets
// decide only the order. The lease makes sure that one process at a time holds it, so a lost ticket or a wrong clock costs no more than
// a place in the queue.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostIdentity, isAlive } from './lease.js';

/** A waiting process touches its ticket about this often. */
const TOUCHED_EVERY_MS = 2000;
/** A ticket that was not touched for so long is removed; at once when its process is known to be gone. */
const STALE_MS = 30_000;
/** The first in the queue checks most often. */
const POLL_MS_PER_PLACE = 4;
const MAX_POLL_MS = 40;

/** Whether any process waits. */
export function hasTickets(folder: string): boolean {
  return ticketsIn(folder).length > 0;
}

/** Waits until the ticket is the first one. The returned function removes the ticket. Rejects with the signal's reason. */
export async function waitForTicket(folder: string, signal: AbortSignal | undefined): Promise<() => void> {
  const name = `${String(Date.now()).padStart(15, '0')}.${process.pid}.${hostMark()}.${randomUUID().slice(0, 8)}`;
  const path = join(folder, name);
  const create = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  };
  const remove = () => rmSync(path, { force: true });
  create();
  let touchedAt = Date.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const all = ticketsIn(folder);
      const ahead = all.indexOf(name);
      // Another process considered this one dead, for example after a long sleep.
      if (ahead < 0) create();
      if (ahead === 0) return remove;
      const [first] = all;
      if (first !== undefined && isStale(join(folder, first), first)) rmSync(join(folder, first), { force: true });
      else {
        const ms = Math.min(MAX_POLL_MS, POLL_MS_PER_PLACE * Math.max(1, ahead));
        await pause(ms * (0.5 + Math.random()), undefined, signal ? { signal } : {}).catch(() => undefined);
      }
      if (Date.now() - touchedAt > TOUCHED_EVERY_MS) {
        touchedAt = Date.now();
        touch(path);
      }
    }
  } catch (error) {
    remove();
    throw error;
  }
}

/** Their names, oldest first. */
function ticketsIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // The folder does not exist: no process has waited yet.
    return [];
  }
}

function isStale(path: string, name: string): boolean {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touchedAt === undefined) return false;
  const [, pid, host] = name.split('.');
  if (host === hostMark() && !isAlive(Number(pid))) return true;
  return Date.now() - touchedAt > STALE_MS;
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // The next check of the folder shows whether it is gone.
  }
}

let mark: string | null = null;

/** Identifies the machine, because process numbers are valid only there. */
function hostMark(): string {
  mark ??= createHash('sha256').update(hostIdentity()).digest('hex').slice(0, 8);
  return mark;
}
