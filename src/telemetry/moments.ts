// Numbers the snapshots of one moment. Services send several snapshots of the same millisecond, so vehicle and time are no key of a snapshot;
// with the number they are. The number follows from what the snapshots of the moment contain, not from the order in which they are sent. So
// it is the same in every period that contains the moment, and after an interruption.
import type { Timestamp } from '../core/dates.js';
import { finerTimeOf, timestampMs, timestampOf } from './timestamps.js';

/** What a stream adds to each row. No interface: TypeScript writes a type out in declarations of programs, which cannot name this one. */
export type Numbered = {
  /**
   * The number of the row among the rows of its vehicle and millisecond, from 0. Vehicle, `timestamp` and `ordinal` are a key of the row, also
   * where the service answers a row twice. A row without a timestamp has 0.
   */
  readonly ordinal: number;
};

/** Writes `ordinal` into the rows of one vehicle, which come in order of time. */
export class Moments {
  /** The newest one. */
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

  /** All rows of the newest millisecond are there. */
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

/** Nearly all timestamps. Two of them that differ are not of the same millisecond. */
function isPlainText(timestamp: Timestamp): boolean {
  return (
    typeof timestamp === 'string' &&
    timestamp.length === MILLISECONDS_LENGTH + 1 &&
    timestamp.charCodeAt(SECONDS_LENGTH) === POINT &&
    timestamp.charCodeAt(MILLISECONDS_LENGTH) === LETTER_Z
  );
}

/** Texts with a fraction and the same offset are compared; other timestamps are read. */
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
 * Compares the rows of a millisecond: by time first, because a period that ends within the millisecond has the first of its rows, and they
 * have the same numbers there. The `ordinal` that a stream gave them does not count. Returns 0 for equal rows only.
 */
export function compareRows(one: object, other: object): number {
  return (
    compareTexts(finerTimeOf(timestampOf(one)), finerTimeOf(timestampOf(other))) ||
    compareMembers(one, other, sentNames(one), sentNames(other))
  );
}

function sentNames(row: object): string[] {
  return Object.keys(row).filter((name) => name !== 'ordinal');
}

/** Compares values that come from JSON: 0 for equal ones only. */
function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return kind - kindOf(other);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string')
    return compareAsNumbers(one, other) || compareTexts(one, other);
  return compareMembers(Object(one), Object(other), Object.keys(Object(one)), Object.keys(Object(other)));
}

/** Values of different kinds have the order of their first characters in JSON. */
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

/** Numbers as text have the order of numbers, before other texts. So rows have the same order whether numbers come as text or not. */
function compareAsNumbers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [NUMBER.test(one), NUMBER.test(other)];
  return isNumber && isOtherNumber ? Number(one) - Number(other) : Number(isOtherNumber) - Number(isNumber);
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function setOrdinal(row: object, ordinal: number): void {
  // The rows come from JSON.parse and belong to the stream until they are delivered.
  (row as { ordinal: number }).ordinal = ordinal;
}
