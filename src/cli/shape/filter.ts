// Parses and applies --filter: = and != (with * and |), ~ (contains), and < <= > >= for numbers and
// times. Texts are compared like names of records: ignoring case and Unicode form.
import { readFlag, readNumber } from '../../telemetry/readings.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { CliError } from '../errors/cli-error.js';
import { valueAt } from '../output/field-path.js';
import { caseless, comparable } from '../records/names.js';
import { comparableSize, comparableText, compareValues, isTime, momentIn } from './compare.js';

export interface Filter {
  readonly path: string;
  readonly passes: (row: unknown) => boolean;
}

export interface FilterField {
  /** `age`: a time shown as its age. A missing value counts as the oldest time. */
  readonly kind: 'boolean' | 'number' | 'time' | 'age' | 'text' | 'record';
  readonly parts?: readonly string[];
  /** All possible values; null for any value. */
  readonly values: readonly string[] | null;
  readonly readValue: (row: unknown) => unknown;
  /** Parses a time in milliseconds, also `-30m`; null if invalid. */
  readonly momentOf: (text: string) => number | null;
}

/** The end of the help text of the most filtered lists. */
export const filterHelp = `

Filters (in quotes, because of < > | and *):
  "status=moving|idling"         one of several; also a column of the table: status, seen
  "name=Van*"  "name~van"        a pattern; a part, ignoring case
  "createdAt>=monday"            times as in --from
  "seen>30m"  "seen<-30m"        not seen for 30 minutes, or never
  deactivated=no                 yes and no for true and false
  assignedGroups=                nothing in it; != something in it`;

const form = /^([A-Za-z_][\w.]*)\s*(!=|>=|<=|=|~|<|>)(.*)$/s;

/** Parses a filter. `fieldOf` throws for a path that does not exist; `value` is for its hint. */
export function parseFilter(text: string, fieldOf: (path: string, value: string) => FilterField = anyField): Filter {
  const [, path, operator, value] = form.exec(text) ?? [];
  if (path === undefined || operator === undefined || value === undefined) {
    throw new CliError('USAGE', `--filter ${text} does not have the form key=value.`, {
      hint: 'For example --filter "status=moving", --filter "place=Depot*" or --filter "vehicleType.name=Truck"; also != ~ (contains) < <= > >=. Without quotes the shell takes < and > for itself.',
    });
  }
  const operand = value.trim();
  const field = fieldOf(path, operand);
  if (field.kind === 'record') checkRecord(operator, operand, path, field.parts ?? []);
  const test = testOf(operator, operand, path, field);
  return { path, passes: (row) => test(valuesIn(field.readValue(row))) };
}

function anyField(path: string): FilterField {
  return { kind: 'text', values: null, readValue: (row) => valueAt(row, path), momentOf: () => null };
}

type Test = (values: readonly unknown[]) => boolean;

/** Returns the test of a filter. Of several values one must match; for != none may be equal. */
function testOf(operator: string, operand: string, path: string, field: FilterField): Test {
  switch (operator) {
    case '~': {
      const parts = alternatives(operand).map(caseless);
      return (values) => values.some((value) => parts.some((part) => caseless(comparableText(value)).includes(part)));
    }
    case '=':
    case '!=': {
      checkValues(operand, path, field);
      const matches = equalityTest(operand, path, field);
      return operator === '=' ? (values) => values.some(matches) : (values) => !values.some(matches);
    }
    default: {
      const order = orderOf(operator);
      if (field.kind === 'age') return ageTest(operator, operand, path, field);
      const moment = field.kind === 'time' ? requireMoment(operand, path, field) : null;
      if (field.kind === 'number') requireSize(operand, true);
      return (values) =>
        values.some(
          (value) =>
            isSet(value) && order(moment === null ? compareSize(value, operand) : compareTime(value, moment())),
        );
    }
  }
}

