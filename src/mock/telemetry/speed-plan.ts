// Plans the speeds of a drive along a road: target speed, acceleration and deceleration on each segment, events, and the speed at each
// corner that follows from them.
import { mixHash, toUnit } from './hash.js';
import type { Road } from './roads.js';
import type { HarshEventType } from './types.js';
import type { VehicleTraits } from './vehicle-traits.js';

export interface SpeedPlan {
  /** For each segment: target speed (m/s), acceleration and deceleration (m/s2). */
  readonly targetSpeeds: Float64Array;
  readonly accelerations: Float64Array;
  readonly decelerations: Float64Array;
  /** The event that the device may report on each segment when the target speed is reached. */
  readonly plannedEvents: readonly (HarshEventType | undefined)[];
  /** Speed at each corner (m/s). */
  readonly cornerSpeeds: Float64Array;
}

const metresPerSecond = 1 / 3.6;

/** The element at an index that is known to exist. */
export function valueAt(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

/** By how many degrees the road turns at corner i. */
export function turnAt(bearings: Float64Array, i: number): number {
  const turn = Math.abs(valueAt(bearings, i) - valueAt(bearings, i - 1));
  return turn > 180 ? 360 - turn : turn;
}

export function planSpeeds(
  road: Road,
  segmentMetres: Float64Array,
  bearings: Float64Array,
  traits: VehicleTraits,
  hash: number,
): SpeedPlan {
  const segmentCount = road.limits.length;
  const lengthOf = (i: number): number => valueAt(segmentMetres, i + 1) - valueAt(segmentMetres, i);
  const targetSpeeds = new Float64Array(segmentCount);
  const accelerations = new Float64Array(segmentCount).fill(traits.acceleration);
  const decelerations = new Float64Array(segmentCount).fill(traits.deceleration);
  const plannedEvents: (HarshEventType | undefined)[] = new Array<HarshEventType | undefined>(segmentCount);
  for (let i = 0; i < segmentCount; i++) {
    const limit = valueAt(road.limits, i);
    const length = lengthOf(i);
    const draw = toUnit(mixHash(hash, i));
    let speed = Math.min(limit * (0.95 + 0.04 * Math.sin(i * 0.7 + hash)), traits.cruiseKmh);
    if (limit >= 90 && draw < 0.035) {
      speed = traits.excessKmh;
      plannedEvents[i] = 'MAX_SPEED_EXCEEDED';
    } else if (length > 180 && limit * 1.22 < traits.cruiseKmh && draw < 0.06) {
      speed = limit * 1.22;
      plannedEvents[i] = 'SPEED_SIGN_VIOLATION';
    } else if (draw > 0.997) plannedEvents[i] = 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN';
    targetSpeeds[i] = speed * metresPerSecond;
    const stopsAtEnd = i === segmentCount - 1 || valueAt(road.redLights, i + 1) > 0;
    const startsFromStop = i === 0 || valueAt(road.redLights, i) > 0;
    if (stopsAtEnd && toUnit(mixHash(hash, 1000 + i)) < 0.14) decelerations[i] = traits.harshDeceleration;
    if (startsFromStop && toUnit(mixHash(hash, 2000 + i)) < 0.12) accelerations[i] = traits.harshAcceleration;
  }

  // The speed at a corner is limited by the turn, the segments on both sides and the brakes.
  const cornerSpeeds = new Float64Array(segmentCount + 1);
  for (let i = 1; i < segmentCount; i++) {
    if (valueAt(road.redLights, i) > 0) continue;
    const bend = turnAt(bearings, i);
    const maxSpeed = bend > 60 ? 4.5 : bend > 30 ? 8 : bend > 14 ? 15 : 60;
    cornerSpeeds[i] = Math.min(maxSpeed, valueAt(targetSpeeds, i - 1), valueAt(targetSpeeds, i));
  }
  for (let i = segmentCount - 1; i >= 0; i--)
    cornerSpeeds[i] = Math.min(
      valueAt(cornerSpeeds, i),
      Math.sqrt(valueAt(cornerSpeeds, i + 1) ** 2 + 2 * valueAt(decelerations, i) * lengthOf(i)),
    );
  for (let i = 0; i < segmentCount; i++)
    cornerSpeeds[i + 1] = Math.min(
      valueAt(cornerSpeeds, i + 1),
      Math.sqrt(valueAt(cornerSpeeds, i) ** 2 + 2 * valueAt(accelerations, i) * lengthOf(i)),
    );
  return { targetSpeeds, accelerations, decelerations, plannedEvents, cornerSpeeds };
}
