// Who drove, and who is assigned to what.
import type { FleetClient } from '../../../index.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { connect } from '../../connection/connect.js';
import { driverNames } from '../../connection/driver-names.js';
import { type Context, serviceNow } from '../../context/context.js';
import { refusal } from '../../errors/cli-error.js';
import { type ChosenVehicle, vehicleChoice } from '../../find/vehicles.js';
import { inputOf, number, outputOf, pageInput, readTool, text, yesNo } from '../../mcp/tool.js';
import { knownServiceNow, readTime, timestamp, withDay } from '../../parse/time.js';
import { isMarkedDeleted } from '../../shape/deleted.js';
import { assignmentsWithin, periodOfAssignments } from '../drivers/assignments.js';
import { assignmentsOfSeveral } from '../drivers/assignments-of-several.js';
import { periodOfTrips } from '../trips.js';
import {
  counted,
  hasPeriod,
  localOf,
  namesInput,
  type PeriodInput,
  periodFlags,
  periodInput,
  roundTo,
  someOf,
  type VehiclesInput,
  vehicleFlags,
  vehiclesInput,
} from './inputs.js';

const HOUR_MS = 3_600_000;
/** A trip that was under way at a time began within so long before it. */
const LONGEST_TRIP_MS = 24 * HOUR_MS;

interface WhoInput extends PeriodInput {
  readonly vehicle: string;
  readonly at?: string;
}

interface Drove {
  readonly driver: string | null;
  readonly basis: 'identified on a trip' | 'assigned';
  readonly from: number | null;
  readonly to: number | null;
  readonly distanceKm: number | null;
}

export const whoDrove = readTool<WhoInput>({
  name: 'who_drove',
  title: 'Who drove a vehicle',
  description:
    'Who drove one vehicle at a time or over a period: drivers who were identified on its trips (by a token), and drivers who were assigned to it. The first is evidence, the second a plan. Give at for a moment, or on, or from and to.',
  input: inputOf(
    {
      vehicle: { type: 'string', description: 'name, licence plate, VIN or id', examples: ['Truck 07'] },
      at: { type: 'string', description: 'a moment, in place of a period', examples: ['yesterday 14:30', '-2h'] },
      ...periodInput,
    },
    ['vehicle'],
  ),
  output: outputOf({
    facts: { vehicle: text },
    row: {
      driver: { ...text, description: 'null: nobody was identified' },
      basis: { type: 'string', enum: ['identified on a trip', 'assigned'] },
      from: text,
      to: { ...text, description: 'null: it goes on' },
      distanceKm: number,
    },
  }),
  async run(context, input) {
    const { vehicle: name, at } = input;
    if (at === undefined && !hasPeriod(input))
      throw refusal('Neither a time nor a period is given.', { hint: 'Give at, or on, or from and to.' });
    if (at !== undefined && hasPeriod(input))
      throw refusal('Both a time and a period are given.', { hint: 'Give at, or on, or from and to.' });
    const time = at === undefined ? null : readTime(context, at, 'at');
    const period = time === null ? periodOfTrips(context, withDay(context, periodFlags(input))) : null;
    const choose = vehicleChoice(context, [name], {});
    const client = await connect(context);
    const [vehicles, names] = await Promise.all([choose(client), driverNames(context, client)]);
    const [vehicle] = vehicles;
    if (vehicle === undefined) throw refusal('There is no such vehicle.');
    const moment = time === null ? null : time.at(await knownServiceNow(context, client));
    const span =
      period === null || moment !== null
        ? { from: (moment ?? 0) - LONGEST_TRIP_MS, to: (moment ?? 0) + HOUR_MS }
        : await period.span(context, client);
    const [driven, assigned] = await Promise.all([
      trips(context, client, vehicle, span, names),
      assignments(context, client, vehicle, span),
    ]);
    const covers = ({ from, to }: Drove) => moment === null || ((from ?? moment) <= moment && (to ?? moment) >= moment);
    const rows = [...driven, ...assigned].filter(covers);
    return {
      summary: `${vehicle.name}: ${whoText(rows, moment !== null)}.`,
      facts: { vehicle: vehicle.name },
      rows: rows.map(({ from, to, ...row }) => ({ ...row, from: localOf(context, from), to: localOf(context, to) })),
    };
  },
});

