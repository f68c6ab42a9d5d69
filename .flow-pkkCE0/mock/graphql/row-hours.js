import { hourMs } from "../core/durations.js";
import { Shared } from "../core/shared.js";
const maxCharacters = 64 * 1024 * 1024;
const bytesPerRow = 16;
const hours = new Shared(maxCharacters, ({ text, ends }) => text.length + bytesPerRow * ends.length);
const minPeriodMs = hourMs;
const maxPeriodMs = 31 * 24 * hourMs;
function* writtenRows(source, from, to) {
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
    else if (hour.text !== "") yield hour.text;
  }
}
function* writeEach({ rows, write }, from, to) {
  for (const row of rows(from, to)) yield write(row);
}
function writeHour({ rows, write }, from, to) {
  const texts = [];
  const times = [];
  const ends = [];
  let end = -1;
  for (const row of rows(from, to)) {
    const text = write(row);
    end += 1 + text.length;
    texts.push(text);
    times.push(row.timestamp);
    ends.push(end);
  }
  return { text: texts.join(","), times, ends };
}
function* partOf({ text, times, ends }, from, to) {
  let start = 0;
  for (const [i, end] of ends.entries()) {
    const time = times[i] ?? Number.NaN;
    if (time >= from && time <= to) yield text.slice(start, end);
    start = end + 1;
  }
}
export {
  writtenRows
};
