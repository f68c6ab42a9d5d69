// How the events of `fleet watch` are shown, and the rules that find them.
import type { View } from '../output/view.js';

/** The kinds of events, in the order of the help text. */
export const alertKinds = [
  'geofence-enter',
  'geofence-exit',
  'silent',
  'speeding',
  'ignition',
  'idle',
  'low-battery',
  'offline',
] as const;

export type AlertKind = (typeof alertKinds)[number];

/** Something that has happened to a vehicle. Receivers get it as JSON: its members are promises. */
export interface AlertEvent {
  /** The same for the same event, whenever and however often it is found. */
  readonly id: string;
  readonly type: AlertKind;
  /** The name of the rule. */
  readonly rule: string;
  /** The id of the event that is over with this one; null for one that begins. */
  readonly resolves: string | null;
  /** RFC 3339, UTC: the time of the snapshot with which it began, or was over. */
  readonly at: string;
  /** RFC 3339, UTC: when the watch found it, by the clock of the service. */
  readonly foundAt: string;
  readonly vehicleId: string;
  readonly vehicle: string | null;
  readonly licensePlate: string | null;
  /** The event in words, with the vehicle and without the time: `Truck 07: ignition on`. */
  readonly text: string;
  /** km/h, the reading of the battery, seconds, or `on` and `off`; null where the geofence says it all. */
  readonly value: number | string | null;
  /** Of `value`: `km/h` or `s`; null where it has none. */
  readonly unit: string | null;
  readonly geofenceId: string | null;
  readonly geofence: string | null;
  /** Where it began, in degrees (WGS 84). */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** The driver whom the snapshot identifies. */
  readonly driverId: string | null;
}

/** How people know the vehicle of an event. */
export function vehicleOf({
  vehicle,
  licensePlate,
  vehicleId,
}: Pick<AlertEvent, 'vehicle' | 'licensePlate' | 'vehicleId'>): string {
  return vehicle ?? licensePlate ?? vehicleId;
}

/** The event in words where the vehicle stands beside it. */
export function eventWords(event: AlertEvent): string {
  const prefix = `${vehicleOf(event)}: `;
  return event.text.startsWith(prefix) ? event.text.slice(prefix.length) : event.text;
}

export const alertView: View<AlertEvent> = {
  columns: [
    { title: 'VEHICLE', text: vehicleOf, rank: 0 },
    { title: 'EVENT', text: eventWords, rank: 0 },
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
  values: { type: alertKinds },
};

/** A rule as --dry-run shows it, with its defaults. */
export interface EffectiveRule {
  readonly name: string;
  readonly on: AlertKind;
  readonly forSeconds: number;
  readonly speedLimitKmh: number | null;
  readonly batteryBelow: number | null;
  readonly resolved: boolean;
  readonly geofence: readonly string[] | null;
  readonly group: readonly string[] | null;
  readonly label: readonly string[] | null;
  readonly vehicleFilter: readonly string[] | null;
}

/** As a rule has it: `90m`, in the largest unit that needs no fraction. */
function asWritten(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
  ] as const;
  const [name, length] = units.find(([, size]) => seconds % size === 0) ?? ['s', 1];
  return `${seconds / length}${name}`;
}

const listed = (names: readonly string[] | null) => names?.join(', ') ?? '';

export const effectiveRuleView: View<EffectiveRule> = {
  columns: [
    { title: 'RULE', text: ({ name }) => name, min: 12, rank: 0 },
    { title: 'ON', text: ({ on }) => on, rank: 0 },
    { title: 'FOR', text: ({ forSeconds }) => (forSeconds === 0 ? '' : asWritten(forSeconds)), rank: 1 },
    { title: 'THRESHOLD', text: thresholdText, rank: 1 },
    { title: 'RESOLVED', text: ({ resolved }) => (resolved ? 'yes' : ''), rank: 3 },
    { title: 'GEOFENCES', text: ({ geofence }) => listed(geofence), min: 10, rank: 2 },
    { title: 'VEHICLES', text: vehiclesText, min: 10, rank: 1 },
  ],
  fields: [
    'name',
    'on',
    'forSeconds',
    'speedLimitKmh',
    'batteryBelow',
    'resolved',
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

function vehiclesText({ group, label, vehicleFilter }: EffectiveRule): string {
  const parts = [
    group && `group ${listed(group)}`,
    label && `label ${listed(label)}`,
    vehicleFilter ? vehicleFilter.join(' and ') : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'all' : parts.join('; ');
}
