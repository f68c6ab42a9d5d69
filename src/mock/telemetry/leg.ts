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
  const simulation = new DriveSimulation(traits, recording);
  simulation.stand(standingMs, first, 0);
  for (const segment of segments) {
    const { index, from } = segment;
    const before = segments[index - 1];
    if (before !== undefined && from.redLight > 0) simulation.stand(1000 * from.redLight, before, segment.begin);
    else if (segment.turn > 25) simulation.recordFix();
    simulation.drive(segment, cornerSpeeds[index] ?? 0, cornerSpeeds[index + 1] ?? 0);
  }
  return simulation.end(last, 1000 * Math.round(randomBetween(hash, 12, 6, 35)));
}

/** The state of a vehicle on its way, which records phases, fixes and events. */
class DriveSimulation {
  readonly #traits: VehicleTraits;
  readonly #recording: Recording | null;
  #now = 0;
  #fuel = 0;
  #idle = 0;
  #topSpeed = 0;
  #topSpeedAt = 0;

  /** `recording`: null when only the totals are needed. */
  constructor(traits: VehicleTraits, recording: Recording | null) {
    this.#traits = traits;
    this.#recording = recording;
  }

  stand(ms: number, segment: RoadSegment, metres: number): void {
    const begin = this.#now;
    this.#addPhase(ms, segment, metres, 0, 0, 0);
    this.#idle += ms;
    if (begin > 0) this.#recording?.fixTimes.push(Math.ceil(begin));
    this.#recording?.fixTimes.push(Math.floor(this.#now));
  }

  recordFix(): void {
    this.#recording?.fixTimes.push(Math.round(this.#now));
  }

  /** Drives along a segment: accelerates, keeps the speed, and brakes. */
  drive(segment: RoadSegment, startSpeed: number, endSpeed: number): void {
    const { acceleration: a, deceleration: d, length } = segment;
    const reachable = Math.sqrt((2 * a * d * length + d * startSpeed * startSpeed + a * endSpeed * endSpeed) / (a + d));
    const peak = Math.max(startSpeed, endSpeed, Math.min(segment.targetSpeed, reachable));
    const up = (peak * peak - startSpeed * startSpeed) / (2 * a);
    const down = (peak * peak - endSpeed * endSpeed) / (2 * d);
    const level = Math.max(0, length - up - down);
    let metres = segment.begin;
    if (up > 1e-6) {
      this.#accelerate(segment, startSpeed, peak, up);
      metres += up;
    }
    if (peak > this.#topSpeed) {
      this.#topSpeed = peak;
      this.#topSpeedAt = this.#now;
    }
    if (level > 1e-6) {
      this.#keepSpeed(segment, metres, peak, level);
      metres += level;
    }
    if (down > 1e-6) this.#brake(segment, metres, peak, endSpeed, down);
  }

  /** Stops at the end of the road for at least `waitMs`, until a whole second. */
  end(last: RoadSegment, waitMs: number): Totals {
    const distanceM = last.end;
    this.stand(Math.ceil((this.#now + waitMs) / 1000) * 1000 - this.#now, last, distanceM);
    this.#fuel = Math.ceil(this.#fuel);
    this.#idle = Math.ceil(this.#idle);
    this.#addPhase(0, last, distanceM, 0, 0, 0);
    this.#recording?.fixTimes.push(Math.round(this.#topSpeedAt));
    return {
      durationMs: Math.round(this.#now),
      distanceM,
      fuelMl: this.#fuel,
      idleMs: this.#idle,
      topSpeed: this.#topSpeed,
    };
  }

  #accelerate(segment: RoadSegment, startSpeed: number, peak: number, length: number): void {
    const { acceleration } = segment;
    const ms = ((peak - startSpeed) / acceleration) * 1000;
    if (acceleration === this.#traits.harshAcceleration && peak - startSpeed > 3)
      this.#addEvent(ms * 0.4, 'HARSH_ACCELERATION', acceleration);
    this.#addPhase(ms, segment, segment.begin, startSpeed, acceleration, length);
  }

  /** Adds a phase of constant speed, with the event of the segment in its middle. */
  #keepSpeed(segment: RoadSegment, metres: number, speed: number, length: number): void {
    const { event } = segment;
    const ms = (length / speed) * 1000;
    const isUnknown = event === 'DRIVER_BEHAVIOUR_TYPE_UNKNOWN';
    if (event !== null && (isUnknown || speed > segment.targetSpeed - 0.01))
      this.#addEvent(ms / 2, event, isUnknown ? 1 : Math.round(speed * 36) / 10);
    this.#addPhase(ms, segment, metres, speed, 0, length);
  }

  #brake(segment: RoadSegment, metres: number, peak: number, endSpeed: number, length: number): void {
    const { deceleration } = segment;
    const ms = ((peak - endSpeed) / deceleration) * 1000;
    if (deceleration === this.#traits.harshDeceleration && peak - endSpeed > 4)
      this.#addEvent(ms * 0.4, 'HARSH_BRAKING', deceleration);
    this.#addPhase(ms, segment, metres, peak, -deceleration, length);
  }

  #addEvent(afterMs: number, type: HarshEventType, value: number): void {
    this.#recording?.events.push({ atMs: Math.round(this.#now + afterMs), type, value });
  }

  #addPhase(
    ms: number,
    segment: RoadSegment,
    metres: number,
    speed: number,
    acceleration: number,
    length: number,
  ): void {
    const { fuelMlPerM, fuelMlPerMAccelerating, idleMlPerS } = this.#traits;
    const fuelPerM = (acceleration >= -0.3 ? fuelMlPerM : 0) + fuelMlPerMAccelerating * Math.max(acceleration, 0);
    this.#recording?.phases.push({
      atMs: this.#now,
      metres,
      speed,
      acceleration,
      fuelPerM,
      fuel: this.#fuel,
      idle: this.#idle,
      segment,
    });
    this.#now += ms;
    this.#fuel += (idleMlPerS * ms) / 1000 + fuelPerM * length;
  }
}
