// The rows that a vehicle sends along a scripted path.
import { minuteMs } from '../core/durations.js';
import { bearingDegrees, distanceKm } from '../core/great-circle.js';
import { fail } from '../core/readers.js';
import { noFix } from '../telemetry/telemetry.js';
import type { PathStep, ScriptedPath, ScriptPlace } from './script-types.js';

/** A row whose missing totals are not filled in yet. */
export interface PlannedRow {
  readonly at: number;
  readonly arrivesAt: number;
  /** Undefined without ignition group. */
  readonly ignition: boolean | undefined;
  readonly odometerKm: number | undefined;
  readonly engineHours: number | undefined;
  readonly groups: Readonly<Record<string, object>>;
}

const engineOnStepSeconds = 10;
const engineOffStepSeconds = 1800;
export const defaultOdometerKm = 10_000;

type StandingOrMoving = Extract<PathStep, { kind: 'move' | 'idle' | 'stop' }>;

interface Vehicle {
  readonly time: number;
  readonly position: ScriptPlace;
  readonly heading: number;
  readonly odometerKm: number;
  readonly engineHours: number;
}

const round = (value: number, factor: number): number => Math.round(value * factor) / factor;

function between(a: ScriptPlace, b: ScriptPlace, share: number): ScriptPlace {
  return {
    latitude: round(a.latitude + (b.latitude - a.latitude) * share, 1e6),
    longitude: round(a.longitude + (b.longitude - a.longitude) * share, 1e6),
  };
}

function durationOf(step: StandingOrMoving, from: ScriptPlace): number {
  if (step.minutes !== undefined) return step.minutes * minuteMs;
  // A move over no distance takes no time.
  return (distanceKm(from, step.to) / step.speedKmh) * 60 * minuteMs;
}

/** Returns the vehicle after a share of the step, from 0 (start) to 1 (end). */
function advanced(vehicle: Vehicle, step: StandingOrMoving, durationMs: number, share: number): Vehicle {
  const to = step.kind === 'move' ? step.to : vehicle.position;
  const hours = step.kind === 'stop' ? 0 : (durationMs * share) / (60 * minuteMs);
  return {
    time: vehicle.time + Math.round(durationMs * share),
    position: between(vehicle.position, to, share),
    heading: step.kind === 'move' ? bearingDegrees(vehicle.position, to) : vehicle.heading,
    odometerKm: vehicle.odometerKm + distanceKm(vehicle.position, to) * share,
    engineHours: vehicle.engineHours + hours,
  };
}

function rowOf(vehicle: Vehicle, step: StandingOrMoving, speed: number): PlannedRow {
  const { without = [], noFix: hasNoFix = false, lateMinutes = 0 } = step;
  const fix = {
    state: true,
    ...vehicle.position,
    direction: Math.round(vehicle.heading) % 360,
    altitude: 0,
    speed: round(speed, 10),
    satellites: 10,
    hdop: 0.8,
  };
  const bus = { canDistance: round(vehicle.odometerKm, 1000), canSpeed: round(speed, 10) };
  return {
    at: vehicle.time,
    arrivesAt: vehicle.time + Math.round(lateMinutes * minuteMs),
    ignition: without.includes('ignition') ? undefined : step.kind !== 'stop',
    odometerKm: vehicle.odometerKm,
    engineHours: vehicle.engineHours,
    groups: {
      ...(without.includes('gps') ? {} : { gps: hasNoFix ? noFix : fix }),
      ...(without.includes('canBus') ? {} : { canBus: bus }),
    },
  };
}

export interface PathRows {
  readonly rows: readonly PlannedRow[];
  /** The devices of the vehicle, each from a time on. */
  readonly swaps: readonly { readonly at: number; readonly serial: string }[];
}

export const maxRows = 200_000;

/** Returns rows within each step and at the path's end. Throws a TypeError for too many. */
export function rowsOfPath(path: ScriptedPath, from: number, place: string): PathRows {
  const rows: PlannedRow[] = [];
  const swaps: { at: number; serial: string }[] = [];
  let vehicle: Vehicle = {
    time: from,
    position: path.start,
    heading: 0,
    odometerKm: path.odometerKm ?? defaultOdometerKm,
    engineHours: 0,
  };
  // A step's last row is the next step's first row, or the path's last row.
  let ending: PlannedRow | null = null;
  for (const step of path.steps) {
    if (step.kind === 'swapDevice') {
      swaps.push({ at: vehicle.time, serial: step.serial });
      vehicle = { ...vehicle, odometerKm: step.odometerKm ?? 0, engineHours: 0 };
      continue;
    }
    if (step.kind === 'silence') {
      if (ending !== null) rows.push(ending);
      ending = null;
      const to = step.to ?? vehicle.position;
      vehicle = {
        ...vehicle,
        time: vehicle.time + Math.round(step.minutes * minuteMs),
        position: to,
        odometerKm: vehicle.odometerKm + distanceKm(vehicle.position, to),
      };
      continue;
    }
    const durationMs = durationOf(step, vehicle.position);
    const defaultSeconds = step.kind === 'stop' ? engineOffStepSeconds : engineOnStepSeconds;
    const everyMs = (step.everySeconds ?? defaultSeconds) * 1000;
    const kilometres = step.kind === 'move' ? distanceKm(vehicle.position, step.to) : 0;
    const speed = durationMs > 0 ? kilometres / (durationMs / (60 * minuteMs)) : 0;
    if (rows.length + durationMs / everyMs > maxRows)
      fail(place, `leads to more than ${maxRows} rows: make it shorter, or set everySeconds`);
    for (let ms = 0; ms < durationMs; ms += everyMs)
      rows.push(rowOf(advanced(vehicle, step, durationMs, ms / durationMs), step, speed));
    vehicle = advanced(vehicle, step, durationMs, 1);
    ending = rowOf(vehicle, step, step.kind === 'move' ? speed : 0);
  }
  if (ending !== null) rows.push(ending);
  return { rows, swaps };
}
