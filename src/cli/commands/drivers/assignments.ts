// Lists driver assignments. Tables also show the names of vehicles and drivers.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import type { contract, FleetClient } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { type Context, serviceNow } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import { CliError } from '../../errors/cli-error.js';
import { driverKind, vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { assignmentClockSkewMs } from '../../limits.js';
import { listShape } from '../../shape/list-shape.js';
import { type AssignmentRow, assignmentView } from '../../views/assignment.js';
import { fullName, momentOf } from '../../views/humanize.js';

interface AssignmentFilter {
  readonly vehicle?: string;
  readonly driver?: string;
}

export async function listAssignments(context: Context, { vehicle, driver }: AssignmentFilter): Promise<void> {
  if (vehicle === undefined && driver === undefined) {
    throw new CliError('USAGE', 'Give --vehicle or --driver, or both.', {
      hint: 'For example `fleet drivers assignments --vehicle "Truck 07"`.',
    });
  }
  const shape = listShape<AssignmentRow>(context, assignmentView, operations.getDriverAssignments);
  const client = await connect(context);
  // The two lookups become one request.
  const [vehicleId, driverId] = await Promise.all([
    vehicle === undefined ? undefined : findId(context, client, vehicleKind, vehicle, { substring: true }),
    driver === undefined ? undefined : findId(context, client, driverKind, driver, { substring: true }),
  ]);
  const input = { ...(vehicleId ? { vehicleId } : {}), ...(driverId ? { driverId } : {}) };
  // With --fields the table has only fields of the contract, so no names.
  const withNames = formatOf(context).forPeople && context.globals.fields === undefined;
  const rows = withNames
    ? await readWithNames(context, client, input, shape.options.select)
    : await read(context, client, input, shape.options.select);
  await printRows(context, shape.rows(rows), shape.view, 'No assignment was found.');
}

/** Shows present and future assignments, and those that ended after the time of a change. */
export async function showAssignmentsSince(
  context: Context,
  client: FleetClient,
  { vehicleId, since }: { readonly vehicleId: string; readonly since: string | null },
): Promise<void> {
  const earliestEnd =
    Math.min(serviceNow(context), momentOf(since) ?? Number.POSITIVE_INFINITY) - assignmentClockSkewMs;
  const rows = await readWithNames(context, client, { vehicleId }, undefined);
  const recent = rows.filter(({ endedAt }) => (momentOf(endedAt) ?? Number.POSITIVE_INFINITY) >= earliestEnd);
  await printRows(context, recent, assignmentView, 'The vehicle has no assignment now.');
}

function read(
  context: Context,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  return allowPartial(context, (options) => call(client, 'getDriverAssignments', { input }, { ...options, select }));
}

/** The calls for assignments and names become one request. */
async function readWithNames(
  context: Context,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  const options = { signal: context.io.signal };
  const names = Promise.all([
    call(client, 'getVehicles', {}, { ...options, select: { id: true, name: true, licensePlate: true } }),
    call(client, 'getPeople', {}, { ...options, select: { id: true, firstName: true, lastName: true } }),
  ]).catch(() => {
    context.warnings.push('The names of vehicles and drivers could not be read.');
    return [[], []] as const;
  });
  const [rows, [vehicles, people]] = await Promise.all([read(context, client, input, select), names]);
  const vehicleNames = new Map(vehicles.map(({ id, name, licensePlate }) => [id, name || licensePlate]));
  const driverNames = new Map(people.map((person) => [person.id, fullName(person)]));
  return rows.map((row) => ({
    ...row,
    vehicleName: vehicleNames.get(row.vehicleId) || undefined,
    driverName: driverNames.get(row.driverId) || undefined,
  }));
}
