import stringWidth from "string-width";
import { plainText } from "../io/plain-text.js";
import { wrap } from "../io/wrap.js";
import { commonOffset, offsetName } from "../time/local-time.js";
import { barOf } from "./bar.js";
import { cellText } from "./field-path.js";
import { fitWidths } from "./fit.js";
const TABLE_SAMPLE_ROWS = 200;
const PIPED_TABLE_ROWS = 1e5;
const GAP = 2;
const [NARROWEST_BAR, WIDEST_BAR] = [8, 24];
const TOTAL = "Total";
function shorten(text, width) {
  if (stringWidth(text) <= width) return text;
  let shortened = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = used + stringWidth(segment);
    if (next > width - 1) break;
    shortened += segment;
    used = next;
  }
  return `${shortened}\u2026`;
}
function pad(text, width, align) {
  const space = " ".repeat(Math.max(0, width - stringWidth(text)));
  return align === "right" ? space + text : text + space;
}
const table = {
  async *rows(source, view, options) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    const first = [];
    let step = iterator.next();
    try {
      for (; ; ) {
        const isEnough = options.width === void 0 ? first.length >= PIPED_TABLE_ROWS : first.length >= TABLE_SAMPLE_ROWS;
        if (isEnough && (options.width === void 0 || !await isAtHand(step))) {
          if (step instanceof Promise) step.catch(() => void 0);
          break;
        }
        const { done, value } = await step;
        if (done === true) break;
        first.push(value);
        step = iterator.next();
      }
      if (view.above) yield* view.above(options);
      if (first.length === 0) return;
      const total = view.total?.begin() ?? null;
      for (const row of first) total?.take(row);
      const layout = new Layout(view, first, total?.row() ?? null, options);
      yield* layout.begin(first.splice(0));
      for (let next = await step; next.done !== true; next = await iterator.next()) {
        total?.take(next.value);
        yield layout.line(next.value);
      }
      const last = total?.row() ?? null;
      if (last !== null) yield* layout.totalLine(last);
      for (const note of layout.notes()) options.note(note);
    } finally {
      await iterator.return?.();
    }
  },
  *record(record, view, options) {
    const lines = detailsOf(view).flatMap((detail) => {
      const text = textOf(detail, record, options);
      return text === "" ? [] : [{ detail, text }];
    });
    const width = lines.reduce((most, { detail }) => Math.max(most, stringWidth(detail.title)), 0);
    for (const { detail, text } of lines) {
      for (const [index, part] of wrap(
        text,
        options.width === void 0 ? void 0 : options.width - width - GAP
      ).entries()) {
        const title = pad(index === 0 ? detail.title : "", width, void 0);
        const shown = detail.paint ? detail.paint(part, record, options) : part;
        yield `${options.colors.bold(title)}${" ".repeat(GAP)}${shown}
`;
      }
    }
  }
};
async function isAtHand(step) {
  const later = new Promise((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([Promise.resolve(step).then(() => true), later]);
}
function detailsOf({ details, columns }) {
  if (details !== void 0) return details;
  return columns.map((column) => ({ ...column, title: detailTitle(column.title) }));
}
function detailTitle(title) {
  return /[a-z]/.test(title) ? title : title.charAt(0) + title.slice(1).toLowerCase();
}
class Layout {
  #options;
  /** Undefined when nothing is to be shortened. */
  #width;
  /** How many rows the widths are computed from. */
  #sample;
  #shown;
  #tooWide;
  /** Columns that are empty in the first rows. A remark names those that a later row has a value for. */
  #empty;
  #missed = [];
  #bars;
  /** `total`: of these rows; null when there is none. */
  constructor(view, rows, total, given) {
    const options = { ...given, offset: offsetOf(view, rows, given) };
    this.#options = options;
    this.#sample = rows.length;
    const width = options.wide ? void 0 : options.width;
    this.#width = width;
    const wanted = width === void 0 ? view.columns : view.columns.filter((column) => isNeeded(column, rows, options));
    const columns = wanted.flatMap((column) => {
      const widths2 = rows.map((row) => stringWidth(textOf(column, row, options)));
      const natural = widths2.reduce((most, width2) => Math.max(most, width2), 0);
      const ofTotal = total !== null && column.inTotal ? stringWidth(textOf(column, total, options)) : 0;
      return natural === 0 ? [] : [{ column, natural: Math.max(natural, ofTotal, stringWidth(headingOf(column, options))) }];
    });
    const [leading] = columns;
    if (total !== null && leading && !leading.column.inTotal) {
      leading.natural = Math.max(leading.natural, stringWidth(TOTAL));
    }
    const widths = fitWidths(
      columns.map(({ column, natural }) => {
        const min = column.min === void 0 ? natural : Math.max(column.min, stringWidth(headingOf(column, options)));
        return { natural, min, rank: column.rank };
      }),
      width,
      GAP
    );
    this.#shown = columns.flatMap(({ column }, index) => {
      const width2 = widths[index];
      return width2 === null || width2 === void 0 ? [] : [{ column, width: width2 }];
    });
    this.#tooWide = columns.flatMap(({ column }, index) => widths[index] === null ? [column] : []);
    this.#bars = this.#barsOf(rows);
    const filled = new Set(columns.map(({ column }) => column));
    this.#empty = new Set(wanted.filter((column) => !filled.has(column)));
  }
  /** Bars take only room that no column needs. */
  #barsOf(rows) {
    const [column] = this.#shown.flatMap(({ column: column2 }) => column2.bar ? [column2] : []);
    const { bar } = column ?? {};
    if (column === void 0 || bar === void 0 || this.#width === void 0 || this.#tooWide.length > 0) {
      return /* @__PURE__ */ new Map();
    }
    const used = this.#shown.reduce((sum, { width }) => sum + width + GAP, -GAP);
    const cells = Math.min(WIDEST_BAR, this.#width - used - 1);
    const most = rows.reduce((highest, row) => Math.max(highest, bar(row) ?? 0), 0);
    return cells < NARROWEST_BAR || most === 0 || rows.length < 2 ? /* @__PURE__ */ new Map() : /* @__PURE__ */ new Map([[column, { valueOf: bar, cells, most }]]);
  }
  /** What stands behind the text of a cell: its bar, or the room of one. */
  #barAt(column, row) {
    const bars = this.#bars.get(column);
    if (bars === void 0) return "";
    const share = row === null ? 0 : Math.max(0, bars.valueOf(row) ?? 0) / bars.most;
    const drawn = barOf(Math.min(1, share), bars.cells, this.#options.ascii);
    return ` ${drawn === "" ? "" : this.#options.colors.green(drawn)}${" ".repeat(bars.cells - stringWidth(drawn))}`;
  }
  *begin(rows) {
    if (this.#options.headers) yield this.#heading();
    for (const row of rows) yield this.line(row);
  }
  #heading() {
    const heading = this.#shown.map(
      ({ column, width }) => `${pad(headingOf(column, this.#options), width, column.align)}${this.#barAt(column, null)}`
    ).join(" ".repeat(GAP));
    return `${this.#options.colors.bold(heading.trimEnd())}
`;
  }
  line(row) {
    const options = this.#options;
    for (const column of this.#empty) {
      if (textOf(column, row, options) === "") continue;
      this.#empty.delete(column);
      this.#missed.push(column);
    }
    const cells = this.#shown.map(({ column, width }, position) => {
      const full = textOf(column, row, options);
      const text = this.#width === void 0 || column.min === void 0 ? full : fitted(column, row, full, width);
      const last = position === this.#shown.length - 1 && column.align === void 0;
      return `${paint(column, last ? text : pad(text, width, column.align), row, options)}${this.#barAt(column, row)}`;
    });
    return `${cells.join(" ".repeat(GAP)).trimEnd()}
`;
  }
  /** The line below the rows; none when no column is shown that has a total. */
  *totalLine(total) {
    if (!this.#shown.some(({ column }) => column.inTotal)) return;
    const cells = this.#shown.map(({ column, width }, position) => {
      const text = column.inTotal ? textOf(column, total, this.#options) : position === 0 ? TOTAL : "";
      return `${pad(text, width, column.align)}${this.#barAt(column, null)}`;
    });
    yield `${this.#options.colors.bold(cells.join(" ".repeat(GAP)).trimEnd())}
`;
  }
  *notes() {
    const titles = (columns) => columns.map(({ title }) => /[a-z]/.test(title) ? title : title.toLowerCase()).join(", ");
    if (this.#tooWide.length > 0) {
      yield `Columns left out for lack of space: ${titles(this.#tooWide)}. --wide shows them.`;
    }
    if (this.#missed.length > 0) {
      yield `Columns left out because the first ${this.#sample} rows have no value in them: ${titles(this.#missed)}. -o json shows them.`;
    }
  }
}
function offsetOf({ columns }, rows, { zone, headers }) {
  if (!headers) return null;
  const moments = columns.flatMap(({ moment }) => moment ? rows.map((row) => moment(row)) : []);
  return commonOffset(
    moments.filter((moment) => moment !== null),
    zone
  );
}
function headingOf({ title, moment }, { offset, headers }) {
  if (!headers) return "";
  return moment && offset !== null ? `${title} (${offsetName(offset)})` : title;
}
function isNeeded({ namedBy, text }, rows, options) {
  if (namedBy === void 0) return true;
  const ids = /* @__PURE__ */ new Map();
  return rows.some((row) => {
    const id = text(row, options);
    const name = namedBy(row) || null;
    if (id === "") return false;
    if (name === null || (ids.get(name) ?? id) !== id) return true;
    ids.set(name, id);
    return false;
  });
}
function fitted({ short }, row, full, width) {
  if (short === void 0 || stringWidth(full) <= width) return shorten(full, width);
  const texts = short(row).map((text) => plainText(cellText(text)));
  return shorten(texts.find((text) => stringWidth(text) <= width) ?? texts.at(-1) ?? full, width);
}
function textOf({ text }, row, options) {
  const shown = text(row, options);
  return plainText(cellText(shown));
}
function paint(column, text, row, options) {
  return column.paint ? column.paint(text, row, options) : text;
}
export {
  shorten,
  table
};
