/**
 * A drive along a road: when the vehicle is where, how fast, and what it has burnt by then. The drive is cut into phases
 * of constant acceleration, so that every moment of it is one formula away.
 */
import { between, mix, unit } from './hash.js';
import type { KindTraits } from './kinds.js';
import { metresPerDegree, type Road, radians } from './roads.js';
import type { HarshEventType } from './rows.js';

export const slotMs = 60_000;

export interface DriveEvent {
  /** Milliseconds after the engine's start. */
  readonly at: number;
  readonly type: HarshEventType;
  readonly value: number;
}

/** One drive, from the engine's start to its stop. Every total is a whole number, so that sums of them are exact. */
export interface Leg {
  readonly durationMs: number;
  readonly distanceM: number;
  readonly fuelMl: number;
  readonly idleMs: number;
  /** m/s */
  readonly topSpeed: number;
  readonly idleMlPerS: number;
  /** Where each phase begins: time in ms, metres, m/s; then its acceleration and its fuel per metre. One entry more ends the last phase. */
  readonly time: Float64Array;
  readonly metres: Float64Array;
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
  readonly fuelPerM: Float64Array;
  readonly fuel: Float64Array;
  readonly idle: Float64Array;
  /** The piece of road each phase is on. */
  readonly piece: Int32Array;
  readonly pieceMetres: Float64Array;
  readonly bearings: Float64Array;
  readonly road: Road;
  /** Moments worth a fix of their own: corners, the ends of every stop, the top speed. Ordered. */
  readonly marks: Float64Array;
  /** The first mark of each slot of a minute; one entry more. */
  readonly slotMarks: Int32Array;
  readonly slots: number;
  readonly events: readonly DriveEvent[];
}

const kmh = 1 / 3.6;

function at(values: Float64Array, index: number): number {
  return values[index] ?? 0;
}

