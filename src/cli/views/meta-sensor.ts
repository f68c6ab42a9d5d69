// How the named sensors of a fleet are shown.
import type { MetaSensor } from '../../index.js';
import type { View } from '../output/view.js';

export const metaSensorView: View<MetaSensor> = {
  columns: [
    { title: 'SENSOR', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'KEY', text: ({ key }) => (typeof key === 'number' ? String(key) : ''), align: 'right', rank: 0 },
  ],
  fields: ['name', 'key'],
};
