import { isPosition } from "../positions.js";
import { Readings } from "../readings.js";
import { timestampMs } from "../timestamps.js";
function fixOf(row, readings = new Readings()) {
  const { gps } = row;
  const latitude = readings.number("position", gps?.latitude);
  const longitude = readings.number("position", gps?.longitude);
  const state = readings.flag("fix", gps?.state);
  const time = timestampMs(row.timestamp);
  if (time === null || state === false || latitude === null || longitude === null) return null;
  if (!isPosition(latitude, longitude)) return null;
  const speed = readings.number("speed", gps?.speed);
  const direction = readings.number("direction", gps?.direction);
  return {
    vehicleId: row.vehicleId ?? null,
    time,
    latitude,
    longitude,
    altitude: readings.number("altitude", gps?.altitude),
    speed: speed !== null && speed >= 0 ? speed : null,
    direction: direction === null ? null : (direction % 360 + 360) % 360,
    ignition: readings.flag("ignition", row.ignition?.engineStatus)
  };
}
export {
  fixOf
};
