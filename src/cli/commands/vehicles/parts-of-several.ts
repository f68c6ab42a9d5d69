// Lists the parts of vehicles, such as their sensors. With several vehicles, each row has the name of its vehicle.
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
import { isAsked } from '../../shape/asked.js';
import { listShape } from '../../shape/list-shape.js';

/** A row with its vehicle. */
export type PartOf<Row> = Row & { readonly vehicle?: string; readonly vehicleId?: string };

/** The view of the parts, with their vehicle in front. */
export function withVehicle<Row>(view: View<Row>): View<PartOf<Row>> {
  const [first = 'id'] = view.fields;
  return {
    ...view,
    columns: [{ title: 'VEHICLE', text: ({ vehicle }) => vehicle ?? '', min: 8, rank: 0 }, ...view.columns],
    fields: ['vehicle', 'vehicleId', ...view.fields.filter((field) => field !== 'vehicleId')],
    // They come from the list of vehicles; something must be requested all the same.
    added: { ...view.added, vehicle: [first], vehicleId: [first] },
    total: undefined,
  };
}

export interface VehiclePart<Row> {
  readonly operation: OperationName;
  readonly read: (client: FleetClient, vehicleId: string, options: Selecting) => Promise<readonly Row[]>;
  readonly view: View<Row>;
  /** `custom fields` */
  readonly noun: string;
}

/** Prints the parts of the vehicles that the arguments and flags choose. */
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
  const hasNames = hasFields ? isAsked(context, ['vehicle']) : !formatOf(context).forPeople;
  const rows = await listOf(
    context,
    client,
    vehicleKind,
    only,
    async (vehicleId, context): Promise<readonly PartOf<Row>[]> => {
      // The calls become one request.
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

/** Programs get the vehicle too, so that the rows are an input of changes. */
function ofOneVehicle<Row>(view: View<Row>): View<PartOf<Row>> {
  return { ...withVehicle(view), columns: view.columns };
}

/** The calls are sent as few requests. A vehicle that fails is reported at the end, and the others are listed. */
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
