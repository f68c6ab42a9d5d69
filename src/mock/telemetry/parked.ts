/**
 * The rows of a parked vehicle: a heartbeat about every half hour, some left out. Each depends on its half hour alone;
 * whether the vehicle was parked then is all that is asked of the rest.
 */
import { fleetMetaSensors, power, sensorsWithHeartbeat, temperatures } from './extras.js';
import { mix, pick, unit } from './hash.js';
import type { Day, VehiclePlan } from './plan.js';
import { dayMs, failureHolding, type Stretch } from './roster.js';
import type { Position, SnapshotRow } from './rows.js';
import { altitudeAt, ambientAt, engineHours, odometerKm, parkedAt } from './run.js';
import { engineOff } from './slots.js';
import { plus, type Totals } from './tours.js';

const heartbeatMs = 1_800_000;
/** No heartbeat just after the engine's stop. */
const settleMs = 120_000;

/** A stretch of one day without a drive. */
export interface Stay {
  readonly from: number;
  readonly to: number;
  /** When the engine last stopped on that day, if it did. */
  readonly since: number | null;
  readonly position: Position;
  readonly bearing: number;
  readonly totals: Totals;
}

/** The stay before leg `next` of a day; `next` may be one past the last. */
export function stayBefore(plan: VehiclePlan, day: Day, next: number): Stay {
  const to = (day.starts[next] ?? day.begin + dayMs) - 1;
  const leg = day.tour?.legs[next - 1];
  if (day.tour === null || leg === undefined) {
    // At the depot, where every tour begins.
    const home = plan.home.legs[plan.home.legs.length - 1];
    return { from: day.begin, to, since: null, ...parkedAt(plan, home), totals: day.totals };
  }
  const since = (day.starts[next - 1] ?? 0) + leg.durationMs;
  const done = day.tour.before[next] ?? day.tour.total;
  return { from: since + settleMs, to, since, ...parkedAt(plan, leg), totals: plus(day.totals, done) };
}

/** The failure of the device during which a half hour begins: its heartbeats need not be looked at one by one. */
export function failureAtBeat(plan: VehiclePlan, beat: number): Stretch | null {
  return failureHolding(plan.duty, beat * heartbeatMs);
}

export function firstBeat(time: number): number {
  return Math.floor(time / heartbeatMs);
}

/** When the heartbeat of a half hour is sent, or null when it is left out or the device fails. */
export function beatAt(plan: VehiclePlan, beat: number): number | null {
  const hash = mix(plan.hash, beat);
  // Some nights the device sleeps deeply: one row in four hours.
  const asleep = unit(mix(plan.hash, 0xa5 + Math.floor(beat / 48))) < 0.15;
  if (asleep ? beat % 8 !== 0 : unit(mix(hash, 1)) < 0.12) return null;
  const time = beat * heartbeatMs + 1000 * pick(hash, 2, heartbeatMs / 3000);
  return failureHolding(plan.duty, time) === null ? time : null;
}

export function beatRow(plan: VehiclePlan, stay: Stay, beat: number, timestamp: number): SnapshotRow {
  const moment = mix(plan.hash, mix(beat, 3));
  const { latitude, longitude } = stay.position;
  const sensors = sensorsWithHeartbeat(moment);
  // Often there is no new fix indoors: the position is the one of an earlier moment of the same stay.
  const stale = unit(moment) < 0.3;
  return {
    vehicleId: plan.vehicle.id,
    timestamp,
    gps: {
      state: true,
      latitude,
      longitude,
      direction: stay.bearing,
      altitude: altitudeAt(plan, latitude, longitude),
      speed: 0,
      satellites: 5 + pick(moment, 5, 8),
      hdop: Math.round(8 + 14 * unit(mix(moment, 6))) / 10,
    },
    ignition: engineOff,
    canBus: null,
    driverBehaviour: null,
    temperatures: sensors ? temperatures(plan, timestamp, ambientAt(plan, timestamp)) : null,
    fleetMetaSensors: sensors ? fleetMetaSensors(plan, false, false, moment) : null,
    fuel: null,
    misc: power(plan, false, moment),
    locationTimestamp: stale ? Math.max(timestamp - 900_000, stay.since ?? 0) : timestamp,
    locationTimeZone: plan.terrain.timeZone,
    odometerKm: odometerKm(stay.totals.metres),
    engineHours: engineHours(stay.totals.engineMs),
  };
}
