import { InvalidInputError } from "./errors.js";
const SECONDS_BELOW = 1e11;
const MILLISECONDS_BELOW = 2534023008e5;
const PLAIN_UTC = /^\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d\d\d)?Z$/;
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(\.\d+)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/;
function toDate(value) {
  if (value === null || value === void 0) return null;
  const date = read(value);
  if (date === null || Number.isNaN(date.getTime())) {
    throw new InvalidInputError(
      "The value given to toDate is not a timestamp. toDate reads RFC 3339 text, and epoch seconds or milliseconds."
    );
  }
  return date;
}
function read(value) {
  if (value instanceof Date) return new Date(value);
  if (typeof value === "number") {
    const ms = Math.abs(value) < SECONDS_BELOW ? value * 1e3 : value;
    return ms < MILLISECONDS_BELOW ? new Date(ms) : null;
  }
  if (typeof value !== "string") return null;
  if (PLAIN_UTC.test(value)) return isDay(value) ? new Date(value) : null;
  const text = value.trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) return read(Number(text));
  const match = RFC_3339.exec(text);
  if (!match) return null;
  if (!isDay(text)) return null;
  const [, day, time = "00:00:00", fraction = "", offset = "Z"] = match;
  return /* @__PURE__ */ new Date(`${day}T${time}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
}
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
function isDateTime(text) {
  return DATE_TIME.test(text) && isDay(text);
}
function isDay(text) {
  const day = Number(text.slice(8, 10));
  if (day >= 1 && day <= 28) return Number(text.slice(5, 7)) >= 1 && Number(text.slice(5, 7)) <= 12;
  const date = /* @__PURE__ */ new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return date.getUTCDate() === day;
}
export {
  isDateTime,
  toDate
};
