import { compareForms, messageOf, unreadableText } from "../core/error-messages.js";
import { ProtocolError } from "../core/errors.js";
const ON = /* @__PURE__ */ new Set(["on", "true", "running", "started", "active", "yes", "valid", "fix", "1"]);
const OFF = /* @__PURE__ */ new Set(["off", "false", "stopped", "inactive", "no", "invalid", "nofix", "no_fix", "0"]);
const MISSING = /* @__PURE__ */ new Set(["", "unknown", "null", "none", "n/a", "-"]);
function readFlag(value) {
  if (typeof value === "boolean") return value;
  if (value === null || value === void 0) return null;
  if (typeof value !== "string" && typeof value !== "number") return void 0;
  const word = String(value).trim().toLowerCase();
  if (ON.has(word)) return true;
  if (OFF.has(word)) return false;
  return MISSING.has(word) ? null : void 0;
}
function readNumber(value) {
  if (typeof value === "number") return Number.isFinite(value) ? value : void 0;
  if (value === null || value === void 0) return null;
  if (typeof value !== "string") return void 0;
  const text = value.trim();
  if (MISSING.has(text.toLowerCase())) return null;
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : void 0;
}
function readText(value) {
  if (typeof value === "string") return value === "" ? null : value;
  return typeof value === "number" ? String(value) : null;
}
const NOBODY = "0";
function identifiedDriver(driver) {
  const id = driver ? readText(driver.driverId) : null;
  return id === NOBODY ? null : id;
}
const sources = {
  ignition: "ignition.engineStatus",
  fix: "gps.state",
  position: "gps.latitude and gps.longitude",
  speed: "gps.speed",
  direction: "gps.direction",
  altitude: "gps.altitude"
};
class Readings {
  #counts = /* @__PURE__ */ new Map();
  flag(what, value) {
    return this.#counted(what, readFlag(value));
  }
  number(what, value) {
    return this.#counted(what, readNumber(value));
  }
  /** Throws when there were values of this kind, and none of them could be read: a result without them would be wrong. */
  require(what, operation) {
    const count = this.#counts.get(what);
    if (count === void 0 || count.read > 0 || count.unreadable === 0) return;
    const facts = { kind: "unreadable", ...factsOf(what, count) };
    throw new ProtocolError(messageOf(facts, { operation }), { operation, facts });
  }
  /** A warning for each kind of value that could not always be read. */
  warnings() {
    return [...this.#counts].flatMap(
      ([what, count]) => count.unreadable === 0 ? [] : {
        code: "UNREADABLE_VALUES",
        message: `${unreadableText(factsOf(what, count))} They count as missing. ${compareForms}`
      }
    );
  }
  #counted(what, value) {
    if (value === null) return null;
    const count = this.#counts.get(what) ?? { read: 0, unreadable: 0 };
    this.#counts.set(what, count);
    if (value === void 0) {
      count.unreadable++;
      return null;
    }
    count.read++;
    return value;
  }
}
function factsOf(what, { unreadable: snapshots }) {
  return { values: what, member: sources[what], snapshots };
}
export {
  Readings,
  identifiedDriver,
  readFlag,
  readNumber,
  readText
};
