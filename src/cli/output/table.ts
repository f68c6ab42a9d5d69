// Text for people: aligned columns that fit the terminal, or one line per property for a single record.
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

export const table: Format = {
  async *rows<Row>(source: Iterable<Row> | AsyncIterable<Row>, view: View<Row>, look: Look) {
    const rows: Row[] = [];
    for await (const row of source) rows.push(row);
    if (rows.length === 0) return;

    // A column that has nothing to say is left out.
    const columns = view.columns.flatMap((column) => {
      const texts = rows.map((row) => plainText(column.text(row, look)));
      return texts.every((text) => text === '') ? [] : [{ column, texts }];
    });
    const widths = fitWidths(
      columns.map(({ column, texts }) => {
        const natural = texts.reduce((most, text) => Math.max(most, stringWidth(text)), stringWidth(column.title));
        const min = column.min === undefined ? natural : Math.max(column.min, stringWidth(column.title));
        return { natural, min, rank: column.rank };
      }),
      look.width,
      gap,
    );
    const shown = columns.flatMap(({ column, texts }, index) => {
      const width = widths[index];
      return width === null || width === undefined ? [] : [{ column, texts, width }];
    });

    const heading = shown.map(({ column, width }) => pad(column.title, width, column.align)).join(' '.repeat(gap));
    yield `${look.colors.bold(heading.trimEnd())}\n`;
    for (const [at, row] of rows.entries()) {
      const line = shown.map(({ column, texts, width }, position) => {
        const text = shorten(texts[at] ?? '', width);
        const last = position === shown.length - 1 && column.align === undefined;
        return paint(column, last ? text : pad(text, width, column.align), row, look);
      });
      yield `${line.join(' '.repeat(gap)).trimEnd()}\n`;
    }
    const missing = columns.filter((_, index) => widths[index] === null);
    if (missing.length > 0) {
      const titles = missing.map(({ column }) => column.title.toLowerCase()).join(', ');
      look.note(`Too narrow for: ${titles}. A wider terminal or -o json shows them.`);
    }
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

function paint<Row>(column: Column<Row>, text: string, row: Row, look: Look): string {
  return column.paint ? column.paint(text, row, look) : text;
}
