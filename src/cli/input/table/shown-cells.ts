// Reads displayed texts of errors and formatted numbers, which the workbook library does not
// support. Also finds the size of the sheet, because the library allocates all cells up to the last
// one.
import { strFromU8, unzipSync } from 'fflate';
import { shownNumber } from './shown-number.js';

const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

interface ShownCells {
  /** The number of cells up to the last one, including empty ones. */
  readonly places: number;
  readonly last: string;
  /** The displayed texts of errors and formatted numbers, by zero-based row and column: `3:0`. */
  readonly texts: ReadonlyMap<string, string>;
}

const tags = (names: string) =>
  new RegExp(String.raw`<(?:[\w.-]+:)?(${names})(?=[\s/>])([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>`, 'g');
const elementsOf = (xml: string, name: string) =>
  [...xml.replace(/<!--.*?-->/gs, '').matchAll(tags(name))].map(([, , text = '']) => attributesIn(text));

export function shownCells(workbook: Uint8Array): ShownCells {
  const parts = unzipSync(workbook, { filter: ({ name }) => /\.(xml|rels)$/.test(name) });
  const textOf = (path: string) => {
    const part = parts[path];
    if (part === undefined) throw new Error(`${path} is missing`);
    return strFromU8(part);
  };
  const files = filesOf(textOf('xl/workbook.xml'), textOf('xl/_rels/workbook.xml.rels'));
  const formats = files.styles === undefined ? [] : formatsOf(textOf(files.styles));
  return cellsOf(textOf(files.sheet), formats);
}

function filesOf(workbook: string, relations: string): { readonly sheet: string; readonly styles: string | undefined } {
  const [first] = elementsOf(workbook, 'sheet');
  const found = elementsOf(relations, 'Relationship');
  const pathOf = (relation: ReadonlyMap<string, string> | undefined) => {
    const target = relation?.get('Target');
    return target?.startsWith('/') ? target.slice(1) : target && `xl/${target}`;
  };
  const sheet = pathOf(found.find((relation) => relation.get('Id') === first?.get('id')));
  if (sheet === undefined) throw new Error('there is no sheet');
  return { sheet, styles: pathOf(found.find((relation) => relation.get('Type')?.endsWith('/styles'))) };
}

function formatsOf(styles: string): readonly (string | null)[] {
  const codes = new Map<string, string>(builtIn);
  for (const format of elementsOf(styles, 'numFmt')) {
    codes.set(format.get('numFmtId') ?? '', format.get('formatCode') ?? '');
  }
  const [own = ''] = /<(?:[\w.-]+:)?cellXfs[\s>].*?<\/(?:[\w.-]+:)?cellXfs>/s.exec(styles) ?? [];
  return elementsOf(own, 'xf').map((xf) => codes.get(xf.get('numFmtId') ?? '') ?? null);
}

/** The built-in number formats that change the displayed number, by id. */
const builtIn = [
  ['1', '0'],
  ['2', '0.00'],
  ['9', '0%'],
  ['10', '0.00%'],
] as const;

function cellsOf(sheet: string, formats: readonly (string | null)[]): ShownCells {
  const texts = new Map<string, string>();
  let [rows, columns, last] = [0, 0, ''];
  for (const { 1: name, 2: text = '', index, 0: tag } of sheet.matchAll(tags('row|c'))) {
    const attributes = attributesIn(text);
    const place = attributes.get('r');
    if (place === undefined && name === 'row') continue;
    const [, letters = '', digits = ''] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place ?? '') ?? [];
    const [row, column] = [Number(digits), columnNumber(letters)];
    if (row < 1 || row > LAST_ROW || column > LAST_COLUMN) throw new Error(`${tag}: there is no such place`);
    if (name === 'row' || text.endsWith('/')) continue;
    if (row > rows || column > columns) last = `${place}`;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
    const type = attributes.get('t') ?? 'n';
    const format = formats[Number(attributes.get('s'))] ?? null;
    if (type !== 'e' && (type !== 'n' || format === null)) continue;
    const value = valueAfter(sheet, index + tag.length);
    const shown = type === 'e' ? value : value && shownNumber(Number(value), format ?? '');
    if (shown) texts.set(`${row - 1}:${column - 1}`, shown);
  }
  return { places: rows * columns, last, texts };
}

/** Returns the text of the element `v` in the cell that starts before `at`. */
function valueAfter(sheet: string, at: number): string | undefined {
  const valueOrEnd = /<(?:[\w.-]+:)?v(?:\s[^>]*)?>([^<]*)<|<\/(?:[\w.-]+:)?c\s*>/g;
  valueOrEnd.lastIndex = at;
  return valueOrEnd.exec(sheet)?.[1];
}

function columnNumber(letters: string): number {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + letters.charCodeAt(at) - 64;
  return number;
}

/** Returns the attributes by name without prefix; throws for a duplicate, as the library does. */
function attributesIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', one, other] of text.matchAll(
    /(?:(?!xmlns)[\w.-]+:)?([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
  )) {
    if (found.has(name)) throw new Error(`${name} occurs twice`);
    found.set(name, decoded(one ?? other ?? ''));
  }
  return found;
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(quot|apos|lt|gt|amp|#\d+|#x[\da-f]+);/gi, (_, entity: string) => entityText(entity));
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function entityText(entity: string): string {
  if (!entity.startsWith('#')) return entities[entity] ?? '';
  const code = entity.slice(1);
  return String.fromCodePoint(/^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code));
}
