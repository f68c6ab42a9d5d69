// The order in which processes get a lease: each creates a ticket file, and the oldest ticket of a
// living process is next. Tickets decide only the order. The lease guarantees a single holder, so a
// lost ticket or a wrong clock costs only a place in the queue.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../core/private-file.js';
import { ownIdentity, type ProcessIdentity, parseIdentity, stateOf } from './process-identity.js';
import { parseAddress, removeSocket, type WakeAddress } from './wake-address.js';

const TOUCHED_EVERY_MS = 2000;
/** Age at which a ticket is removed; at once when its process is known to be gone. */
const STALE_MS = 30_000;

export interface Waiter {
  readonly id: string;
  readonly address: WakeAddress | null;
  readonly process: ProcessIdentity | null;
}

export class Ticket {
  readonly id: string = randomUUID();
  readonly #folder: string;
  readonly #name: string;
  #address: WakeAddress | null = null;
  #touchedAt = 0;

  /** Puts the ticket behind all that are in the folder. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#name = `${String(Date.now()).padStart(15, '0')}.${process.pid}.${this.id.slice(0, 8)}`;
    this.#write();
  }

  publish(address: WakeAddress): void {
    this.#address = address;
    this.#write();
  }

  /** Returns the earlier tickets, oldest first. Touches this one, so that it stays fresh. */
  ahead(): readonly string[] {
    const all = ticketsIn(this.#folder);
    const place = all.indexOf(this.#name);
    // Another process considered this one dead, for example after a long sleep.
    if (place < 0) this.#write();
    else if (Date.now() - this.#touchedAt > TOUCHED_EVERY_MS) this.#touch();
    return place < 0 ? all.filter((name) => name < this.#name) : all.slice(0, place);
  }

  remove(): void {
    try {
      unlinkSync(join(this.#folder, this.#name));
    } catch {
      // The ticket is gone, or becomes stale.
    }
  }

  #write(): void {
    makeFolder(this.#folder);
    const text = JSON.stringify({ id: this.id, ...ownIdentity(), address: this.#address });
    writeFileSync(join(this.#folder, this.#name), text, { mode: 0o600 });
    this.#touchedAt = Date.now();
  }

  #touch(): void {
    this.#touchedAt = Date.now();
    try {
      const now = new Date();
      utimesSync(join(this.#folder, this.#name), now, now);
    } catch {
      // The next poll detects a missing ticket.
    }
  }
}

export function ticketsIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // The folder does not exist: no process has waited yet.
    return [];
  }
}

/** Returns null when the ticket is gone or not completely written. */
export function readTicket(folder: string, name: string): Waiter | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : null;
    if (typeof id !== 'string') return null;
    return { id, address: parseAddress(Reflect.get(Object(value), 'address')), process: parseIdentity(value) };
  } catch {
    return null;
  }
}

/** Removes ticket and socket of a process that is gone; returns false when the process is alive. */
export function removeStaleTicket(folder: string, name: string, isKnownGone: (id: string) => boolean): boolean {
  const path = join(folder, name);
  const waiter = readTicket(folder, name);
  if (!(waiter && isKnownGone(waiter.id)) && !isStale(path, waiter)) return false;
  rmSync(path, { force: true });
  if (waiter?.address) removeSocket(waiter.address);
  return true;
}

function isStale(path: string, waiter: Waiter | null): boolean {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touchedAt === undefined) return false;
  if (waiter?.process && stateOf(waiter.process) === 'gone') return true;
  return Date.now() - touchedAt > STALE_MS;
}
