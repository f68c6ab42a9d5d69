// Which records an input of a report refers to, by its name: `vehicleIds`, `assetUuids`, `driverId`.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { driverKind, geofenceKind, groupKind, labelKind, personKind } from '../find/kinds.js';
import { findIds } from '../find/record.js';

export type RecordKind = 'vehicle' | 'group' | 'label' | 'driver' | 'person' | 'geofence';

const words: readonly (readonly [RegExp, RecordKind])[] = [
  [/vehicle|asset/i, 'vehicle'],
  [/group/i, 'group'],
  [/label/i, 'label'],
  [/driver/i, 'driver'],
  [/person|people|employee/i, 'person'],
  [/geofence/i, 'geofence'],
];

export function recordKindOf(name: string): RecordKind | null {
  return words.find(([word]) => word.test(name))?.[1] ?? null;
}

/** @throws CliError for a name that is not found, or stands for several */
type Find = (context: Context, client: FleetClient, names: readonly string[]) => Promise<readonly string[]>;

/** Vehicles are found with those of groups and labels, by find/vehicles.ts. */
export const finders: Readonly<Record<Exclude<RecordKind, 'vehicle'>, Find>> = {
  group: (context, client, names) => findIds(context, client, groupKind, names),
  label: (context, client, names) => findIds(context, client, labelKind, names),
  driver: (context, client, names) => findIds(context, client, driverKind, names),
  person: (context, client, names) => findIds(context, client, personKind, names),
  geofence: (context, client, names) => findIds(context, client, geofenceKind, names),
};
