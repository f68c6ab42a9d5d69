// View of one day of the fleet: a row for each vehicle and a summary above the table.
import { type LiveStatus, silentStatuses } from '../../telemetry/live-status.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { table } from '../output/table.js';
import { totalOf } from '../output/total.js';
import type { ChartMeasure, View } from '../output/view.js';
import { hoursText, namesText, shortAge, wholeNumber } from './humanize.js';
import { type LocatedFields, placeColumns, placeFields } from './place.js';
import { paintStatus, seenColumn, shownStatus, speedText } from './status.js';
import { topSpeedText } from './trip.js';
import { kilometres, type TripSumValues } from './trip-sum.js';
import { hourCells } from './vehicle-day.js';

/** The day of one vehicle; its live fields are null for a past day. */
export interface FleetDayRow extends LocatedFields {
  readonly id: string | null;
  readonly name: string | null;
  readonly licensePlate: string | null;
  readonly deactivated: boolean;
  readonly status: LiveStatus | null;
  readonly timestamp: string | number | null;
  /** In km/h. */
  readonly speed: number | null;
  /** The driver in the last snapshot. */
  readonly driverId: string | null;
  readonly driver: string | null;
  /** From here on, null when the trips of the vehicle could not be read. */
  readonly distanceKm: number | null;
  readonly trips: number | null;
  readonly timesParked: number | null;
  readonly movingSeconds: number | null;
  readonly idleSeconds: number | null;
  readonly topSpeedKmh: number | null;
  /** Share of each hour on a trip, from midnight to midnight; null for hours in the future. */
  readonly hours: readonly (number | null)[] | null;
}

interface FleetDayFacts {
  /** `Monday, 2026-03-02, until 11:30+02:00` */
  readonly day: string;
  /** Number of vehicles by live status; empty when unknown or shown elsewhere. */
  readonly live: string;
  readonly rows: readonly FleetDayRow[];
  readonly whole: TripSumValues;
  readonly speedLimitKmh: number;
  readonly now: number;
}

/** Empty for a vehicle without a trip: the others are easier to see. */
const textIfDriven = (value: number | null, trips: number | null, text: (value: number) => string) =>
  value === null || trips === 0 ? '' : text(value);

const measures: Readonly<Record<string, ChartMeasure<FleetDayRow>>> = {
  distanceKm: { title: 'DISTANCE', value: ({ distanceKm }) => distanceKm, text: kilometres },
  trips: { title: 'TRIPS', value: ({ trips }) => trips, text: String },
  timesParked: { title: 'PARKED', value: ({ timesParked }) => timesParked, text: String },
  movingSeconds: { title: 'DRIVING', value: ({ movingSeconds }) => movingSeconds, text: hoursText },
  idleSeconds: { title: 'IDLE', value: ({ idleSeconds }) => idleSeconds, text: hoursText },
  topSpeedKmh: { title: 'TOP SPEED', value: ({ topSpeedKmh }) => topSpeedKmh, text: topSpeedText },
};

export const fleetDayView: View<FleetDayRow> = {
  title: 'Day of the fleet',
  columns: [
    { title: 'VEHICLE', text: nameOf, shows: ['name'], min: 8, rank: 0 },
    {
      title: 'NOW',
      text: ({ status, deactivated }) => (status === null ? '' : shownStatus(status, deactivated)),
      paint: (text, { status, deactivated }, { colors }) =>
        status === null || deactivated ? colors.dim(text) : paintStatus(text, status, colors),
      shows: ['status'],
      rank: 0,
    },
    { ...seenColumn, rank: 7 },
    {
      title: 'SPEED',
      text: ({ speed, status }) => (status === null ? '' : speedText(speed, status)),
      align: 'right',
      rank: 5,
    },
    {
      title: 'DISTANCE',
      text: ({ distanceKm, trips }) => textIfDriven(distanceKm, trips, kilometres),
      shows: ['distanceKm'],
      bar: ({ distanceKm }) => distanceKm,
      align: 'right',
      rank: 0,
      inTotal: true,
    },
    {
      title: 'DRIVING',
      text: ({ movingSeconds, trips }) => textIfDriven(movingSeconds, trips, hoursText),
      align: 'right',
      rank: 2,
      inTotal: true,
    },
    {
      title: 'IDLE',
      text: ({ idleSeconds, trips }) => textIfDriven(idleSeconds, trips, hoursText),
      align: 'right',
      rank: 4,
      inTotal: true,
    },
    {
      title: 'PARKED',
      text: ({ timesParked, trips }) => textIfDriven(timesParked, trips, String),
      align: 'right',
      rank: 6,
      inTotal: true,
    },
    {
      title: '0h    6h    12h   18h',
      text: ({ hours, trips }, options) => (hours === null || !trips ? '' : hourCells(hours, options)),
      shows: ['hours'],
      rank: 1,
    },
    ...placeColumns({ min: 12, rank: 3, addressRank: 9.5 }),
    { title: 'DRIVER', text: ({ driver, driverId }) => driver ?? driverId ?? '', shows: ['driver'], min: 14, rank: 9 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: nameOf, rank: 10 },
  ],
  chart: { label: nameOf, measures },
  added: { address: [] },
  fields: [
    ...['id', 'name', 'licensePlate', 'status', 'timestamp', 'speed', 'driverId', 'driver', ...placeFields],
    ...['distanceKm', 'trips', 'timesParked', 'movingSeconds', 'idleSeconds', 'topSpeedKmh', 'hours', 'deactivated'],
  ],
  total: totalOf<FleetDayRow>({
    ...{
      distanceKm: 'sum',
      trips: 'sum',
      timesParked: 'sum',
      movingSeconds: 'sum',
      idleSeconds: 'sum',
      topSpeedKmh: 'max',
    },
  }),
};

