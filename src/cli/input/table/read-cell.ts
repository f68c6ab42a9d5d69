// Parses a cell by the type of its column. An empty cell is omitted; `null` clears the member.
import { isObject } from '../../../core/json.js';
import { safeText } from '../../output/csv.js';
import { isTooDeep, MAX_LEVELS } from '../../parse/nesting.js';
import { parseAbsolute } from '../../parse/time.js';
import { yesOrNo } from '../../parse/yes-or-no.js';
import type { DelimitedCell } from './delimited.js';

type CellReading =
  | { readonly value: unknown; readonly unquoted?: true }
  | { readonly empty: true }
  | { readonly problem: string };

export interface CellRules {
  /** IANA name, offset in milliseconds, or undefined for the machine. */
  readonly zone: string | number | undefined;
  /** True when `1,5` is a number, in tables with another delimiter than a comma. */
  readonly decimalComma: boolean;
}

/** Errors of spreadsheets in any language, and the `###` of a number in a narrow column. */
const SPREADSHEET_ERROR = /^#(?:[¡¿]?[\p{Lu}\d/_]+[!?]|\p{Lu}\/\p{Lu}|NV|YOK|HIÁNYZIK|GETTING_DATA|#+)$/u;

export function readCell({ text, quoted, shown }: DelimitedCell, type: string, rules: CellRules): CellReading {
  const trimmed = text.trim();
  if (trimmed === '') return { empty: true };
  if (!quoted && SPREADSHEET_ERROR.test(trimmed)) {
    return {
      problem: `the spreadsheet shows ${trimmed} there: correct its formula or widen its column, or empty the cell`,
    };
  }
  const isList = type.startsWith('[');
  if (trimmed === 'null' && !quoted) return { value: isList ? [] : null };
  const plain = type.replace(/[[\]!]/g, '');
  if (isList) return listIn(shown ?? trimmed, plain);
  switch (plain) {
    case 'Boolean':
      return flagIn(trimmed);
    case 'Int':
    case 'Long':
    case 'Float':
      return numberIn(trimmed, plain === 'Float', rules);
    case 'DateTime':
      return timeIn(trimmed, rules);
    case 'UUID':
      return textIn(shown ?? trimmed);
    case 'String':
      return textIn(shown ?? (quoted ? text : trimmed));
    default:
      return jsonIn(trimmed, plain === 'JSON' ? null : 'object');
  }
}

function textIn(text: string): CellReading {
  // Spreadsheets write long numbers, such as phone numbers, like this, and lose their last digits.
  if (/^-?\d([.,]\d+)?E\+\d\d+$/.test(text)) {
    return {
      problem: 'a spreadsheet has rounded this number: format the column as text there, and enter the value again',
    };
  }
  // Removes the quote that --safe-csv has put before a formula.
  const rest = text.slice(1);
  return text.startsWith("'") && safeText(rest) === text ? { value: rest, unquoted: true } : { value: text };
}

function flagIn(text: string): CellReading {
  const value = yesOrNo(text);
  return value === null ? { problem: 'write yes or no' } : { value };
}

function numberIn(text: string, hasFraction: boolean, { decimalComma }: CellRules): CellReading {
  const hint = /\d[.,\s]\d{3}\b/.test(text) ? ', without separators between thousands' : '';
  const point = decimalComma && /^[+-]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text;
  if (!/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(point)) {
    return { problem: `write a ${hasFraction ? 'number such as 12.5' : 'whole number'}${hint}` };
  }
  const value = Number(point);
  return hasFraction || Number.isSafeInteger(value) ? { value } : { problem: `write a whole number${hint}` };
}

/** Parses an absolute time. No words such as `yesterday`: the file may be used again later. */
function timeIn(text: string, { zone }: CellRules): CellReading {
  const moment = parseAbsolute(text, zone);
  if (moment !== null) return { value: new Date(moment).toISOString() };
  if (parseAbsolute(text, 'UTC') !== null) {
    return {
      problem:
        'clocks skip this time when daylight saving time begins: write another one, or its offset, such as 2026-03-01T08:30+02:00',
    };
  }
  return { problem: 'write a time such as 2026-03-01 08:30 or 2026-03-01T08:30:00Z' };
}

/** Parses texts separated by `;`, or a JSON array. A list of objects must be JSON. */
function listIn(text: string, member: string): CellReading {
  const isText = member === 'UUID' || member === 'String';
  if (text.startsWith('[') || !isText) return jsonIn(text, 'array');
  const members = text.split(';').map((part) => part.trim());
  return { value: members.filter((part) => part !== '') };
}

function jsonIn(text: string, form: 'object' | 'array' | null): CellReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `write JSON${form === null ? '' : `: an ${form}`}` };
  }
  const isArray = Array.isArray(value);
  if (isTooDeep(value)) return { problem: `it is nested deeper than ${MAX_LEVELS} levels` };
  const fits = form === null || (form === 'array' ? isArray : isObject(value));
  return fits ? { value } : { problem: `write JSON: an ${form}` };
}
