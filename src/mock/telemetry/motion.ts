// The state of a vehicle at any time of a leg: a cursor over the phases of the leg. The state depends on the time only; moving
// forwards in small steps is cheaper than jumping.
import type { Course, Leg } from './leg.js';

export class MotionCursor {
  // Since the start of the engine: metres, millilitres and milliseconds. Then m/s, m/s2, degrees, km/h and ml/s.
  metres = 0;
  fuel = 0;
  idle = 0;
  speed = 0;
  acceleration = 0;
  latitude = 0;
  longitude = 0;
  bearing = 0;
  limit = 0;
  fuelRate = 0;
  private phase = 0;
  private readonly course: Course;

  constructor(private readonly leg: Leg) {
    this.course = leg.course;
  }

  /** Moves to `ms` milliseconds after the start of the engine. Before and after the leg the vehicle stands. */
  moveTo(ms: number): this {
    const { leg, course } = this;
    const last = course.segment.length - 1;
    const t = Math.min(Math.max(ms, 0), leg.durationMs);
    const i = this.findPhase(t, last);
    const dt = (t - (course.time[i] ?? 0)) / 1000;
    const v = course.speed[i] ?? 0;
    const a = course.acceleration[i] ?? 0;
    const start = course.metres[i] ?? 0;
    const end = course.metres[i + 1] ?? start;
    const perM = course.fuelPerM[i] ?? 0;
    const standing = v === 0 && a === 0;
    const ended = t >= leg.durationMs;
    this.metres = Math.min(start + v * dt + (a * dt * dt) / 2, end);
    this.speed = Math.max(0, v + a * dt);
    this.acceleration = a;
    this.fuelRate = leg.idleMlPerS + perM * this.speed;
    const burnt = (course.fuel[i] ?? 0) + leg.idleMlPerS * dt + perM * (this.metres - start);
    this.fuel = ended ? leg.fuelMl : Math.min(burnt, course.fuel[i + 1] ?? burnt);
    this.idle = ended ? leg.idleMs : (course.idle[i] ?? 0) + (standing ? dt * 1000 : 0);
    const piece = course.segment[i] ?? 0;
    const from = course.segmentMetres[piece] ?? 0;
    const length = (course.segmentMetres[piece + 1] ?? from) - from;
    const share = length > 0 ? (this.metres - from) / length : 0;
    const { latitudes, longitudes, limits } = leg.road;
    const latitude = latitudes[piece] ?? 0;
    const longitude = longitudes[piece] ?? 0;
    this.latitude = latitude + ((latitudes[piece + 1] ?? latitude) - latitude) * share;
    this.longitude = longitude + ((longitudes[piece + 1] ?? longitude) - longitude) * share;
    this.bearing = course.bearings[piece] ?? 0;
    this.limit = limits[piece] ?? 0;
    return this;
  }

  /** The phase at time t: tries the next few phases, then searches by bisection. */
  private findPhase(t: number, last: number): number {
    const { time } = this.course;
    let i = this.phase;
    if ((time[i] ?? 0) <= t) {
      for (let steps = 0; steps < 4; steps++) {
        if (i === last || (time[i + 1] ?? 0) > t) {
          this.phase = i;
          return i;
        }
        i++;
      }
    } else i = 0;
    let high = last;
    while (i < high) {
      const middle = (i + high + 1) >> 1;
      if ((time[middle] ?? 0) <= t) i = middle;
      else high = middle - 1;
    }
    this.phase = i;
    return i;
  }
}
