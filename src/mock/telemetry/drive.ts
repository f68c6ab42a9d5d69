/**
 * A drive along a road: when the vehicle is where, how fast, and what it has burnt by then. The drive is cut into phases
 * of constant acceleration, so that every moment of it is one formula away.
 */
import { between } from './hash.js';
import type { KindTraits } from './kinds.js';
import { at, planPace, turnAt } from './pace.js';
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

/** Drives a road, after standing for a while with the engine on. The same arguments give the same drive. */
export function driveAlong(
  road: Road,
  traits: KindTraits,
  hash: number,
  standingMs = 1000 * Math.round(between(hash, 11, 18, 80)),
): Leg {
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

  const { target, gain, loss, planned, corner } = planPace(road, pieceMetres, bearings, traits, hash);
  const lengthOf = (i: number): number => at(pieceMetres, i + 1) - at(pieceMetres, i);

  // At most four phases a piece: waiting at a light, speeding up, keeping the speed, braking.
  const room = pieces * 4 + 3;
  const time = new Float64Array(room);
  const metres = new Float64Array(room);
  const speed = new Float64Array(room);
  const acceleration = new Float64Array(room);
  const fuelPerM = new Float64Array(room);
  const fuel = new Float64Array(room);
  const idle = new Float64Array(room);
  const piece = new Int32Array(room);
  let count = 0;
  const marks: number[] = [];
  const events: DriveEvent[] = [];
  let now = 0;
  let burnt = 0;
  let stood = 0;
  let topSpeed = 0;
  let topAt = 0;
  const phase = (ms: number, on: number, from: number, v: number, a: number, length: number): void => {
    const perM = (a >= -0.3 ? traits.fuelMlPerM : 0) + traits.fuelMlPerMAccelerating * Math.max(a, 0);
    time[count] = now;
    metres[count] = from;
    speed[count] = v;
    acceleration[count] = a;
    fuelPerM[count] = perM;
    fuel[count] = burnt;
    idle[count] = stood;
    piece[count] = on;
    count++;
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

  stand(standingMs, 0, 0);
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
  time[count] = now;
  metres[count] = distanceM;
  fuel[count] = Math.ceil(burnt);
  idle[count] = Math.ceil(stood);

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
    time: time.slice(0, count + 1),
    metres: metres.slice(0, count + 1),
    speed: speed.slice(0, count),
    acceleration: acceleration.slice(0, count),
    fuelPerM: fuelPerM.slice(0, count),
    fuel: fuel.slice(0, count + 1),
    idle: idle.slice(0, count + 1),
    piece: piece.slice(0, count),
    pieceMetres,
    bearings,
    road,
    marks: new Float64Array(moments),
    slotMarks,
    slots,
    events,
  };
}
