import { checkOptions, demand, flag, numberFrom, oneOf } from "../../core/option-checks.js";
import { Readings } from "../readings.js";
import { inTimeOrder } from "../time-order.js";
import { timestampMs } from "../timestamps.js";
import { snapshotPoint, tripLine } from "./features.js";
import { fixOf } from "./fix.js";
import { geoJsonOf } from "./geojson.js";
import { gpxOf } from "./gpx.js";
import { kmlOf } from "./kml.js";
import { defaultSegmentRules, segmentsOf } from "./segments.js";
function toGeoJson(rows, options = {}) {
  return geoJsonOf(trackItems(rows, options));
}
function toGpx(rows, options = {}) {
  return gpxOf(trackItems(rows, options));
}
function toKml(rows, options = {}) {
  return kmlOf(trackItems(rows, options));
}
const checks = {
  as: oneOf("track", "points"),
  name: demand((value) => typeof value === "string" || typeof value === "function", "a text or a function"),
  gapMs: numberFrom(0),
  splitAtIgnitionOff: flag,
  lateMs: numberFrom(0)
};
function trackItems(rows, options) {
  checkOptions(options ?? {}, checks, "tracks");
  const {
    as,
    name,
    gapMs = defaultSegmentRules.gapMs,
    splitAtIgnitionOff = defaultSegmentRules.splitAtIgnitionOff,
    lateMs = defaultSegmentRules.lateMs
  } = options ?? {};
  const nameOf = (vehicleId) => (typeof name === "function" ? name(vehicleId) : name) ?? null;
  const readings = new Readings();
  const toItem = (row) => as === "points" ? snapshotPoint(row, nameOf(row.vehicleId ?? null), readings) : fixOf(row, readings);
  const items = toTrackItems(rows, toItem, nameOf, readings);
  return segmentsOf(items, { gapMs, splitAtIgnitionOff, lateMs, nameOf });
}
async function* toTrackItems(rows, toItem, nameOf, readings) {
  for await (const row of Array.isArray(rows) ? inRuns(rows) : rows) {
    const place = isTrip(row) ? tripLine(row, nameOf(row.vehicleId)) : toItem(row);
    if (place !== null) yield place;
  }
  readings.require("position", null);
}
function inRuns(rows) {
  const runs = [];
  for (const row of rows) {
    const before = runs.at(-1)?.[0];
    const belongs = before && !isTrip(row) && !isTrip(before) && before.vehicleId === row.vehicleId;
    if (belongs) runs.at(-1)?.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((run) => inTimeOrder(run, (row) => isTrip(row) ? null : timestampMs(row.timestamp)));
}
function isTrip(row) {
  return "startedAt" in row;
}
export {
  toGeoJson,
  toGpx,
  toKml
};
