import { PositionCleaner } from "./position-cleaner.js";
import { defaultLimits } from "./trips/trip-limits.js";
function positionAfter({ position, positions }, fix) {
  if (fix === null || isSameFix(fix, positions?.suspect)) return { position, ...positions && { positions } };
  const { time, latitude, longitude } = fix;
  const cleaner = new PositionCleaner(defaultLimits.fastestKmh, () => void 0, positions);
  cleaner.add({ time, latitude, longitude }, false);
  const { last } = cleaner;
  return {
    position: last === null ? position : { latitude: last.latitude, longitude: last.longitude },
    positions: cleaner.state
  };
}
function isSameFix(one, other) {
  return one.time === other?.time && one.latitude === other.latitude && one.longitude === other.longitude;
}
export {
  positionAfter
};
