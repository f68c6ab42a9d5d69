import { isObject } from "../../core/json.js";
import { checkOptions, demand, flag, numberFrom } from "../../core/option-checks.js";
import { shapesById } from "../visits/geofence-visits.js";
import { defaultLateMs } from "./reorder-buffer.js";
const defaultLimits = {
  closeAfterMs: 12e4,
  silenceMs: 6 * 36e5,
  lateMs: defaultLateMs,
  fastestKmh: 250,
  movingKmh: 2,
  withTrack: false,
  withDetails: false,
  speedLimitKmh: 90,
  geofences: /* @__PURE__ */ new Map()
};
const tripChecks = {
  closeAfterMs: numberFrom(0),
  silenceMs: numberFrom(0),
  lateMs: numberFrom(0),
  fastestKmh: numberFrom(0),
  movingKmh: numberFrom(0),
  withTrack: flag,
  withDetails: flag,
  speedLimitKmh: numberFrom(0),
  geofences: demand(isGeofences, "a list of geofences, each with an id and its GeoJSON")
};
function tripLimits(options) {
  const given = Object.entries(options ?? {}).filter(([, value]) => value !== void 0 && value !== null);
  const limits = Object.fromEntries(given);
  checkOptions(limits, tripChecks, "trips");
  const { geofences, ...others } = limits;
  return { ...defaultLimits, ...others, ...geofences && { geofences: shapesById(geofences) } };
}
function isGeofences(value) {
  return Array.isArray(value) && value.every((one) => isObject(one) && typeof one.id === "string");
}
function splitTripOptions(options) {
  const {
    closeAfterMs,
    silenceMs,
    lateMs,
    fastestKmh,
    movingKmh,
    withTrack,
    withDetails,
    speedLimitKmh,
    geofences,
    clip,
    ...call
  } = (
    // No options are an empty object.
    options ?? {}
  );
  const moving = { closeAfterMs, silenceMs, lateMs, fastestKmh, movingKmh };
  const limits = tripLimits({ ...moving, withTrack, withDetails, speedLimitKmh, geofences });
  return { limits, clip: clip === true, call };
}
export {
  defaultLimits,
  splitTripOptions,
  tripChecks,
  tripLimits
};
