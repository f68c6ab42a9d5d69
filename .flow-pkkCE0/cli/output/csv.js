import { isSecondTime, offsetAt } from "../../core/time-zone.js";
import { escapeControls } from "../io/plain-text.js";
import { localTime } from "../time/local-time.js";
import { cellText, valueAt } from "./field-path.js";
import { isTerminal } from "./render-options.js";
function csvCell(text) {
  return /[",\r\n]|^\s|\s$|^null$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
function line(cells) {
  return `${cells.map(csvCell).join(",")}
`;
}
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
function safeText(text) {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}
function lineOf(row, fields, times, options) {
  const cells = fields.map((field) => {
    const moment = times.get(field)?.(row) ?? null;
    if (moment !== null) return timeText(moment, options);
    const value = valueAt(row, field);
    const text = cellText(value);
    return options.safeCsv && typeof value !== "number" ? safeText(text) : text;
  });
  return line(isTerminal(options) ? cells.map(escapeControls) : cells);
}
function timeText(moment, { zone, headers }) {
  const isClear = headers && !isSecondTime(moment, zone);
  return localTime(moment, "exact", { zone, offset: isClear ? offsetAt(moment, zone) : null });
}
const csv = {
  async *rows(rows, view, options) {
    const times = timesOf(view, options);
    let head = headOf(view, times, options);
    let isEmpty = true;
    for await (const row of rows) {
      yield head + lineOf(row, view.fields, times, options);
      head = "";
      isEmpty = false;
    }
    if (isEmpty && options.headers) yield headOf(view, /* @__PURE__ */ new Map(), options);
  },
  *record(record, view, options) {
    const times = timesOf(view, options);
    yield headOf(view, times, options);
    yield lineOf(record, view.fields, times, options);
  }
};
function headOf({ fields, units }, times, options) {
  const { headers, zone } = options;
  if (!headers) return "";
  const titles = fields.map((field) => {
    const unit = zone !== void 0 && times.has(field) ? zone : units?.get(field);
    return unit === void 0 ? field : `${field} (${unit})`;
  });
  return line(titles);
}
function timesOf({ times }, { hasZone }) {
  return hasZone && times ? times : /* @__PURE__ */ new Map();
}
export {
  csv,
  csvCell,
  safeText
};
