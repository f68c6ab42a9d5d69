// How commands refer to one vehicle, in changes and in lists of its parts.
import type { FleetClient } from '../../../index.js';
import type { Reference, Subject } from '../../change/change-spec.js';
import { lookupOf } from '../../change/lookup.js';
import type { Context } from '../../context/context.js';
import { Report } from '../../context/report.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId, findRecord } from '../../find/record.js';

/** What a change of vehicles does, for its plan. */
export const vehicleSubject: Subject = {
  kind: vehicleKind.noun,
  action: 'update',
  type: 'Vehicle',
  relations: {
    vehicleTypeId: 'vehicleType',
    workScheduleId: 'workSchedule',
    labelIds: 'assignedLabels',
    groupIds: 'assignedGroups',
  },
};

/** The same for a change of groups. */
export const vehicleGroupsSubject: Subject = {
  ...vehicleSubject,
  wanted: {
    members: ['groupIds'],
    of: ({ addGroupIds, removeGroupIds, sourceGroupId, destinationGroupId }, { groupIds }) => {
      const left = new Set([removeGroupIds, sourceGroupId].flat());
      const kept = [groupIds].flat().filter((id) => !left.has(id));
      const all = [...kept, addGroupIds, destinationGroupId].flat();
      return { groupIds: [...new Set(all)].filter((id) => typeof id === 'string') };
    },
  },
};

export function vehicleReference(typed: string | undefined): Reference {
  return {
    name: 'vehicleId',
    label: 'vehicle',
    into: 'variables',
    lookup: lookupOf(vehicleKind),
    typed,
    requiredAs: '<vehicle>',
  };
}

/** Lists the parts of a vehicle. @throws CliError NOT_FOUND, also when the service answers an unknown id with an empty list */
export async function listOf<Row>(
  context: Context,
  client: FleetClient,
  vehicle: string,
  read: (vehicleId: string, context: Context) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const id = await findId(context, client, vehicleKind, vehicle, { substring: true });
  // Of a vehicle that does not exist, the error says all.
  const own = new Report();
  const rows = await read(id, { ...context, report: own });
  // An unknown id gives an empty list too, so this checks that the vehicle exists.
  if (rows.length === 0)
    await findRecord({ ...context, report: own }, client, vehicleKind, id, { substring: false, select: { id: true } });
  context.report.add(own);
  return rows;
}
