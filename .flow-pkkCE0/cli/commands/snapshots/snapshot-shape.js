import { operations } from "../../../generated/operation-table.js";
import { listShape } from "../../shape/list-shape.js";
function snapshotShape(context, view, name, { wholeValues, forPeople }) {
  const operation = operations[name];
  if (wholeValues || context.globals.fields !== void 0) return listShape(context, view, operation);
  const globals = {
    ...context.globals,
    fields: [...view.fields, ...forPeople ? Object.keys(view.added ?? {}) : []].join(",")
  };
  return { ...listShape({ ...context, globals }, view, operation), view };
}
export {
  snapshotShape
};
