// The keys that sums of trips can have: the values of a part, their order, and the fields of a row.
import type { FleetClient, Group } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import type { Context } from '../../context/context.js';
import type { ChosenVehicle } from '../../find/vehicles.js';
import { compareValues } from '../../shape/compare.js';
import type { SumKey, TripSumRow } from '../../views/trip-sum.js';
import { GroupTree } from '../shared/group-tree.js';
import type { SummedPart } from './trip-parts.js';

/** An id or a day; null for no driver or no group. */
export type KeyValue = string | null;

export interface SumKeyRule {
  /** Returns the values of a part; several for a vehicle in several groups. */
  valuesOf(part: SummedPart): readonly KeyValue[];
  /** Returns the values that have a row for a vehicle and a local day without a trip too. */
  valuesWithout(vehicle: ChosenVehicle, day: string): readonly KeyValue[];
  compare(one: KeyValue, other: KeyValue): number;
  fieldsOf(value: KeyValue): Partial<TripSumRow>;
  readonly isOfTime?: true;
  /** For a remark: the reason for a trip, or trips, in several rows. */
  readonly cutReason?: readonly [ofOne: string, ofSeveral: string];
  readonly remark?: string;
}

interface KeyFacts {
  readonly vehicles: readonly ChosenVehicle[];
  /** All vehicles, including those that are not in `vehicles`. */
  readonly fleet: readonly ChosenVehicle[];
  /** Names by id. */
  readonly drivers: ReadonlyMap<string, string>;
  readonly groups: readonly Pick<Group, 'id' | 'name' | 'parentId'>[];
}

export async function readGroups(context: Context, client: FleetClient): Promise<KeyFacts['groups']> {
  const select = { id: true, name: true, parentId: true } as const;
  return allowPartial(context, (options) => call(client, 'getGroups', {}, { ...options, select }));
}

export function sumKeyRules(facts: KeyFacts): Readonly<Record<SumKey, SumKeyRule>> {
  return {
    vehicle: vehicleRule(facts),
    driver: driverRule(facts),
    day: timeRule('day', (day) => day),
    week: timeRule('week', weekOf),
    month: timeRule('month', (day) => day.slice(0, 7)),
    group: groupRule(facts),
  };
}

function vehicleRule({ vehicles }: KeyFacts): SumKeyRule {
  const places = new Map<KeyValue, number>(vehicles.map(({ id }, index) => [id, index]));
  return {
    valuesOf: ({ vehicleId }) => [vehicleId],
    valuesWithout: ({ id }) => [id],
    compare: (one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0),
    fieldsOf: (id) => ({ vehicle: vehicles[places.get(id) ?? -1]?.name ?? id ?? '', vehicleId: id ?? '' }),
  };
}

function driverRule({ drivers }: KeyFacts): SumKeyRule {
  // Ids may be sent in any letter case.
  const names = new Map([...drivers].map(([id, name]) => [id.toLowerCase(), name]));
  const nameOf = (id: KeyValue) => (id === null ? null : (names.get(id) ?? id));
  return {
    valuesOf: ({ driverId }) => [driverId?.toLowerCase() ?? null],
    valuesWithout: () => [],
    // Trips without an identified driver come last.
    compare: (one, other) => Number(one === null) - Number(other === null) || compareValues(nameOf(one), nameOf(other)),
    fieldsOf: (id) => ({ driver: nameOf(id), driverId: id }),
    cutReason: ['has several drivers', 'have several drivers'],
  };
}

function timeRule(key: 'day' | 'week' | 'month', keyOf: (day: string) => string): SumKeyRule {
  return {
    isOfTime: true,
    valuesOf: ({ day }) => [keyOf(day ?? '')],
    valuesWithout: (_vehicle, day) => [keyOf(day)],
    compare: (one, other) => (one ?? '').localeCompare(other ?? ''),
    fieldsOf: (value) => ({ [key]: value ?? '' }),
    cutReason: ['goes over midnight', 'go over midnight'],
  };
}

/** Returns the ISO week of a day: `2026-W01`. The first week of a year has its first Thursday. */
function weekOf(day: string): string {
  const thursday = new Date(`${day}T00:00Z`);
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const number = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return `${year}-W${String(number).padStart(2, '0')}`;
}

function groupRule({ vehicles, fleet, groups }: KeyFacts): SumKeyRule {
  const tree = new GroupTree(groups);
  const keys = new Map(vehicles.map((vehicle) => [vehicle.id, groupsOf(vehicle, tree)] as const));
  const chosen = countsOf(keys.values());
  const present = countsOf(fleet.map((vehicle) => groupsOf(vehicle, tree)));
  const ids = new Set([...chosen.keys()].filter((id) => id !== null));
  const placed = new Map<KeyValue, Partial<TripSumRow>>(
    tree.inOrder(ids).map(({ id, name, parentId, level }) => [id, { group: name, groupId: id, parentId, level }]),
  );
  const order = [...placed.keys()];
  const none = { group: null, groupId: null, parentId: null, level: 0 };
  const several = vehicles.filter(({ row }) => (row?.assignedGroups ?? []).filter((group) => group?.id).length > 1);
  const [few, count] = several.length === 1 ? ['1 vehicle is', 'counts'] : [`${several.length} vehicles are`, 'count'];
  return {
    valuesOf: ({ vehicleId }) => keys.get(vehicleId) ?? [null],
    valuesWithout: ({ id }) => keys.get(id) ?? [null],
    compare: (one, other) => Number(one === null) - Number(other === null) || order.indexOf(one) - order.indexOf(other),
    fieldsOf: (id) => ({
      ...(placed.get(id) ?? none),
      vehiclesAsked: chosen.get(id) ?? 0,
      vehiclesInGroup: present.get(id) ?? 0,
    }),
    ...(several.length > 0 && {
      remark: `${few} in several groups and ${count} in each of them; the total has each trip once.`,
    }),
  };
}

/** Returns the groups of a vehicle and their ancestors; null for no group. */
function groupsOf({ row }: ChosenVehicle, tree: GroupTree): readonly KeyValue[] {
  const ids = tree.withAbove((row?.assignedGroups ?? []).flatMap((group) => group?.id ?? []));
  return ids.size === 0 ? [null] : [...ids];
}

function countsOf(keys: Iterable<readonly KeyValue[]>): ReadonlyMap<KeyValue, number> {
  const counts = new Map<KeyValue, number>();
  for (const key of [...keys].flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
