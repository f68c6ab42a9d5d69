// The JSON text of a vehicle's rows, hour by hour. Rows are a pure function of seed, vehicle and time, so tests that read the same day
// again, with services of their own, need not make and write its rows again.
import { hourMs } from '../core/durations.js';
import { Shared } from '../core/shared.js';
import type { SnapshotRow } from '../telemetry/telemetry.js';

interface HourText {
  /** The objects of the rows, with commas between them. */
  readonly text: string;
  readonly times: readonly number[];
  /** Where each row ends in the text. */
  readonly ends: readonly number[];
}

/** The limit of the kept text, about a day of five busy vehicles with every field. */
const maxCharacters = 64 * 1024 * 1024;
const bytesPerRow = 16;
const hours = new Shared<HourText>(maxCharacters, ({ text, ends }) => text.length + bytesPerRow * ends.length);

// A shorter period is not worth making a whole hour, and a longer one would displace everything else.
const minPeriodMs = hourMs;
const maxPeriodMs = 31 * 24 * hourMs;

/** The rows of one vehicle, and how they are written. */
export interface WrittenRows {
  readonly rows: (from: number, to: number) => Iterable<SnapshotRow>;
  readonly write: (row: SnapshotRow) => string;
  /**
   * A text that is equal only where rows and writing are equal in this part of the time; null when something changes within it.
   * Without the function no text is kept, and the rows may have any order.
   */
  readonly keyOf: ((from: number, to: number) => string | null) | null;
}

/** Yields the rows from `from` to `to` in their order, as texts of one or more rows with commas between them. */
export function* writtenRows(source: WrittenRows, from: number, to: number): Generator<string> {
  const { keyOf } = source;
  const isKept = keyOf !== null && to - from >= minPeriodMs && to - from <= maxPeriodMs;
  if (!isKept) return yield* writeEach(source, from, to);
  for (let begin = Math.floor(from / hourMs) * hourMs; begin <= to; begin += hourMs) {
    const last = begin + hourMs - 1;
    const key = keyOf(begin, last);
    if (key === null) {
      yield* writeEach(source, Math.max(from, begin), Math.min(to, last));
      continue;
    }
    const hour = hours.get(`${key} ${begin}`, () => writeHour(source, begin, last));
    if (from > begin || to < last) yield* partOf(hour, from, to);
    else if (hour.text !== '') yield hour.text;
  }
}

function* writeEach({ rows, write }: WrittenRows, from: number, to: number): Generator<string> {
  for (const row of rows(from, to)) yield write(row);
}

function writeHour({ rows, write }: WrittenRows, from: number, to: number): HourText {
  const texts: string[] = [];
  const times: number[] = [];
  const ends: number[] = [];
  let end = -1;
  for (const row of rows(from, to)) {
    const text = write(row);
    end += 1 + text.length;
    texts.push(text);
    times.push(row.timestamp);
    ends.push(end);
  }
  return { text: texts.join(','), times, ends };
}

function* partOf({ text, times, ends }: HourText, from: number, to: number): Generator<string> {
  let start = 0;
  for (const [i, end] of ends.entries()) {
    const time = times[i] ?? Number.NaN;
    if (time >= from && time <= to) yield text.slice(start, end);
    start = end + 1;
  }
}
