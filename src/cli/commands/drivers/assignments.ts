// Lists driver assignments. Tables also show the names of vehicles and drivers.
import { joinTrees, type SelectionTree } from '../../../contract/selection/tree.js';
import type * as contract from '../../../generated/contract-types.js';
import { operations } from '../../../generated/operation-table.js';
import { type FleetClient, FleetError } from '../../../index.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { driverNames } from '../../connection/driver-names.js';
import { vehicleNames } from '../../connection/vehicle-names.js';
import { type Context, type ReportingRun, type ServiceRun, serviceNow } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import { refusal } from '../../errors/cli-error.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { findId, findRecords } from '../../find/record.js';
import {
  type ChosenVehicle,
  hasVehicleFlags,
  onlyVehicle,
  type VehicleFlags,
  vehicleChoice,
} from '../../find/vehicles.js';
import type { View } from '../../output/view.js';
import {
  endsTooEarly,
  expandPeriodFlags,
  type PeriodExpression,
  type PeriodFlags,
  readPeriodExpression,
} from '../../parse/time.js';
import { driverKind } from '../../records/person.js';
import { vehicleKind } from '../../records/vehicle.js';
import { type DeletedFlag, isMarkedDeleted } from '../../shape/deleted.js';
import { listShape } from '../../shape/list-shape.js';
import { isFieldNamed } from '../../shape/named-fields.js';
import { periodText } from '../../time/period-text.js';
import { type AssignmentRow, fleetAssignmentView } from '../../views/assignment.js';

/** Tolerance for clock differences: assignments that ended just before a change are shown too. */
const ASSIGNMENT_CLOCK_SKEW_MS = 3_600_000;

export interface AssignmentFlags extends DeletedFlag, PeriodFlags, VehicleFlags {
  readonly vehicle?: readonly string[];
  readonly driver?: readonly string[];
}

export async function listAssignments(context: Context, flags: AssignmentFlags): Promise<void> {
  const { vehicle: vehicles = [], driver: drivers = [], deleted } = flags;
  const onlyOne = onlyVehicle(vehicles, flags);
  const isSimple = vehicles.length <= 1 && drivers.length <= 1 && !hasVehicleFlags(flags);
  const [vehicle, driver] = [onlyOne ?? undefined, drivers[0]];
  const period = periodOfAssignments(context, expandPeriodFlags(context, flags));
  const isOfOne = isSimple && (vehicle ?? driver) !== undefined;
  const shape = listShape<AssignmentRow>(
    context,
    fleetAssignmentView,
    operations.getDriverAssignments,
    deleted === true,
  );
  const select = shape.options.select && joinTrees(shape.options.select, { startedAt: true, endedAt: true });
  const client = await connect(context);
  const emptyText = 'No assignment was found.';
  if (!isOfOne) {
    const choose = vehicleChoice(context, vehicles, flags);
    const rows = await assignmentsOfSeveral(context, client, {
      choose,
      drivers,
      ofDriversOnly: vehicles.length === 0 && !hasVehicleFlags(flags),
      select,
    });
    const within = await assignmentsWithin(context, client, period, rows);
    const view = await withPeriod(context, client, period, shape.view);
    return printRows(context, shape.rows(within), view, emptyText);
  }
  // The two lookups are merged into one request.
  const [vehicleId, driverId] = await Promise.all([
    vehicle === undefined ? undefined : findId(context, client, vehicleKind, vehicle, { substring: true }),
    driver === undefined ? undefined : findId(context, client, driverKind, driver, { substring: true }),
  ]);
  const input = inputOf(vehicleId, driverId);
  // When --fields is set, names are read only if selected.
  const withNames = context.globals.fields === undefined || isFieldNamed(context, ['vehicle', 'driver']);
  const rows = withNames
    ? (await readWithNames(context, client, input, select)).map(withNameFields)
    : await read(context, client, input, select);
  const within = await assignmentsWithin(context, client, period, rows);
  const view = await withPeriod(context, client, period, shape.view);
  await printRows(context, shape.rows(within), view, emptyText);
}

/** Adds the resolved period to the view, such as the date of `monday`, and prints it for people. */
async function withPeriod(
  context: Context,
  client: FleetClient,
  period: PeriodExpression | null,
  view: View<AssignmentRow>,
): Promise<View<AssignmentRow>> {
  if (period === null) return view;
  const text = periodText(await period.span(context, client), context.zone.name);
  if (formatOf(context).forPeople) context.report.remark(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return { ...view, period: text };
}

function withNameFields(row: AssignmentRow): AssignmentRow {
  const { vehicleName, driverName, ...assignment } = row;
  return { vehicle: vehicleName ?? row.vehicleId ?? '', driver: driverName ?? row.driverId ?? '', ...assignment };
}

/** Returns the period of the flags; null for all assignments. Throws for --to without --from. */
function periodOfAssignments(run: ServiceRun, { from, to }: PeriodFlags): PeriodExpression | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) {
    throw refusal('--to needs --from.', {
      hint: 'For example --from monday --to friday.',
    });
  }
  return readPeriodExpression(run, from, to, () => endsTooEarly(to), { allowsFuture: true });
}

