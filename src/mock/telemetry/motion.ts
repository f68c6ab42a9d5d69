// The state of a vehicle at any time of a leg.
import type { Leg } from './leg.js';

export interface SimulatedMotion {
  /** Since engine start: metres, millilitres, milliseconds of idling. */
  readonly metres: number;
  readonly fuel: number;
  readonly idle: number;
  /** In m/s, m/s² and ml/s. */
  readonly speed: number;
  readonly acceleration: number;
  readonly fuelRate: number;
  readonly latitude: number;
  readonly longitude: number;
  /** Degrees clockwise from north. */
  readonly bearing: number;
  /** Speed limit in km/h. */
  readonly limit: number;
}

/** Returns the motion `ms` milliseconds after engine start. Outside the leg the vehicle stands. */
export function motionAt(leg: Leg, ms: number): SimulatedMotion {
  const { phases } = leg.course;
  const t = Math.min(Math.max(ms, 0), leg.durationMs);
  let low = 0;
  let high = phases.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((phases[middle]?.atMs ?? 0) <= t) low = middle;
    else high = middle - 1;
  }
  const phase = phases[low];
  const next = phases[low + 1];
  if (phase === undefined || next === undefined) throw new Error('a leg has no phases');
  const { acceleration, fuelPerM, segment } = phase;
  const seconds = (t - phase.atMs) / 1000;
  const isEnd = t >= leg.durationMs;
  const isStanding = phase.speed === 0 && acceleration === 0;
  const metres = Math.min(phase.metres + phase.speed * seconds + (acceleration * seconds * seconds) / 2, next.metres);
  const speed = Math.max(0, phase.speed + acceleration * seconds);
  const burnt = phase.fuel + leg.idleMlPerS * seconds + fuelPerM * (metres - phase.metres);
  const share = segment.length > 0 ? (metres - segment.begin) / segment.length : 0;
  const { from, to } = segment;
  return {
    metres,
    fuel: isEnd ? leg.fuelMl : Math.min(burnt, next.fuel),
    idle: isEnd ? leg.idleMs : phase.idle + (isStanding ? seconds * 1000 : 0),
    speed,
    acceleration,
    fuelRate: leg.idleMlPerS + fuelPerM * speed,
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    bearing: segment.bearing,
    limit: from.limit,
  };
}
