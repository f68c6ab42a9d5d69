import { cellText, valueAt } from "../output/field-path.js";
import { isIdField } from "../output/headings.js";
import { localTime } from "../time/local-time.js";
function viewOfFields(view, paths) {
  const text = (path) => (row, options) => {
    const moment = view.times?.get(path)?.(row) ?? null;
    return moment === null ? cellText(valueAt(row, path)) : localTime(moment, "second", options);
  };
  return {
    ...view,
    columns: paths.map((path, index) => ({
      title: path,
      text: text(path),
      moment: view.times?.get(path),
      // Ids are never shortened. The first column is always shown; the last ones are left out first.
      ...isIdField(path) ? {} : { min: 8 },
      rank: index,
      ...view.total?.fields.includes(path) ? { inTotal: true } : {}
    })),
    details: paths.map((path) => ({ title: path, text: text(path) })),
    fields: paths,
    hasChosenFields: true
  };
}
export {
  viewOfFields
};
