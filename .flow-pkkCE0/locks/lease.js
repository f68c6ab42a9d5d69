import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../core/error-code.js";
import { pauseAfter } from "../core/growing-pause.js";
import { makeFolder } from "../core/make-folder.js";
import { hostIdentity, ownIdentity, parseIdentity, stateOf } from "./process-identity.js";
import { parseAddress, removeSocket } from "./wake-address.js";
const HEARTBEAT_MS = 2e3;
const STALE_MS = 3e4;
const EMPTY_STALE_MS = 2e3;
const STANDS_STILL_MS = 5e3;
const POLL = { firstMs: 5, longestMs: 40, factor: 1.5 };
const EPERM_GRACE_MS = 3e3;
function tryAcquireLease(path, { onLost } = {}) {
  return new Contender(path, { onLost }).take();
}
function acquireLease(path, options = {}) {
  return acquireLeaseUnless(path, async () => null, options);
}
async function acquireLeaseUnless(path, outcome, { signal, ...options } = {}) {
  const contender = new Contender(path, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const lease = contender.take() ?? contender.takeOver();
    if (lease) return lease;
    await pause(pauseAfter(tries, POLL) * (0.5 + Math.random()), signal);
    const found = await outcome();
    if (found !== null) return found;
  }
}
async function acquireFreeLease(path, { signal, onWait, ...options } = {}) {
  const contender = new Contender(path, options);
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const lease = contender.take() ?? contender.takeOver();
    if (lease) return lease;
    if (contender.isHolderAlive()) return null;
    if (tries === 1) onWait?.();
    await pause(pauseAfter(tries, POLL), signal);
  }
}
class Contender {
  id;
  /** Where the holder can be reached; written into the lease. */
  address = null;
  #path;
  #onLost;
  #monotonic;
  #deniedSince = null;
  #seen = { touchedAt: Number.NaN, since: 0 };
  #hasMoved = false;
  constructor(path, { onLost, monotonic = () => performance.now() } = {}, id = randomUUID()) {
    this.id = id;
    this.#path = path;
    this.#onLost = onLost;
    this.#monotonic = monotonic;
  }
  /** Null when the lease is not free now. */
  take() {
    const { id, address } = this;
    const holder = { id, ...ownIdentity(), ...address ? { address } : {} };
    return this.#create(JSON.stringify(holder)) ? hold(this.#path, id, this.#onLost) : null;
  }
  /** Takes the lease of a holder that is gone; null when there is none. `isKnownGone` says what is known besides the file. */
  takeOver(isKnownGone = () => false) {
    const path = this.#path;
    const isFree = () => isHolderKnownGone(path, isKnownGone) || this.#isAbandoned();
    if (!isFree()) return null;
    removeStale(path, isFree);
    return this.take();
  }
  /** Returns true for a holder that surely runs, or has touched the lease since `takeOver` first looked at it. */
  isHolderAlive() {
    const holder = read(this.#path);
    return this.#hasMoved || holder !== null && stateOf(holder) === "running";
  }
  #isAbandoned() {
    const touchedAt = touchedAtOf(this.#path);
    if (touchedAt === null) return false;
    if (isLeft(this.#path, touchedAt)) return true;
    if (touchedAt !== this.#seen.touchedAt) {
      this.#hasMoved = !Number.isNaN(this.#seen.touchedAt);
      this.#seen = { touchedAt, since: this.#monotonic() };
    }
    const stillMs = this.#monotonic() - this.#seen.since;
    return stillMs >= (Date.now() - touchedAt > STALE_MS ? STANDS_STILL_MS : STALE_MS);
  }
  #create(text, mayMakeFolder = true) {
    try {
      writeFileSync(this.#path, text, { flag: "wx", mode: 384 });
      return true;
    } catch (error) {
      if (mayMakeFolder && errorCode(error) === "ENOENT") {
        makeFolder(dirname(this.#path));
        return this.#create(text, false);
      }
      const isTemporary = process.platform === "win32" && (errorCode(error) === "EPERM" || errorCode(error) === "EBUSY");
      if (!isTemporary) this.#deniedSince = null;
      if (errorCode(error) === "EEXIST") return false;
      this.#deniedSince ??= this.#monotonic();
      if (isTemporary && this.#monotonic() - this.#deniedSince < EPERM_GRACE_MS) return false;
      throw error;
    }
  }
}
function hold(path, id, onLost) {
  const heartbeat = setInterval(() => {
    if (read(path)?.id === id) touch(path);
    else {
      clearInterval(heartbeat);
      onLost?.();
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    id,
    release() {
      clearInterval(heartbeat);
      if (read(path)?.id === id) removeFile(path);
    }
  };
}
function removeFile(path) {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
function touch(path) {
  try {
    const now = /* @__PURE__ */ new Date();
    utimesSync(path, now, now);
  } catch {
  }
}
function touchedAtOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
function isLeft(path, touchedAt) {
  const holder = read(path);
  return holder === null ? Math.abs(Date.now() - touchedAt) > EMPTY_STALE_MS : stateOf(holder) === "gone";
}
function isHolderKnownGone(path, isKnownGone) {
  const holder = read(path);
  return holder !== null && typeof holder.id === "string" && isKnownGone(holder.id);
}
function removeStale(path, isGone) {
  const guard = `${path}.succession`;
  try {
    writeFileSync(guard, "", { flag: "wx", mode: 384 });
  } catch {
    const touchedAt = touchedAtOf(guard);
    if (touchedAt !== null && Math.abs(Date.now() - touchedAt) > EMPTY_STALE_MS) rmSync(guard, { force: true });
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
function reachableHolder(path) {
  const holder = read(path);
  return holder?.address && typeof holder.id === "string" ? { id: holder.id, address: holder.address } : null;
}
function leaseHolder(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return null;
  const holder = read(path);
  const isSilent = Date.now() - stats.mtimeMs > STALE_MS;
  return {
    pid: holder?.pid ?? null,
    isHere: holder?.host === hostIdentity(),
    isGone: isLeft(path, stats.mtimeMs) || isSilent && holder !== null && stateOf(holder) === "unknown",
    heldMs: Math.max(0, Date.now() - (stats.birthtimeMs || stats.mtimeMs))
  };
}
function read(path) {
  try {
    if (!statSync(path).isFile()) return null;
    const value = JSON.parse(readFileSync(path, "utf8"));
    const identity = parseIdentity(value);
    if (identity === null) return null;
    return {
      ...identity,
      id: Reflect.get(Object(value), "id"),
      address: parseAddress(Reflect.get(Object(value), "address"))
    };
  } catch {
    return null;
  }
}
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
export {
  Contender,
  acquireFreeLease,
  acquireLease,
  acquireLeaseUnless,
  leaseHolder,
  reachableHolder,
  tryAcquireLease
};
