// Reads driver assignments and shows them; for people with the names of vehicles and drivers.

import type { SelectionTree } from '../../../contract/selection/tree.js';
import { operations } from '../../../generated/operation-table.js';
import type { contract, FleetClient } from '../../../index.js';
import { call } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { CliError } from '../../errors/cli-error.js';
import { tolerate } from '../../errors/partial-result.js';
import { driverKind, fullName, vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { type Context, formatOf, printRows, serviceNow } from '../../run/context.js';
import { listShape } from '../../shape/list-shape.js';
import { type AssignmentRow, assignmentView } from '../../views/assignment.js';
import { momentOf } from '../../views/words.js';

interface Of {
  readonly vehicle?: string;
  readonly driver?: string;
}

export async function listAssignments(context: Context, { vehicle, driver }: Of): Promise<void> {
  if (vehicle === undefined && driver === undefined) {
    throw new CliError('USAGE', 'Say whose assignments: --vehicle or --driver, or both.', {
      hint: 'For example `fleet drivers assignments --vehicle "Truck 07"`.',
    });
  }
  const shape = listShape<AssignmentRow>(context, assignmentView, operations.getDriverAssignments);
  const client = await connect(context);
  // Both are looked up in one request.
  const [vehicleId, driverId] = await Promise.all([
    vehicle === undefined ? undefined : findId(context, client, vehicleKind, vehicle, { substring: true }),
    driver === undefined ? undefined : findId(context, client, driverKind, driver, { substring: true }),
  ]);
  const input = { ...(vehicleId ? { vehicleId } : {}), ...(driverId ? { driverId } : {}) };
  // With --fields every column is one of the contract.
  const named = formatOf(context) === 'table' && context.globals.fields === undefined;
  const rows = named
    ? await readNamed(context, client, input, shape.options.select)
    : await read(context, client, input, shape.options.select);
  await printRows(context, shape.rows(rows), shape.view, 'There is no such assignment.');
}

/** A little earlier than the change, for clocks that do not agree. */
const skew = 3_600_000;

/** What holds now and later, and what ended since the time of a change. */
export async function showAssignmentsSince(
  context: Context,
  client: FleetClient,
  { vehicleId, since }: { readonly vehicleId: string; readonly since: string | null },
): Promise<void> {
  const from = Math.min(serviceNow(context), momentOf(since) ?? Number.POSITIVE_INFINITY) - skew;
  const rows = await readNamed(context, client, { vehicleId }, undefined);
  const recent = rows.filter(({ endedAt }) => (momentOf(endedAt) ?? Number.POSITIVE_INFINITY) >= from);
  await printRows(context, recent, assignmentView, 'The vehicle has no assignment now.');
}

function read(
  context: Context,
  client: FleetClient,
  input: contract.GetDriverAssignmentsInput,
  select: SelectionTree | undefined,
): Promise<readonly AssignmentRow[]> {
  return tolerate(context, (options) => call(client, 'getDriverAssignments', { input }, { ...options, select }));
}

/** Assignments and the names in them travel in one request. */
async function readNamed(
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
