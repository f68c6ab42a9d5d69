import { valueAtPath } from "../../core/json.js";
function valueAt(row, path) {
  return valueAtPath(row, path.split("."));
}
function cellText(value) {
  if (value === null || value === void 0) return "";
  if (Array.isArray(value)) {
    const plain = value.every((member) => typeof member !== "object" || member === null);
    return plain ? value.map(cellText).join(";") : JSON.stringify(value);
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
export {
  cellText,
  valueAt
};
