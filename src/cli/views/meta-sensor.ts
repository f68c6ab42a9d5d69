// How the sensors that a fleet has given a name are shown.
import type { MetaSensor } from '../../index.js';
import type { View } from '../output/format.js';

export const metaSensorView: View<MetaSensor> = {
  columns: [
    { title: 'SENSOR', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'KEY', text: ({ key }) => (typeof key === 'number' ? String(key) : ''), align: 'right', rank: 0 },
  ],
  details: [],
  fields: ['name', 'key'],
};
