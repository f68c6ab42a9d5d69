// View of driver tokens, which identify drivers in a vehicle.
import type { DriverToken } from '../../index.js';
import type { View } from '../output/view.js';
import { timeAndAge } from './humanize.js';

export const driverTokenView: View<DriverToken> = {
  columns: [
    { title: 'VALUE', text: ({ value }) => value ?? '', rank: 0 },
    { title: 'DRIVER ID', text: ({ driverId }) => driverId ?? '', rank: 1 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ value }) => value, rank: 0 },
  ],
  details: [
    { title: 'Value', text: ({ value }) => value ?? '' },
    { title: 'Driver id', text: ({ driverId }) => driverId ?? '' },
    {
      title: 'Last scanned',
      text: ({ lastScanTimestamp }, options) => timeAndAge(lastScanTimestamp, options),
    },
    { title: 'Id', text: ({ id }) => id ?? '' },
    { title: 'Fleet id', text: ({ fleetId }) => fleetId ?? '' },
  ],
  fields: ['id', 'value', 'driverId', 'lastScanTimestamp'],
};
