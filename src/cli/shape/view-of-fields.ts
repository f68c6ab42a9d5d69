// The view for --fields: a column per field, with the exact value.
import { cellText, valueAt } from '../output/field-path.js';
import type { View } from '../output/view.js';

export function viewOfFields<Row>(view: View<Row>, paths: readonly string[]): View<Row> {
  const text = (path: string) => (row: Row) => cellText(valueAt(row, path));
  return {
    ...view,
    columns: paths.map((path, index) => ({
      title: path,
      text: text(path),
      // Ids are never shortened. The first column is always shown; the last ones are left out first.
      ...(path === 'id' || path.endsWith('Id') || path.endsWith('.id') ? {} : { min: 8 }),
      rank: index,
    })),
    details: paths.map((path) => ({ title: path, text: text(path) })),
    fields: paths,
  };
}