async function trips(
  context: Context,
  client: FleetClient,
  { id }: ChosenVehicle,
  { from, to }: { readonly from: number; readonly to: number },
  names: ReadonlyMap<string, string>,
): Promise<readonly Drove[]> {
  const end = Math.min(to, serviceNow(context));
  if (from >= end) return [];
  const rows: Drove[] = [];
  const stream = client.streamTrips(
    { vehicleId: id, from: timestamp(from), to: timestamp(end) },
    { partial: true, signal: context.io.signal, clip: true },
  );
  for await (const trip of stream) {
    rows.push({
      driver: trip.driverIds.map((driver) => names.get(driver) ?? driver).join(', ') || null,
      ...{ basis: 'identified on a trip', from: timestampMs(trip.startedAt), to: timestampMs(trip.endedAt) },
      distanceKm: roundTo(trip.distanceKm, 1),
    });
  }
  return rows;
}

async function assignments(
  context: Context,
  client: FleetClient,
  vehicle: ChosenVehicle,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Drove[]> {
  const choose = async () => [vehicle];
  const rows = await assignmentsOfSeveral(context, client, {
    choose,
    drivers: [],
    ofDriversOnly: false,
    select: undefined,
  });
  return rows.flatMap((row): readonly Drove[] => {
    const [start, end] = [timestampMs(row.startedAt), timestampMs(row.endedAt)];
    if (isMarkedDeleted(row) || start === null || start > to || (end !== null && end < from)) return [];
    return [{ driver: row.driver ?? null, basis: 'assigned', from: start, to: end, distanceKm: null }];
  });
}

function whoText(rows: readonly Drove[], isMoment: boolean): string {
  const by = (basis: Drove['basis']) => [
    ...new Set(rows.filter((row) => row.basis === basis).map(({ driver }) => driver)),
  ];
  const identified = by('identified on a trip').filter((driver) => driver !== null);
  const hasTrips = by('identified on a trip').length > 0;
  const assigned = by('assigned').filter((driver) => driver !== null);
  const drove =
    identified.length > 0
      ? `driven by ${someOf(identified)} (identified)`
      : hasTrips
        ? 'driven by somebody who was not identified'
        : isMoment
          ? 'not on a trip at that time'
          : 'no trip';
  return `${drove}; ${assigned.length > 0 ? `assigned: ${someOf(assigned)}` : 'nobody was assigned'}`;
}

interface AssignmentsInput extends PeriodInput, VehiclesInput {
  readonly drivers?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

export const driverAssignments = readTool<AssignmentsInput>({
  name: 'driver_assignments',
  title: 'Driver assignments',
  description:
    'Which drivers are or were assigned to which vehicles: present assignments without a period, or all that were active in one. For who really drove use who_drove.',
  input: inputOf({
    ...vehiclesInput,
    drivers: {
      ...namesInput,
      description: 'only these drivers: names, e-mails or employee ids',
      examples: [['Anna Lind']],
    },
    ...periodInput,
    ...pageInput,
  }),
  output: outputOf({
    row: { vehicle: text, driver: text, from: text, to: { ...text, description: 'null: open' }, isCurrent: yesNo },
  }),
  async run(context, input) {
    const { vehicles = [], drivers = [], limit, offset } = input;
    const flags = vehicleFlags(input);
    const period = hasPeriod(input) ? periodOfAssignments(context, withDay(context, periodFlags(input))) : null;
    const choose = vehicleChoice(context, vehicles, flags);
    const client = await connect(context);
    const ofDriversOnly = vehicles.length === 0 && Object.keys(flags).length === 0;
    const listed = await assignmentsOfSeveral(context, client, { choose, drivers, ofDriversOnly, select: undefined });
    const within = await assignmentsWithin(context, client, period, listed);
    const now = serviceNow(context);
    const rows = within.flatMap((row) => {
      const [start, end] = [timestampMs(row.startedAt), timestampMs(row.endedAt)];
      const isCurrent = start !== null && start <= now && (end === null || end > now);
      if (isMarkedDeleted(row) || (period === null && !isCurrent)) return [];
      return [
        {
          ...{ vehicle: row.vehicle ?? null, driver: row.driver ?? null },
          ...{ from: localOf(context, row.startedAt), to: localOf(context, row.endedAt), isCurrent },
        },
      ];
    });
    const told = rows.map(({ vehicle, driver }) => `${driver ?? '?'} on ${vehicle ?? '?'}`);
    const which = period === null ? 'present assignment' : 'assignment';
    return {
      summary: `${counted(rows.length, which)}${rows.length > 0 ? `: ${someOf(told)}` : ''}.`,
      rows,
      page: { limit, offset },
    };
  },
});