/** `seen>1d` compares ages, `seen<-1d` times. Both match what was seen over a day ago or never. */
function ageTest(operator: string, operand: string, path: string, field: FilterField): Test {
  const isAge = /^[\d.]+[a-z]+$/i.test(operand) && field.momentOf(`-${operand}`) !== null;
  if (!isAge) requireAgeOrTime(operand, path, field);
  const moment = requireMoment(isAge ? `-${operand}` : operand, path, field);
  const order = orderOf(operator);
  const passes = (difference: number) => order(isAge ? -difference : difference);
  return (values) =>
    values.some((value) => passes(isSet(value) ? compareTime(value, moment()) : Number.NEGATIVE_INFINITY));
}

/** A number below this is an age without a unit, not a time. */
const FIRST_MOMENT = Date.UTC(2000, 0, 1);

function requireAgeOrTime(operand: string, path: string, { momentOf }: FilterField): void {
  if (momentOf(operand) !== null || (timestampMs(operand) ?? 0) >= FIRST_MOMENT) return;
  throw new CliError('USAGE', `--filter compares a time with "${operand}", which is neither a time nor an age.`, {
    hint: `Give an age, such as 30m or 1d: --filter "${path}>1d". Or a time, such as yesterday: --filter "${path}<yesterday".`,
  });
}

function orderOf(operator: string): (difference: number) => boolean {
  if (operator === '<') return (difference) => difference < 0;
  if (operator === '<=') return (difference) => difference <= 0;
  return operator === '>' ? (difference) => difference > 0 : (difference) => difference >= 0;
}

/** Returns the whole text, and its parts between `|`: a value may contain the character itself. */
function alternatives(operand: string): readonly string[] {
  const parts = operand.split('|').map((part) => part.trim());
  return parts.length > 1 ? [operand, ...parts.filter((part) => part !== '')] : [operand];
}

/** Throws for a value that the field never has: it would silently match nothing. */
function checkValues(operand: string, path: string, field: FilterField): void {
  const { kind, values } = field;
  if (kind === 'age' && operand !== '' && operand !== 'null' && !operand.includes('*')) {
    for (const text of operand.split('|')) requireAgeOrTime(text.trim(), path, field);
  }
  const all = kind === 'boolean' ? ['yes', 'no', 'true', 'false'] : values;
  if (all === null) return;
  const isPossible = (text: string) =>
    text === '' ||
    text === 'null' ||
    all.some((value) => value.toLowerCase() === text.toLowerCase() || patternOf(text)?.(value));
  const wrong = operand
    .split('|')
    .map((part) => part.trim())
    .find((part) => !isPossible(part));
  if (wrong === undefined) return;
  const suggested = expandValues(wrong, all);
  throw new CliError('USAGE', `--filter: ${path} is never "${wrong}".`, {
    hint: `${suggested.length === 0 ? '' : `Write --filter "${path}=${suggested.join('|')}". `}Its values are ${all.join(', ')}.`,
  });
}

/** Common words for several values. */
const valueGroups: ReadonlyMap<string, readonly string[]> = new Map([['silent', ['stale', 'offline', 'unknown']]]);

/** Returns the values of a list, or of a word for several values; empty if one is invalid. */
function expandValues(text: string, all: readonly string[]): readonly string[] {
  const found = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .map((part) => valueGroups.get(part) ?? all.filter((value) => value.toLowerCase() === part));
  const values = found.flat();
  return found.some((part) => part.length === 0) || !values.every((value) => all.includes(value)) ? [] : values;
}

/** Throws unless a record is only tested for existence: other tests silently match nothing. */
function checkRecord(operator: string, operand: string, path: string, parts: readonly string[]): void {
  if ((operator === '=' || operator === '!=') && (operand === '' || operand === 'null')) return;
  const field = parts.find((part) => /\.(name|value|serial)$/.test(part)) ?? parts[0] ?? path;
  throw new CliError('USAGE', `--filter: ${path} holds records, which have no value of their own.`, {
    hint: `Name one of their fields: --filter "${field}${operator}${operand}". With nothing after =, the filter finds rows that have none.`,
  });
}

