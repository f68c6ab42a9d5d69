// How sums of trips are shown.
import { cellText } from '../output/field-path.js';
import { totalOf } from '../output/total.js';
import type { ChartMeasure, View, ViewColumn } from '../output/view.js';
import { hoursText } from './humanize.js';
import { fuelText, topSpeedText } from './trip.js';

export const sumKeys = ['vehicle', 'driver', 'day', 'group'] as const;

/** What trips are summed up by. */
export type SumKey = (typeof sumKeys)[number];

/** What trips come to. */
export interface TripSumValues {
  readonly distanceKm: number;
  readonly trips: number;
  /** How many vehicles the trips are of. */
  readonly vehicles: number;
  readonly durationSeconds: number;
  readonly movingSeconds: number;
  readonly idleSeconds: number;
  readonly unseenSeconds: number;
  readonly topSpeedKmh: number | null;
  readonly fuelUsed: number | null;
  /** The counters of the fuel, with `;` between them. */
  readonly fuelBy: string | null;
}

export interface TripSumRow extends TripSumValues {
  readonly vehicle?: string;
  readonly vehicleId?: string;
  /** Null for trips on which nobody was identified. */
  readonly driver?: string | null;
  readonly driverId?: string | null;
  /** Local: `2026-03-01`. */
  readonly day?: string;
  /** Null for vehicles in no group. */
  readonly group?: string | null;
  readonly groupId?: string | null;
  /** The group above it. */
  readonly parentId?: string | null;
  /** How many groups it stands below. */
  readonly level?: number;
  /** The number of vehicles of the group, and of those below it, that were asked for. */
  readonly vehiclesAsked?: number;
  /** The number of all of them. */
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
  // The total of days does not know how many different vehicles they have.
  text: ({ vehicles }) => cellText(vehicles),
  align: 'right',
  rank: 6,
  inTotal: true,
};

/** In place of a name. */
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

/** Returns the name, with how much of the group the sum is of where that is not all; null for vehicles in no group. */
function groupText({ group, vehiclesAsked, vehiclesInGroup }: TripSumRow): string | null {
  if (group === undefined || group === null || vehiclesAsked === vehiclesInGroup) return group ?? null;
  return `${group} (${vehiclesAsked} of ${vehiclesInGroup} vehicles)`;
}

/** `whole`: what all trips come to, where the rows may count one twice; undefined where they add up. */
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
          ...{ distanceKm: 'sum', trips: 'sum', durationSeconds: 'sum', movingSeconds: 'sum', idleSeconds: 'sum' },
          ...{ unseenSeconds: 'sum', topSpeedKmh: 'max', fuelUsed: 'sum', fuelBy: 'same' },
        }),
  };
}

export function kilometres(km: number): string {
  return `${km.toFixed(1)} km`;
}
