// How groups are shown.
import type { Group } from '../../index.js';
import type { View } from '../output/view.js';

export const groupView: View<Group> = {
  columns: [
    { title: 'NAME', text: (group) => group.name ?? '', min: 16, rank: 0 },
    { title: 'VEHICLES', text: vehicleCount, align: 'right', rank: 2 },
    { title: 'DESCRIPTION', text: (group) => group.description ?? '', min: 24, rank: 3 },
    { title: 'EXTERNAL ID', text: (group) => group.externalId ?? '', rank: 4 },
    { title: 'ID', text: (group) => group.id ?? '', namedBy: ({ name }) => name, rank: 0 },
    { title: 'PARENT ID', text: (group) => group.parentId ?? '', namedBy: ({ parentId }) => parentId, rank: 5 },
  ],
  details: [
    { title: 'Name', text: (group) => group.name ?? '' },
    { title: 'Description', text: (group) => group.description ?? '' },
    { title: 'External id', text: (group) => group.externalId ?? '' },
    { title: 'Vehicles', text: vehicleCount },
    { title: 'Id', text: (group) => group.id ?? '' },
    { title: 'Parent id', text: (group) => group.parentId ?? '' },
    { title: 'Fleet id', text: (group) => group.fleetId ?? '' },
  ],
  fields: ['id', 'name', 'parentId', 'externalId', 'description', 'isOwn', 'vehicleIds'],
};

function vehicleCount({ vehicleIds }: Group): string {
  return vehicleIds ? String(vehicleIds.length) : '';
}
