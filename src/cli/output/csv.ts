// The csv format: RFC 4180, but with LF, a header line, and quotes where needed. `apply` reads it.
// Values are exact, except for escapes on a terminal, --safe-csv and --time-zone.

import { isSecondTime, offsetAt } from '../../core/time-zone.js';
import { escapeControls } from '../io/plain-text.js';
import { localTime } from '../time/format-time.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { isTerminal, type RenderOptions } from './render-options.js';
import type { View } from './view.js';

export function csvCell(text: string): string {
  // In an input file, null without quotes clears a member.
  return /[",\r\n]|^\s|\s$|^null$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

/** Text that a spreadsheet runs as a formula; the characters also have full-width forms. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Returns the text with a quote before a formula. Numbers are unchanged, negative ones too. */
export function safeText(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

type Times = ReadonlyMap<string, (row: unknown) => number | null>;

function lineOf(row: unknown, fields: readonly string[], times: Times, options: RenderOptions): string {
  const cells = fields.map((field) => {
    const moment = times.get(field)?.(row) ?? null;
    if (moment !== null) return timeText(moment, options);
    const value = valueAt(row, field);
    const text = cellText(value);
    return options.safeCsv && typeof value !== 'number' ? safeText(text) : text;
  });
  return line(isTerminal(options) ? cells.map(escapeControls) : cells);
}

/** Omits the offset when the title names the zone, except in the hour that occurs twice. */
function timeText(moment: number, { zone, headers }: RenderOptions): string {
  const isClear = headers && !isSecondTime(moment, zone);
  return localTime(moment, 'exact', { zone, offset: isClear ? offsetAt(moment, zone) : null });
}

export const csv: Format = {
  async *rows(rows, view, options) {
    const times = timesOf(view, options);
    // The header is written with the first row, so that an earlier failure leaves no output.
    let head = headOf(view, times, options);
    let isEmpty = true;
    for await (const row of rows) {
      yield head + lineOf(row, view.fields, times, options);
      head = '';
      isEmpty = false;
    }
    if (isEmpty && options.headers) yield headOf(view, new Map(), options);
  },
  *record(record, view, options) {
    const times = timesOf(view, options);
    yield headOf(view, times, options);
    yield lineOf(record, view.fields, times, options);
  },
};

/**
 * Returns the header line, with zones and units. A zone, not its offset: programs read columns by
 * title, and the offset changes twice a year.
 */
function headOf<Row>({ fields, units }: View<Row>, times: Times, options: RenderOptions): string {
  const { headers, zone } = options;
  if (!headers) return '';
  const titles = fields.map((field) => {
    const unit = zone !== undefined && times.has(field) ? zone : units?.get(field);
    return unit === undefined ? field : `${field} (${unit})`;
  });
  return line(titles);
}

function timesOf<Row>({ times }: View<Row>, { hasZone }: RenderOptions): Times {
  return hasZone && times ? times : new Map();
}
