// Lists parts of vehicles, such as sensors. With several vehicles, each row names its vehicle.
import { type OperationName, operations } from '../../../generated/operation-table.js';
import { type CallOptions, type FleetClient, FleetError } from '../../../index.js';
import { allowPartial } from '../../connection/allow-partial.js';
import type { Selecting } from '../../connection/call.js';
import { connect } from '../../connection/connect.js';
import { vehicleNames } from '../../connection/vehicle-names.js';
import type { Context } from '../../context/context.js';
import { formatOf, printRows } from '../../context/print.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { listOf } from '../../find/parts.js';
import { type ChosenVehicle, onlyVehicle, type VehicleFlags, vehicleChoice } from '../../find/vehicles.js';
import type { View } from '../../output/view.js';
import { vehicleKind } from '../../records/vehicle.js';
import { listShape } from '../../shape/list-shape.js';
import { isFieldNamed } from '../../shape/named-fields.js';

export type PartOf<Row> = Row & { readonly vehicle?: string; readonly vehicleId?: string };

/** Returns the view with columns for the vehicle. */
export function withVehicle<Row>(view: View<Row>): View<PartOf<Row>> {
  const [first = 'id'] = view.fields;
  return {
    ...view,
    columns: [{ title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 }, ...view.columns],
    fields: ['vehicle', 'vehicleId', ...view.fields.filter((field) => field !== 'vehicleId')],
    // Both come from the list of vehicles, but at least one field must be requested.
    added: { ...view.added, vehicle: [first], vehicleId: [first] },
    total: undefined,
  };
}

export interface VehiclePart<Row> {
  readonly operation: OperationName;
  readonly read: (client: FleetClient, vehicleId: string, options: Selecting) => Promise<readonly Row[]>;
  readonly view: View<Row>;
  /** Such as `custom fields`. */
  readonly noun: string;
}

export async function printParts<Row>(
  context: Context,
  names: readonly string[],
  flags: VehicleFlags,
  { operation, read, view, noun }: VehiclePart<Row>,
): Promise<void> {
  const only = onlyVehicle(names, flags);
  if (only === null) {
    const shape = listShape(context, withVehicle(view), operations[operation]);
    const choose = vehicleChoice(context, names, flags);
    const client = await connect(context);
    const rows = await partsOf(context, await choose(client), operation, (vehicleId, options) =>
      read(client, vehicleId, { ...options, ...shape.options }),
    );
    return printRows(context, shape.rows(rows), shape.view, `The vehicles have no ${noun}.`);
  }
  const shape = listShape(context, ofOneVehicle(view), operations[operation]);
  const client = await connect(context);
  const hasFields = context.globals.fields !== undefined;
  const hasNames = hasFields ? isFieldNamed(context, ['vehicle']) : !formatOf(context).forPeople;
  const rows = await listOf(
    context,
    client,
    vehicleKind,
    only,
    async (vehicleId, context): Promise<readonly PartOf<Row>[]> => {
      // The calls are merged into one request.
      const [parts, names] = await Promise.all([
        allowPartial(context, (options) => read(client, vehicleId, { ...options, ...shape.options })),
        hasNames ? vehicleNames(context, client) : null,
      ]);
      const vehicle = names?.get(vehicleId) || vehicleId;
      return parts.map((part) => ({ vehicle, vehicleId, ...part }));
    },
  );
  return printRows(context, shape.rows(rows), shape.view, `The vehicle has no ${noun}.`);
}

/** Adds the vehicle for machine formats, so that the rows can be input of changes. */
function ofOneVehicle<Row>(view: View<Row>): View<PartOf<Row>> {
  return { ...withVehicle(view), columns: view.columns };
}

/** Reads the parts in few requests. Failed vehicles are reported at the end. */
async function partsOf<Row>(
  context: Context,
  vehicles: readonly ChosenVehicle[],
  operation: string,
  read: (vehicleId: string, options: CallOptions) => Promise<readonly Row[]>,
): Promise<readonly PartOf<Row>[]> {
  const failed = new FailedVehicles(
    operation,
    (vehicleId) => vehicles.find(({ id }) => id === vehicleId)?.name ?? vehicleId,
  );
  const lists = await Promise.all(
    vehicles.map(async ({ id, name }) => {
      try {
        const rows = await read(id, { signal: context.io.signal });
        return rows.map((row) => ({ vehicle: name, vehicleId: id, ...row }));
      } catch (error) {
        if (!isOfOneVehicle(error)) throw error;
        failed.add(id, error);
        return [];
      }
    }),
  );
  failed.report(context.report);
  return lists.flat();
}

function isOfOneVehicle(error: unknown): boolean {
  return error instanceof FleetError && (error.code === 'GRAPHQL' || error.code === 'PROTOCOL');
}
