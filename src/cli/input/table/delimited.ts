// Splits csv or tsv text into rows of cells. Csv follows RFC 4180, with the delimiter of its header
// line. Tsv has the form of `-o tsv`, with the escapes \t, \n, \r and \\.

export interface DelimitedCell {
  readonly text: string;
  /** True for a quoted cell, whose spaces and `null` are literal. */
  readonly quoted: boolean;
  readonly shown?: string | undefined;
}

export interface DelimitedRow {
  readonly line: number;
  readonly cells: readonly DelimitedCell[];
}

type Delimiter = ',' | ';' | '\t';

export class CsvFlaw extends Error {
  override readonly name = 'CsvFlaw';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** Returns the most frequent delimiter of the header line; a comma for a single column. */
export function delimiterOf(text: string): Delimiter {
  // The first line, without quoted cells.
  const header = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1).replace(/"(?:[^"]|"")*"/g, '');
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Returns the rows with the header, without empty lines. @throws CsvFlaw */
export function readCsv(text: string, delimiter: Delimiter): readonly DelimitedRow[] {
  const rows: DelimitedRow[] = [];
  // Matches the end of an unquoted cell.
  const end = new RegExp(`[\\r\\n${delimiter === '\t' ? '\\t' : delimiter}]`, 'g');
  let at = 0;
  let line = 1;
  let begin = 1;
  let cells: DelimitedCell[] = [];

  const endOfRow = () => {
    if (cells.some(({ text }) => text.trim() !== '')) rows.push({ line: begin, cells });
    cells = [];
    begin = line;
  };
  while (at < text.length) {
    const quote = /^ *"/.exec(text.slice(at, at + 100));
    let cell: DelimitedCell;
    if (quote) {
      const from = at + quote[0].length;
      const to = closingQuote(text, from);
      if (to < 0) throw new CsvFlaw(line, 'a quote opens a cell and none closes it');
      const inside = text.slice(from, to).replaceAll('""', '"');
      cell = { text: inside, quoted: true };
      line += lineEnds(inside);
      at = to + 1;
      while (text[at] === ' ') at++;
      if (at < text.length && !isOneOf(text[at], delimiter)) {
        throw new CsvFlaw(line, 'text follows the closing quote of a cell; a quote inside of a cell is written twice');
      }
    } else {
      end.lastIndex = at;
      const to = end.exec(text)?.index ?? text.length;
      cell = { text: text.slice(at, to), quoted: false };
      at = to;
    }
    cells.push(cell);
    const next = text[at];
    if (next === delimiter) {
      at++;
      // The last cell of the file may be empty.
      if (at === text.length) cells.push({ text: '', quoted: false });
      continue;
    }
    if (next === '\r' && text[at + 1] === '\n') at++;
    at++;
    line++;
    endOfRow();
  }
  endOfRow();
  return rows;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function isOneOf(character: string | undefined, delimiter: Delimiter): boolean {
  return character === delimiter || character === '\r' || character === '\n';
}

function lineEnds(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}

const escapes: Readonly<Record<string, string>> = { '\\\\': '\\', '\\t': '\t', '\\n': '\n', '\\r': '\r' };

export function readTsv(text: string): readonly DelimitedRow[] {
  return text.split(/\r\n|\r|\n/).flatMap((content, index) => {
    if (content.trim() === '') return [];
    const cells = content
      .split('\t')
      .map((cell) => ({ text: cell.replace(/\\[\\tnr]/g, (pair) => escapes[pair] ?? pair), quoted: false }));
    return [{ line: index + 1, cells }];
  });
}
