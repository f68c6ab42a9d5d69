// The rules of events: kinds, thresholds, hours and defaults, as docs/alerts.md describes them.
import { closestNames } from '../../core/suggestions.js';
import { parseBetween, type Weekday, WeeklyHours, weekdays } from './weekly-hours.js';

export const eventKinds = [
  'geofence-enter',
  'geofence-exit',
  'geofence-dwell',
  'movement',
  'silent',
  'speeding',
  'ignition',
  'idle',
  'low-battery',
  'offline',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** A rule: the condition of a vehicle that emits an event. */
export interface EventRule {
  readonly on: EventKind;
  /** Part of the ids of its events. Default: `on`. */
  readonly name?: string | undefined;
  /** The minimum duration of the condition, in milliseconds. `geofence-dwell` has no default. */
  readonly forMs?: number | undefined;
  /** The limit of `speeding` in km/h. Default 90. */
  readonly speedLimitKmh?: number | undefined;
  /** The threshold of `low-battery`, in the unit of `misc.power`. No default. */
  readonly batteryBelow?: number | undefined;
  /** Also emits an event when the condition ends. Default false. */
  readonly resolved?: boolean | undefined;
  /** The local hours in which the condition counts: `22:00-06:00`. */
  readonly between?: string | undefined;
  /** The days that count. Hours over midnight belong to the day on which they begin. */
  readonly days?: readonly Weekday[] | undefined;
  /** The name or id of a work schedule: the condition counts in its hours. */
  readonly schedule?: string | undefined;
  /** The name or id of a work schedule: the condition counts outside of its hours. */
  readonly outsideSchedule?: string | undefined;
}

export interface CompleteRule {
  readonly name: string;
  readonly on: EventKind;
  readonly forMs: number;
  readonly speedLimitKmh: number | null;
  readonly batteryBelow: number | null;
  readonly resolved: boolean;
  readonly between: string | null;
  readonly days: readonly Weekday[] | null;
  /** From `between` and `days`; null for every hour. */
  readonly hours: WeeklyHours | null;
  readonly schedule: string | null;
  readonly outsideSchedule: string | null;
}

/** A rule that cannot be used; the message is the reason. */
export class InvalidRuleError extends Error {}

export const DEFAULT_SPEED_LIMIT_KMH = 90;

const MINUTE_MS = 60_000;

/** The silence of `silent` and `offline` equals that of `stale` and `offline` in `liveStatus`. */
const defaultForMs: Readonly<Partial<Record<EventKind, number>>> = {
  silent: 90 * MINUTE_MS,
  offline: 6 * 60 * MINUTE_MS,
  idle: 10 * MINUTE_MS,
  'low-battery': 5 * MINUTE_MS,
};

/** Returns true for an event of one moment. The other kinds are conditions that last and end. */
export function isMomentary(kind: EventKind): boolean {
  return kind === 'ignition' || kind === 'geofence-enter' || kind === 'geofence-exit';
}

export function isGeofenceKind(kind: EventKind): boolean {
  return kind.startsWith('geofence-');
}

const oppositeOf: Readonly<Partial<Record<EventKind, string>>> = {
  'geofence-enter': 'geofence-exit',
  'geofence-exit': 'geofence-enter',
  ignition: 'the opposite change of the ignition',
};

/**
 * Throws when a rule of another kind names geofences.
 * @throws {InvalidRuleError}
 */
export function checkGeofences(on: EventKind, geofences: readonly string[] | undefined): void {
  if (geofences === undefined || isGeofenceKind(on)) return;
  throw new InvalidRuleError(`Geofences are for events of geofences, not for ${on}.`);
}

/**
 * Adds the defaults.
 * @throws {InvalidRuleError} for values that do not fit together
 */
export function completeRule(rule: EventRule): CompleteRule {
  const { name, on, forMs, speedLimitKmh, batteryBelow, resolved = false } = rule;
  if (speedLimitKmh !== undefined && on !== 'speeding') {
    throw new InvalidRuleError(`A speed limit is for speeding, not for ${on}.`);
  }
  if (batteryBelow !== undefined && on !== 'low-battery') {
    throw new InvalidRuleError(`A threshold of the battery is for low-battery, not for ${on}.`);
  }
  if (resolved && isMomentary(on))
    throw new InvalidRuleError(`resolved is not possible for ${on}: ${oppositeOf[on]} is a separate event.`);
  if (on === 'low-battery' && batteryBelow === undefined) {
    throw new InvalidRuleError(
      'low-battery needs a threshold: the service does not say at which voltage a battery is low.',
    );
  }
  if (on === 'geofence-dwell' && forMs === undefined) {
    throw new InvalidRuleError('geofence-dwell needs the time that a vehicle has to stay.');
  }
  const durationMs = forMs ?? defaultForMs[on] ?? 0;
  if (durationMs === 0 && ['silent', 'offline', 'geofence-dwell'].includes(on)) {
    throw new InvalidRuleError(`${on} needs a time above 0.`);
  }
  return {
    name: name ?? on,
    on,
    forMs: durationMs,
    speedLimitKmh: on === 'speeding' ? (speedLimitKmh ?? DEFAULT_SPEED_LIMIT_KMH) : null,
    batteryBelow: batteryBelow ?? null,
    resolved,
    ...completeHours(rule),
  };
}

function completeHours({
  between,
  days,
  schedule,
  outsideSchedule,
}: EventRule): Pick<CompleteRule, 'between' | 'days' | 'hours' | 'schedule' | 'outsideSchedule'> {
  if (schedule !== undefined && outsideSchedule !== undefined) {
    throw new InvalidRuleError('A rule takes the hours of a work schedule or the hours outside of one, not both.');
  }
  const period = between === undefined ? { begin: 0, minutes: 1_440 } : readBetween(between);
  const hours =
    between === undefined && days === undefined
      ? null
      : WeeklyHours.of((days ?? weekdays).map((day) => ({ day, ...period })));
  return {
    between: between ?? null,
    days: days ?? null,
    hours,
    schedule: schedule ?? null,
    outsideSchedule: outsideSchedule ?? null,
  };
}

function readBetween(text: string) {
  const period = parseBetween(text);
  if (period !== null) return period;
  throw new InvalidRuleError(`"${text}" is not a range of hours. Write it as 22:00-06:00, with two different times.`);
}

/**
 * Returns the event kind of this name.
 * @throws {InvalidRuleError} that suggests the nearest name
 */
export function readKind(text: string): EventKind {
  const name = text.trim();
  const kind = eventKinds.find((one) => one === name);
  if (kind !== undefined) return kind;
  const [nearest] = closestNames(name, eventKinds);
  const rest = nearest === undefined ? `. The events are ${eventKinds.join(', ')}.` : `, but ${nearest} is.`;
  throw new InvalidRuleError(`"${name}" is not an event${rest}`);
}
