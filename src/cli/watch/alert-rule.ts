// Rules of `fleet watch`: event rules with geofences and vehicles by name, from flags and files.
import { durationText } from '../../core/durations.js';
import {
  type CompleteRule,
  checkGeofences,
  completeRule,
  type EventRule,
  InvalidRuleError,
} from '../../telemetry/events/event-rule.js';
import { type Weekday, weekdays } from '../../telemetry/events/weekly-hours.js';
import { parseDuration } from '../parse/duration.js';
import { ruleHoursText } from '../views/alert.js';

export interface RuleVehicles {
  readonly group?: readonly string[];
  readonly label?: readonly string[];
  readonly vehicleFilter?: readonly string[];
}

export interface AlertRule extends CompleteRule {
  /** Names or ids; null for all. */
  readonly geofences: readonly string[] | null;
  /** Null for all vehicles of the command. */
  readonly vehicles: RuleVehicles | null;
}

/** A rule without its defaults. */
export interface RuleInput extends EventRule {
  readonly geofences?: readonly string[] | undefined;
  readonly vehicles?: RuleVehicles | undefined;
}

/** Adds the defaults. Throws InvalidRuleError for values that do not fit the kind of the rule. */
export function completeAlertRule({ geofences, vehicles, ...rule }: RuleInput): AlertRule {
  checkGeofences(rule.on, geofences);
  return { ...completeRule(rule), geofences: geofences ?? null, vehicles: vehicles ?? null };
}

/** Returns milliseconds; 0 means at once. */
export function readRuleDuration(text: string): number {
  const ms = parseDuration(text, 's');
  if (ms !== null) return ms;
  throw new InvalidRuleError('Write it as 30s, 10m, 6h or 7d; a number without a unit is seconds.');
}

export function readName(text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  throw new InvalidRuleError('It needs a name or an id.');
}

export function readSpeedLimit(value: unknown): number {
  return readAmount(value, 'Give a number of kilometres per hour, such as 90.');
}

export function readBattery(value: unknown): number {
  return readAmount(value, 'Give a number in the unit of misc.power, usually volts, such as 11.8.');
}

export function readResolved(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new InvalidRuleError('It is true or false.');
}

/** Reads `mon`, `monday` or `mon-fri`, comma-separated. Returns the days in weekly order. */
export function readWeekdays(text: string): readonly Weekday[] {
  const days = new Set<Weekday>();
  for (const part of text.split(',')) {
    const [first = -1, last = first, ...others] = part.split('-').map(readDay);
    if (first < 0 || last < 0 || others.length > 0) {
      throw new InvalidRuleError(`"${part.trim()}" is not a day of the week. Write days as mon,wed or mon-fri.`);
    }
    for (let day = first; ; day = (day + 1) % weekdays.length) {
      days.add(weekdays[day] ?? 'mon');
      if (day === last) break;
    }
  }
  return weekdays.filter((day) => days.has(day));
}

function readDay(text: string): number {
  const word = text.trim().toLowerCase();
  return /^[a-z]{3}$|^[a-z]+day$/.test(word) ? weekdays.indexOf(word.slice(0, 3) as Weekday) : -1;
}

function readAmount(value: unknown, problem: string): number {
  const isText = typeof value === 'string' && value.trim() !== '';
  const amount = typeof value === 'number' || isText ? Number(value) : Number.NaN;
  if (Number.isFinite(amount) && amount >= 0) return amount;
  throw new InvalidRuleError(problem);
}

/** Returns text such as `speeding over 90 km/h` or `movement on mon between 22:00-06:00`. */
export function ruleText(rule: AlertRule): string {
  const { on, forMs, speedLimitKmh, batteryBelow } = rule;
  const limit =
    speedLimitKmh !== null ? ` over ${speedLimitKmh} km/h` : batteryBelow !== null ? ` below ${batteryBelow}` : '';
  const hours = ruleHoursText(rule);
  return `${on}${limit}${forMs === 0 ? '' : ` for ${durationText(forMs)}`}${hours === '' ? '' : ` ${hours}`}`;
}
