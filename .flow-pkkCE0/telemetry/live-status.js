import { checkOptions, demand } from "../core/option-checks.js";
import { isAhead } from "./latest.js";
import { readFlag, readNumber } from "./readings.js";
import { timestampMs } from "./timestamps.js";
const liveStatuses = ["moving", "idling", "stopped", "stale", "offline", "unknown"];
const staleAfterMs = 90 * 6e4;
const offlineAfterMs = 6 * 36e5;
const movingKmh = 2;
function liveStatus(snapshot, options = {}) {
  checkOptions(options, checks, "liveStatus");
  const now = Number(options.now ?? Date.now());
  const stale = options.staleAfterMs ?? staleAfterMs;
  const offline = options.offlineAfterMs ?? offlineAfterMs;
  const seenAt = timestampMs(snapshot?.timestamp);
  if (seenAt === null) return "unknown";
  if (isAhead(seenAt, now)) return "unknown";
  const ageMs = now - seenAt;
  if (ageMs >= offline) return "offline";
  if (ageMs >= stale) return "stale";
  const { gps, canBus, ignition } = snapshot ?? {};
  const speed = readNumber(gps?.speed) ?? readNumber(canBus?.canSpeed) ?? readNumber(canBus?.canWheelSpeed);
  const engine = readFlag(ignition?.engineStatus);
  if (typeof speed === "number" && speed >= movingKmh && engine !== false) return "moving";
  if (engine === true) return "idling";
  return engine === false || typeof speed === "number" ? "stopped" : "unknown";
}
const time = demand((value) => !Number.isNaN(Number(value)), "a Date, or a number of milliseconds");
const age = demand((value) => typeof value === "number" && !Number.isNaN(value), "a number of milliseconds");
const checks = { now: time, staleAfterMs: age, offlineAfterMs: age };
export {
  liveStatus,
  liveStatuses,
  offlineAfterMs,
  staleAfterMs
};
