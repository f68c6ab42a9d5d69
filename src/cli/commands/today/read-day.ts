// Reads a day of the fleet: the current status of all vehicles and the trips of the day.
import { DAY_MS } from '../../../core/time-zone.js';
import type { CallOptions, FleetClient } from '../../../index.js';
import { liveStatuses, offlineAfterMs, staleAfterMs } from '../../../telemetry/live-status.js';
import { Board } from '../../../telemetry/watch/board.js';
import { type Context, serviceNow } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import type { DriverFlag } from '../../find/driver.js';
import type { MemberFlags } from '../../find/membership.js';
import { type StatusAnswer, statusRequest, statusRows } from '../../live/fleet-status.js';
import { expandPeriodFlags, type PeriodExpression, type PeriodFlags, readTime } from '../../parse/time.js';
import { addressReader } from '../../places/addresses.js';
import { compareValues } from '../../shape/compare.js';
import type { FleetDayRow } from '../../views/fleet-day.js';
import { fieldsOfPlace, type PlaceFields } from '../../views/place.js';
import type { StatusRow } from '../../views/status.js';
import type { TripSumRow } from '../../views/trip-sum.js';
import { DayParts } from '../trips/day-parts.js';
import { type Sums, sumTrips } from '../trips/sum-by.js';
import { periodOfTrips } from '../trips.js';

/** Refresh interval of trips under --watch: they take more requests than the status. */
const TRIPS_MAX_AGE_MS = 300_000;

export interface DayFlags extends MemberFlags, DriverFlag {}

export interface DayAnswer {
  readonly status: StatusAnswer;
  readonly trips: DayTrips | null;
}

interface DayTrips {
  readonly readAt: number;
  readonly sums: Sums;
  readonly parts: ReadonlyMap<string, DayParts>;
  /** True when the sums are those of one driver. */
  readonly isOfDriver: boolean;
}

/** Returns the period of `on`. Throws CliError USAGE when it is not one day. */
export function dayPeriod(context: Context, on: string): PeriodExpression {
  const { from = on, to = on } = expandPeriodFlags<PeriodFlags>(context, { on });
  const day = from === to ? readTime(context, from, '--on') : null;
  const now = serviceNow(context);
  const length = (day?.lastMoment?.(now) ?? Number.POSITIVE_INFINITY) - (day?.at(now) ?? 0);
  // A day has 25 hours when daylight saving time ends.
  if (day === null || length > 1.1 * DAY_MS) {
    throw refusal(`--on "${on}" is not one day.`, {
      hint: 'For several days: `fleet trips list --on "last week" --sum-by day`.',
    });
  }
  return periodOfTrips(context, { from, to });
}

export function dayRequest(
  context: Context,
  client: FleetClient,
  { day, flags }: { readonly day: PeriodExpression; readonly flags: DayFlags },
): (options: CallOptions) => Promise<DayAnswer> {
  const thresholds = { staleAfterMs, offlineAfterMs, minMoveMetres: 0 };
  const readAddresses = addressReader(context, client);
  let isPast = false;
  // A past day has no live fields.
  const addresses = async (options?: CallOptions) => (isPast ? null : readAddresses(options));
  const needs = { active: false, names: true, assignments: false, places: true, addresses, members: flags };
  const requestStatus = statusRequest(context, client, needs, new Board(thresholds));
  let trips: DayTrips | null = null;
  return async (options) => {
    isPast = (await day.span(context, client)).end <= serviceNow(context);
    const status = await requestStatus(options);
    if (trips === null || isOld(trips, serviceNow(context))) {
      trips = await readTrips(context, client, day, status, flags.driver);
    }
    return { status, trips };
  };
}

function isOld({ readAt, sums }: DayTrips, now: number): boolean {
  return now - readAt >= TRIPS_MAX_AGE_MS || now >= sums.span.end;
}

