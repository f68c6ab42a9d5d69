// View of tracking devices.
import type { Device } from '../../index.js';
import type { View } from '../output/view.js';

export const deviceView: View<Device> = {
  columns: [
    // The serial number is printed on the device and identifies it, so it is never shortened.
    { title: 'SERIAL', text: ({ serial }) => serial ?? '', rank: 0 },
    { title: 'TYPE', text: ({ deviceTypeKey }) => deviceTypeKey ?? '', min: 8, rank: 1 },
    { title: 'ENABLED', text: enabledText, rank: 2 },
    { title: 'PHONE', text: ({ phoneNumber }) => phoneNumber ?? '', rank: 3 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ serial }) => serial, rank: 0 },
  ],
  details: [
    { title: 'Serial', text: ({ serial }) => serial ?? '' },
    { title: 'Type', text: ({ deviceTypeKey }) => deviceTypeKey ?? '' },
    { title: 'Enabled', text: enabledText },
    { title: 'Phone', text: ({ phoneNumber }) => phoneNumber ?? '' },
    { title: 'Id', text: ({ id }) => id ?? '' },
  ],
  fields: ['id', 'serial', 'deviceTypeKey', 'enabled', 'phoneNumber'],
};

function enabledText({ enabled }: Device): string {
  if (typeof enabled !== 'boolean') return '';
  return enabled ? 'yes' : 'no';
}
