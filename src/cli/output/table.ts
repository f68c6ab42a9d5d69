// Text for people: aligned columns that fit the terminal, or one line per property for a single record. A long list is written
// as it comes, in columns that its first rows have measured.
import stringWidth from 'string-width';
import { fitWidths } from './fit.js';
import type { Column, Format, Look, View } from './format.js';
import { plainText } from './plain-text.js';

const gap = 2;

/** Cuts to a width in terminal cells, never through a character, and ends what was cut with an ellipsis. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = used + stringWidth(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept}…`;
}

/** Breaks between words only: a long word, such as an id, is never broken. */
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

/** Columns are as wide as so many rows want them: the rows after them are written as they come. */
const measured = 200;

export const table: Format = {
  async *rows<Row>(source: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, look: Look) {
    const first: Row[] = [];
    let layout: Layout<Row> | null = null;
    for await (const row of source) {
      if (layout !== null) {
        yield layout.line(row);
        continue;
      }
      first.push(row);
      if (first.length < measured) continue;
      layout = new Layout(view, first, look);
      yield* layout.begin(first.splice(0));
    }
    if (layout === null && first.length > 0) {
      layout = new Layout(view, first, look);
      yield* layout.begin(first);
    }
    for (const note of layout?.notes() ?? []) look.note(note);
  },

  *record(record, view, look) {
    const lines = view.details.flatMap((detail) => {
      const text = plainText(detail.text(record, look));
      return text === '' ? [] : [{ detail, text }];
    });
    const width = lines.reduce((most, { detail }) => Math.max(most, stringWidth(detail.title)), 0);
    for (const { detail, text } of lines) {
      for (const [index, part] of wrap(
        text,
        look.width === undefined ? undefined : look.width - width - gap,
      ).entries()) {
        const title = pad(index === 0 ? detail.title : '', width, undefined);
        const shown = detail.paint ? detail.paint(part, record, look) : part;
        yield `${look.colors.bold(title)}${' '.repeat(gap)}${shown}\n`;
      }
    }
  },
};

interface Sized<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** Which columns there are and how wide: fixed by the first rows. */
class Layout<Row> {
  readonly #look: Look;
  readonly #shown: readonly Sized<Row>[];
  readonly #tooWide: readonly Column<Row>[];
  /** Columns that the first rows say nothing in; those that a later row says something in are told of. */
  readonly #silent: Set<Column<Row>>;
  readonly #missed: Column<Row>[] = [];

  constructor(view: View<Row>, rows: readonly Row[], look: Look) {
    this.#look = look;
    // A column that has nothing to say is left out.
    const columns = view.columns.flatMap((column) => {
      const widths = rows.map((row) => stringWidth(plainText(column.text(row, look))));
      const natural = widths.reduce((most, width) => Math.max(most, width), 0);
      return natural === 0 ? [] : [{ column, natural: Math.max(natural, stringWidth(column.title)) }];
    });
    const widths = fitWidths(
      columns.map(({ column, natural }) => {
        const min = column.min === undefined ? natural : Math.max(column.min, stringWidth(column.title));
        return { natural, min, rank: column.rank };
      }),
      look.width,
      gap,
    );
    this.#shown = columns.flatMap(({ column }, index) => {
      const width = widths[index];
      return width === null || width === undefined ? [] : [{ column, width }];
    });
    this.#tooWide = columns.flatMap(({ column }, index) => (widths[index] === null ? [column] : []));
    const speaking = new Set(columns.map(({ column }) => column));
    this.#silent = new Set(view.columns.filter((column) => !speaking.has(column)));
  }

  *begin(rows: Iterable<Row>): Iterable<string> {
    const heading = this.#shown
      .map(({ column, width }) => pad(column.title, width, column.align))
      .join(' '.repeat(gap));
    yield `${this.#look.colors.bold(heading.trimEnd())}\n`;
    for (const row of rows) yield this.line(row);
  }

  line(row: Row): string {
    const look = this.#look;
    for (const column of this.#silent) {
      if (column.text(row, look) === '') continue;
      this.#silent.delete(column);
      this.#missed.push(column);
    }
    const cells = this.#shown.map(({ column, width }, position) => {
      const whole = plainText(column.text(row, look));
      // A later row may be wider than the first ones: what is never shortened then stands out.
      const text = look.width === undefined || column.min === undefined ? whole : shorten(whole, width);
      const last = position === this.#shown.length - 1 && column.align === undefined;
      return paint(column, last ? text : pad(text, width, column.align), row, look);
    });
    return `${cells.join(' '.repeat(gap)).trimEnd()}\n`;
  }

  *notes(): Iterable<string> {
    const titles = (columns: readonly Column<Row>[]) =>
      columns.map(({ title }) => (/[a-z]/.test(title) ? title : title.toLowerCase())).join(', ');
    if (this.#tooWide.length > 0) {
      yield `Too narrow for: ${titles(this.#tooWide)}. A wider terminal or -o json shows them.`;
    }
    if (this.#missed.length > 0) {
      yield `Only rows after the first ${measured} have: ${titles(this.#missed)}. -o json shows them.`;
    }
  }
}

function paint<Row>(column: Column<Row>, text: string, row: Row, look: Look): string {
  return column.paint ? column.paint(text, row, look) : text;
}