/** Returns the assignments that overlap the period; all of them when it is null. */
async function assignmentsWithin(
  run: ServiceRun,
  client: FleetClient,
  period: PeriodExpression | null,
  rows: readonly AssignmentRow[],
): Promise<readonly AssignmentRow[]> {
  if (period === null) return rows;
  const { from, to } = await period.span(run, client);
  return rows.filter(({ startedAt, endedAt }) => {
    const [start, end] = [timestampMs(startedAt), timestampMs(endedAt)];
    return start !== null && start < to && (end === null || end > from);
  });
}

function inputOf(vehicleId: string | undefined, driverId: string | undefined): contract.GetDriverAssignmentsInput {
  if (vehicleId === undefined) return { driverId: driverId ?? '' };
  return driverId === undefined ? { vehicleId } : { vehicleId, driverId };
}

/** Prints current and future assignments, and those that ended after the time of a change. */
export async function showAssignmentsSince(
  context: Context,
  client: FleetClient,
  { vehicleId, since }: { readonly vehicleId: string; readonly since: string | null },
): Promise<void> {
  const earliestEnd =
    Math.min(serviceNow(context), timestampMs(since) ?? Number.POSITIVE_INFINITY) - ASSIGNMENT_CLOCK_SKEW_MS;
  const rows = await readWithNames(context, client, { vehicleId }, undefined);
  const recent = rows.filter(
    (row) => !isMarkedDeleted(row) && (timestampMs(row.endedAt) ?? Number.POSITIVE_INFINITY) >= earliestEnd,
  );
  await printRows(context, recent.map(withNameFields), fleetAssignmentView, 'The vehicle has no assignment now.');
}

function read(
  run: ReportingRun,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  return allowPartial(run, (options) => call(client, 'getDriverAssignments', { input }, { ...options, select }));
}

async function readWithNames(
  run: ReportingRun,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  const [vehicles, rows, drivers] = await Promise.all([
    vehicleNames(run, client),
    read(run, client, input, select),
    driverNames(run, client),
  ]);
  return rows.map((row) => ({
    ...row,
    vehicleName: vehicles.get(row.vehicleId ?? '') || undefined,
    driverName: drivers.get(row.driverId ?? '') || undefined,
  }));
}

interface AssignmentsChoice {
  readonly choose: (client: FleetClient) => Promise<readonly ChosenVehicle[]>;
  /** Empty for all drivers. */
  readonly drivers: readonly string[];
  /** True when only drivers are chosen, for any vehicle. */
  readonly ofDriversOnly: boolean;
  readonly select: SelectionTree | undefined;
}

/** Reads the assignments in as few requests as possible. Reports failed calls. */
async function assignmentsOfSeveral(
  run: ReportingRun,
  client: FleetClient,
  { choose, drivers, ofDriversOnly, select }: AssignmentsChoice,
): Promise<readonly AssignmentRow[]> {
  const [vehicles, people, names] = await Promise.all([
    choose(client),
    drivers.length === 0 ? [] : findRecords(run, client, driverKind, drivers, { select: driverKind.identity }),
    driverNames(run, client),
  ]);
  const vehicleNames = new Map(vehicles.map(({ id, name }) => [id, name]));
  const driverIds = people.flatMap(({ id }) => id ?? []);
  const isOfDrivers = ofDriversOnly && driverIds.length > 0;
  const ids = isOfDrivers ? driverIds : vehicles.map(({ id }) => id);
  const failed = new FailedVehicles('getDriverAssignments', (id) => vehicleNames.get(id) ?? names.get(id) ?? id);
  const lists = await Promise.all(
    ids.map(async (id) => {
      const input: contract.GetDriverAssignmentsInput = isOfDrivers ? { driverId: id } : { vehicleId: id };
      try {
        return await call(client, 'getDriverAssignments', { input }, { signal: run.io.signal, select });
      } catch (error) {
        if (!(error instanceof FleetError && error.code === 'GRAPHQL')) throw error;
        failed.add(id, error);
        return [];
      }
    }),
  );
  failed.report(run.report);
  return lists
    .flat()
    .filter(({ driverId }) => driverIds.length === 0 || driverIds.includes(driverId ?? ''))
    .map((row) => {
      const vehicle = vehicleNames.get(row.vehicleId ?? '') ?? row.vehicleId ?? '';
      const driver = names.get(row.driverId ?? '') ?? row.driverId ?? '';
      return { vehicle, driver, ...row };
    });
}