async function readTrips(
  context: Context,
  client: FleetClient,
  day: PeriodExpression,
  status: StatusAnswer,
  driver: string | undefined,
): Promise<DayTrips | null> {
  const vehicles = status.vehicles(serviceNow(context)).map(({ vehicleId, name, licensePlate }) => ({
    id: vehicleId,
    name: name || licensePlate || vehicleId,
    row: null,
  }));
  const span = await day.span(context, client);
  const readAt = serviceNow(context);
  const parts = new Map<string, DayParts>();
  const sums = await sumTrips(context, client, {
    choose: () => Promise.resolve(vehicles),
    by: ['vehicle'],
    driver,
    isPart: false,
    span: () => Promise.resolve(span),
    options: { partial: true, signal: context.io.signal },
    onTrip(trip) {
      const own = parts.get(trip.vehicleId) ?? new DayParts(span);
      parts.set(trip.vehicleId, own);
      own.add(trip);
    },
  });
  return sums && { readAt, sums, parts, isOfDriver: driver !== undefined };
}

/** Returns the rows of the day: moving vehicles first, then by distance. */
export function dayRows({ status, trips }: DayAnswer, now: number): readonly FleetDayRow[] {
  const isOver = trips !== null && now >= trips.sums.span.end;
  const sums = new Map(trips?.sums.rows.map((row) => [row.vehicleId, row]));
  // With --driver only the vehicles of the driver have sums.
  const isOwn = ({ id }: StatusRow) => trips?.isOfDriver !== true || sums.has(id ?? '');
  const rows = statusRows(status, now)
    .filter(isOwn)
    .map((row) => {
      const own = trips?.parts.get(row.id ?? '') ?? (trips && new DayParts(trips.sums.span));
      return rowOf(row, sums.get(row.id ?? '') ?? null, own, { now, isOver });
    });
  return rows.sort(
    (a, b) => rankOf(a) - rankOf(b) || (b.distanceKm ?? -1) - (a.distanceKm ?? -1) || compareValues(a.name, b.name),
  );
}

function rankOf({ status, deactivated }: FleetDayRow): number {
  if (deactivated) return 2;
  return status === liveStatuses[0] ? 0 : 1;
}

function rowOf(
  row: StatusRow,
  sum: TripSumRow | null,
  parts: DayParts | null,
  { now, isOver }: { readonly now: number; readonly isOver: boolean },
): FleetDayRow {
  const { id, name, licensePlate, deactivated } = row;
  return {
    id,
    name,
    licensePlate,
    ...(isOver ? noLiveFields : liveOf(row)),
    distanceKm: sum?.distanceKm ?? null,
    trips: sum?.trips ?? null,
    timesParked: sum === null || parts === null ? null : parts.timesParked,
    movingSeconds: sum?.movingSeconds ?? null,
    idleSeconds: sum?.idleSeconds ?? null,
    topSpeedKmh: sum?.topSpeedKmh ?? null,
    hours: sum === null || parts === null ? null : parts.hours(now),
    deactivated,
  };
}

type Live = Pick<FleetDayRow, 'status' | 'timestamp' | 'speed' | 'driverId' | 'driver' | 'address' | keyof PlaceFields>;

const noLiveFields: Live = {
  status: null,
  timestamp: null,
  speed: null,
  driverId: null,
  driver: null,
  ...fieldsOfPlace(null),
};

function liveOf(row: StatusRow): Live {
  const { status, timestamp, speed, identifiedDriverId: driverId = null, identifiedDriver: driver = null } = row;
  const { place = null, placeId = null, nearestPlace = null } = row;
  const { nearestPlaceDistanceM = null, nearestPlaceDirection = null } = row;
  const placed = { place, placeId, nearestPlace, nearestPlaceDistanceM, nearestPlaceDirection };
  const addressed = row.address === undefined ? {} : { address: row.address };
  return { status, timestamp, speed, driverId, driver, ...placed, ...addressed };
}
