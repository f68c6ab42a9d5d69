// Which records an input of a report refers to, by its name: `vehicleIds`, `assetUuids`, `driverId`.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import type { CliError } from '../errors/cli-error.js';
import { driverKind, geofenceKind, groupKind, labelKind, personKind } from '../find/kinds.js';
import { findEach } from '../find/record.js';

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

type Find = (
  context: Context,
  client: FleetClient,
  names: readonly string[],
) => Promise<readonly (string | CliError)[]>;

const substring = true;

/** Vehicles are found with those of groups and labels, by find/vehicles.ts. */
export const finders: Readonly<Record<Exclude<RecordKind, 'vehicle'>, Find>> = {
  group: (context, client, names) => findEach(context, client, groupKind, names, { substring }),
  label: (context, client, names) => findEach(context, client, labelKind, names, { substring }),
  driver: (context, client, names) => findEach(context, client, driverKind, names, { substring }),
  person: (context, client, names) => findEach(context, client, personKind, names, { substring }),
  geofence: (context, client, names) => findEach(context, client, geofenceKind, names, { substring }),
};
