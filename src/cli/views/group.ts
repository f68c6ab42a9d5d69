// View of groups.
import type { Group } from '../../index.js';
import type { View } from '../output/view.js';

export interface GroupRow extends Group {
  /** Depth in the tree; 0 at the top. */
  readonly level?: number | undefined;
  readonly parent?: string | null | undefined;
  /** Vehicles of the group and its subgroups, each counted once. */
  readonly allVehicles?: number | undefined;
}

export const groupView: View<GroupRow> = {
  columns: [
    { title: 'NAME', text: ({ name, level = 0 }) => `${'  '.repeat(level)}${name ?? ''}`, min: 16, rank: 0 },
    {
      title: 'VEHICLES',
      text: (group) => String(group.allVehicles ?? vehicleCount(group)),
      shows: ['vehicleIds'],
      align: 'right',
      rank: 2,
    },
    {
      title: 'DIRECT',
      text: (group) => (group.allVehicles === undefined ? '' : vehicleCount(group)),
      shows: ['vehicleIds'],
      align: 'right',
      rank: 3.5,
    },
    { title: 'PARENT', text: ({ parent }) => parent ?? '', shows: ['parentId'], min: 10, rank: 4.5 },
    { title: 'DESCRIPTION', text: (group) => group.description ?? '', min: 24, rank: 3 },
    { title: 'EXTERNAL ID', text: (group) => group.externalId ?? '', rank: 4 },
    { title: 'ID', text: (group) => group.id ?? '', namedBy: ({ name }) => name, rank: 0 },
    {
      title: 'PARENT ID',
      text: (group) => group.parentId ?? '',
      namedBy: ({ parent, parentId }) => parent ?? parentId,
      rank: 5,
    },
  ],
  details: [
    { title: 'Name', text: (group) => group.name ?? '' },
    { title: 'Description', text: (group) => group.description ?? '' },
    { title: 'External id', text: (group) => group.externalId ?? '' },
    {
      title: 'Vehicles',
      text: (group) => {
        const own = vehicleCount(group);
        const { allVehicles } = group;
        return allVehicles === undefined || String(allVehicles) === own
          ? own
          : `${allVehicles}, ${own} of them directly in it`;
      },
    },
    { title: 'Parent', text: ({ parent }) => parent ?? '' },
    { title: 'Id', text: (group) => group.id ?? '' },
    { title: 'Parent id', text: (group) => group.parentId ?? '' },
    { title: 'Fleet id', text: (group) => group.fleetId ?? '' },
  ],
  fields: ['id', 'name', 'parentId', 'externalId', 'description', 'isOwn', 'vehicleIds'],
};

function vehicleCount({ vehicleIds }: Group): string {
  return vehicleIds ? String(vehicleIds.length) : '';
}
