// How roles are shown.
import type { Role } from '../../index.js';
import type { View } from '../output/view.js';

export const roleView: View<Role> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 0 },
  ],
  fields: ['id', 'name', 'createdAt', 'updatedAt'],
};
