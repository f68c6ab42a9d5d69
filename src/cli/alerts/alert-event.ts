// Makes the event that receivers get of what has become one. Its id follows from the event alone.
import { durationText } from '../../core/durations.js';
import { hashedName } from '../../core/hashed-name.js';
import { type AlertEvent, vehicleOf } from '../views/alert.js';
import type { AlertRule } from './rule.js';
import type { Alert, End, Holding } from './vehicle-memory.js';

export interface NamedVehicle {
  readonly vehicleId: string;
  readonly name: string | null;
  readonly licensePlate: string | null;
}

/** `foundAt`: milliseconds since 1970. */
export function alertEvent(
  { rule, holding, end }: Alert,
  { vehicleId, name, licensePlate }: NamedVehicle,
  geofenceName: (id: string) => string | null,
  foundAt: number,
): AlertEvent {
  const { on } = rule;
  const { subject } = holding;
  const begin = new Date(holding.since).toISOString();
  const id = hashedName(JSON.stringify([on, rule.name, vehicleId, begin, subject]));
  const geofenceId = on === 'geofence-enter' || on === 'geofence-exit' ? subject : null;
  const geofence = geofenceId === null ? null : geofenceName(geofenceId);
  const { position, driverId } = end ?? holding;
  return {
    id: end === null ? id : hashedName(JSON.stringify([id, 'resolved'])),
    type: on,
    rule: rule.name,
    resolves: end === null ? null : id,
    at: end === null ? begin : new Date(end.time).toISOString(),
    foundAt: new Date(foundAt).toISOString(),
    vehicleId,
    vehicle: name,
    licensePlate,
    text: withVehicle(
      end === null ? textOf(rule, holding, geofence ?? geofenceId ?? '') : endText(rule, holding, end),
      { vehicle: name, licensePlate, vehicleId },
    ),
    ...(end === null ? measureOf(rule, holding) : measureOfEnd(rule, holding, end)),
    geofenceId,
    geofence,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
    driverId,
  };
}

/** A receiver may show nothing but the text. */
function withVehicle(words: string, vehicle: Parameters<typeof vehicleOf>[0]): string {
  return `${vehicleOf(vehicle)}: ${words}`;
}

function endText(rule: AlertRule, { since, until, value }: Holding, end: End): string {
  const lasted = durationText(end.time - since);
  switch (rule.on) {
    case 'silent':
    case 'offline':
      return `${rule.on} is over, data again after ${lasted}`;
    case 'speeding':
      return `speeding is over, up to ${rounded(value)} km/h${until === since ? '' : `, for ${durationText(until - since)}`}`;
    case 'low-battery':
      return `battery at ${rounded(end.power)}, no longer below ${rule.batteryBelow}`;
    default:
      return `idling is over, after ${lasted}`;
  }
}

/** The highest speed, the reading of the battery that is no longer low, or the seconds that it lasted. */
function measureOfEnd(rule: AlertRule, holding: Holding, end: End): Pick<AlertEvent, 'value' | 'unit'> {
  if (rule.on === 'speeding') return { value: holding.value, unit: 'km/h' };
  if (rule.on === 'low-battery') return { value: end.power, unit: null };
  return { value: (end.time - holding.since) / 1_000, unit: 's' };
}

function textOf(rule: AlertRule, holding: Holding, geofence: string): string {
  const lasting = durationText(rule.forMs);
  const forSo = rule.forMs === 0 ? '' : `, for ${lasting}`;
  switch (rule.on) {
    case 'geofence-enter':
      return `entered ${geofence}${forSo}`;
    case 'geofence-exit':
      return `left ${geofence}${forSo}`;
    case 'silent':
    case 'offline':
      return `${rule.on}, no data for ${lasting}`;
    case 'idle':
      return `idling for ${lasting}`;
    case 'ignition':
      return `ignition ${holding.subject}${forSo}`;
    case 'speeding':
      return `speeding at ${rounded(holding.value)} km/h, limit ${rule.speedLimitKmh} km/h${forSo}`;
    case 'low-battery':
      return `battery at ${rounded(holding.value)}, below ${rule.batteryBelow}${forSo}`;
  }
}

function measureOf(rule: AlertRule, { subject, value }: Holding): Pick<AlertEvent, 'value' | 'unit'> {
  switch (rule.on) {
    case 'geofence-enter':
    case 'geofence-exit':
      return { value: null, unit: null };
    case 'ignition':
      return { value: subject, unit: null };
    case 'speeding':
      return { value, unit: 'km/h' };
    case 'low-battery':
      return { value, unit: null };
    default:
      return { value: rule.forMs / 1_000, unit: 's' };
  }
}

function rounded(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 10) / 10);
}
