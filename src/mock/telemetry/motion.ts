/**
 * The state of a vehicle at any moment of a drive: a cursor over the drive's phases. What it says depends on the moment
 * alone; going forwards in small steps is only cheaper than jumping.
 */
import type { Leg } from './drive.js';

export class Motion {
  /** Metres, millilitres and idle milliseconds since the engine's start; m/s; m/s2; degrees; km/h; ml/s. */
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

  constructor(private readonly leg: Leg) {}

  /** Moves to `ms` milliseconds after the engine's start; before and after the drive the vehicle stands. */
  to(ms: number): this {
    const { leg } = this;
    const last = leg.piece.length - 1;
    const t = Math.min(Math.max(ms, 0), leg.durationMs);
    const i = this.seek(t, last);
    const dt = (t - (leg.time[i] ?? 0)) / 1000;
    const v = leg.speed[i] ?? 0;
    const a = leg.acceleration[i] ?? 0;
    const start = leg.metres[i] ?? 0;
    const end = leg.metres[i + 1] ?? start;
    const perM = leg.fuelPerM[i] ?? 0;
    const standing = v === 0 && a === 0;
    const ended = t >= leg.durationMs;
    this.metres = Math.min(start + v * dt + (a * dt * dt) / 2, end);
    this.speed = Math.max(0, v + a * dt);
    this.acceleration = a;
    this.fuelRate = leg.idleMlPerS + perM * this.speed;
    const burnt = (leg.fuel[i] ?? 0) + leg.idleMlPerS * dt + perM * (this.metres - start);
    this.fuel = ended ? leg.fuelMl : Math.min(burnt, leg.fuel[i + 1] ?? burnt);
    this.idle = ended ? leg.idleMs : (leg.idle[i] ?? 0) + (standing ? dt * 1000 : 0);
    const piece = leg.piece[i] ?? 0;
    const from = leg.pieceMetres[piece] ?? 0;
    const length = (leg.pieceMetres[piece + 1] ?? from) - from;
    const share = length > 0 ? (this.metres - from) / length : 0;
    const { latitudes, longitudes, limits } = leg.road;
    const latitude = latitudes[piece] ?? 0;
    const longitude = longitudes[piece] ?? 0;
    this.latitude = latitude + ((latitudes[piece + 1] ?? latitude) - latitude) * share;
    this.longitude = longitude + ((longitudes[piece + 1] ?? longitude) - longitude) * share;
    this.bearing = leg.bearings[piece] ?? 0;
    this.limit = limits[piece] ?? 0;
    return this;
  }

  /** The phase that holds time t: the next few from where the cursor is, else by halving. */
  private seek(t: number, last: number): number {
    const { time } = this.leg;
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
