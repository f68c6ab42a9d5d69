// Caches the JSON text of a vehicle's rows by hour, shared by the services of several tests.
import { hourMs } from '../core/durations.js';
import { SharedCache } from '../core/shared-cache.js';
import type { TelemetryRow } from '../telemetry/telemetry.js';

interface HourText {
  /** The rows as JSON, separated by commas. */
  readonly text: string;
  readonly times: readonly number[];
  /** End offset of each row in the text. */
  readonly ends: readonly number[];
}

/** Cache size: about a day of five busy vehicles with every field. */
const maxCharacters = 64 * 1024 * 1024;
const bytesPerRow = 16;
const hours = new SharedCache<HourText>(maxCharacters, ({ text, ends }) => text.length + bytesPerRow * ends.length);

// A shorter period does not need a whole hour; a longer one would evict everything else.
const minPeriodMs = hourMs;
const maxPeriodMs = 31 * 24 * hourMs;

export interface WrittenRows {
  readonly rows: (from: number, to: number) => Iterable<TelemetryRow>;
  readonly write: (row: TelemetryRow) => string;
  /**
   * Returns a text that identifies a period's rows and format; null when either changes within it.
   * If the member itself is null, nothing is cached and rows may have any order.
   */
  readonly keyOf: ((from: number, to: number) => string | null) | null;
}

/** Yields the rows from `from` to `to` in order; a text holds one or more comma-separated rows. */
export function* writtenRows(source: WrittenRows, from: number, to: number): Generator<string> {
  const { keyOf } = source;
  const isCached = keyOf !== null && to - from >= minPeriodMs && to - from <= maxPeriodMs;
  if (!isCached) return yield* writeEach(source, from, to);
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
