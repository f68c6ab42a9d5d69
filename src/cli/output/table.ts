// The table format: aligned columns that fit the terminal, or one line per detail of a record. A
// long list is printed as it arrives, with column widths computed from the first rows.
import stringWidth from 'string-width';
import { plainText } from '../io/plain-text.js';
import { wrap } from '../io/wrap.js';
import { commonOffset, offsetName } from '../time/format-time.js';
import { barOf } from './bar.js';
import { cellText } from './field-path.js';
import { fitWidths } from './fit.js';
import type { Format } from './format.js';
import type { RenderOptions } from './render-options.js';
import type { Detail, View, ViewColumn } from './view.js';

/** Minimum number of rows for the column widths on a terminal; later ones are only printed. */
const TABLE_SAMPLE_ROWS = 200;

/** In a pipe a table waits for all its rows, up to this limit. */
const PIPED_TABLE_ROWS = 100_000;

const GAP = 2;
/** Cells of a bar: fewer show no shape, and more show it no better. */
const [NARROWEST_BAR, WIDEST_BAR] = [8, 24];
const TOTAL = 'Total';

/** Shortens text to a width in cells, with an ellipsis. Never cuts through a character. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let shortened = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = used + stringWidth(segment);
    if (next > width - 1) break;
    shortened += segment;
    used = next;
  }
  return `${shortened}…`;
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? space + text : text + space;
}

export const table: Format = {
  async *rows<Row>(source: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, options: RenderOptions) {
    const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    const first: Row[] = [];
    let step = iterator.next();
    try {
      for (;;) {
        // In a pipe nobody waits for the first row, but every row must fit its column.
        const isEnough =
          options.width === undefined ? first.length >= PIPED_TABLE_ROWS : first.length >= TABLE_SAMPLE_ROWS;
        if (isEnough && (options.width === undefined || !(await isResolved(step)))) {
          // A failure while the first rows are printed is thrown when the row is read.
          if (step instanceof Promise) step.catch(() => undefined);
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
      return text === '' ? [] : [{ detail, text }];
    });
    const width = lines.reduce((most, { detail }) => Math.max(most, stringWidth(detail.title)), 0);
    for (const { detail, text } of lines) {
      for (const [index, part] of wrap(
        text,
        options.width === undefined ? undefined : options.width - width - GAP,
      ).entries()) {
        const title = pad(index === 0 ? detail.title : '', width, undefined);
        const shown = detail.paint ? detail.paint(part, record, options) : part;
        yield `${options.colors.bold(title)}${' '.repeat(GAP)}${shown}\n`;
      }
    }
  },
};

/** Returns true when a promise resolves before the next turn of the event loop. */
async function isResolved(step: unknown): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([Promise.resolve(step).then(() => true), later]);
}

/** Returns the details, by default the columns in sentence case: `Driver id`. */
function detailsOf<Row>({ details, columns }: View<Row>): readonly Detail<Row>[] {
  if (details !== undefined) return details;
  return columns.map((column) => ({ ...column, title: detailTitle(column.title) }));
}

function detailTitle(title: string): string {
  return /[a-z]/.test(title) ? title : title.charAt(0) + title.slice(1).toLowerCase();
}

interface Sized<Row> {
  readonly column: ViewColumn<Row>;
  readonly width: number;
}

interface Bars<Row> {
  readonly valueOf: (row: Row) => number | null;
  readonly cells: number;
  readonly most: number;
}

/** The shown columns and their widths, computed from the first rows. */
class Layout<Row> {
  readonly #options: RenderOptions;
  readonly #width: number | undefined;
  readonly #sample: number;
  readonly #shown: readonly Sized<Row>[];
  readonly #tooWide: readonly ViewColumn<Row>[];
  /** Columns that are empty in the first rows. A remark names those with a value in a later row. */
  readonly #empty: Set<ViewColumn<Row>>;
  readonly #missed: ViewColumn<Row>[] = [];
  readonly #bars: ReadonlyMap<ViewColumn<Row>, Bars<Row>>;

