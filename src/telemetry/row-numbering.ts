// Numbers the rows of one vehicle that share a millisecond, so that vehicle, time and ordinal are a
// key. The ordinal depends on the content of those rows, not on their order. Therefore it is equal
// in every period that contains them, and after an interruption.
import type { Timestamp } from '../core/dates.js';
import { subMillisecondsOf, timestampMs, timestampOf } from './timestamps.js';

/** The member that streams add to rows. A type alias: declaration files can inline it. */
export type NumberedRow = {
  /**
   * The position of the row among the rows of its vehicle and millisecond, from 0. Vehicle,
   * `timestamp` and `ordinal` are a key of the row, also when the service sends a row twice. A row
   * without a timestamp has 0.
   */
  readonly ordinal: number;
};

/** Writes `ordinal` into the rows of one vehicle, which arrive in order of time. */
export class RowNumbering {
  #timestamp: Timestamp = '';
  #isPlain = false;
  /** The rows of the newest millisecond: nearly always one. */
  #first: object | null = null;
  #others: object[] = [];

  add(row: unknown, timestamp: Timestamp | null): void {
    if (typeof row !== 'object' || row === null) return;
    setOrdinal(row, 0);
    if (timestamp === null) return;
    const isPlain = isPlainText(timestamp);
    const isSame =
      timestamp === this.#timestamp || (!(isPlain && this.#isPlain) && isSameMoment(timestamp, this.#timestamp));
    if (isSame && this.#first !== null) this.#others.push(row);
    else {
      this.end();
      this.#first = row;
      this.#timestamp = timestamp;
      this.#isPlain = isPlain;
    }
  }

  /** Numbers the rows of the newest millisecond, once they are complete. */
  end(): void {
    if (this.#first === null || this.#others.length === 0) return;
    const [other, another] = this.#others;
    if (other && !another) {
      this.#others = [];
      const order = compareRows(this.#first, other);
      setOrdinal(order <= 0 ? other : this.#first, 1);
      return;
    }
    const rows = [this.#first, ...this.#others].sort(compareRows);
    this.#others = [];
    for (const [at, row] of rows.entries()) setOrdinal(row, at);
  }
}

const SECONDS_LENGTH = '2026-03-01T12:00:00'.length;
const MILLISECONDS_LENGTH = '2026-03-01T12:00:00.000'.length;
const POINT = 0x2e;
const LETTER_Z = 0x5a;

/** True for the usual form of a timestamp. Two that differ are not in one millisecond. */
function isPlainText(timestamp: Timestamp): boolean {
  return (
    typeof timestamp === 'string' &&
    timestamp.length === MILLISECONDS_LENGTH + 1 &&
    timestamp.charCodeAt(SECONDS_LENGTH) === POINT &&
    timestamp.charCodeAt(MILLISECONDS_LENGTH) === LETTER_Z
  );
}

/** Compares texts with a fraction and an equal offset as text; other timestamps as times. */
function isSameMoment(one: Timestamp, other: Timestamp): boolean {
  return hasMilliseconds(one) && hasMilliseconds(other) && haveSameOffset(one, other)
    ? one.startsWith(other.slice(0, MILLISECONDS_LENGTH))
    : timestampMs(one) === timestampMs(other);
}

function hasMilliseconds(timestamp: Timestamp): timestamp is string {
  return (
    typeof timestamp === 'string' &&
    timestamp.length > MILLISECONDS_LENGTH &&
    timestamp.charCodeAt(SECONDS_LENGTH) === POINT
  );
}

function haveSameOffset(one: string, other: string): boolean {
  return (one.endsWith('Z') && other.endsWith('Z')) || one.slice(-'+05:30'.length) === other.slice(-'+05:30'.length);
}

/**
 * Compares the rows of a millisecond, without their `ordinal`. Returns 0 for equal rows only. Time
 * comes first: a period that ends within the millisecond has its first rows, with equal numbers.
 */
export function compareRows(one: object, other: object): number {
  return (
    compareTexts(subMillisecondsOf(timestampOf(one)), subMillisecondsOf(timestampOf(other))) ||
    compareMembers(one, other, sentNames(one), sentNames(other))
  );
}

function sentNames(row: object): string[] {
  return Object.keys(row).filter((name) => name !== 'ordinal');
}

function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return kind - kindOf(other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string')
    return compareAsNumbers(one, other) || compareTexts(one, other);
  return compareMembers(Object(one), Object(other), Object.keys(Object(one)), Object.keys(Object(other)));
}

/** Values of different types are ordered by their first character in JSON. */
function kindOf(value: unknown): number {
  if (typeof value === 'string') return 0;
  if (typeof value === 'number') return 1;
  if (typeof value === 'boolean') return value ? 5 : 3;
  if (value === null) return 4;
  return Array.isArray(value) ? 2 : 6;
}

function compareMembers(one: object, other: object, names: readonly string[], otherNames: readonly string[]): number {
  let at = 0;
  for (const name of names) {
    const difference =
      compareTexts(name, otherNames[at++] ?? '') || compare(Reflect.get(one, name), Reflect.get(other, name));
    if (difference !== 0) return difference;
  }
  return names.length - otherNames.length;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Compares numbers in text as numbers: the order must not depend on the type of a number. */
function compareAsNumbers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [NUMBER.test(one), NUMBER.test(other)];
  return isNumber && isOtherNumber ? Number(one) - Number(other) : Number(isOtherNumber) - Number(isNumber);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function setOrdinal(row: object, ordinal: number): void {
  // The rows come from JSON.parse and belong to the stream until delivery.
  (row as { ordinal: number }).ordinal = ordinal;
}
