// A drive along a road: position, speed and fuel used at any time. The drive consists of phases of constant acceleration, so that the
// state at any time follows from one formula. Its totals are computed at once, because the odometer of a vehicle needs those of every tour;
// its course only when rows of the leg are asked for, because recording it takes most of the time.
import { minuteMs } from '../core/durations.js';
import { randomBetween } from './hash.js';
import { metresPerDegree, type Road, radians } from './roads.js';
import { planSpeeds, turnAt, valueAt } from './speed-plan.js';
import type { HarshEventType } from './types.js';
import type { VehicleTraits } from './vehicle-traits.js';

export interface DriveEvent {
  /** Milliseconds after the start of the engine. */
  readonly atMs: number;
  readonly type: HarshEventType;
  readonly value: number;
}

/** One drive from the start of the engine to its stop. All totals are whole numbers, so that their sums are exact. */
export interface Leg {
  readonly durationMs: number;
  readonly distanceM: number;
  readonly fuelMl: number;
  readonly idleMs: number;
  /** m/s */
  readonly topSpeed: number;
  readonly idleMlPerS: number;
  readonly road: Road;
  readonly minutes: number;
  /** What happens when. Computed at the first use. */
  readonly course: Course;
}

/** The course of a leg, phase by phase. */
export interface Course {
  /** For each phase: time (ms), metres and speed (m/s) at its start, acceleration and fuel per metre. One more entry ends the last phase. */
  readonly time: Float64Array;
  readonly metres: Float64Array;
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
  readonly fuelPerM: Float64Array;
  readonly fuel: Float64Array;
  readonly idle: Float64Array;
  /** The road segment of each phase. */
  readonly segment: Int32Array;
  readonly segmentMetres: Float64Array;
  readonly bearings: Float64Array;
  /** Times of extra position fixes, in order: corners, start and end of every stop, the top speed. */
  readonly fixTimes: Float64Array;
  /** Index into `fixTimes` of the first fix of each minute; one more entry ends the last minute. */
  readonly firstFixOfMinute: Int32Array;
  readonly events: readonly DriveEvent[];
}

type Totals = Pick<Leg, 'durationMs' | 'distanceM' | 'fuelMl' | 'idleMs' | 'topSpeed'>;

/** Computes the drive along a road, which begins standing with the engine on. The same arguments give the same drive. */
export function driveAlong(
  road: Road,
  traits: VehicleTraits,
  hash: number,
  standingMs = 1000 * Math.round(randomBetween(hash, 11, 18, 80)),
): Leg {
  const totals = drive(road, survey(road), traits, hash, standingMs, null);
  const minutes = Math.ceil(totals.durationMs / minuteMs);
  let course: Course | null = null;
  return {
    ...totals,
    idleMlPerS: traits.idleMlPerS,
    road,
    minutes,
    get course() {
      course ??= courseOf(road, traits, hash, standingMs, minutes);
      return course;
    },
  };
}

interface Survey {
  readonly distanceM: number;
  /** Metres from the start to each corner. */
  readonly segmentMetres: Float64Array;
  /** Degrees, for each segment. */
  readonly bearings: Float64Array;
}

function survey(road: Road): Survey {
  const segmentCount = road.limits.length;
  const segmentMetres = new Float64Array(segmentCount + 1);
  const bearings = new Float64Array(segmentCount);
  for (let i = 0; i < segmentCount; i++) {
    const lat = valueAt(road.latitudes, i);
    const north = (valueAt(road.latitudes, i + 1) - lat) * metresPerDegree;
    const middle = (lat + valueAt(road.latitudes, i + 1)) / 2;
    const east =
      (valueAt(road.longitudes, i + 1) - valueAt(road.longitudes, i)) * metresPerDegree * Math.cos(middle * radians);
    segmentMetres[i + 1] = valueAt(segmentMetres, i) + Math.hypot(north, east);
    bearings[i] = (Math.atan2(east, north) / radians + 360) % 360;
  }
  const distanceM = Math.round(valueAt(segmentMetres, segmentCount));
  const scale = distanceM / valueAt(segmentMetres, segmentCount);
  for (let i = 1; i <= segmentCount; i++) segmentMetres[i] = valueAt(segmentMetres, i) * scale;
  segmentMetres[segmentCount] = distanceM;
  return { distanceM, segmentMetres, bearings };
}

/** Is told every phase, in order, and what happens in it. */
interface Recorder {
  phase(
    at: number,
    segment: number,
    from: number,
    v: number,
    a: number,
    perM: number,
    fuel: number,
    idle: number,
  ): void;
  fix(at: number): void;
  event(event: DriveEvent): void;
}