function nameOf({ name, licensePlate, id }: FleetDayRow): string {
  return name || licensePlate || id || '';
}

const factsView: View<FleetDayFacts> = {
  columns: [],
  fields: [],
  details: [
    { title: 'Day', text: ({ day }) => day },
    { title: 'Now', text: ({ live }) => live },
    { title: 'Driven', text: drivenText },
    {
      title: 'Too fast now',
      text: ({ rows, speedLimitKmh }) => {
        const fast = rows.filter(({ status, speed }) => status === 'moving' && (speed ?? 0) > speedLimitKmh);
        const names = sortedBy(fast, ({ speed }) => -(speed ?? 0)).map(
          (row) => `${nameOf(row)} (${topSpeedText(row.speed)})`,
        );
        return names.length === 0 ? '' : `${namesText(names)}; over ${speedLimitKmh} km/h`;
      },
      paint: (text, _, { colors }) => colors.red(text),
    },
    {
      title: 'Fastest',
      text: ({ rows }) => {
        const [first] = sortedBy(rows, ({ topSpeedKmh }) => -(topSpeedKmh ?? 0));
        return first === undefined || !first.topSpeedKmh ? '' : `${nameOf(first)} (${topSpeedText(first.topSpeedKmh)})`;
      },
    },
    {
      title: 'Silent',
      text: ({ rows, now }) => namesText(silent(rows).map((row) => `${nameOf(row)} (${silenceText(row, now)})`)),
      paint: (text, _, { colors }) => colors.yellow(text),
    },
    { title: 'Not driven', text: ({ rows }) => notDrivenText(rows) },
  ],
};

export function daySummary(facts: FleetDayFacts): NonNullable<View<FleetDayRow>['above']> {
  return async function* (options) {
    yield* table.record(facts, factsView, options);
    yield '\n';
  };
}

function drivenText({ rows, whole }: FleetDayFacts): string {
  const timesParked = rows.reduce((sum, row) => sum + (row.timesParked ?? 0), 0);
  const [trips, vehicles] = [counted(whole.trips, 'trip'), counted(whole.vehicles, 'vehicle')];
  if (whole.trips === 0) return 'no trip';
  return `${kilometres(whole.distanceKm)} in ${trips} of ${vehicles}: ${hoursText(whole.movingSeconds)} driving, ${hoursText(whole.idleSeconds)} idle, parked ${counted(timesParked, 'time')}`;
}

function notDrivenText(rows: readonly FleetDayRow[]): string {
  const still = rows.filter(({ trips, deactivated }) => trips === 0 && !deactivated);
  return still.length === 0 ? '' : `${counted(still.length, 'vehicle')}: ${namesText(still.map(nameOf))}`;
}

/** Returns silent vehicles, the longest silence first and those without any data last. */
function silent(rows: readonly FleetDayRow[]): readonly FleetDayRow[] {
  const found = rows.filter(
    ({ status, deactivated }) => !deactivated && status !== null && silentStatuses.includes(status),
  );
  return sortedBy(found, ({ timestamp }) => timestampMs(timestamp) ?? Number.POSITIVE_INFINITY);
}

function silenceText({ timestamp }: FleetDayRow, now: number): string {
  const moment = timestampMs(timestamp);
  return moment === null ? 'no data' : shortAge(moment, now);
}

function sortedBy(rows: readonly FleetDayRow[], key: (row: FleetDayRow) => number): readonly FleetDayRow[] {
  return [...rows].sort((a, b) => key(a) - key(b) || 0);
}

function counted(count: number, what: string): string {
  return `${wholeNumber(count)} ${count === 1 ? what : `${what}s`}`;
}
