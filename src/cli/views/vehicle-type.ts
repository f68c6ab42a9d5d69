// How vehicle types are shown.
import type { VehicleType } from '../../index.js';
import type { View } from '../output/view.js';

export const vehicleTypeView: View<VehicleType> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  fields: ['id', 'name'],
};
