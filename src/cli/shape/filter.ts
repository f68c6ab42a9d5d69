// Parses and applies `--filter key=value`. The operators are = and !=, ~ (contains, ignoring case), and < <= > >= for numbers and times.
import { CliError } from '../errors/cli-error.js';
import { valueAt } from '../output/field-path.js';
import { compareValues, isTime, sizeOf } from './compare.js';

export interface Filter {
  readonly path: string;
  readonly passes: (row: unknown) => boolean;
}

const form = /^([A-Za-z_][\w.]*)\s*(!=|>=|<=|=|~|<|>)(.*)$/s;

export function parseFilter(text: string): Filter {
  const [, path, operator, value] = form.exec(text) ?? [];
  if (path === undefined || operator === undefined || value === undefined) {
    throw new CliError('USAGE', `--filter ${text} does not have the form key=value.`, {
      hint: 'For example --filter vehicleType.name=Truck; also != ~ (contains) < <= > >=.',
    });
  }
  const test = tests[operator] ?? tests['='];
  return { path, passes: (row) => test?.(valuesAt(row, path), value.trim()) ?? false };
}

type Test = (values: readonly unknown[], operand: string) => boolean;

/** A path through a list gives several values. One match is enough; != matches when no value is equal. */
const tests: Readonly<Record<string, Test>> = {
  '=': (values, operand) => values.some((value) => equals(value, operand)),
  '!=': (values, operand) => !values.some((value) => equals(value, operand)),
  '~': (values, operand) => values.some((value) => textOf(value).toLowerCase().includes(operand.toLowerCase())),
  '<': (values, operand) => values.some((value) => isSet(value) && sizeAgainst(value, operand) < 0),
  '<=': (values, operand) => values.some((value) => isSet(value) && sizeAgainst(value, operand) <= 0),
  '>': (values, operand) => values.some((value) => isSet(value) && sizeAgainst(value, operand) > 0),
  '>=': (values, operand) => values.some((value) => isSet(value) && sizeAgainst(value, operand) >= 0),
};

/** Refuses to order a number or a time against a text: compared alphabetically, the result would be arbitrary. */
function sizeAgainst(value: unknown, operand: string): number {
  if (sizeOf(operand) === null && (typeof value === 'number' || isTime(value))) {
    const isNumber = typeof value === 'number';
    throw new CliError(
      'USAGE',
      `--filter compares a ${isNumber ? 'number' : 'time'} with "${operand}", which is not a ${isNumber ? 'number' : 'time'}.`,
      {
        hint: isNumber ? 'Give a number, such as 2020 or 0.5.' : 'Give a time, such as 2026-03-01T08:30:00Z.',
      },
    );
  }
  return compareValues(value, operand);
}

function valuesAt(row: unknown, path: string): readonly unknown[] {
  const value = valueAt(row, path);
  return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
}

/** An empty text or `null` matches a missing value. Numbers are compared as numbers, so 7 equals 7.0. */
function equals(value: unknown, operand: string): boolean {
  if (!isSet(value)) return operand === '' || operand === 'null';
  if (typeof value === 'number') return operand !== '' && value === Number(operand);
  return textOf(value) === operand;
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
