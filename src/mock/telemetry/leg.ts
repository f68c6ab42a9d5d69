// A drive along a road in phases of constant acceleration: one formula gives the state at any time.
// Totals are computed at once, for the odometer; the slower course only when rows are requested.
import { minuteMs } from '../core/durations.js';
import { randomBetween } from './hash.js';
import type { Road } from './roads.js';
import { cornerSpeedsOf, type RoadSegment, roadSegments } from './segments.js';
import type { HarshEventType } from './types.js';
import type { VehicleTraits } from './vehicle-traits.js';

export interface DriveEvent {
  /** Milliseconds after engine start. */
  readonly atMs: number;
  readonly type: HarshEventType;
  readonly value: number;
}

/** A drive from engine start to engine stop. Totals are whole numbers, so their sums are exact. */
export interface Leg {
  readonly durationMs: number;
  readonly distanceM: number;
  readonly fuelMl: number;
  readonly idleMs: number;
  /** In m/s. */
  readonly topSpeed: number;
  readonly idleMlPerS: number;
  readonly road: Road;
  readonly minutes: number;
  /** Computed on first use. */
  readonly course: Course;
}

interface Phase {
  /** At its start: milliseconds after engine start, metres along the road, m/s. */
  readonly atMs: number;
  readonly metres: number;
  readonly speed: number;
  readonly acceleration: number;
  readonly fuelPerM: number;
  /** Before the phase: millilitres used, milliseconds of idling. */
  readonly fuel: number;
  readonly idle: number;
  readonly segment: RoadSegment;
}

export interface Course {
  /** In time order; the last one has no duration and marks the end. */
  readonly phases: readonly Phase[];
  /** Sorted times of extra position fixes: corners, both ends of every stop, top speed. */
  readonly fixTimes: readonly number[];
  readonly events: readonly DriveEvent[];
}

interface Recording {
  readonly phases: Phase[];
  readonly fixTimes: number[];
  readonly events: DriveEvent[];
}

type Totals = Pick<Leg, 'durationMs' | 'distanceM' | 'fuelMl' | 'idleMs' | 'topSpeed'>;

/** Computes the drive along a road, which starts with idling. Equal arguments give equal drives. */
export function driveAlong(
  road: Road,
  traits: VehicleTraits,
  hash: number,
  standingMs = 1000 * Math.round(randomBetween(hash, 11, 18, 80)),
): Leg {
  const totals = drive(road, traits, hash, standingMs, null);
  let course: Course | null = null;
  return {
    ...totals,
    idleMlPerS: traits.idleMlPerS,
    road,
    minutes: Math.ceil(totals.durationMs / minuteMs),
    get course() {
      course ??= courseOf(road, traits, hash, standingMs);
      return course;
    },
  };
}

function courseOf(road: Road, traits: VehicleTraits, hash: number, standingMs: number): Course {
  const recording: Recording = { phases: [], fixTimes: [], events: [] };
  drive(road, traits, hash, standingMs, recording);
  return { ...recording, fixTimes: [...new Set(recording.fixTimes)].sort((a, b) => a - b) };
}

function drive(
  road: Road,
  traits: VehicleTraits,
  hash: number,
  standingMs: number,
  recording: Recording | null,
): Totals {
  const segments = roadSegments(road, traits, hash);
  const cornerSpeeds = cornerSpeedsOf(segments);
  const [first, last] = [segments[0], segments.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a road needs a segment');
  let now = 0;
  let fuel = 0;
  let idle = 0;
  let topSpeed = 0;
  let topSpeedAt = 0;
  const addPhase = (
    ms: number,
    segment: RoadSegment,
    metres: number,
    speed: number,
    acceleration: number,
    length: number,
  ): void => {
    const fuelPerM =
      (acceleration >= -0.3 ? traits.fuelMlPerM : 0) + traits.fuelMlPerMAccelerating * Math.max(acceleration, 0);
    recording?.phases.push({ atMs: now, metres, speed, acceleration, fuelPerM, fuel, idle, segment });
    now += ms;
    fuel += (traits.idleMlPerS * ms) / 1000 + fuelPerM * length;
  };
  const addStop = (ms: number, segment: RoadSegment, metres: number): void => {
    const begin = now;
    addPhase(ms, segment, metres, 0, 0, 0);
    idle += ms;
    if (begin > 0) recording?.fixTimes.push(Math.ceil(begin));
    recording?.fixTimes.push(Math.floor(now));
  };

  addStop(standingMs, first, 0);
  for (const segment of segments) {
    const { index, from, turn, acceleration: a, deceleration: d, length, event } = segment;
    const startSpeed = cornerSpeeds[index] ?? 0;
    const endSpeed = cornerSpeeds[index + 1] ?? 0;
    const before = segments[index - 1];
    if (before !== undefined && from.redLight > 0) addStop(1000 * from.redLight, before, segment.begin);
    else if (turn > 25) recording?.fixTimes.push(Math.round(now));
    const reachable = Math.sqrt((2 * a * d * length + d * startSpeed * startSpeed + a * endSpeed * endSpeed) / (a + d));
    const peak = Math.max(startSpeed, endSpeed, Math.min(segment.targetSpeed, reachable));
    const up = (peak * peak - startSpeed * startSpeed) / (2 * a);
    const down = (peak * peak - endSpeed * endSpeed) / (2 * d);
    const level = Math.max(0, length - up - down);
    let metres = segment.begin;
    if (up > 1e-6) {
      const ms = ((peak - startSpeed) / a) * 1000;
      if (a === traits.harshAcceleration && peak - startSpeed > 3)
        recording?.events.push({ atMs: Math.round(now + ms * 0.4), type: 'HARSH_ACCELERATION', value: a });
      addPhase(ms, segment, metres, startSpeed, a, up);
      metres += up;
    }
    if (peak > topSpeed) {
      topSpeed = peak;
      topSpeedAt = now;
    }
    if (level > 1e-6) {
      const ms = (level / peak) * 1000;
      const isUnknown = event === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN';
      if (event !== null && (isUnknown || peak > segment.targetSpeed - 0.01)) {
        const value = isUnknown ? 1 : Math.round(peak * 36) / 10;
        recording?.events.push({ atMs: Math.round(now + ms / 2), type: event, value });
      }
      addPhase(ms, segment, metres, peak, 0, level);
      metres += level;
    }
    if (down > 1e-6) {
      const ms = ((peak - endSpeed) / d) * 1000;
      if (d === traits.harshDeceleration && peak - endSpeed > 4)
        recording?.events.push({ atMs: Math.round(now + ms * 0.4), type: 'HARSH_BRAKING', value: d });
      addPhase(ms, segment, metres, peak, -d, down);
    }
  }
  const distanceM = last.end;
  const wait = 1000 * Math.round(randomBetween(hash, 12, 6, 35));
  addStop(Math.ceil((now + wait) / 1000) * 1000 - now, last, distanceM);
  fuel = Math.ceil(fuel);
  idle = Math.ceil(idle);
  addPhase(0, last, distanceM, 0, 0, 0);
  recording?.fixTimes.push(Math.round(topSpeedAt));
  return { durationMs: Math.round(now), distanceM, fuelMl: fuel, idleMs: idle, topSpeed };
}
