import { rangeRef, writeXlsxStream, XLSX_MAX_ROWS_PER_SHEET } from "hucre/xlsx";
import stringWidth from "string-width";
import { DAY_MS, isSecondTime, offsetAt } from "../../core/time-zone.js";
import { localTime } from "../time/local-time.js";
import { cellText, valueAt } from "./field-path.js";
import { headingOfField, isDuration, isIdField } from "./headings.js";
import { withFilter } from "./xlsx-filter.js";
const SAMPLE_ROWS = 500;
const [NARROWEST, WIDEST] = [8, 60];
const ROOM_OF_TOTAL = 4;
const LONGEST_TEXT = 32767;
const DAYS_UNTIL_1970 = 25569;
const [FIRST_DAY, LAST_DAY] = [61, 2958466];
const formats = { time: "yyyy-mm-dd hh:mm:ss", duration: "[h]:mm:ss", other: void 0 };
const BOLD = { font: { bold: true } };
const TOTAL = "Total";
const xlsx = {
  async *rows(rows, view, options) {
    const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
    try {
      yield* workbook(iterator, view, options);
    } finally {
      await iterator.return?.();
    }
  },
  record: (record, view, options) => xlsx.rows([record], view, options)
};
async function* workbook(iterator, view, options) {
  const problems = /* @__PURE__ */ new Set();
  const columns = columnsOf(view, options, problems);
  const total = view.total?.begin() ?? null;
  const cellsOf = (row) => {
    total?.take(row);
    return columns.map(({ cell }) => cell(row));
  };
  const sample = [];
  let isDone = false;
  while (sample.length < SAMPLE_ROWS) {
    const { done, value } = await iterator.next();
    if (done === true) {
      isDone = true;
      break;
    }
    sample.push(cellsOf(value));
  }
  const totalNow = () => {
    const row = total?.row() ?? null;
    return row === null ? null : totalCells(columns, row, view);
  };
  const known = isDone ? totalNow() : null;
  const widths = columns.map(({ heading, kind, path }, index) => {
    const cells2 = [...sample, ...known === null ? [] : [known]].map((row) => shownText(row[index] ?? null, kind));
    const isLonger = !isDone && view.total?.fields.includes(path) === true;
    return widthOf([options.headers ? heading : "", ...cells2]) + (isLonger ? ROOM_OF_TOTAL : 0);
  });
  const sheetColumns = columns.map(
    ({ heading, kind }, index) => ({
      ...options.headers ? { header: heading, style: BOLD } : {},
      ...formats[kind] === void 0 ? {} : { numFmt: formats[kind] },
      width: widths[index] ?? NARROWEST
    })
  );
  let rowCount = 0;
  async function* cells() {
    for (const column of sheetColumns) delete column.style;
    for (const row of sample.splice(0)) {
      rowCount++;
      yield row;
    }
    while (!isDone) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      rowCount++;
      yield cellsOf(value);
    }
    const last = totalNow();
    if (last === null) return;
    for (const column of sheetColumns) column.style = BOLD;
    yield [];
    yield last;
  }
  const stream = writeXlsxStream(cells(), {
    name: sheetName(view.title),
    columns: sheetColumns,
    ...options.headers ? { freezePane: { rows: 1 }, compress: false } : {},
    repeatHeaders: options.headers
  });
  if (!options.headers || columns.length === 0) yield* stream;
  else yield* withFilter(stream, (sheet) => rangeRef(0, 0, rowsOfSheet(rowCount, sheet), columns.length - 1));
  for (const problem of problems) options.note(problem);
}
function rowsOfSheet(rowCount, sheet) {
  const most = XLSX_MAX_ROWS_PER_SHEET - 1;
  return Math.min(most, Math.max(0, rowCount - sheet * most));
}
function totalCells(columns, row, { total }) {
  const added = new Set(total?.fields);
  if (!columns.some(({ path }) => added.has(path))) return null;
  return columns.map(({ path, cell }, index) => added.has(path) ? cell(row) : index === 0 ? TOTAL : null);
}
function sheetFields({ fields, hasChosenFields }) {
  if (hasChosenFields) return fields;
  return [...fields.filter((path) => !isIdField(path)), ...fields.filter(isIdField)];
}
function columnsOf(view, options, problems) {
  const { zone } = options;
  const zoneName = zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return sheetFields(view).map((path) => {
    const { words, unit: ownUnit } = headingOfField(path);
    const moment = view.times?.get(path);
    if (moment) {
      const cell = (row) => {
        const time = moment(row);
        if (time !== null && isSecondTime(time, zone)) return localTime(time, "exact", { zone, offset: null });
        const day = time === null ? Number.NaN : (time + offsetAt(time, zone)) / DAY_MS + DAYS_UNTIL_1970;
        return day >= FIRST_DAY && day < LAST_DAY ? day : plainCell(valueAt(row, path), path, problems);
      };
      return { path, heading: `${words} (${zoneName})`, kind: "time", cell };
    }
    if (isDuration(path)) {
      const cell = (row) => {
        const seconds = valueAt(row, path);
        return typeof seconds === "number" ? seconds * 1e3 / DAY_MS : plainCell(seconds, path, problems);
      };
      return { path, heading: words, kind: "duration", cell };
    }
    const unit = view.units?.get(path) ?? ownUnit;
    const absent = view.absent?.[path] ?? null;
    return {
      path,
      heading: unit === null ? words : `${words} (${unit})`,
      kind: "other",
      cell: (row) => plainCell(valueAt(row, path) ?? absent, path, problems)
    };
  });
}
function plainCell(value, path, problems) {
  if (typeof value === "number" || typeof value === "boolean") return value;
  const text = cellText(value);
  if (text.length <= LONGEST_TEXT) return text === "" ? null : text;
  problems.add(
    `Texts in ${path} are longer than a cell can be and end after 32,767 characters; -o csv has all of them.`
  );
  return `${text.slice(0, LONGEST_TEXT - 1)}\u2026`;
}
function shownText(cell, kind) {
  if (typeof cell === "number" && kind === "time") return formats.time;
  if (typeof cell === "number" && kind === "duration") return `${Math.floor(cell * 24)}:mm:ss`;
  return cell === null ? "" : String(cell);
}
function widthOf(texts) {
  const widest = texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
  return Math.min(WIDEST, Math.max(NARROWEST, widest + 2));
}
function sheetName(title = "fleet") {
  return title.replace(/[\\/?*[\]:]/g, " ").replace(/^'|'$/g, "").slice(0, 31).trim() || "fleet";
}
export {
  xlsx
};
