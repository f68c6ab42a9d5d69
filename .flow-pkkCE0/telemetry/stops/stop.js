import { isObject } from "../../core/json.js";
import { demand, flag, numberFrom } from "../../core/option-checks.js";
import { timestampMs } from "../timestamps.js";
const SHORTEST_STOP_MS = 5 * 6e4;
const stopChecks = {
  minMs: numberFrom(SHORTEST_STOP_MS),
  lateMs: numberFrom(0),
  clip: flag,
  continued: demand(
    (value) => Array.isArray(value) && value.every(isContinued),
    "a list of { stop, unchangedSince } with open stops"
  )
};
function isContinued(value) {
  if (!isObject(value)) return false;
  const { stop, unchangedSince } = value;
  if (!isObject(stop)) return false;
  const { vehicleId, startedAt, lastSeenAt, isOpen, driverIds } = stop;
  const areTimes = [startedAt, lastSeenAt, unchangedSince].every(
    (time) => typeof time === "string" && timestampMs(time) !== null
  );
  return areTimes && typeof vehicleId === "string" && isOpen === true && Array.isArray(driverIds);
}
export {
  SHORTEST_STOP_MS,
  stopChecks
};
