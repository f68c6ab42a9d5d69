// What an alert is about: the kinds of events, and a rule with its thresholds. docs/alerts.md says what each kind rests on.
import { durationText } from '../../core/durations.js';
import type { AlertKind } from '../views/alert.js';

export interface AlertRule {
  /** Part of the id of its events, so a rule that is renamed has other events. */
  readonly name: string;
  readonly on: AlertKind;
  /** How long it has to be so before it is an event, in milliseconds. */
  readonly forMs: number;
  /** Of `speeding`: the speed that may not be exceeded, in km/h. */
  readonly speedLimitKmh: number | null;
  /** Of `low-battery`: the reading of `misc.power` that is too low when it is below this. */
  readonly batteryBelow: number | null;
  /** Whether the end of what it has told is an event too. */
  readonly resolved: boolean;
  /** Of `geofence-enter` and `geofence-exit`: names or ids; null for all geofences. */
  readonly geofences: readonly string[] | null;
  /** The vehicles that it is about; null for all of the command. */
  readonly vehicles: RuleVehicles | null;
}

export interface RuleVehicles {
  readonly group?: readonly string[];
  readonly label?: readonly string[];
  readonly vehicleFilter?: readonly string[];
}

const MINUTE_MS = 60_000;

/** How long each kind has to last, unless the user says otherwise. Silence is that of `stale` and `offline` in `fleet vehicles status`. */
export const defaultForMs: Readonly<Record<AlertKind, number>> = {
  'geofence-enter': 0,
  'geofence-exit': 0,
  silent: 90 * MINUTE_MS,
  offline: 6 * 60 * MINUTE_MS,
  speeding: 0,
  ignition: 0,
  idle: 10 * MINUTE_MS,
  'low-battery': 5 * MINUTE_MS,
};

/** As of trips. */
export const DEFAULT_SPEED_LIMIT_KMH = 90;

/** `speeding over 90 km/h`, `silent for 1 h 30 min`: with the limits that a rule has, also those that nobody gave. */
export function ruleText({ on, forMs, speedLimitKmh, batteryBelow }: AlertRule): string {
  const limit =
    speedLimitKmh !== null ? ` over ${speedLimitKmh} km/h` : batteryBelow !== null ? ` below ${batteryBelow}` : '';
  return `${on}${limit}${forMs === 0 ? '' : ` for ${durationText(forMs)}`}`;
}

/** Whether it ends. The end of the others is an event by itself: a vehicle leaves what it has entered, and an engine that is on goes off. */
export function hasEnd(kind: AlertKind): boolean {
  return kind !== 'ignition' && !isGeofenceKind(kind);
}

export function isGeofenceKind(kind: AlertKind): boolean {
  return kind === 'geofence-enter' || kind === 'geofence-exit';
}
