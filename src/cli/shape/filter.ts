// `--filter key=value`: which rows stay. Beside equality: != (differs), ~ (contains, without regard to case), and < <= > >= for
// numbers and times.
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
    throw new CliError('USAGE', `--filter ${text} is not of the form key=value.`, {
      hint: 'For example --filter vehicleType.name=Truck; also != ~ (contains) < <= > >=.',
    });
  }
  const test = tests[operator] ?? tests['='];
  return { path, passes: (row) => test?.(valuesAt(row, path), value.trim()) ?? false };
}

type Test = (values: readonly unknown[], wanted: string) => boolean;

/** A path through lists has many values; one that fits is enough, and "differs" means that none is equal. */
const tests: Readonly<Record<string, Test>> = {
  '=': (values, wanted) => values.some((value) => equals(value, wanted)),
  '!=': (values, wanted) => !values.some((value) => equals(value, wanted)),
  '~': (values, wanted) => values.some((value) => textOf(value).toLowerCase().includes(wanted.toLowerCase())),
  '<': (values, wanted) => values.some((value) => isSet(value) && sizeAgainst(value, wanted) < 0),
  '<=': (values, wanted) => values.some((value) => isSet(value) && sizeAgainst(value, wanted) <= 0),
  '>': (values, wanted) => values.some((value) => isSet(value) && sizeAgainst(value, wanted) > 0),
  '>=': (values, wanted) => values.some((value) => isSet(value) && sizeAgainst(value, wanted) >= 0),
};

/** A number or a time and a text that is neither have no order; by their letters any row could pass. */
function sizeAgainst(value: unknown, wanted: string): number {
  if (sizeOf(wanted) === null && (typeof value === 'number' || isTime(value))) {
    const isNumber = typeof value === 'number';
    throw new CliError(
      'USAGE',
      `--filter compares a ${isNumber ? 'number' : 'time'} with "${wanted}", which is none.`,
      {
        hint: isNumber ? 'Give a number, such as 2020 or 0.5.' : 'Write the time such as 2026-03-01T08:30:00Z.',
      },
    );
  }
  return compareValues(value, wanted);
}

function valuesAt(row: unknown, path: string): readonly unknown[] {
  const value = valueAt(row, path);
  return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
}

/** Nothing is wanted by an empty text or `null`; numbers are compared as numbers, so 7 is 7.0. */
function equals(value: unknown, wanted: string): boolean {
  if (!isSet(value)) return wanted === '' || wanted === 'null';
  if (typeof value === 'number') return wanted !== '' && value === Number(wanted);
  return textOf(value) === wanted;
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
