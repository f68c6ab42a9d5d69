// Views of the events of `fleet watch` and of the rules that emit them.
import type { FleetEvent } from '../../index.js';
import { eventKinds } from '../../telemetry/events/event-rule.js';
import type { View } from '../output/view.js';

export function vehicleOf({
  vehicle,
  licensePlate,
  vehicleId,
}: Pick<FleetEvent, 'vehicle' | 'licensePlate' | 'vehicleId'>): string {
  return vehicle ?? licensePlate ?? vehicleId;
}

/** Returns the text of the event without the vehicle, for rows that already name it. */
export function eventTextWithoutVehicle(event: FleetEvent): string {
  const prefix = `${vehicleOf(event)}: `;
  return event.text.startsWith(prefix) ? event.text.slice(prefix.length) : event.text;
}

export const alertView: View<FleetEvent> = {
  columns: [
    { title: 'VEHICLE', text: vehicleOf, rank: 0 },
    { title: 'EVENT', text: eventTextWithoutVehicle, rank: 0 },
  ],
  fields: [
    'id',
    'type',
    'rule',
    'resolves',
    'at',
    'foundAt',
    'vehicleId',
    'vehicle',
    'licensePlate',
    'text',
    'value',
    'unit',
    'geofenceId',
    'geofence',
    'latitude',
    'longitude',
    'driverId',
  ],
  values: { type: eventKinds },
};

/** A rule as --dry-run shows it, with its defaults. */
export interface EffectiveRule {
  readonly name: string;
  readonly on: FleetEvent['type'];
  readonly forSeconds: number;
  readonly speedLimitKmh: number | null;
  readonly batteryBelow: number | null;
  readonly resolved: boolean;
  readonly between: string | null;
  readonly days: readonly string[] | null;
  readonly schedule: string | null;
  readonly outsideSchedule: string | null;
  readonly geofence: readonly string[] | null;
  readonly group: readonly string[] | null;
  readonly label: readonly string[] | null;
  readonly vehicleFilter: readonly string[] | null;
}

/** Returns seconds in the largest unit that needs no fraction, such as `90m`. */
function formatSeconds(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const;
  const [name, length] = units.find(([, size]) => seconds % size === 0) ?? ['s', 1];
  return `${seconds / length}${name}`;
}

const joinNames = (names: readonly string[] | null) => names?.join(', ') ?? '';

export const effectiveRuleView: View<EffectiveRule> = {
  columns: [
    { title: 'RULE', text: ({ name }) => name, min: 12, rank: 0 },
    { title: 'ON', text: ({ on }) => on, rank: 0 },
    { title: 'FOR', text: ({ forSeconds }) => (forSeconds === 0 ? '' : formatSeconds(forSeconds)), rank: 1 },
    { title: 'THRESHOLD', text: thresholdText, rank: 1 },
    { title: 'HOURS', text: ruleHoursText, rank: 2 },
    { title: 'RESOLVED', text: ({ resolved }) => (resolved ? 'yes' : ''), rank: 3 },
    { title: 'GEOFENCES', text: ({ geofence }) => joinNames(geofence), min: 10, rank: 2 },
    { title: 'VEHICLES', text: vehiclesText, min: 10, rank: 1 },
  ],
  fields: [
    'name',
    'on',
    'forSeconds',
    'speedLimitKmh',
    'batteryBelow',
    'resolved',
    'between',
    'days',
    'schedule',
    'outsideSchedule',
    'geofence',
    'group',
    'label',
    'vehicleFilter',
  ],
};

function thresholdText({ speedLimitKmh, batteryBelow }: EffectiveRule): string {
  if (speedLimitKmh !== null) return `over ${speedLimitKmh} km/h`;
  return batteryBelow === null ? '' : `below ${batteryBelow}`;
}

/** Returns `on mon, tue between 22:00-06:00`; empty for a rule without hours. */
export function ruleHoursText({
  between,
  days,
  schedule,
  outsideSchedule,
}: Pick<EffectiveRule, 'between' | 'days' | 'schedule' | 'outsideSchedule'>): string {
  return [
    days && `on ${days.join(', ')}`,
    between && `between ${between}`,
    schedule && `in ${schedule}`,
    outsideSchedule && `outside ${outsideSchedule}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function vehiclesText({ group, label, vehicleFilter }: EffectiveRule): string {
  const parts = [
    group && `group ${joinNames(group)}`,
    label && `label ${joinNames(label)}`,
    vehicleFilter ? vehicleFilter.join(' and ') : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'all' : parts.join('; ');
}
