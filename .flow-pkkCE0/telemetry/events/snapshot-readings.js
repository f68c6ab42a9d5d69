import { Readings, readFlag, readNumber, readText } from "../readings.js";
import { fixOf } from "../tracks/fix.js";
import { speedOf } from "../trips/open-trip.js";
import { defaultLimits } from "../trips/trip-limits.js";
function readSnapshot({ timestamp, gps, ignition, driver, canBus, misc }) {
  const fix = fixOf({ timestamp: timestamp ?? null, gps: gps ?? null });
  const { canSpeed = null, canWheelSpeed = null } = canBus ?? {};
  const row = { gps: gps ?? null, canBus: { canSpeed, canWheelSpeed } };
  return {
    fix,
    gpsSpeedKmh: readNumber(gps?.speed) ?? null,
    speedKmh: speedOf(row, fix !== null, defaultLimits.fastestKmh, new Readings()),
    direction: readNumber(gps?.direction) ?? null,
    engineOn: readFlag(ignition?.engineStatus) ?? null,
    driverId: readText(driver?.driverId),
    power: readNumber(misc?.power) ?? null,
    live: {
      timestamp,
      gps: { speed: gps?.speed },
      ignition: { engineStatus: ignition?.engineStatus },
      canBus: { canSpeed: canBus?.canSpeed, canWheelSpeed: canBus?.canWheelSpeed }
    }
  };
}
export {
  readSnapshot
};
