// The order in which processes take a turn: each puts a ticket into a folder, and the oldest living one is next. Tickets only say who
// is next; that the turn is held by one at a time is the lease's to see to, so that a lost ticket or a wrong clock costs a
// place and nothing more.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostIdentity, isAlive } from './lease.js';

/** A ticket is touched about this often while its owner waits … */
const TOUCHED_EVERY_MS = 2000;
/** … and one that was not for so long is nobody's, unless its process is known to be gone sooner. */
const STALE_MS = 30_000;
/** Who is next looks most often; the others have to wait for those before them anyway. */
const POLL_MS_PER_PLACE = 4;
const LONGEST_POLL_MS = 40;

/** Whether somebody waits here. */
export function somebodyWaits(folder: string): boolean {
  return tickets(folder).length > 0;
}

/** Waits until all who came before have had their turn; the returned function gives the place up. Rejects with the signal's reason. */
export async function placeInLine(folder: string, signal: AbortSignal | undefined): Promise<() => void> {
  const name = `${String(Date.now()).padStart(15, '0')}.${process.pid}.${hostMark()}.${randomUUID().slice(0, 8)}`;
  const path = join(folder, name);
  const put = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, '', { mode: 0o600 });
  };
  const leave = () => rmSync(path, { force: true });
  put();
  let touchedAt = Date.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const all = tickets(folder);
      const ahead = all.indexOf(name);
      // Taken for dead by somebody, after a long sleep for example.
      if (ahead < 0) put();
      if (ahead === 0) return leave;
      const [first] = all;
      if (first !== undefined && isNobodys(join(folder, first), first)) rmSync(join(folder, first), { force: true });
      else {
        const ms = Math.min(LONGEST_POLL_MS, POLL_MS_PER_PLACE * Math.max(1, ahead));
        await pause(ms * (0.5 + Math.random()), undefined, signal ? { signal } : {}).catch(() => undefined);
      }
      if (Date.now() - touchedAt > TOUCHED_EVERY_MS) {
        touchedAt = Date.now();
        touch(path);
      }
    }
  } catch (error) {
    leave();
    throw error;
  }
}

/** Their names, oldest first. */
function tickets(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // Nobody ever waited here.
    return [];
  }
}

function isNobodys(path: string, name: string): boolean {
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
    // The next look at the folder shows whether it is gone.
  }
}

let mark: string | null = null;

/** Process numbers mean something only on the same machine. */
function hostMark(): string {
  mark ??= createHash('sha256').update(hostIdentity()).digest('hex').slice(0, 8);
  return mark;
}
