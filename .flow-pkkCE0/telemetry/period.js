import { isDateTime } from "../core/dates.js";
import { refusedInput } from "../core/refused-input.js";
function readPeriod(operation, from, to, path = "") {
  const begin = readInstant(operation, `${path}from`, from);
  const end = readInstant(operation, "to", to);
  if (begin.time > end.time) {
    throw refusedInput(`${path}from of ${operation} is after to.`, operation);
  }
  return {
    from: begin.time,
    to: end.time,
    text: (time) => time === begin.time ? begin.text : time === end.time ? end.text : new Date(Math.round(time)).toISOString()
  };
}
function readInstant(operation, name, value) {
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return { time: value.getTime(), text: value.toISOString() };
  }
  const time = typeof value === "string" && isDateTime(value) ? Date.parse(value.toUpperCase().replace(" ", "T")) : Number.NaN;
  if (typeof value !== "string" || Number.isNaN(time)) {
    throw refusedInput(
      `${name} of ${operation} must be a Date or RFC 3339 text with an offset, such as 2026-03-01T12:00:00Z.`,
      operation
    );
  }
  return { time, text: inUtc(value, time) };
}
function inUtc(text, time) {
  if (/z$/i.test(text)) return text;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  return new Date(time).toISOString().replace(/\.(\d+)Z$/, (_, milliseconds) => {
    return `.${fraction.length > milliseconds.length ? fraction : milliseconds}Z`;
  });
}
export {
  readPeriod
};
