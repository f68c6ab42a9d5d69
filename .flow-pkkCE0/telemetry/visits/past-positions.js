import { timestampMs } from "../timestamps.js";
import { fixOf } from "../tracks/fix.js";
import { FixCleaner } from "../tracks/fix-cleaner.js";
const HOUR = 36e5;
const LONGEST_LOOK_BACK_DAYS = 7;
const LONGEST_LOOK_BACK_MS = LONGEST_LOOK_BACK_DAYS * 24 * HOUR;
const LOOK_BACK_MS = [HOUR, 6 * HOUR, 24 * HOUR, LONGEST_LOOK_BACK_MS];
const positionSelection = {
  timestamp: true,
  locationTimestamp: true,
  gps: { state: true, latitude: true, longitude: true, speed: true },
  ignition: { engineStatus: true },
  canBus: { canSpeed: true, canWheelSpeed: true }
};
async function pastPositions(vehicles, at, read, readings) {
  const found = /* @__PURE__ */ new Map();
  const longest = at - LONGEST_LOOK_BACK_MS;
  let missing = [];
  for (const { id, newest } of vehicles) {
    const time = timestampMs(newest?.timestamp);
    const fix = newest === null || time === null || time > at ? null : fixOf(newest, readings);
    if (newest !== null && fix !== null && fix.time >= longest) found.set(id, { fix, row: newest });
    else if (time === null || time >= longest) missing.push(id);
  }
  let to = at;
  for (const lookBack of LOOK_BACK_MS) {
    if (missing.length === 0) break;
    const from = at - lookBack;
    const cleaners = new Map(missing.map((id) => [id, new FixCleaner()]));
    for await (const row of read(missing, from, to)) {
      const fix = fixOf(row, readings);
      if (fix === null) continue;
      for (const { fix: believed } of cleaners.get(row.vehicleId)?.add(fix) ?? []) {
        found.set(row.vehicleId, { fix: believed, row });
      }
    }
    readings.require("position", "getSnapshots");
    missing = missing.filter((id) => !found.has(id));
    to = from;
  }
  return found;
}
export {
  LONGEST_LOOK_BACK_DAYS,
  pastPositions,
  positionSelection
};
