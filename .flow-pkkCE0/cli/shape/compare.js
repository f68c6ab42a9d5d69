import { timestampMs } from "../../telemetry/timestamps.js";
let collator = null;
function textCollator() {
  collator ??= new Intl.Collator("en", { numeric: true, sensitivity: "base" });
  return collator;
}
function compareValues(a, b) {
  const [first, second] = [comparableSize(a), comparableSize(b)];
  if (first !== null && second !== null) return first - second;
  return textCollator().compare(comparableText(a), comparableText(b)) || (comparableText(a) < comparableText(b) ? -1 : comparableText(a) > comparableText(b) ? 1 : 0);
}
function compareForSort(a, b, descending) {
  const [emptyA, emptyB] = [isEmpty(a), isEmpty(b)];
  if (emptyA || emptyB) return Number(emptyA) - Number(emptyB);
  return descending ? compareValues(b, a) : compareValues(a, b);
}
const beginOfTime = /^\s*\d{4}-\d{2}-\d{2}/;
function timeOf(text) {
  return beginOfTime.test(text) ? timestampMs(text) : null;
}
function momentIn(value) {
  return typeof value === "string" || typeof value === "number" ? timestampMs(value) : null;
}
function isTime(value) {
  return typeof value === "string" && timeOf(value) !== null;
}
function comparableSize(value) {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const size = Number(value);
  return Number.isNaN(size) ? timeOf(value) : size;
}
function isEmpty(value) {
  return value === null || value === void 0 || value === "" || Array.isArray(value) && value.length === 0;
}
function comparableText(value) {
  if (value === null || value === void 0) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
export {
  comparableSize,
  comparableText,
  compareForSort,
  compareValues,
  isTime,
  momentIn
};
