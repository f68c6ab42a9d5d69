// The view for --fields: a column per field, with exact values, and times in the zone of the run.
import { cellText, valueAt } from '../output/field-path.js';
import { isIdField } from '../output/headings.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { localTime } from '../time/format-time.js';

export function viewOfFields<Row>(view: View<Row>, paths: readonly string[]): View<Row> {
  const text = (path: string) => (row: Row, options: RenderOptions) => {
    const moment = view.times?.get(path)?.(row) ?? null;
    return moment === null ? cellText(valueAt(row, path)) : localTime(moment, 'second', options);
  };
  return {
    ...view,
    columns: paths.map((path, index) => ({
      title: path,
      text: text(path),
      moment: view.times?.get(path),
      // Ids are never shortened. The first column is always shown; the last ones are omitted first.
      ...(isIdField(path) ? {} : { min: 8 }),
      rank: index,
      ...(view.total?.fields.includes(path) ? { inTotal: true as const } : {}),
    })),
    details: paths.map((path) => ({ title: path, text: text(path) })),
    fields: paths,
    hasChosenFields: true,
  };
}