function drive(
  road: Road,
  { distanceM, segmentMetres, bearings }: Survey,
  traits: VehicleTraits,
  hash: number,
  standingMs: number,
  recorder: Recorder | null,
): Totals {
  const segmentCount = road.limits.length;
  const { targetSpeeds, accelerations, decelerations, plannedEvents, cornerSpeeds } = planSpeeds(
    road,
    segmentMetres,
    bearings,
    traits,
    hash,
  );
  const lengthOf = (i: number): number => valueAt(segmentMetres, i + 1) - valueAt(segmentMetres, i);

  let now = 0;
  let fuelUsed = 0;
  let idleMs = 0;
  let topSpeed = 0;
  let topSpeedAt = 0;
  const addPhase = (ms: number, segmentIndex: number, from: number, v: number, a: number, length: number): void => {
    const perM = (a >= -0.3 ? traits.fuelMlPerM : 0) + traits.fuelMlPerMAccelerating * Math.max(a, 0);
    recorder?.phase(now, segmentIndex, from, v, a, perM, fuelUsed, idleMs);
    now += ms;
    fuelUsed += (traits.idleMlPerS * ms) / 1000 + perM * length;
  };
  const addStop = (ms: number, segmentIndex: number, from: number): void => {
    const begin = now;
    addPhase(ms, segmentIndex, from, 0, 0, 0);
    idleMs += ms;
    if (begin > 0) recorder?.fix(Math.ceil(begin));
    recorder?.fix(Math.floor(now));
  };

  addStop(standingMs, 0, 0);
  for (let i = 0; i < segmentCount; i++) {
    if (valueAt(road.redLights, i) > 0) addStop(1000 * valueAt(road.redLights, i), i - 1, valueAt(segmentMetres, i));
    else if (i > 0 && turnAt(bearings, i) > 25) recorder?.fix(Math.round(now));
    const startSpeed = valueAt(cornerSpeeds, i);
    const endSpeed = valueAt(cornerSpeeds, i + 1);
    const a = valueAt(accelerations, i);
    const d = valueAt(decelerations, i);
    const length = lengthOf(i);
    const reachable = Math.sqrt((2 * a * d * length + d * startSpeed * startSpeed + a * endSpeed * endSpeed) / (a + d));
    const peak = Math.max(startSpeed, endSpeed, Math.min(valueAt(targetSpeeds, i), reachable));
    const up = (peak * peak - startSpeed * startSpeed) / (2 * a);
    const down = (peak * peak - endSpeed * endSpeed) / (2 * d);
    const level = Math.max(0, length - up - down);
    let from = valueAt(segmentMetres, i);
    if (up > 1e-6) {
      const ms = ((peak - startSpeed) / a) * 1000;
      if (a === traits.harshAcceleration && peak - startSpeed > 3)
        recorder?.event({ atMs: Math.round(now + ms * 0.4), type: 'HARSH_ACCELERATION', value: a });
      addPhase(ms, i, from, startSpeed, a, up);
      from += up;
    }
    if (peak > topSpeed) {
      topSpeed = peak;
      topSpeedAt = now;
    }
    if (level > 1e-6) {
      const ms = (level / peak) * 1000;
      const type = plannedEvents[i];
      const reached = peak > valueAt(targetSpeeds, i) - 0.01;
      if (type !== undefined && (reached || type === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN'))
        recorder?.event({
          atMs: Math.round(now + ms / 2),
          type,
          value: type === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN' ? 1 : Math.round(peak * 36) / 10,
        });
      addPhase(ms, i, from, peak, 0, level);
      from += level;
    }
    if (down > 1e-6) {
      const ms = ((peak - endSpeed) / d) * 1000;
      if (d === traits.harshDeceleration && peak - endSpeed > 4)
        recorder?.event({ atMs: Math.round(now + ms * 0.4), type: 'HARSH_BRAKING', value: d });
      addPhase(ms, i, from, peak, -d, down);
    }
  }
  const wait = 1000 * Math.round(randomBetween(hash, 12, 6, 35));
  addStop(Math.ceil((now + wait) / 1000) * 1000 - now, segmentCount - 1, distanceM);
  recorder?.phase(now, segmentCount - 1, distanceM, 0, 0, 0, Math.ceil(fuelUsed), Math.ceil(idleMs));
  recorder?.fix(Math.round(topSpeedAt));
  return { durationMs: Math.round(now), distanceM, fuelMl: Math.ceil(fuelUsed), idleMs: Math.ceil(idleMs), topSpeed };
}

/** Drives again and records it. */
function courseOf(road: Road, traits: VehicleTraits, hash: number, standingMs: number, minutes: number): Course {
  const surveyed = survey(road);
  // A segment has at most four phases: waiting at a red light, accelerating, constant speed, braking.
  const capacity = road.limits.length * 4 + 3;
  const time = new Float64Array(capacity);
  const metres = new Float64Array(capacity);
  const speed = new Float64Array(capacity);
  const acceleration = new Float64Array(capacity);
  const fuelPerM = new Float64Array(capacity);
  const fuel = new Float64Array(capacity);
  const idle = new Float64Array(capacity);
  const segment = new Int32Array(capacity);
  const fixes: number[] = [];
  const events: DriveEvent[] = [];
  let count = 0;
  drive(road, surveyed, traits, hash, standingMs, {
    phase(at, segmentIndex, from, v, a, perM, fuelUsed, idleMs) {
      time[count] = at;
      metres[count] = from;
      speed[count] = v;
      acceleration[count] = a;
      fuelPerM[count] = perM;
      fuel[count] = fuelUsed;
      idle[count] = idleMs;
      segment[count] = segmentIndex;
      count++;
    },
    fix: (at) => fixes.push(at),
    event: (event) => events.push(event),
  });
  const fixTimes = new Float64Array(new Set(fixes)).sort();
  const firstFixOfMinute = new Int32Array(minutes + 1);
  for (let minute = 0, i = 0; minute <= minutes; minute++) {
    while (i < fixTimes.length && valueAt(fixTimes, i) < minute * minuteMs) i++;
    firstFixOfMinute[minute] = minute === minutes ? fixTimes.length : i;
  }
  // The last entry ends the last phase.
  const phases = count - 1;
  return {
    time: time.slice(0, count),
    metres: metres.slice(0, count),
    speed: speed.slice(0, phases),
    acceleration: acceleration.slice(0, phases),
    fuelPerM: fuelPerM.slice(0, phases),
    fuel: fuel.slice(0, count),
    idle: idle.slice(0, count),
    segment: segment.slice(0, phases),
    segmentMetres: surveyed.segmentMetres,
    bearings: surveyed.bearings,
    fixTimes,
    firstFixOfMinute,
    events,
  };
}