function equalityTest(
  operand: string,
  path: string,
  { kind, values, momentOf }: FilterField,
): (value: unknown) => boolean {
  const texts = alternatives(operand);
  const form = namesRecord.test(path) ? 'name' : 'text';
  const comparables = new Set(
    kind === 'text' ? texts.filter((text) => text !== '').map((text) => comparable(text, form)) : [],
  );
  const patterns = texts.flatMap((text) => patternOf(text) ?? []);
  const anyCase = values !== null;
  // Refuses a time that clocks skip before anything is sent.
  if (kind === 'time' || kind === 'age') for (const text of texts) momentOf(text);
  return (value) =>
    texts.some((text) => {
      const flag = kind === 'boolean' && text !== '' ? readFlag(value) : null;
      if (typeof flag === 'boolean') return flag === /^(yes|true)$/i.test(text);
      if ((kind === 'time' || kind === 'age') && isSet(value) && text !== '') {
        const moment = momentOf(text);
        return moment === null ? equals(value, text) : compareTime(value, moment) === 0;
      }
      return (
        equals(kind === 'number' ? (readNumber(value) ?? value) : value, text) ||
        (anyCase && comparableText(value).toLowerCase() === text.toLowerCase() && isSet(value))
      );
    }) ||
    (typeof value === 'string' && comparables.has(comparable(value, form))) ||
    (isSet(value) && patterns.some((matches) => matches(comparableText(value))));
}

/** Fields with names of records: numbers in them are compared by value. */
const namesRecord = /(^|\.)(name|firstName|lastName|vehicle|driver|holder|geofence|place|nearestPlace|group|parent)$/;

/** Returns a test for `Van*`, ignoring case; null for a text without a star. */
function patternOf(text: string): ((value: string) => boolean) | null {
  const [first = '', ...parts] = caseless(text).split('*');
  const last = parts.pop();
  if (last === undefined) return null;
  return (value) => {
    const whole = caseless(value);
    const end = whole.length - last.length;
    if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
    // The first match of each part leaves the most room for the next one: no backtracking.
    let at = first.length;
    for (const part of parts) {
      const found = whole.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

/** Checks the time early, and parses it again for each row: `-30m` moves with the clock. */
function requireMoment(operand: string, path: string, { momentOf }: FilterField): () => number {
  const read = () => momentOf(operand) ?? timestampMs(operand);
  if (read() === null) requireSize(operand, false, path);
  return () => read() ?? Number.NaN;
}

function requireSize(operand: string, isNumber: boolean, path?: string): void {
  if (isNumber && comparableSize(operand) !== null) return;
  throw new CliError(
    'USAGE',
    `--filter compares a ${isNumber ? 'number' : 'time'} with "${operand}", which is not a ${isNumber ? 'number' : 'time'}.`,
    {
      hint: isNumber
        ? 'Give a number, such as 2020 or 0.5.'
        : `Give a time, such as 2026-03-01T08:30:00Z, yesterday or -30m${path === undefined ? '' : `: --filter "${path}<-30m"`}.`,
    },
  );
}

/** Returns NaN, which no comparison accepts, for a value that is no time. */
function compareTime(value: unknown, moment: number): number {
  const time = momentIn(value);
  return time === null ? Number.NaN : time - moment;
}

/** Throws for a number or a time compared with a text: alphabetical order would be arbitrary. */
function compareSize(value: unknown, operand: string): number {
  if (comparableSize(operand) === null && (typeof value === 'number' || isTime(value))) {
    requireSize(operand, typeof value === 'number');
  }
  return compareValues(value, operand);
}

/** An empty list is a missing value. */
function valuesIn(value: unknown): readonly unknown[] {
  const values = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
  return values.length === 0 ? [null] : values;
}

/** Empty or `null` matches a missing value. Numbers are compared as numbers: 7 equals 7.0. */
function equals(value: unknown, operand: string): boolean {
  if (!isSet(value)) return operand === '' || operand === 'null';
  if (typeof value === 'number') return operand !== '' && value === Number(operand);
  return comparableText(value) === operand;
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}
