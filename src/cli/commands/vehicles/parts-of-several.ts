// Lists the parts of several vehicles, such as their sensors: each row with the name of its vehicle.
import type { CallOptions } from '../../../index.js';
import { FleetError } from '../../../index.js';
import type { ReportingRun } from '../../context/context.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import type { ChosenVehicle } from '../../find/vehicles.js';
import type { View } from '../../output/view.js';

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
  };
}

/** The calls are sent as few requests. A vehicle that fails is reported at the end, and the others are listed. */
export async function partsOf<Row>(
  context: ReportingRun,
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