  constructor(view: View<Row>, rows: readonly Row[], total: Row | null, baseOptions: RenderOptions) {
    const options = { ...baseOptions, offset: offsetOf(view, rows, baseOptions) };
    this.#options = options;
    this.#sample = rows.length;
    const width = options.wide ? undefined : options.width;
    this.#width = width;
    // Empty columns are omitted, and ids that are not needed.
    const neededColumns =
      width === undefined ? view.columns : view.columns.filter((column) => isNeeded(column, rows, options));
    const columns = neededColumns.flatMap((column) => {
      const widths = rows.map((row) => stringWidth(textOf(column, row, options)));
      const natural = widths.reduce((most, width) => Math.max(most, width), 0);
      const ofTotal = total !== null && column.inTotal ? stringWidth(textOf(column, total, options)) : 0;
      return natural === 0
        ? []
        : [{ column, natural: Math.max(natural, ofTotal, stringWidth(headingOf(column, options))) }];
    });
    const [leading] = columns;
    if (total !== null && leading && !leading.column.inTotal) {
      leading.natural = Math.max(leading.natural, stringWidth(TOTAL));
    }
    const widths = fitWidths(
      columns.map(({ column, natural }) => {
        const min = column.min === undefined ? natural : Math.max(column.min, stringWidth(headingOf(column, options)));
        return { natural, min, rank: column.rank, isExtra: column.isExtra };
      }),
      width,
      GAP,
    );
    this.#shown = columns.flatMap(({ column }, index) => {
      const width = widths[index];
      return width === null || width === undefined ? [] : [{ column, width }];
    });
    this.#tooWide = columns.flatMap(({ column }, index) => (widths[index] === null ? [column] : []));
    this.#bars = this.#barsOf(rows);
    const filled = new Set(columns.map(({ column }) => column));
    this.#empty = new Set(neededColumns.filter((column) => !filled.has(column)));
  }

  /** Returns bars only when the terminal has space left after all columns. */
  #barsOf(rows: readonly Row[]): ReadonlyMap<ViewColumn<Row>, Bars<Row>> {
    const [column] = this.#shown.flatMap(({ column }) => (column.bar ? [column] : []));
    const { bar } = column ?? {};
    if (column === undefined || bar === undefined || this.#width === undefined || this.#tooWide.length > 0) {
      return new Map();
    }
    const used = this.#shown.reduce((sum, { width }) => sum + width + GAP, -GAP);
    const cells = Math.min(WIDEST_BAR, this.#width - used - 1);
    const most = rows.reduce((highest, row) => Math.max(highest, bar(row) ?? 0), 0);
    return cells < NARROWEST_BAR || most === 0 || rows.length < 2
      ? new Map()
      : new Map([[column, { valueOf: bar, cells, most }]]);
  }

  /** Returns the bar after the text of a cell, or spaces of its width. */
  #barAt(column: ViewColumn<Row>, row: Row | null): string {
    const bars = this.#bars.get(column);
    if (bars === undefined) return '';
    const share = row === null ? 0 : Math.max(0, bars.valueOf(row) ?? 0) / bars.most;
    const drawn = barOf(Math.min(1, share), bars.cells, this.#options.ascii);
    return ` ${drawn === '' ? '' : this.#options.colors.green(drawn)}${' '.repeat(bars.cells - stringWidth(drawn))}`;
  }

  *begin(rows: Iterable<Row>): Iterable<string> {
    if (this.#options.headers) yield this.#heading();
    for (const row of rows) yield this.line(row);
  }

  #heading(): string {
    const heading = this.#shown
      .map(
        ({ column, width }) =>
          `${pad(headingOf(column, this.#options), width, column.align)}${this.#barAt(column, null)}`,
      )
      .join(' '.repeat(GAP));
    return `${this.#options.colors.bold(heading.trimEnd())}\n`;
  }

  line(row: Row): string {
    const options = this.#options;
    for (const column of this.#empty) {
      if (textOf(column, row, options) === '') continue;
      this.#empty.delete(column);
      this.#missed.push(column);
    }
    const cells = this.#shown.map(({ column, width }, position) => {
      const full = textOf(column, row, options);
      // A later row may be wider; a column that is never shortened then overflows.
      const text = this.#width === undefined || column.min === undefined ? full : fitText(column, row, full, width);
      const last = position === this.#shown.length - 1 && column.align === undefined;
      return `${paint(column, last ? text : pad(text, width, column.align), row, options)}${this.#barAt(column, row)}`;
    });
    return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`;
  }

  /** Returns the line below the rows; nothing when no shown column has a total. */
  *totalLine(total: Row): Iterable<string> {
    if (!this.#shown.some(({ column }) => column.inTotal)) return;
    const cells = this.#shown.map(({ column, width }, position) => {
      const text = column.inTotal ? textOf(column, total, this.#options) : position === 0 ? TOTAL : '';
      return `${pad(text, width, column.align)}${this.#barAt(column, null)}`;
    });
    yield `${this.#options.colors.bold(cells.join(' '.repeat(GAP)).trimEnd())}\n`;
  }

  *notes(): Iterable<string> {
    const titles = (columns: readonly ViewColumn<Row>[]) =>
      columns.map(({ title }) => (/[a-z]/.test(title) ? title : title.toLowerCase())).join(', ');
    if (this.#tooWide.length > 0) {
      yield `Columns left out for lack of space: ${titles(this.#tooWide)}. --wide shows them.`;
    }
    if (this.#missed.length > 0) {
      yield `Columns left out because the first ${this.#sample} rows have no value in them: ${titles(this.#missed)}. -o json shows them.`;
    }
  }
}

