// Lists driver assignments. Tables also show the names of vehicles and drivers.
import { joinTrees, type SelectionTree } from '../../../contract/selection/tree.js';
import type * as contract from '../../../generated/contract-types.js';
import { operations } from '../../../generated/operation-table.js';
import type { FleetClient } from '../../../index.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { driverNames } from '../../connection/driver-names.js';
import { type Context, type ReportingRun, type ServiceRun, serviceNow } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import { refusal } from '../../errors/cli-error.js';
import { driverKind, vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { hasVehicleFlags, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import {
  endsTooEarly,
  type PeriodExpression,
  type PeriodFlags,
  readPeriodExpression,
  withDay,
} from '../../parse/time.js';
import { isAsked } from '../../shape/asked.js';
import { type DeletedFlag, isMarkedDeleted } from '../../shape/deleted.js';
import { listShape } from '../../shape/list-shape.js';
import { type AssignmentRow, assignmentView, fleetAssignmentView } from '../../views/assignment.js';
import { fullName } from '../../views/humanize.js';
import { assignmentsOfSeveral } from './assignments-of-several.js';

/** Assignments that ended this long before a change are shown too, in case the clocks differ. */
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
  const period = periodOf(context, withDay(context, flags));
  const view = isSimple && (vehicle ?? driver) !== undefined ? assignmentView : fleetAssignmentView;
  const shape = listShape<AssignmentRow>(context, view, operations.getDriverAssignments, deleted === true);
  const select = shape.options.select && joinTrees(shape.options.select, { startedAt: true, endedAt: true });
  const client = await connect(context);
  const emptyText = 'No assignment was found.';
  if (view === fleetAssignmentView) {
    const choose = vehicleChoice(context, vehicles, flags);
    const rows = await assignmentsOfSeveral(context, client, {
      choose,
      drivers,
      ofDriversOnly: vehicles.length === 0 && !hasVehicleFlags(flags),
      select,
    });
    await printRows(context, shape.rows(await within(context, client, period, rows)), shape.view, emptyText);
    return;
  }
  // The two lookups become one request.
  const [vehicleId, driverId] = await Promise.all([
    vehicle === undefined ? undefined : findId(context, client, vehicleKind, vehicle, { substring: true }),
    driver === undefined ? undefined : findId(context, client, driverKind, driver, { substring: true }),
  ]);
  const input = inputOf(vehicleId, driverId);
  // With --fields the table has only fields of the contract, and names only where they are asked for.
  const withNames =
    (formatOf(context).forPeople && context.globals.fields === undefined) || isAsked(context, ['vehicle', 'driver']);
  const found = withNames
    ? await readWithNames(context, client, input, select)
    : await read(context, client, input, select);
  const rows = isAsked(context, ['vehicle', 'driver']) ? found.map(withNameFields) : found;
  await printRows(context, shape.rows(await within(context, client, period, rows)), shape.view, emptyText);
}

function withNameFields(row: AssignmentRow): AssignmentRow {
  return { vehicle: row.vehicleName ?? row.vehicleId ?? '', driver: row.driverName ?? row.driverId ?? '', ...row };
}

/** Null without one: all assignments are listed. */
function periodOf(run: ServiceRun, { from, to }: AssignmentFlags): PeriodExpression | null {
  if (from === undefined && to === undefined) return null;
  if (from === undefined) {
    throw refusal('--to needs --from.', {
      hint: 'For example --from monday --to friday.',
    });
  }
  return readPeriodExpression(run, from, to, () => endsTooEarly(to));
}

/** The assignments that were active at some time of the period. */
async function within(
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

/** One of the two is given. */
function inputOf(vehicleId: string | undefined, driverId: string | undefined): contract.GetDriverAssignmentsInput {
  if (vehicleId === undefined) return { driverId: driverId ?? '' };
  return driverId === undefined ? { vehicleId } : { vehicleId, driverId };
}

/** Shows present and future assignments, and those that ended after the time of a change. */
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
  await printRows(context, recent, assignmentView, 'The vehicle has no assignment now.');
}

function read(
  run: ReportingRun,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  return allowPartial(run, (options) => call(client, 'getDriverAssignments', { input }, { ...options, select }));
}

/** The calls for assignments and names become one request. */
async function readWithNames(
  run: ReportingRun,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  const [vehicles, rows, drivers] = await Promise.all([
    vehicleNames(run, client),
    read(run, client, input, select),
    driverNames(run, client, fullName),
  ]);
  return rows.map((row) => ({
    ...row,
    vehicleName: vehicles.get(row.vehicleId ?? '') || undefined,
    driverName: drivers.get(row.driverId ?? '') || undefined,
  }));
}

/** By id; empty when they cannot be read. */
export async function vehicleNames(run: ReportingRun, client: FleetClient): Promise<ReadonlyMap<string, string>> {
  const select = { id: true, name: true, licensePlate: true } as const;
  const vehicles = await call(client, 'getVehicles', {}, { signal: run.io.signal, select }).catch(() => {
    run.report.warn('The names of vehicles could not be read.');
    return [];
  });
  return new Map(vehicles.map(({ id, name, licensePlate }) => [id ?? '', name || licensePlate || '']));
}
