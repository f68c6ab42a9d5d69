// View of custom fields.
import type { CustomField } from '../../index.js';
import type { View } from '../output/view.js';

export const customFieldView: View<CustomField> = {
  columns: [
    { title: 'NAME', text: ({ name }) => name ?? '', min: 10, rank: 0 },
    { title: 'VALUE', text: ({ value }) => value ?? '', min: 10, rank: 0 },
  ],
  details: [
    { title: 'Name', text: ({ name }) => name ?? '' },
    // A cleared field is shown too.
    { title: 'Value', text: ({ value }) => value || '(not set)' },
  ],
  fields: ['name', 'value'],
};
