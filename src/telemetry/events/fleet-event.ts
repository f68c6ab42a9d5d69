// Makes the event of a transition for receivers and callers. Its id depends only on the transition.
import { durationText } from '../../core/durations.js';
import { hashedName } from '../../core/hashed-name.js';
import { isoTime } from '../timestamps.js';
import { type CompleteRule, type EventKind, isGeofenceKind } from './event-rule.js';
import type { Condition, ConditionEnd, Transition } from './vehicle-state.js';

/** An event of a vehicle, found by a rule. Receivers get these members as JSON: a contract. */
export interface FleetEvent {
  /** A stable id: finding the event again gives the same one. */
  readonly id: string;
  readonly type: EventKind;
  readonly rule: string;
  /** The id of the event that this one ends; null for an event that begins. */
  readonly resolves: string | null;
  /**
   * RFC 3339, UTC: the time of the snapshot with which the condition began or ended. When the hours
   * of the rule open later than it began: that opening.
   */
  readonly at: string;
  /** RFC 3339, UTC: when it was found, by the clock of the service. */
  readonly foundAt: string;
  readonly vehicleId: string;
  readonly vehicle: string | null;
  readonly licensePlate: string | null;
  /** The event in words, with the vehicle and without the time: `Truck 07: ignition on`. */
  readonly text: string;
  /** In km/h, the unit of the battery or seconds, or `on` and `off`; null for enter and exit. */
  readonly value: number | string | null;
  /** The unit of `value`: `km/h` or `s`; null without one. */
  readonly unit: string | null;
  readonly geofenceId: string | null;
  readonly geofence: string | null;
  /** The position of the event, in degrees (WGS 84). */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The driver whom the snapshot identifies. */
  readonly driverId: string | null;
}

export interface NamedVehicle {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
}

/** Returns the event of a transition. `foundAt`: milliseconds since 1970. */
export function toFleetEvent(
  { rule, condition, from, end }: Transition,
  { vehicleId, name, licensePlate }: NamedVehicle,
  geofenceName: (id: string) => string | null,
  foundAt: number,
): FleetEvent {
  const { on } = rule;
  const { subject } = condition;
  const id = hashedName(JSON.stringify([on, rule.name, vehicleId, isoTime(condition.since), subject]));
  const geofenceId = isGeofenceKind(on) ? subject : null;
  const geofence = geofenceId === null ? null : geofenceName(geofenceId);
  const { position, driverId } = end ?? condition;
  const place = geofence ?? geofenceId ?? '';
  const words = end === null ? beginText(rule, condition, place) : endText(rule, condition, end, place);
  return {
    id: end === null ? id : hashedName(JSON.stringify([id, 'resolved'])),
    type: on,
    rule: rule.name,
    resolves: end === null ? null : id,
    at: isoTime(end === null ? from : end.time),
    foundAt: isoTime(foundAt),
    vehicleId,
    vehicle: name,
    licensePlate,
    // A receiver may show only the text, so it names the vehicle.
    text: `${name ?? licensePlate ?? vehicleId}: ${words}`,
    ...(end === null ? valueAtBegin(rule, condition) : valueAtEnd(rule, condition, end)),
    geofenceId,
    geofence,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
    driverId,
  };
}

function endText(rule: CompleteRule, { since, until, value }: Condition, end: ConditionEnd, geofence: string): string {
  const lasted = durationText(end.time - since);
  switch (rule.on) {
    case 'silent':
    case 'offline':
      return `${rule.on} is over, data again after ${lasted}`;
    case 'speeding':
      return `speeding is over, up to ${rounded(value)} km/h${until === since ? '' : `, for ${durationText(until - since)}`}`;
    case 'low-battery':
      return `battery at ${rounded(end.power)}, no longer below ${rule.batteryBelow}`;
    case 'geofence-dwell':
      return `no longer in ${geofence}, after ${lasted}`;
    case 'movement':
      return `movement is over${until === since ? '' : `, after ${durationText(until - since)}`}`;
    default:
      return `idling is over, after ${lasted}`;
  }
}

/** Returns the highest speed, the battery reading, or the duration in seconds. */
function valueAtEnd(rule: CompleteRule, condition: Condition, end: ConditionEnd): Pick<FleetEvent, 'value' | 'unit'> {
  if (rule.on === 'speeding') return { value: condition.value, unit: 'km/h' };
  if (rule.on === 'low-battery') return { value: end.power, unit: null };
  const until = rule.on === 'movement' ? condition.until : end.time;
  return { value: (until - condition.since) / 1_000, unit: 's' };
}

function beginText(rule: CompleteRule, { subject, value }: Condition, geofence: string): string {
  const durationWords = durationText(rule.forMs);
  const durationPart = rule.forMs === 0 ? '' : `, for ${durationWords}`;
  switch (rule.on) {
    case 'geofence-enter':
      return `entered ${geofence}${durationPart}`;
    case 'geofence-exit':
      return `left ${geofence}${durationPart}`;
    case 'geofence-dwell':
      return `in ${geofence} for ${durationWords}`;
    case 'silent':
    case 'offline':
      return `${rule.on}, no data for ${durationWords}`;
    case 'idle':
      return `idling for ${durationWords}`;
    case 'movement':
      return `moving${value ? ` at ${rounded(value)} km/h` : ''}${durationPart}`;
    case 'ignition':
      return `ignition ${subject}${durationPart}`;
    case 'speeding':
      return `speeding at ${rounded(value)} km/h, limit ${rule.speedLimitKmh} km/h${durationPart}`;
    case 'low-battery':
      return `battery at ${rounded(value)}, below ${rule.batteryBelow}${durationPart}`;
  }
}

function valueAtBegin(rule: CompleteRule, { subject, value }: Condition): Pick<FleetEvent, 'value' | 'unit'> {
  switch (rule.on) {
    case 'geofence-enter':
    case 'geofence-exit':
      return { value: null, unit: null };
    case 'ignition':
      return { value: subject, unit: null };
    case 'speeding':
    case 'movement':
      return { value, unit: value === null ? null : 'km/h' };
    case 'low-battery':
      return { value, unit: null };
    default:
      return { value: rule.forMs / 1_000, unit: 's' };
  }
}

function rounded(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 10) / 10);
}
