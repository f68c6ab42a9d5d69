// Views of sums of trips.
import { cellText } from '../output/field-path.js';
import { totalOf } from '../output/total.js';
import type { ChartMeasure, View, ViewColumn } from '../output/view.js';
import { hoursText, timeColumn, wholeNumber } from './humanize.js';
import { fuelText, topSpeedText } from './trip.js';

export const sumKeys = ['vehicle', 'driver', 'group', 'day', 'week', 'month'] as const;

export type SumKey = (typeof sumKeys)[number];

/** The values that need the parts of trips by day. */
export interface ValuesOfParts {
  /** RFC 3339, UTC; null without a trip. */
  readonly firstStartedAt: string | null;
  /** RFC 3339, UTC: for an open trip, its last snapshot. */
  readonly lastEndedAt: string | null;
  /** From the first start to the last end of each day, of each vehicle or driver. */
  readonly workSeconds: number;
  /** The part of the time at work that is in no trip. */
  readonly standingSeconds: number;
  /** The first and the last reading of the only vehicle; null without one, or for several. */
  readonly odometerStartKm: number | null;
  readonly odometerEndKm: number | null;
}

export interface TripSumValues extends Partial<ValuesOfParts> {
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
  /** The mean of the trips whose fuel is in litres. */
  readonly litresPer100Km: number | null;
  /** How often a vehicle entered a geofence on a trip; only on request. */
  readonly visits?: number;
  readonly idleCost?: number;
  /** Null without fuel in litres. */
  readonly fuelCost?: number | null;
}

