// Views of sums of trips.
import { cellText } from '../output/field-path.js';
import { totalOf } from '../output/total.js';
import type { ChartMeasure, View, ViewColumn } from '../output/view.js';
import { hoursText } from './humanize.js';
import { fuelText, topSpeedText } from './trip.js';

export const sumKeys = ['vehicle', 'driver', 'day', 'group'] as const;

export type SumKey = (typeof sumKeys)[number];

export interface TripSumValues {
  readonly distanceKm: number;
  readonly trips: number;
  /** Number of different vehicles. */
  readonly vehicles: number;
  readonly durationSeconds: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
  readonly unseenSeconds: number;
  readonly topSpeedKmh: number | null;
  readonly fuelUsed: number | null;
  /** Names of the fuel counters, separated by `;`. */
  readonly fuelBy: string | null;
}

export interface TripSumRow extends TripSumValues {
  readonly vehicle?: string;
  readonly vehicleId?: string;
  /** Null for trips without an identified driver. */
  readonly driver?: string | null;
  readonly driverId?: string | null;
  /** Local: `2026-03-01`. */
  readonly day?: string;
  /** Null for vehicles in no group. */
  readonly group?: string | null;
  readonly groupId?: string | null;
  readonly parentId?: string | null;
  /** Depth in the tree; 0 at the top. */
  readonly level?: number;
  /** Number of requested vehicles in the group and its subgroups. */
  readonly vehiclesAsked?: number;
  /** Number of all vehicles in the group and its subgroups. */
  readonly vehiclesInGroup?: number;
}

const values = [
  ...['distanceKm', 'trips', 'vehicles', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds'],
  ...['topSpeedKmh', 'fuelUsed', 'fuelBy'],
];

const measured: readonly ViewColumn<TripSumRow>[] = [
  { title: 'TRIPS', text: ({ trips }) => String(trips), align: 'right', rank: 1, inTotal: true },
  {
    title: 'DISTANCE',
    text: ({ distanceKm }) => kilometres(distanceKm),
    bar: ({ distanceKm }) => distanceKm,
    align: 'right',
    rank: 0,
    inTotal: true,
  },
  {
    title: 'DRIVING',
    text: ({ movingSeconds }) => hoursText(movingSeconds),
    align: 'right',
    rank: 2,
    inTotal: true,
  },
  { title: 'IDLE', text: ({ idleSeconds }) => hoursText(idleSeconds), align: 'right', rank: 4, inTotal: true },
  { title: 'TOP', text: ({ topSpeedKmh }) => topSpeedText(topSpeedKmh), align: 'right', rank: 5, inTotal: true },
  { title: 'FUEL', text: (row) => fuelText(row), align: 'right', rank: 3, inTotal: true },
];

const vehicleCount: ViewColumn<TripSumRow> = {
  title: 'VEHICLES',
  // Undefined in the total of days: the sum cannot count different vehicles.
  text: ({ vehicles }) => cellText(vehicles),
  align: 'right',
  rank: 6,
  inTotal: true,
};

const absent = { driver: '(not identified)', group: '(in no group)' } as const;

const labels: Readonly<Record<SumKey, (row: TripSumRow) => string>> = {
  vehicle: ({ vehicle }) => vehicle ?? '',
  driver: ({ driver }) => driver ?? absent.driver,
  day: ({ day }) => day ?? '',
  group: (row) => `${'  '.repeat(row.level ?? 0)}${groupText(row) ?? absent.group}`,
};

const idColumns: Readonly<Record<SumKey, readonly ViewColumn<TripSumRow>[]>> = {
  vehicle: [
    { title: 'VEHICLE ID', text: ({ vehicleId }) => vehicleId ?? '', namedBy: ({ vehicle }) => vehicle, rank: 7 },
  ],
  driver: [{ title: 'DRIVER ID', text: ({ driverId }) => driverId ?? '', namedBy: ({ driver }) => driver, rank: 7 }],
  day: [],
  group: [{ title: 'GROUP ID', text: ({ groupId }) => groupId ?? '', namedBy: ({ group }) => group, rank: 7 }],
};

const keyFields: Readonly<Record<SumKey, readonly string[]>> = {
  vehicle: ['vehicle', 'vehicleId'],
  driver: ['driver', 'driverId'],
  day: ['day'],
  group: ['group', 'groupId', 'parentId', 'level', 'vehiclesAsked', 'vehiclesInGroup'],
};

const measures: Readonly<Record<string, ChartMeasure<TripSumRow>>> = {
  distanceKm: { title: 'DISTANCE', value: ({ distanceKm }) => distanceKm, text: kilometres },
  trips: { title: 'TRIPS', value: ({ trips }) => trips, text: String },
  movingSeconds: { title: 'DRIVING', value: ({ movingSeconds }) => movingSeconds, text: hoursText },
  idleSeconds: { title: 'IDLE', value: ({ idleSeconds }) => idleSeconds, text: hoursText },
  topSpeedKmh: { title: 'TOP SPEED', value: ({ topSpeedKmh }) => topSpeedKmh, text: topSpeedText },
  fuelUsed: { title: 'FUEL', value: ({ fuelUsed }) => fuelUsed, text: (fuel) => fuel.toFixed(1) },
};

/** Returns the name, with the number of vehicles if not all are counted; null in no group. */
function groupText({ group, vehiclesAsked, vehiclesInGroup }: TripSumRow): string | null {
  if (group === undefined || group === null || vehiclesAsked === vehiclesInGroup) return group ?? null;
  return `${group} (${vehiclesAsked} of ${vehiclesInGroup} vehicles)`;
}

/** Returns the view. `whole` returns the total when a trip can be in several rows. */
export function tripSumView(by: SumKey, whole?: () => TripSumRow | null): View<TripSumRow> {
  const fields = by === 'vehicle' ? values.filter((field) => field !== 'vehicles') : values;
  return {
    title: `Trips by ${by}`,
    columns: [
      { title: by.toUpperCase(), text: labels[by], min: 8, rank: 0 },
      ...(by === 'vehicle' ? [] : [vehicleCount]),
      ...measured,
      ...idColumns[by],
    ],
    fields: [...keyFields[by], ...fields],
    absent,
    chart: { label: labels[by], measures },
    total: whole
      ? { fields: values, isOfAllRows: true, begin: () => ({ take: () => undefined, row: whole }) }
      : totalOf<TripSumRow>({
          distanceKm: 'sum',
          trips: 'sum',
          durationSeconds: 'sum',
          movingSeconds: 'sum',
          idleSeconds: 'sum',
          unseenSeconds: 'sum',
          topSpeedKmh: 'max',
          fuelUsed: 'sum',
          fuelBy: 'same',
        }),
  };
}

export function kilometres(km: number): string {
  return `${km.toFixed(1)} km`;
}
