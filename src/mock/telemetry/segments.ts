// The segments of a road for a vehicle: target speeds, acceleration, braking and events.
import { mixHash, toUnit } from './hash.js';
import { type Corner, metresPerDegree, type Road, radians } from './roads.js';
import type { HarshEventType } from './types.js';
import type { VehicleTraits } from './vehicle-traits.js';

export interface RoadSegment {
  readonly index: number;
  readonly from: Corner;
  readonly to: Corner;
  /** Metres from the start of the road. */
  readonly begin: number;
  readonly end: number;
  readonly length: number;
  /** Degrees clockwise from north. */
  readonly bearing: number;
  /** Degrees by which the road turns at its start. */
  readonly turn: number;
  /** In m/s. */
  readonly targetSpeed: number;
  /** In m/s2. */
  readonly acceleration: number;
  readonly deceleration: number;
  /** Event that the device may report at target speed. */
  readonly event: HarshEventType | null;
}

const metresPerSecond = 1 / 3.6;

function turnBetween(a: number, b: number): number {
  const turn = Math.abs(b - a);
  return turn > 180 ? 360 - turn : turn;
}

/** Returns the length of a segment in metres and its bearing in degrees clockwise from north. */
export function lineBetween(from: Corner, to: Corner): { readonly length: number; readonly bearing: number } {
  const north = (to.latitude - from.latitude) * metresPerDegree;
  const middle = (from.latitude + to.latitude) / 2;
  const east = (to.longitude - from.longitude) * metresPerDegree * Math.cos(middle * radians);
  return { length: Math.hypot(north, east), bearing: (Math.atan2(east, north) / radians + 360) % 360 };
}

/** Returns each corner's distance from the start (whole metres at the end), and the bearings. */
function measure(road: Road): { readonly metres: readonly number[]; readonly bearings: readonly number[] } {
  const metres = [0];
  const bearings: number[] = [];
  let sum = 0;
  road.forEach((to, i) => {
    const from = road[i - 1];
    if (from === undefined) return;
    const { length, bearing } = lineBetween(from, to);
    sum += length;
    metres.push(sum);
    bearings.push(bearing);
  });
  const whole = Math.round(sum);
  const scale = whole / sum;
  return { metres: metres.map((at, i) => (i === road.length - 1 ? whole : at * scale)), bearings };
}

/** Returns the target speed on a segment and the event it may cause. */
function aim(limit: number, length: number, i: number, traits: VehicleTraits, hash: number) {
  const draw = toUnit(mixHash(hash, i));
  if (limit >= 90 && draw < 0.035) return { kmh: traits.excessKmh, event: 'MAX_SPEED_EXCEEDED' } as const;
  if (length > 180 && limit * 1.22 < traits.cruiseKmh && draw < 0.06)
    return { kmh: limit * 1.22, event: 'SPEED_SIGN_VIOLATION' } as const;
  const kmh = Math.min(limit * (0.95 + 0.04 * Math.sin(i * 0.7 + hash)), traits.cruiseKmh);
  return { kmh, event: draw > 0.997 ? ('DRIVER_BEHAVIOUR_TYPE_UNKNOWN' as const) : null };
}

/** In m/s. */
function turnSpeed(turn: number): number {
  return turn > 60 ? 4.5 : turn > 30 ? 8 : turn > 14 ? 15 : 60;
}

export function roadSegments(road: Road, traits: VehicleTraits, hash: number): readonly RoadSegment[] {
  const { metres, bearings } = measure(road);
  return bearings.map((bearing, index): RoadSegment => {
    const from = road[index];
    const to = road[index + 1];
    const begin = metres[index] ?? 0;
    const end = metres[index + 1] ?? 0;
    if (from === undefined || to === undefined) throw new Error('a segment needs two corners');
    const { kmh, event } = aim(from.limit, end - begin, index, traits, hash);
    const isLast = index === bearings.length - 1;
    const brakesHard = (isLast || to.redLight > 0) && toUnit(mixHash(hash, 1000 + index)) < 0.14;
    const startsHard = (index === 0 || from.redLight > 0) && toUnit(mixHash(hash, 2000 + index)) < 0.12;
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
      event,
    };
  });
}

/** Returns the corner speeds (m/s), limited by turn, adjacent segments, brakes and engine. */
export function cornerSpeedsOf(segments: readonly RoadSegment[]): readonly number[] {
  const speeds = new Array<number>(segments.length + 1).fill(0);
  for (let i = segments.length - 1; i > 0; i--) {
    const before = segments[i - 1];
    const after = segments[i];
    if (before === undefined || after === undefined || after.from.redLight > 0) continue;
    const braking = Math.sqrt((speeds[i + 1] ?? 0) ** 2 + 2 * after.deceleration * after.length);
    speeds[i] = Math.min(turnSpeed(after.turn), before.targetSpeed, after.targetSpeed, braking);
  }
  for (const { index, acceleration, length } of segments) {
    const reachable = Math.sqrt((speeds[index] ?? 0) ** 2 + 2 * acceleration * length);
    speeds[index + 1] = Math.min(speeds[index + 1] ?? 0, reachable);
  }
  return speeds;
}
