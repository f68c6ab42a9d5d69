import { Report } from "../context/report.js";
import { listShape } from "./list-shape.js";
function chosenRows(context, view, operation, { fields, filter }) {
  const { input, headers, pager } = context.globals;
  const globals = { input, headers, pager, output: "json", fields, ...filter ? { filter } : {} };
  return listShape({ ...context, globals, report: new Report() }, { ...view, map: void 0 }, operation, false);
}
export {
  chosenRows
};
