// How labels are shown.
import type { Label } from '../../index.js';
import type { View } from '../output/format.js';

export const labelView: View<Label> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'ID', text: ({ id }) => id ?? '', rank: 0 },
  ],
  details: [],
  fields: ['id', 'name', 'createdAt', 'updatedAt'],
};
