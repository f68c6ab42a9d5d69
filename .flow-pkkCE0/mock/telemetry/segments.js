import { mixHash, toUnit } from "./hash.js";
import { metresPerDegree, radians } from "./roads.js";
const metresPerSecond = 1 / 3.6;
function turnBetween(a, b) {
  const turn = Math.abs(b - a);
  return turn > 180 ? 360 - turn : turn;
}
function lineBetween(from, to) {
  const north = (to.latitude - from.latitude) * metresPerDegree;
  const middle = (from.latitude + to.latitude) / 2;
  const east = (to.longitude - from.longitude) * metresPerDegree * Math.cos(middle * radians);
  return { length: Math.hypot(north, east), bearing: (Math.atan2(east, north) / radians + 360) % 360 };
}
function measure(road) {
  const metres = [0];
  const bearings = [];
  let sum = 0;
  road.forEach((to, i) => {
    const from = road[i - 1];
    if (from === void 0) return;
    const { length, bearing } = lineBetween(from, to);
    sum += length;
    metres.push(sum);
    bearings.push(bearing);
  });
  const whole = Math.round(sum);
  const scale = whole / sum;
  return { metres: metres.map((at, i) => i === road.length - 1 ? whole : at * scale), bearings };
}
function aim(limit, length, i, traits, hash) {
  const draw = toUnit(mixHash(hash, i));
  if (limit >= 90 && draw < 0.035) return { kmh: traits.excessKmh, event: "MAX_SPEED_EXCEEDED" };
  if (length > 180 && limit * 1.22 < traits.cruiseKmh && draw < 0.06)
    return { kmh: limit * 1.22, event: "SPEED_SIGN_VIOLATION" };
  const kmh = Math.min(limit * (0.95 + 0.04 * Math.sin(i * 0.7 + hash)), traits.cruiseKmh);
  return { kmh, event: draw > 0.997 ? "DRIVER_BEHAVIOUR_TYPE_UNKNOWN" : null };
}
function turnSpeed(turn) {
  return turn > 60 ? 4.5 : turn > 30 ? 8 : turn > 14 ? 15 : 60;
}
function segmentsOf(road, traits, hash) {
  const { metres, bearings } = measure(road);
  return bearings.map((bearing, index) => {
    const from = road[index];
    const to = road[index + 1];
    const begin = metres[index] ?? 0;
    const end = metres[index + 1] ?? 0;
    if (from === void 0 || to === void 0) throw new Error("a segment needs two corners");
    const { kmh, event } = aim(from.limit, end - begin, index, traits, hash);
    const isLast = index === bearings.length - 1;
    const brakesHard = (isLast || to.redLight > 0) && toUnit(mixHash(hash, 1e3 + index)) < 0.14;
    const startsHard = (index === 0 || from.redLight > 0) && toUnit(mixHash(hash, 2e3 + index)) < 0.12;
    return {
      index,
      from,
      to,
      begin,
      end,
      length: end - begin,
      bearing,
      turn: turnBetween(bearings[index - 1] ?? bearing, bearing),
      targetSpeed: kmh * metresPerSecond,
      acceleration: startsHard ? traits.harshAcceleration : traits.acceleration,
      deceleration: brakesHard ? traits.harshDeceleration : traits.deceleration,
      event
    };
  });
}
function cornerSpeedsOf(segments) {
  const speeds = new Array(segments.length + 1).fill(0);
  for (let i = segments.length - 1; i > 0; i--) {
    const before = segments[i - 1];
    const after = segments[i];
    if (before === void 0 || after === void 0 || after.from.redLight > 0) continue;
    const braking = Math.sqrt((speeds[i + 1] ?? 0) ** 2 + 2 * after.deceleration * after.length);
    speeds[i] = Math.min(turnSpeed(after.turn), before.targetSpeed, after.targetSpeed, braking);
  }
  for (const { index, acceleration, length } of segments) {
    const reachable = Math.sqrt((speeds[index] ?? 0) ** 2 + 2 * acceleration * length);
    speeds[index + 1] = Math.min(speeds[index + 1] ?? 0, reachable);
  }
  return speeds;
}
export {
  cornerSpeedsOf,
  lineBetween,
  segmentsOf
};
