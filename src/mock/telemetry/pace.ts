/**
 * How a driver means to drive a road, before physics cuts it into phases: the speed on each piece, how hard it is reached
 * and lost, where the driver forgets himself, and the speed at each corner that all of this allows.
 */
import { mix, unit } from './hash.js';
import type { KindTraits } from './kinds.js';
import type { Road } from './roads.js';
import type { HarshEventType } from './rows.js';

export interface Pace {
  /** m/s aimed at on each piece, and the m/s2 of speeding up and of braking there. */
  readonly target: Float64Array;
  readonly gain: Float64Array;
  readonly loss: Float64Array;
  /** What the device may report of a piece driven at its target speed. */
  readonly planned: readonly (HarshEventType | undefined)[];
  /** m/s at each corner. */
  readonly corner: Float64Array;
}

const kmh = 1 / 3.6;

/** An element of a list that is known to be long enough. */
export function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

/** By how many degrees the road turns at corner i. */
export function turnAt(bearings: Float64Array, i: number): number {
  const turn = Math.abs(at(bearings, i) - at(bearings, i - 1));
  return turn > 180 ? 360 - turn : turn;
}

export function planPace(
  road: Road,
  pieceMetres: Float64Array,
  bearings: Float64Array,
  traits: KindTraits,
  hash: number,
): Pace {
  const pieces = road.limits.length;
  const lengthOf = (i: number): number => at(pieceMetres, i + 1) - at(pieceMetres, i);
  const target = new Float64Array(pieces);
  const gain = new Float64Array(pieces).fill(traits.acceleration);
  const loss = new Float64Array(pieces).fill(traits.deceleration);
  const planned: (HarshEventType | undefined)[] = new Array<HarshEventType | undefined>(pieces);
  for (let i = 0; i < pieces; i++) {
    const limit = at(road.limits, i);
    const length = lengthOf(i);
    const draw = unit(mix(hash, i));
    let speed = Math.min(limit * (0.95 + 0.04 * Math.sin(i * 0.7 + hash)), traits.cruiseKmh);
    if (limit >= 90 && draw < 0.035) {
      speed = traits.excessKmh;
      planned[i] = 'MAX_SPEED_EXCEEDED';
    } else if (length > 180 && limit * 1.22 < traits.cruiseKmh && draw < 0.06) {
      speed = limit * 1.22;
      planned[i] = 'SPEED_SIGN_VIOLATION';
    } else if (draw > 0.997) planned[i] = 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN';
    target[i] = speed * kmh;
    const stopAhead = i === pieces - 1 || at(road.redLights, i + 1) > 0;
    const stopBehind = i === 0 || at(road.redLights, i) > 0;
    if (stopAhead && unit(mix(hash, 1000 + i)) < 0.14) loss[i] = traits.harshDeceleration;
    if (stopBehind && unit(mix(hash, 2000 + i)) < 0.12) gain[i] = traits.harshAcceleration;
  }

  // Speed at the corners: no faster than the turn, the pieces on both sides and the brakes allow.
  const corner = new Float64Array(pieces + 1);
  for (let i = 1; i < pieces; i++) {
    if (at(road.redLights, i) > 0) continue;
    const bend = turnAt(bearings, i);
    const allowed = bend > 60 ? 4.5 : bend > 30 ? 8 : bend > 14 ? 15 : 60;
    corner[i] = Math.min(allowed, at(target, i - 1), at(target, i));
  }
  for (let i = pieces - 1; i >= 0; i--)
    corner[i] = Math.min(at(corner, i), Math.sqrt(at(corner, i + 1) ** 2 + 2 * at(loss, i) * lengthOf(i)));
  for (let i = 0; i < pieces; i++)
    corner[i + 1] = Math.min(at(corner, i + 1), Math.sqrt(at(corner, i) ** 2 + 2 * at(gain, i) * lengthOf(i)));
  return { target, gain, loss, planned, corner };
}