/** Returns the offset for the headings; null when rows have several. */
function offsetOf<Row>({ columns }: View<Row>, rows: readonly Row[], { zone, headers }: RenderOptions): number | null {
  if (!headers) return null;
  const moments = columns.flatMap(({ moment }) => (moment ? rows.map((row) => moment(row)) : []));
  return commonOffset(
    moments.filter((moment) => moment !== null),
    zone,
  );
}

/** Returns `STARTED (UTC+02:00)`; empty under --no-headers. */
function headingOf<Row>({ title, moment }: ViewColumn<Row>, { offset, headers }: RenderOptions): string {
  if (!headers) return '';
  return moment && offset !== null ? `${title} (${offsetName(offset)})` : title;
}

/** Returns false for ids when the names in another column are unique. */
function isNeeded<Row>({ namedBy, text }: ViewColumn<Row>, rows: readonly Row[], options: RenderOptions): boolean {
  if (namedBy === undefined) return true;
  const ids = new Map<string, string>();
  return rows.some((row) => {
    const id = text(row, options);
    const name = namedBy(row) || null;
    if (id === '') return false;
    if (name === null || (ids.get(name) ?? id) !== id) return true;
    ids.set(name, id);
    return false;
  });
}

function fitText<Row>({ short }: ViewColumn<Row>, row: Row, full: string, width: number): string {
  if (short === undefined || stringWidth(full) <= width) return shorten(full, width);
  const texts = short(row).map((text) => plainText(cellText(text)));
  return shorten(texts.find((text) => stringWidth(text) <= width) ?? texts.at(-1) ?? full, width);
}

/** Returns the text of a column. The service may send another type than in the contract. */
function textOf<Row>({ text }: ViewColumn<Row> | Detail<Row>, row: Row, options: RenderOptions): string {
  const shown: unknown = text(row, options);
  return plainText(cellText(shown));
}

function paint<Row>(column: ViewColumn<Row>, text: string, row: Row, options: RenderOptions): string {
  return column.paint ? column.paint(text, row, options) : text;
}
