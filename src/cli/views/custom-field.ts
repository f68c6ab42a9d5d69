// How custom fields are shown: a name and what it says.
import type { CustomField } from '../../index.js';
import type { View } from '../output/format.js';

export const customFieldView: View<CustomField> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'VALUE', text: ({ value }) => value ?? '', min: 10, rank: 0 },
  ],
  details: [
    { title: 'Name', text: ({ name }) => name ?? '' },
    // A field that has just been cleared is shown too.
    { title: 'Value', text: ({ value }) => value || '(not set)' },
  ],
  fields: ['name', 'value'],
};
