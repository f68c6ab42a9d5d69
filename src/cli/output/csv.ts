// Comma-separated values as in RFC 4180, but with LF: a header line, and quotes where needed.
// Values are exact, with three exceptions: control characters are escaped on a terminal,
// --safe-csv defuses formulas, and --time-zone makes times local. `apply` reads such headings.

import { isSecondTime, offsetAt } from '../../core/time-zone.js';
import { escapeControls } from '../io/plain-text.js';
import { localTime } from '../time/local-time.js';
import { cellText, valueAt } from './field-path.js';
import type { Format } from './format.js';
import { isTerminal, type RenderOptions } from './render-options.js';
import type { View } from './view.js';

export function csvCell(text: string): string {
  // As an input, null without quotes clears a member.
  return /[",\r\n]|^\s|\s$|^null$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function line(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

/** What makes a spreadsheet run a cell as a formula: these characters, their full-width forms, and a tab or line break, after white space. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
const number = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Puts a quote before a formula. Numbers stay as they are, negative ones too. */
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

/** Without an offset where the title names the zone, except in the hour that occurs twice when clocks go back. */
function timeText(moment: number, { zone, headers }: RenderOptions): string {
  const isClear = headers && !isSecondTime(moment, zone);
  return localTime(moment, 'exact', { zone, offset: isClear ? offsetAt(moment, zone) : null });
}

export const csv: Format = {
  async *rows(rows, view, options) {
    const times = timesOf(view, options);
    // The header is written with the first row, so that a failure before it leaves no output.
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
 * A title names the zone of its times, and not their offset, which changes twice a year: programs read columns by their titles. Other values
 * have their unit there where the name of the field does not tell it.
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
