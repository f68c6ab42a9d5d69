import { thousandths } from "./sum.js";
function partsByDriver(trip) {
  const single = [{ driverId: trip.driverIds[0] ?? null, part: trip }];
  if (trip.driverIds.length < 2 || trip.details === void 0) return single;
  const byDriver = /* @__PURE__ */ new Map();
  for (const segment of trip.details.segments) {
    byDriver.set(segment.driverId, [...byDriver.get(segment.driverId) ?? [], segment]);
  }
  if (byDriver.size < 2) return single;
  const shares = [...byDriver].map(([driverId, segments]) => ({
    driverId,
    distance: sumOf(segments, ({ distanceKm }) => distanceKm),
    duration: sumOf(segments, ({ durationSeconds }) => durationSeconds),
    moving: sumOf(segments, ({ movingSeconds }) => movingSeconds),
    idle: sumOf(segments, ({ idleSeconds }) => idleSeconds)
  }));
  const whole = shares.reduce((sum, { distance }) => sum + distance, 0);
  const fuel = trip.fuelUsed === null ? null : thousandths(trip.fuelUsed);
  let [before, given] = [0, 0];
  return shares.map(({ driverId, distance, duration, moving, idle }, index) => {
    before += distance;
    const until = fuel === null ? 0 : index === shares.length - 1 ? fuel : Math.round(fuel * before / (whole || 1));
    const own = until - given;
    given = until;
    return {
      driverId,
      part: {
        ...trip,
        distanceKm: distance / 1e3,
        durationSeconds: duration / 1e3,
        movingSeconds: moving / 1e3,
        idleSeconds: idle / 1e3,
        unseenSeconds: Math.max(0, duration - moving - idle) / 1e3,
        fuelUsed: fuel === null ? null : own / 1e3,
        topSpeedKmh: null
      }
    };
  });
}
function sumOf(segments, value) {
  return segments.reduce((sum, segment) => sum + thousandths(value(segment)), 0);
}
export {
  partsByDriver
};
