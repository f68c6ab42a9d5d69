// The vehicle that a command is about: of a change, and of a list that hangs on one vehicle.
import type { FleetClient } from '../../../index.js';
import { idsOf, type Reference } from '../../change/plan.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId, findRecord } from '../../find/record.js';
import type { Context } from '../../run/context.js';

/** Of the help texts of changes. */
export const vehicleArgument = ['[vehicle]', 'id, name, plate or VIN; left out when --input says it'] as const;

export function vehicleReference(said: string | undefined): Reference {
  return { name: 'vehicleId', into: 'variables', resolve: idsOf(vehicleKind), said, needed: '<vehicle>' };
}

/** What a vehicle has. @throws CliError NOT_FOUND also where the service answers an unknown id with an empty list. */
export async function listOf<Row>(
  context: Context,
  client: FleetClient,
  vehicle: string,
  read: (vehicleId: string) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const id = await findId(context, client, vehicleKind, vehicle, { substring: true });
  const before = context.warnings.length;
  const rows = await read(id);
  if (rows.length > 0) return rows;
  // An id was taken as it is; a vehicle without anything looks like one that is not there.
  await findRecord(context, client, vehicleKind, id, { substring: false, select: { id: true } }).catch((error) => {
    context.warnings.splice(before);
    throw error;
  });
  return rows;
}
