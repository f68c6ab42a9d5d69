// Trips of a period, and what they come to.
import type { TripOptions } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { hasVehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import { inputOf, number, outputOf, pageInput, readTool, text, yesNo } from '../../mcp/tool.js';
import { withDay } from '../../parse/time.js';
import { hasPart } from '../../records/names.js';
import { compareValues } from '../../shape/compare.js';
import { periodText } from '../../time/period-text.js';
import { hoursText } from '../../views/humanize.js';
import type { TripRow } from '../../views/trip.js';
import { groupText, type SumKey, sumKeys, type TripSumRow, type TripSumValues } from '../../views/trip-sum.js';
import { fleetTrips } from '../trips/fleet-trips.js';
import { Sum } from '../trips/sum.js';
import { sumTrips } from '../trips/sum-by.js';
import { periodOfTrips } from '../trips.js';
import type { CopyQuery } from './copy.js';
import {
  counted,
  localOf,
  type PeriodInput,
  periodInput,
  requiredPeriod,
  roundTo,
  someOf,
  type VehiclesInput,
  vehicleFlags,
  vehiclesInput,
} from './inputs.js';
import { TripsOfCopy } from './trips-of-copy.js';

interface TripsInput extends PeriodInput, VehiclesInput {
  readonly limit?: number;
  readonly offset?: number;
}

interface ListInput extends TripsInput {
  readonly driver?: string;
  readonly minDistanceKm?: number;
}

/** More rows than anybody reads: they would fill the memory. */
const MOST_TRIPS = 20_000;

export const totalFields = {
  distanceKm: number,
  trips: number,
  vehicles: { ...number, description: 'how many vehicles they are of' },
  drivingSeconds: number,
  idleSeconds: { ...number, description: 'standing with the engine on, during trips' },
  topSpeedKmh: number,
  fuelUsed: number,
  fuelBy: { ...text, description: 'the counter of fuelUsed; only canTripFuelUsed is in litres' },
};

const total = { type: 'object', properties: totalFields, description: 'of all trips, not only of the rows here' };

/** Of one vehicle, which is one. */
export function shownSum(sum: TripSumValues) {
  const { vehicles: _one, ...values } = shownTotal(sum);
  return values;
}

export function shownTotal(sum: TripSumValues) {
  const { distanceKm, trips, vehicles, movingSeconds, idleSeconds, topSpeedKmh, fuelUsed, fuelBy } = sum;
  return {
    ...{ distanceKm: roundTo(distanceKm, 1), trips, vehicles },
    ...{ drivingSeconds: roundTo(movingSeconds), idleSeconds: roundTo(idleSeconds) },
    ...{ topSpeedKmh: roundTo(topSpeedKmh), fuelUsed: roundTo(fuelUsed, 1), fuelBy },
  };
}

/** `12 trips of 3 vehicles: 812.4 km, 11:20 h driving, 1:02 h idle` */
export function totalText(sum: TripSumValues): string {
  const { distanceKm, trips, vehicles, movingSeconds, idleSeconds } = sum;
  return `${counted(trips, 'trip')} of ${counted(vehicles, 'vehicle')}: ${distanceKm.toFixed(1)} km, ${hoursText(movingSeconds)} driving, ${hoursText(idleSeconds)} idle`;
}

function streamOptions(context: Context): TripOptions & { readonly partial: boolean; readonly signal: AbortSignal } {
  return { partial: true, signal: context.io.signal };
}

export const listTrips = (copy: CopyQuery | null) =>
  readTool<ListInput>({
    name: 'list_trips',
    title: 'Trips of a period',
    description:
      'Each trip of vehicles over a period, the latest last: when, from where to where, distance, driver, idle time, top speed, fuel. The total of all of them stands beside the rows. For kilometres by vehicle, driver, day or group use sum_trips. Either on, or from and to.',
    input: inputOf({
      ...periodInput,
      ...vehiclesInput,
      driver: {
        type: 'string',
        description: 'only trips on which this driver was identified: the name or a part of it',
      },
      minDistanceKm: { type: 'number', minimum: 0, description: 'only trips at least this long' },
      ...pageInput,
    }),
    output: outputOf({
      facts: { period: text, total },
      row: {
        ...{ vehicle: text, driver: text, startedAt: text },
        endedAt: text,
        goesOn: { ...yesNo, description: 'it went on after the period, or is under way now: this is the part inside' },
        ...{
          from: text,
          to: text,
          distanceKm: number,
          durationSeconds: number,
          drivingSeconds: number,
          idleSeconds: number,
        },
        ...{ topSpeedKmh: number, fuelUsed: number },
        harshEvents: { type: 'object', description: 'how often each was reported' },
      },
    }),
    timeLimitMs: 120_000,
    async run(context, input) {
      const { vehicles = [], driver, minDistanceKm = 0, limit, offset } = input;
      const period = periodOfTrips(context, withDay(context, requiredPeriod(input)));
      const choose = vehicleChoice(context, vehicles, vehicleFlags(input));
      const client = await connect(context);
      const ofCopy = copy === null ? null : new TripsOfCopy(context, client, copy);
      const trips = await fleetTrips(context, client, {
        ...(ofCopy === null ? {} : { stream: ofCopy.stream }),
        choose,
        needs: { vehicle: true, driver: true, places: true },
        span: () => period.span(context, client),
        options: streamOptions(context),
        // The parts of a day add up to the day, as in sum_trips.
        clip: true,
      });
      if (trips === null)
        return { summary: 'There is no such vehicle.', facts: { period: null, total: null }, rows: [] };
      const rows: TripRow[] = [];
      const sum = new Sum();
      for await (const trip of trips.rows) {
        if (trip.distanceKm < minDistanceKm) continue;
        if (driver !== undefined && !hasPart(trip.driver ?? '', driver, 'name')) continue;
        sum.add(trip);
        rows.push(trip);
        if (rows.length > MOST_TRIPS) {
          throw refusal(`There are more than ${MOST_TRIPS} trips.`, {
            hint: 'Ask for a shorter period or fewer vehicles, or use sum_trips.',
          });
        }
      }
      trips.end();
      rows.sort((a, b) => a.startedAt.localeCompare(b.startedAt) || compareValues(a.vehicle, b.vehicle));
      const when = periodText(trips.span, context.zone.name);
      const what = rows.length === 0 ? 'No trip' : totalText(sum.values);
      return {
        summary: `${what} ${when}.`,
        facts: { period: when, total: shownTotal(sum.values) },
        rows: rows.map((trip) => shownTrip(context, trip)),
        page: { limit, offset },
        ...ofCopy?.source,
      };
    },
  });

function shownTrip(context: Context, trip: TripRow) {
  return {
    ...{ vehicle: trip.vehicle, driver: trip.driver || null },
    ...{ startedAt: localOf(context, trip.startedAt), endedAt: localOf(context, trip.endedAt) },
    ...(trip.endedBy === 'period' ? { goesOn: true } : {}),
    from: placeOf(trip.startPlace, trip.startNearestPlace),
    to: placeOf(trip.endPlace, trip.endNearestPlace),
    ...{ distanceKm: roundTo(trip.distanceKm, 1), durationSeconds: roundTo(trip.durationSeconds) },
    ...{ drivingSeconds: roundTo(trip.movingSeconds), idleSeconds: roundTo(trip.idleSeconds) },
    ...{ topSpeedKmh: roundTo(trip.topSpeedKmh), fuelUsed: roundTo(trip.fuelUsed, 1) },
    ...(Object.keys(trip.harshEvents).length > 0 ? { harshEvents: trip.harshEvents } : {}),
  };
}

function placeOf(inside: string | null | undefined, nearest: string | null | undefined): string | null {
  if (inside) return inside;
  return nearest ? `near ${nearest}` : null;
}

const sortKeys = ['distanceKm', 'trips', 'drivingSeconds', 'idleSeconds', 'topSpeedKmh', 'fuelUsed', 'name'] as const;

interface SumInput extends TripsInput {
  readonly by: SumKey;
  readonly sortBy?: (typeof sortKeys)[number];
  readonly ascending?: boolean;
}

export const sumTripsTool = (copy: CopyQuery | null) =>
  readTool<SumInput>({
    name: 'sum_trips',
    title: 'Sums of trips',
    description:
      'What the trips of a period come to for each vehicle, driver, day or group: kilometres, trips, driving time, idle time, top speed, fuel. Sorted, so that the first rows answer "which vans idled most last week", "who drove most", "which vehicles did not move". Vehicles without trips are there with 0. Either on, or from and to.',
    input: inputOf(
      {
        by: { type: 'string', enum: sumKeys, description: 'a row for each of these' },
        ...periodInput,
        ...vehiclesInput,
        sortBy: { type: 'string', enum: sortKeys, description: 'default: name (days: by date)' },
        ascending: { type: 'boolean', description: 'the smallest first; default: the largest first, names from A' },
        ...pageInput,
      },
      ['by'],
    ),
    output: outputOf({
      facts: { period: text, total },
      row: {
        name: {
          ...text,
          description: 'of the vehicle, driver, day or group; null: nobody was identified, or no group',
        },
        ...totalFields,
        share: { ...number, description: 'of all kilometres, in percent' },
      },
    }),
    timeLimitMs: 180_000,
    async run(context, input) {
      const { by, vehicles = [], sortBy = 'name', ascending = false, limit, offset } = input;
      const period = periodOfTrips(context, withDay(context, requiredPeriod(input)));
      const choose = vehicleChoice(context, vehicles, vehicleFlags(input));
      const client = await connect(context);
      // The parts of a day add up to the day, also for trips over midnight.
      const ofCopy = copy === null ? null : new TripsOfCopy(context, client, copy);
      const sums = await sumTrips(context, client, {
        ...(ofCopy === null ? {} : { stream: ofCopy.stream }),
        ...{ choose, by, clip: true, isPart: vehicles.length > 0 || hasVehicleFlags(vehicleFlags(input)) },
        span: () => period.span(context, client),
        options: streamOptions(context),
      });
      if (sums === null)
        return { summary: 'There is no such vehicle.', facts: { period: null, total: null }, rows: [] };
      const { rows, whole, span } = sums;
      const sumOf = by === 'vehicle' ? shownSum : shownTotal;
      const all = rows.map((row) => ({ name: nameOf(row, by), ...sumOf(row), share: shareOf(row, whole) }));
      if (sortBy !== 'name') {
        const sign = ascending ? 1 : -1;
        all.sort((a, b) => sign * ((a[sortBy] ?? -1) - (b[sortBy] ?? -1)) || compareValues(a.name, b.name));
      }
      const when = periodText(span, context.zone.name);
      const first = all[0];
      const top =
        sortBy === 'name' || first === undefined
          ? ''
          : ` ${ascending ? 'Least' : 'Most'} by ${sortBy}: ${someOf(all.slice(0, 3).map((row) => `${row.name ?? 'nobody'} (${row[sortBy] ?? 'unknown'})`))}.`;
      return {
        summary: `${totalText(whole)} ${when}.${top}`,
        facts: { period: when, total: shownTotal(whole) },
        rows: all,
        page: { limit, offset },
        ...ofCopy?.source,
      };
    },
  });

function nameOf(row: TripSumRow, by: SumKey): string | null {
  return by === 'group' ? groupText(row) : (row[by] ?? null);
}

function shareOf({ distanceKm }: TripSumValues, whole: TripSumValues): number | null {
  return whole.distanceKm === 0 ? null : roundTo((100 * distanceKm) / whole.distanceKm, 1);
}
