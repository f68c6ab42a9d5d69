/**
 * The telemetry of the reference service: what every vehicle did at any time, as a pure function of seed, vehicle and
 * time. A period costs in proportion to the rows it holds, wherever in time it lies; no row is stored. What is kept are
 * the region's tours and the habits of the vehicles asked for last, both bounded and both free to be forgotten.
 */
import { beatAt, beatRow, failureAtBeat, firstBeat, type Stay, stayBefore } from './parked.js';
import { type Day, dayAt, dayNumber, makePlan, type VehiclePlan } from './plan.js';
import type { SnapshotRow, Telemetry, TelemetryVehicle, TripTruth } from './rows.js';
import { type LegRun, legRun } from './run.js';
import { slotAt, slotRows, tailMs } from './slots.js';
import { TourLibrary } from './tours.js';
import { tripTruth } from './trips.js';

export { metaSensors } from './extras.js';
export { regions } from './regions.js';
export type * from './rows.js';

/** The units of work, for tests that check what an answer costs. */
export type Work = 'tour' | 'plan' | 'day' | 'minute' | 'heartbeat';

export interface TelemetryOptions {
  /** Told of every unit of work done. */
  readonly onWork?: (work: Work) => void;
}

const keptPlans = 256;

function lastMoment({ deviceUntil }: TelemetryVehicle): number {
  return deviceUntil ?? Number.POSITIVE_INFINITY;
}

/** Creates the telemetry of one seed. Instances with the same seed are interchangeable. */
export function createTelemetry(seed: number, options: TelemetryOptions = {}): Telemetry {
  const work = options.onWork ?? (() => {});
  const library = new TourLibrary(seed, () => work('tour'));
  const plans = new Map<string, VehiclePlan>();

  function planOf(vehicle: TelemetryVehicle): VehiclePlan {
    const kept = plans.get(vehicle.id);
    if (
      kept !== undefined &&
      kept.vehicle.kind === vehicle.kind &&
      kept.vehicle.region === vehicle.region &&
      kept.vehicle.place === vehicle.place &&
      kept.vehicle.deviceSince === vehicle.deviceSince &&
      kept.vehicle.deviceUntil === vehicle.deviceUntil
    )
      return kept;
    work('plan');
    const plan = makePlan(vehicle, seed, library);
    if (plans.size >= keptPlans) {
      const oldest = plans.keys().next();
      if (oldest.done !== true) plans.delete(oldest.value);
    }
    plans.delete(vehicle.id);
    plans.set(vehicle.id, plan);
    return plan;
  }

  function day(plan: VehiclePlan, number: number): Day {
    work('day');
    return dayAt(plan, number);
  }

  /** A leg of the day, unless it was under way before the device was fitted or when the vehicle was taken out of use. */
  function reported(plan: VehiclePlan, of: Day, index: number): LegRun | null {
    const run = legRun(plan, of, index);
    if (run === null || run.start < plan.vehicle.deviceSince) return null;
    return run.end + tailMs > lastMoment(plan.vehicle) ? null : run;
  }

  function minute(run: LegRun, slot: number): SnapshotRow[] {
    work('minute');
    return slotRows(run, slot);
  }

  function* heartbeats(plan: VehiclePlan, stay: Stay, from: number, to: number): Generator<SnapshotRow> {
    const last = Math.min(stay.to, to);
    for (let beat = firstBeat(Math.max(stay.from, from)); firstBeat(last) >= beat; beat++) {
      work('heartbeat');
      const time = beatAt(plan, beat);
      if (time !== null && time >= stay.from && time >= from && time <= last) yield beatRow(plan, stay, beat, time);
      const failure = failureAtBeat(plan, beat);
      if (failure !== null) beat = Math.max(beat, firstBeat(failure.to) - 1);
    }
  }

  function* snapshots(vehicle: TelemetryVehicle, from: number, until: number): Generator<SnapshotRow> {
    const begin = Math.max(from, vehicle.deviceSince);
    const to = Math.min(until, lastMoment(vehicle));
    if (!vehicle.hasDevice || !(begin <= to)) return;
    const plan = planOf(vehicle);
    for (let number = dayNumber(plan, begin); ; number++) {
      const today = day(plan, number);
      if (today.begin > to) return;
      for (let next = 0; next <= today.starts.length; next++) {
        const stay = stayBefore(plan, today, next);
        if (stay.to >= begin && stay.from <= to) yield* heartbeats(plan, stay, begin, to);
        const start = today.starts[next] ?? Number.POSITIVE_INFINITY;
        if (start > to) break;
        const leg = today.tour?.legs[next];
        if (leg === undefined || start + leg.durationMs + tailMs < begin) continue;
        const run = reported(plan, today, next);
        if (run === null) continue;
        const lastSlot = slotAt(run, to);
        for (let slot = slotAt(run, begin); slot <= lastSlot; slot++)
          for (const row of minute(run, slot)) if (row.timestamp >= begin && row.timestamp <= to) yield row;
      }
    }
  }

  /** The last row of a leg that is not after `at`. */
  function lastOfLeg(run: LegRun, at: number): SnapshotRow | null {
    for (let slot = slotAt(run, at); slot >= 0; slot--) {
      let found: SnapshotRow | null = null;
      for (const row of minute(run, slot))
        if (row.timestamp <= at && row.timestamp >= (found?.timestamp ?? Number.NEGATIVE_INFINITY)) found = row;
      if (found !== null) return found;
    }
    return null;
  }

  function lastOfStay(plan: VehiclePlan, stay: Stay, at: number): SnapshotRow | null {
    const last = Math.min(stay.to, at);
    const first = Math.max(stay.from, plan.vehicle.deviceSince);
    for (let beat = firstBeat(last); beat >= firstBeat(first); beat--) {
      work('heartbeat');
      const time = beatAt(plan, beat);
      if (time !== null && time >= first && time <= last) return beatRow(plan, stay, beat, time);
      const failure = failureAtBeat(plan, beat);
      if (failure !== null) beat = Math.min(beat, firstBeat(failure.from) + 1);
    }
    return null;
  }

  function latest(vehicle: TelemetryVehicle, time: number): SnapshotRow | null {
    const at = Math.min(time, lastMoment(vehicle));
    if (!vehicle.hasDevice || !(at >= vehicle.deviceSince)) return null;
    const plan = planOf(vehicle);
    for (let number = dayNumber(plan, at); ; number--) {
      const today = day(plan, number);
      for (let next = today.starts.length; next >= 0; next--) {
        const start = today.starts[next];
        if (start !== undefined && start <= at) {
          const run = reported(plan, today, next);
          const row = run === null ? null : lastOfLeg(run, at);
          if (row !== null) return row;
        }
        const stay = stayBefore(plan, today, next);
        const row = stay.from <= at ? lastOfStay(plan, stay, at) : null;
        if (row !== null) return row;
      }
      if (today.begin <= vehicle.deviceSince) return null;
    }
  }

  function* trips(vehicle: TelemetryVehicle, from: number, until: number): Generator<TripTruth> {
    const begin = Math.max(from, vehicle.deviceSince);
    const to = Math.min(until, lastMoment(vehicle));
    if (!vehicle.hasDevice || !(begin <= to)) return;
    const plan = planOf(vehicle);
    for (let number = dayNumber(plan, begin); ; number++) {
      const today = day(plan, number);
      if (today.begin > to) return;
      for (let index = 0; index < today.starts.length; index++) {
        const run = reported(plan, today, index);
        if (run !== null && run.end >= begin && run.start <= to) yield tripTruth(run);
      }
    }
  }

  return { snapshots, latest, trips };
}