export interface TripSumRow extends TripSumValues {
  readonly vehicle?: string;
  readonly vehicleId?: string;
  /** Null for trips without an identified driver. */
  readonly driver?: string | null;
  readonly driverId?: string | null;
  /** Local: `2026-03-01`. */
  readonly day?: string;
  /** ISO 8601: `2026-W09`. */
  readonly week?: string;
  /** `2026-03` */
  readonly month?: string;
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

/** The fields by default; `visits` only on request, because they need the geofences. */
const values = [
  ...['distanceKm', 'trips', 'vehicles', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds'],
  ...['topSpeedKmh', 'fuelUsed', 'fuelBy', 'litresPer100Km', 'firstStartedAt', 'lastEndedAt', 'workSeconds'],
  ...['standingSeconds', 'odometerStartKm', 'odometerEndKm'],
];

const summed = [
  ...['distanceKm', 'trips', 'durationSeconds', 'movingSeconds', 'idleSeconds', 'unseenSeconds', 'workSeconds'],
  ...['standingSeconds', 'fuelUsed', 'visits', 'idleCost', 'fuelCost'],
];

/** The fields that need the parts of trips by day, with their readings. */
export const fieldsOfParts = [
  ...['firstStartedAt', 'lastEndedAt', 'workSeconds', 'standingSeconds', 'odometerStartKm', 'odometerEndKm', 'visits'],
];

export interface SumCosts {
  /** For each hour of idle time. */
  readonly idleCost: number | null;
  /** For each litre. */
  readonly fuelPrice: number | null;
}

const right = { align: 'right', inTotal: true } as const;

const measured: readonly ViewColumn<TripSumRow>[] = [
  { title: 'TRIPS', text: ({ trips }) => String(trips), ...right, rank: 1 },
  {
    title: 'DISTANCE',
    text: ({ distanceKm }) => kilometres(distanceKm),
    bar: ({ distanceKm }) => distanceKm,
    ...right,
    rank: 0,
  },
  { title: 'FIRST START', ...timeColumn(({ firstStartedAt }) => firstStartedAt), shows: ['firstStartedAt'], rank: 4.6 },
  { title: 'LAST END', ...timeColumn(({ lastEndedAt }) => lastEndedAt), shows: ['lastEndedAt'], rank: 4.7 },
  {
    title: 'AT WORK',
    text: ({ workSeconds }) => hoursIfRead(workSeconds),
    shows: ['workSeconds'],
    ...right,
    rank: 4.5,
  },
  { title: 'DRIVING', text: ({ movingSeconds }) => hoursText(movingSeconds), ...right, rank: 2 },
  { title: 'IDLE', text: ({ idleSeconds }) => hoursText(idleSeconds), ...right, rank: 4 },
  { title: 'STANDING', text: ({ standingSeconds }) => hoursIfRead(standingSeconds), ...right, rank: 5.5 },
  { title: 'TOP', text: ({ topSpeedKmh }) => topSpeedText(topSpeedKmh), ...right, rank: 5 },
  { title: 'FUEL', text: (row) => fuelText(row), ...right, rank: 3 },
  {
    title: 'L/100 KM',
    text: ({ litresPer100Km }) => litresPer100Km?.toFixed(1) ?? '',
    shows: ['litresPer100Km'],
    ...right,
    rank: 5.2,
  },
  { title: 'ODOMETER', text: odometerText, shows: ['odometerStartKm', 'odometerEndKm'], align: 'right', rank: 5.8 },
];

const costTitles = { idleCost: 'IDLE COST', fuelCost: 'FUEL COST' } as const;

type CostField = keyof typeof costTitles;

function costColumn(field: CostField): ViewColumn<TripSumRow> {
  return { title: costTitles[field], text: (row) => row[field]?.toFixed(2) ?? '', shows: [field], ...right, rank: 0.5 };
}

function costMeasures(fields: readonly CostField[]): Readonly<Record<string, ChartMeasure<TripSumRow>>> {
  const measureOf = (field: CostField): ChartMeasure<TripSumRow> => ({
    title: costTitles[field],
    value: (row) => row[field] ?? null,
    text: (cost) => cost.toFixed(2),
  });
  return Object.fromEntries(fields.map((field) => [field, measureOf(field)]));
}

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
  group: (row) => `${'  '.repeat(row.level ?? 0)}${groupText(row) ?? absent.group}`,
  day: ({ day }) => day ?? '',
  week: ({ week }) => week ?? '',
  month: ({ month }) => month ?? '',
};

/** A time is never shortened. */
const leastWidths: Readonly<Record<SumKey, number | undefined>> = {
  ...{ vehicle: 10, driver: 14, group: 36 },
  ...{ day: undefined, week: undefined, month: undefined },
};

function idColumn(key: SumKey): ViewColumn<TripSumRow> | null {
  if (key !== 'vehicle' && key !== 'driver' && key !== 'group') return null;
  return {
    title: `${key.toUpperCase()} ID`,
    text: (row) => row[`${key}Id`] ?? '',
    namedBy: (row) => row[key],
    rank: 7,
  };
}

const keyFields: Readonly<Partial<Record<SumKey, readonly string[]>>> = {
  vehicle: ['vehicle', 'vehicleId'],
  driver: ['driver', 'driverId'],
  group: ['group', 'groupId', 'parentId', 'level', 'vehiclesAsked', 'vehiclesInGroup'],
};

const measures: Readonly<Record<string, ChartMeasure<TripSumRow>>> = {
  distanceKm: { title: 'DISTANCE', value: ({ distanceKm }) => distanceKm, text: kilometres },
  trips: { title: 'TRIPS', value: ({ trips }) => trips, text: String },
  movingSeconds: { title: 'DRIVING', value: ({ movingSeconds }) => movingSeconds, text: hoursText },
  idleSeconds: { title: 'IDLE', value: ({ idleSeconds }) => idleSeconds, text: hoursText },
  topSpeedKmh: { title: 'TOP SPEED', value: ({ topSpeedKmh }) => topSpeedKmh, text: topSpeedText },
  fuelUsed: { title: 'FUEL', value: ({ fuelUsed }) => fuelUsed, text: (fuel) => fuel.toFixed(1) },
  workSeconds: { title: 'AT WORK', value: ({ workSeconds }) => workSeconds ?? null, text: hoursText },
  litresPer100Km: {
    title: 'L/100 KM',
    value: ({ litresPer100Km }) => litresPer100Km,
    text: (litres) => litres.toFixed(1),
  },
};

/** Returns the name, with the number of vehicles if not all are counted; null in no group. */
function groupText({ group, vehiclesAsked, vehiclesInGroup }: TripSumRow): string | null {
  if (group === undefined || group === null || vehiclesAsked === vehiclesInGroup) return group ?? null;
  return `${group} (${vehiclesAsked} of ${vehiclesInGroup} vehicles)`;
}

/** Returns the view. `whole` returns the total when a trip can be in several rows. */
export function tripSumView(
  by: readonly SumKey[],
  { idleCost, fuelPrice }: SumCosts,
  whole?: () => TripSumRow | null,
): View<TripSumRow> {
  const costs: readonly CostField[] = [
    ...(idleCost === null ? [] : (['idleCost'] as const)),
    ...(fuelPrice === null ? [] : (['fuelCost'] as const)),
  ];
  const fields = [...(by.includes('vehicle') ? values.filter((field) => field !== 'vehicles') : values), ...costs];
  const textOf = (row: TripSumRow, key: SumKey) => (by.length === 1 ? labels[key](row) : labels[key](row).trimStart());
  const labelOf = (row: TripSumRow) => by.map((key) => textOf(row, key)).join(', ');
  return {
    title: `Trips by ${by.join(' and ')}`,
    columns: [
      ...by.map((key) => ({ title: key.toUpperCase(), text: labels[key], min: leastWidths[key], rank: 0 })),
      ...(by.includes('vehicle') ? [] : [vehicleCount]),
      ...measured,
      ...costs.map(costColumn),
      ...by.flatMap((key) => idColumn(key) ?? []),
    ],
    fields: [...by.flatMap((key) => keyFields[key] ?? [key]), ...fields],
    added: { visits: [] },
    absent,
    chart: { label: labelOf, measures: { ...measures, ...costMeasures(costs) } },
    total: whole
      ? {
          fields: [...values, 'visits', ...costs],
          isOfAllRows: true,
          begin: () => ({ take: () => undefined, row: whole }),
        }
      : totalOf<TripSumRow>({
          ...Object.fromEntries(summed.map((field) => [field, 'sum'])),
          topSpeedKmh: 'max',
          fuelBy: 'same',
        }),
  };
}

function hoursIfRead(seconds: number | undefined): string {
  return seconds === undefined ? '' : hoursText(seconds);
}

/** Returns `81,204 to 81,655 km`; empty without a reading, or for several vehicles. */
function odometerText({ odometerStartKm: start = null, odometerEndKm: end = null }: TripSumRow): string {
  return start === null || end === null ? '' : `${wholeNumber(start)} to ${wholeNumber(end)} km`;
}

export function kilometres(km: number): string {
  return `${km.toFixed(1)} km`;
}
