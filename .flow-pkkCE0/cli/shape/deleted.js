import { contractFields } from "../../contract/selection/fields.js";
import { isObject } from "../../core/json.js";
const deletedFlag = "--deleted";
const deletedHelp = "show deleted records too, where the service still lists them";
function canBeDeleted(type) {
  return contractFields(type).get("isDeleted")?.leaf === true;
}
function isMarkedDeleted(row) {
  return isObject(row) && row.isDeleted === true;
}
function withDeletedMark(view, isField) {
  const mark = (title) => ({ title, text: (row) => isMarkedDeleted(row) ? "yes" : "" });
  const [first, ...others] = view.columns;
  return {
    ...view,
    columns: first ? [first, { ...mark("DELETED"), rank: 0 }, ...others] : [],
    details: view.details && [...view.details, mark("Deleted")],
    fields: isField ? [...view.fields, "isDeleted"] : view.fields
  };
}
export {
  canBeDeleted,
  deletedFlag,
  deletedHelp,
  isMarkedDeleted,
  withDeletedMark
};
