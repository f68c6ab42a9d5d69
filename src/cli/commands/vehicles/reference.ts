// The reference to one vehicle, in changes.
import type { Reference, Subject } from '../../change/change-spec.js';
import { lookupOf } from '../../change/lookup.js';
import { vehicleKind } from '../../find/kinds.js';

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
