// Describes a change of the groups of vehicles, for its plan.
import type { Subject } from '../../change/change-spec.js';
import { vehicleKind } from '../../records/vehicle.js';

export const vehicleGroups: Subject = {
  kind: vehicleKind,
  action: 'update',
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
