// View of the sensors of one vehicle.
import type { Sensor } from '../../index.js';
import type { View } from '../output/view.js';

export const sensorView: View<Sensor> = {
  columns: [
    { title: 'SENSOR', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'SOURCE', text: ({ source }) => source ?? '', rank: 0 },
  ],
  fields: ['name', 'source'],
};
