// Reads the values of rules, as flags and files have them, and completes a rule with its defaults.
import { closestNames } from '../../core/suggestions.js';
import { parseDuration } from '../parse/duration.js';
import { type AlertKind, alertKinds } from '../views/alert.js';
import {
  type AlertRule,
  DEFAULT_SPEED_LIMIT_KMH,
  defaultForMs,
  hasEnd,
  isGeofenceKind,
  type RuleVehicles,
} from './rule.js';

/** What a user says of a rule. */
export interface GivenRule {
  readonly name?: string | undefined;
  readonly on: AlertKind;
  readonly forMs?: number | undefined;
  readonly speedLimitKmh?: number | undefined;
  readonly batteryBelow?: number | undefined;
  readonly resolved?: boolean | undefined;
  readonly geofences?: readonly string[] | undefined;
  readonly vehicles?: RuleVehicles | undefined;
}

/** Why a value cannot be used, in a sentence. */
export class WrongRule extends Error {}

export function readKind(text: string): AlertKind {
  const name = text.trim();
  const kind = alertKinds.find((one) => one === name);
  if (kind !== undefined) return kind;
  const [nearest] = closestNames(name, alertKinds);
  const rest = nearest === undefined ? `. The events are ${alertKinds.join(', ')}.` : `, but ${nearest} is.`;
  throw new WrongRule(`"${name}" is not an event${rest}`);
}

/** Milliseconds. 0 is at once. */
export function readLasting(text: string): number {
  const ms = parseDuration(text, 's');
  if (ms !== null) return ms;
  throw new WrongRule('Write it as 30s, 10m, 6h or 7d; a number without a unit is seconds.');
}

export function readSpeedLimit(value: unknown): number {
  return readAmount(value, 'It is a number of kilometres per hour, such as 90.');
}

export function readBattery(value: unknown): number {
  return readAmount(value, 'It is a number in the unit of misc.power, which is volts as a rule, such as 11.8.');
}

export function readResolved(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new WrongRule('It is true or false.');
}

function readAmount(value: unknown, problem: string): number {
  const isText = typeof value === 'string' && value.trim() !== '';
  const amount = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  if (Number.isFinite(amount) && amount >= 0) return amount;
  throw new WrongRule(problem);
}

const oppositeOf: Readonly<Partial<Record<AlertKind, string>>> = {
  'geofence-enter': 'geofence-exit',
  'geofence-exit': 'geofence-enter',
  ignition: 'the other position of the key',
};

/** @throws WrongRule for values that do not fit the kind of the rule */
export function completeRule({
  name,
  on,
  forMs,
  speedLimitKmh,
  batteryBelow,
  resolved = false,
  geofences,
  vehicles,
}: GivenRule): AlertRule {
  if (speedLimitKmh !== undefined && on !== 'speeding')
    throw new WrongRule(`A speed limit is for speeding, not for ${on}.`);
  if (batteryBelow !== undefined && on !== 'low-battery') {
    throw new WrongRule(`A threshold of the battery is for low-battery, not for ${on}.`);
  }
  if (geofences !== undefined && !isGeofenceKind(on)) {
    throw new WrongRule(`Geofences are for geofence-enter and geofence-exit, not for ${on}.`);
  }
  if (resolved && !hasEnd(on)) {
    throw new WrongRule(`${on} is not resolved: ${oppositeOf[on]} is an event by itself.`);
  }
  if (on === 'low-battery' && batteryBelow === undefined) {
    throw new WrongRule('low-battery needs a threshold: the service does not say at which voltage a battery is low.');
  }
  const lasting = forMs ?? defaultForMs[on];
  if (lasting === 0 && (on === 'silent' || on === 'offline')) {
    throw new WrongRule(`${on} needs a time that is longer than nothing.`);
  }
  return {
    name: name ?? on,
    on,
    forMs: lasting,
    speedLimitKmh: on === 'speeding' ? (speedLimitKmh ?? DEFAULT_SPEED_LIMIT_KMH) : null,
    batteryBelow: batteryBelow ?? null,
    resolved,
    geofences: geofences ?? null,
    vehicles: vehicles ?? null,
  };
}
