import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../core/make-folder.js";
import { ownIdentity, parseIdentity, stateOf } from "./process-identity.js";
import { parseAddress, removeSocket } from "./wake-address.js";
const TOUCHED_EVERY_MS = 2e3;
const STALE_MS = 3e4;
class Ticket {
  /** The id of the turn that it is for. */
  id = randomUUID();
  #folder;
  #name;
  #address = null;
  #touchedAt = 0;
  /** Puts the ticket into the folder, behind all that are there. */
  constructor(folder) {
    this.#folder = folder;
    this.#name = `${String(Date.now()).padStart(15, "0")}.${process.pid}.${this.id.slice(0, 8)}`;
    this.#write();
  }
  /** From now on the process can be woken there. */
  publish(address) {
    this.#address = address;
    this.#write();
  }
  /** The names of the tickets before this one, oldest first. Keeps the ticket from becoming stale. */
  ahead() {
    const all = ticketsIn(this.#folder);
    const place = all.indexOf(this.#name);
    if (place < 0) this.#write();
    else if (Date.now() - this.#touchedAt > TOUCHED_EVERY_MS) this.#touch();
    return place < 0 ? all.filter((name) => name < this.#name) : all.slice(0, place);
  }
  remove() {
    try {
      unlinkSync(join(this.#folder, this.#name));
    } catch {
    }
  }
  #write() {
    makeFolder(this.#folder);
    const text = JSON.stringify({ id: this.id, ...ownIdentity(), address: this.#address });
    writeFileSync(join(this.#folder, this.#name), text, { mode: 384 });
    this.#touchedAt = Date.now();
  }
  #touch() {
    this.#touchedAt = Date.now();
    try {
      const now = /* @__PURE__ */ new Date();
      utimesSync(join(this.#folder, this.#name), now, now);
    } catch {
    }
  }
}
function ticketsIn(folder) {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
function readTicket(folder, name) {
  try {
    const value = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const id = typeof value === "object" && value !== null ? Reflect.get(value, "id") : null;
    if (typeof id !== "string") return null;
    return { id, address: parseAddress(Reflect.get(Object(value), "address")), process: parseIdentity(value) };
  } catch {
    return null;
  }
}
function removeStaleTicket(folder, name, isKnownGone) {
  const path = join(folder, name);
  const waiter = readTicket(folder, name);
  if (!(waiter && isKnownGone(waiter.id)) && !isStale(path, waiter)) return false;
  rmSync(path, { force: true });
  if (waiter?.address) removeSocket(waiter.address);
  return true;
}
function isStale(path, waiter) {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (touchedAt === void 0) return false;
  if (waiter?.process && stateOf(waiter.process) === "gone") return true;
  return Date.now() - touchedAt > STALE_MS;
}
export {
  Ticket,
  readTicket,
  removeStaleTicket,
  ticketsIn
};
