// Text for people: aligned columns that fit the terminal, or one line per detail of a single record. A long list is printed as it
// arrives, with column widths computed from its first rows.
import stringWidth from 'string-width';
import { plainText } from '../io/plain-text.js';
import { tableSampleRows } from '../limits.js';
import { fitWidths } from './fit.js';
import type { Format } from './format.js';
import type { RenderOptions } from './render-options.js';
import type { Column, Detail, View } from './view.js';

const gap = 2;

/** Shortens text to a width in terminal cells. Never cuts through a character, and ends shortened text with an ellipsis. */
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

/** Breaks lines between words. A long word, such as an id, is never broken. */
export function wrap(text: string, width: number | undefined): readonly string[] {
  if (width === undefined || stringWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && stringWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? space + text : text + space;
}

export const table: Format = {
  async *rows<Row>(source: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, options: RenderOptions) {
    const first: Row[] = [];
    let layout: Layout<Row> | null = null;
    for await (const row of source) {
      if (layout !== null) {
        yield layout.line(row);
        continue;
      }
      first.push(row);
      if (first.length < tableSampleRows) continue;
      layout = new Layout(view, first, options);
      yield* layout.begin(first.splice(0));
    }
    if (layout === null && first.length > 0) {
      layout = new Layout(view, first, options);
      yield* layout.begin(first);
    }
    for (const note of layout?.notes() ?? []) options.note(note);
  },

  *record(record, view, options) {
    const lines = detailsOf(view).flatMap((detail) => {
      const text = plainText(detail.text(record, options));
      return text === '' ? [] : [{ detail, text }];
    });
    const width = lines.reduce((most, { detail }) => Math.max(most, stringWidth(detail.title)), 0);
    for (const { detail, text } of lines) {
      for (const [index, part] of wrap(
        text,
        options.width === undefined ? undefined : options.width - width - gap,
      ).entries()) {
        const title = pad(index === 0 ? detail.title : '', width, undefined);
        const shown = detail.paint ? detail.paint(part, record, options) : part;
        yield `${options.colors.bold(title)}${' '.repeat(gap)}${shown}\n`;
      }
    }
  },
};

/** The details of the view; without them, its columns under the titles that details have: `DRIVER ID` becomes `Driver id`. */
function detailsOf<Row>({ details, columns }: View<Row>): readonly Detail<Row>[] {
  if (details !== undefined) return details;
  return columns.map((column) => ({ ...column, title: detailTitle(column.title) }));
}

function detailTitle(title: string): string {
  return /[a-z]/.test(title) ? title : title.charAt(0) + title.slice(1).toLowerCase();
}

interface Sized<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** The columns that are shown and their widths, computed from the first rows. */
class Layout<Row> {
  readonly #options: RenderOptions;
  readonly #shown: readonly Sized<Row>[];
  readonly #tooWide: readonly Column<Row>[];
  /** Columns that are empty in the first rows. A remark names those that a later row has a value for. */
  readonly #empty: Set<Column<Row>>;
  readonly #missed: Column<Row>[] = [];

  constructor(view: View<Row>, rows: readonly Row[], options: RenderOptions) {
    this.#options = options;
    // An empty column is left out.
    const columns = view.columns.flatMap((column) => {
      const widths = rows.map((row) => stringWidth(plainText(column.text(row, options))));
      const natural = widths.reduce((most, width) => Math.max(most, width), 0);
      return natural === 0 ? [] : [{ column, natural: Math.max(natural, stringWidth(column.title)) }];
    });
    const widths = fitWidths(
      columns.map(({ column, natural }) => {
        const min = column.min === undefined ? natural : Math.max(column.min, stringWidth(column.title));
        return { natural, min, rank: column.rank };
      }),
      options.width,
      gap,
    );
    this.#shown = columns.flatMap(({ column }, index) => {
      const width = widths[index];
      return width === null || width === undefined ? [] : [{ column, width }];
    });
    this.#tooWide = columns.flatMap(({ column }, index) => (widths[index] === null ? [column] : []));
    const filled = new Set(columns.map(({ column }) => column));
    this.#empty = new Set(view.columns.filter((column) => !filled.has(column)));
  }

  *begin(rows: Iterable<Row>): Iterable<string> {
    const heading = this.#shown
      .map(({ column, width }) => pad(column.title, width, column.align))
      .join(' '.repeat(gap));
    yield `${this.#options.colors.bold(heading.trimEnd())}\n`;
    for (const row of rows) yield this.line(row);
  }

  line(row: Row): string {
    const options = this.#options;
    for (const column of this.#empty) {
      if (column.text(row, options) === '') continue;
      this.#empty.delete(column);
      this.#missed.push(column);
    }
    const cells = this.#shown.map(({ column, width }, position) => {
      const full = plainText(column.text(row, options));
      // A later row may be wider than the first rows; a column that is never shortened then overflows.
      const text = options.width === undefined || column.min === undefined ? full : shorten(full, width);
      const last = position === this.#shown.length - 1 && column.align === undefined;
      return paint(column, last ? text : pad(text, width, column.align), row, options);
    });
    return `${cells.join(' '.repeat(gap)).trimEnd()}\n`;
  }

  *notes(): Iterable<string> {
    const titles = (columns: readonly Column<Row>[]) =>
      columns.map(({ title }) => (/[a-z]/.test(title) ? title : title.toLowerCase())).join(', ');
    if (this.#tooWide.length > 0) {
      yield `Columns left out for lack of space: ${titles(this.#tooWide)}. A wider terminal or -o json shows them.`;
    }
    if (this.#missed.length > 0) {
      yield `Columns left out because the first ${tableSampleRows} rows have no value in them: ${titles(this.#missed)}. -o json shows them.`;
    }
  }
}

function paint<Row>(column: Column<Row>, text: string, row: Row, options: RenderOptions): string {
  return column.paint ? column.paint(text, row, options) : text;
}
