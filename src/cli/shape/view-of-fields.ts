// The view that --fields makes: a column for each field, with its value as it is.
import { cellText, valueAt } from '../output/field-path.js';
import type { View } from '../output/format.js';

export function viewOfFields<Row>(view: View<Row>, paths: readonly string[]): View<Row> {
  const text = (path: string) => (row: Row) => cellText(valueAt(row, path));
  return {
    ...view,
    columns: paths.map((path, place) => ({
      title: path,
      text: text(path),
      // Ids are never shortened. The first column is never left out, and those named last go first.
      ...(path === 'id' || path.endsWith('Id') || path.endsWith('.id') ? {} : { min: 8 }),
      rank: place,
    })),
    details: paths.map((path) => ({ title: path, text: text(path) })),
    fields: paths,
  };
}