/** Drives a road. The same arguments give the same drive. */
export function driveAlong(road: Road, traits: KindTraits, hash: number): Leg {
  const pieces = road.limits.length;
  const pieceMetres = new Float64Array(pieces + 1);
  const bearings = new Float64Array(pieces);
  for (let i = 0; i < pieces; i++) {
    const lat = at(road.latitudes, i);
    const north = (at(road.latitudes, i + 1) - lat) * metresPerDegree;
    const middle = (lat + at(road.latitudes, i + 1)) / 2;
    const east = (at(road.longitudes, i + 1) - at(road.longitudes, i)) * metresPerDegree * Math.cos(middle * radians);
    pieceMetres[i + 1] = at(pieceMetres, i) + Math.hypot(north, east);
    bearings[i] = (Math.atan2(east, north) / radians + 360) % 360;
  }
  const distanceM = Math.round(at(pieceMetres, pieces));
  const scale = distanceM / at(pieceMetres, pieces);
  for (let i = 1; i <= pieces; i++) pieceMetres[i] = at(pieceMetres, i) * scale;
  pieceMetres[pieces] = distanceM;

  // How fast each piece is meant to be driven, and how hard the vehicle speeds up and brakes on it.
  const target = new Float64Array(pieces);
  const gain = new Float64Array(pieces).fill(traits.acceleration);
  const loss = new Float64Array(pieces).fill(traits.deceleration);
  const planned: (HarshEventType | undefined)[] = new Array<HarshEventType | undefined>(pieces);
  for (let i = 0; i < pieces; i++) {
    const limit = at(road.limits, i);
    const length = at(pieceMetres, i + 1) - at(pieceMetres, i);
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
  const lengthOf = (i: number): number => at(pieceMetres, i + 1) - at(pieceMetres, i);
  for (let i = pieces - 1; i >= 0; i--)
    corner[i] = Math.min(at(corner, i), Math.sqrt(at(corner, i + 1) ** 2 + 2 * at(loss, i) * lengthOf(i)));
  for (let i = 0; i < pieces; i++)
    corner[i + 1] = Math.min(at(corner, i + 1), Math.sqrt(at(corner, i) ** 2 + 2 * at(gain, i) * lengthOf(i)));

  const time: number[] = [];
  const metres: number[] = [];
  const speed: number[] = [];
  const acceleration: number[] = [];
  const fuelPerM: number[] = [];
  const fuel: number[] = [];
  const idle: number[] = [];
  const piece: number[] = [];
  const marks: number[] = [];
  const events: DriveEvent[] = [];
  let now = 0;
  let burnt = 0;
  let stood = 0;
  let topSpeed = 0;
  let topAt = 0;
  const phase = (ms: number, on: number, from: number, v: number, a: number, length: number): void => {
    const perM = (a >= -0.3 ? traits.fuelMlPerM : 0) + traits.fuelMlPerMAccelerating * Math.max(a, 0);
    time.push(now);
    metres.push(from);
    speed.push(v);
    acceleration.push(a);
    fuelPerM.push(perM);
    fuel.push(burnt);
    idle.push(stood);
    piece.push(on);
    now += ms;
    burnt += (traits.idleMlPerS * ms) / 1000 + perM * length;
  };
  const stand = (ms: number, on: number, from: number): void => {
    const begin = now;
    phase(ms, on, from, 0, 0, 0);
    stood += ms;
    if (begin > 0) marks.push(Math.ceil(begin));
    marks.push(Math.floor(now));
  };

  stand(1000 * Math.round(between(hash, 11, 18, 80)), 0, 0);
  for (let i = 0; i < pieces; i++) {
    if (at(road.redLights, i) > 0) stand(1000 * at(road.redLights, i), i - 1, at(pieceMetres, i));
    else if (i > 0 && turnAt(bearings, i) > 25) marks.push(Math.round(now));
    const v0 = at(corner, i);
    const v1 = at(corner, i + 1);
    const a = at(gain, i);
    const d = at(loss, i);
    const length = lengthOf(i);
    const reachable = Math.sqrt((2 * a * d * length + d * v0 * v0 + a * v1 * v1) / (a + d));
    const peak = Math.max(v0, v1, Math.min(at(target, i), reachable));
    const up = (peak * peak - v0 * v0) / (2 * a);
    const down = (peak * peak - v1 * v1) / (2 * d);
    const level = Math.max(0, length - up - down);
    let from = at(pieceMetres, i);
    if (up > 1e-6) {
      const ms = ((peak - v0) / a) * 1000;
      if (a === traits.harshAcceleration && peak - v0 > 3)
        events.push({ at: Math.round(now + ms * 0.4), type: 'HARSH_ACCELERATION', value: a });
      phase(ms, i, from, v0, a, up);
      from += up;
    }
    if (peak > topSpeed) {
      topSpeed = peak;
      topAt = now;
    }
    if (level > 1e-6) {
      const ms = (level / peak) * 1000;
      const type = planned[i];
      const reached = peak > at(target, i) - 0.01;
      if (type !== undefined && (reached || type === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN'))
        events.push({
          at: Math.round(now + ms / 2),
          type,
          value: type === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN' ? 1 : Math.round(peak * 36) / 10,
        });
      phase(ms, i, from, peak, 0, level);
      from += level;
    }
    if (down > 1e-6) {
      const ms = ((peak - v1) / d) * 1000;
      if (d === traits.harshDeceleration && peak - v1 > 4)
        events.push({ at: Math.round(now + ms * 0.4), type: 'HARSH_BRAKING', value: d });
      phase(ms, i, from, peak, -d, down);
    }
  }
  const wait = 1000 * Math.round(between(hash, 12, 6, 35));
  stand(Math.ceil((now + wait) / 1000) * 1000 - now, pieces - 1, distanceM);
  time.push(now);
  metres.push(distanceM);
  fuel.push(Math.ceil(burnt));
  idle.push(Math.ceil(stood));

  const durationMs = Math.round(now);
  marks.push(Math.round(topAt));
  const moments = [...new Set(marks)].sort((a, b) => a - b);
  const slots = Math.ceil(durationMs / slotMs);
  const slotMarks = new Int32Array(slots + 1);
  for (let slot = 0, i = 0; slot <= slots; slot++) {
    while (i < moments.length && (moments[i] ?? 0) < slot * slotMs) i++;
    slotMarks[slot] = slot === slots ? moments.length : i;
  }
  return {
    durationMs,
    distanceM,
    fuelMl: Math.ceil(burnt),
    idleMs: Math.ceil(stood),
    topSpeed,
    idleMlPerS: traits.idleMlPerS,
    time: Float64Array.from(time),
    metres: Float64Array.from(metres),
    speed: Float64Array.from(speed),
    acceleration: Float64Array.from(acceleration),
    fuelPerM: Float64Array.from(fuelPerM),
    fuel: Float64Array.from(fuel),
    idle: Float64Array.from(idle),
    piece: Int32Array.from(piece),
    pieceMetres,
    bearings,
    road,
    marks: Float64Array.from(moments),
    slotMarks,
    slots,
    events,
  };
}

/** By how many degrees the road turns at corner i. */
function turnAt(bearings: Float64Array, i: number): number {
  const turn = Math.abs(at(bearings, i) - at(bearings, i - 1));
  return turn > 180 ? 360 - turn : turn;
}
