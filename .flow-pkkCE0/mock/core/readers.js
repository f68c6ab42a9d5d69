import { isJsonObject, quotedKey } from "./json-object.js";
import { parseRfc3339 } from "./rfc3339.js";
import { isRepresentableTime, timeRangeText } from "./time-range.js";
import { isUuid } from "./uuid.js";
function fail(path, problem) {
  throw new TypeError(`${path} ${problem}`);
}
const maxListedMembers = 30;
function object(shape, name = "") {
  const members = Object.entries(shape);
  const only = members.length > maxListedMembers ? "" : `, only ${Object.keys(shape).join(", ")}`;
  return (value, path, references) => {
    if (!isJsonObject(value)) return fail(path || name, "must be an object");
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(shape, key) && value[key] !== void 0);
    if (unknown !== void 0) fail(path || name, `cannot have ${quotedKey(unknown)}${only}`);
    const copy = {};
    for (const [key, read] of members) {
      const member = read(value[key], path === "" ? key : `${path}.${key}`, references);
      if (member !== void 0) copy[key] = member;
    }
    return copy;
  };
}
function objectOfKind(shapes, name = "") {
  const readers = new Map(
    Object.entries(shapes).map(([kind, shape]) => [
      kind,
      object({ kind: oneOf([kind]), ...shape }, `${name} of kind ${kind}`)
    ])
  );
  return (value, path, references) => {
    const kind = isJsonObject(value) ? value.kind : void 0;
    const read = typeof kind === "string" ? readers.get(kind) : void 0;
    if (read === void 0) return fail(path || name, `needs a kind, one of ${Object.keys(shapes).join(", ")}`);
    return read(value, path, references);
  };
}
function list(item) {
  return (value, path, references) => {
    if (!Array.isArray(value)) return fail(path, "must be a list");
    return Array.from(value, (part, index) => item(part, `${path}[${index}]`, references));
  };
}
function optional(read) {
  return (value, path, references) => value === void 0 ? void 0 : read(value, path, references);
}
function orNull(read) {
  return (value, path, references) => value === null ? null : read(value, path, references);
}
function refined(read, problemOf, name = "") {
  return (value, path, references) => {
    const copy = read(value, path, references);
    const problem = problemOf(copy);
    return problem === null ? copy : fail(path || name, problem);
  };
}
const anything = (value) => value;
const text = (value, path) => typeof value === "string" ? value : fail(path, "must be a string");
const filledText = (value, path) => typeof value === "string" && value !== "" ? value : fail(path, "must be a string that is not empty");
const boolean = (value, path) => typeof value === "boolean" ? value : fail(path, "must be true or false");
function number(min, max) {
  return (value, path) => {
    const isValid = typeof value === "number" && value >= min && value <= max;
    return isValid ? value : fail(path, `must be a number from ${min} to ${max}`);
  };
}
function wholeNumber(min, max) {
  return (value, path) => {
    const isValid = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
    return isValid ? value : fail(path, `must be a whole number from ${min} to ${max}`);
  };
}
const int = wholeNumber(-2147483648, 2147483647);
const timestamp = (value, path) => isRepresentableTime(value) && Number.isInteger(value) ? value : fail(path, `must be a time in whole epoch milliseconds, ${timeRangeText}`);
const rfc3339 = (value, path) => parseRfc3339(value) ?? fail(path, "must be an RFC 3339 time");
const anyTime = (value, path) => {
  const time = value instanceof Date ? value.getTime() : typeof value === "number" ? value : parseRfc3339(value);
  if (time !== null && Number.isInteger(time) && isRepresentableTime(time)) return time;
  return fail(path, "must be a time: epoch milliseconds, RFC 3339 text or a Date");
};
function oneOf(choices) {
  return (value, path) => choices.find((choice) => choice === value) ?? fail(path, choices.length === 1 ? `must be "${choices[0]}"` : `must be one of ${choices.join(", ")}`);
}
const uuid = (value, path) => isUuid(value) ? value.toLowerCase() : fail(path, "must be a UUID");
const lowerCaseUuid = (value, path) => isUuid(value) && value === value.toLowerCase() ? value : fail(path, "must be a UUID in lower case");
const json = (value, path) => {
  if (!isJsonObject(value)) return fail(path, "must be an object");
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return fail(path, "cannot be written as JSON");
  }
};
function record(item) {
  return (value, path, references) => {
    if (!isJsonObject(value)) return fail(path, "must be an object");
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, member]) => [key, item(key)(member, `${path}[${quotedKey(key)}]`, references)])
    );
  };
}
export {
  anyTime,
  anything,
  boolean,
  fail,
  filledText,
  int,
  json,
  list,
  lowerCaseUuid,
  number,
  object,
  objectOfKind,
  oneOf,
  optional,
  orNull,
  record,
  refined,
  rfc3339,
  text,
  timestamp,
  uuid,
  wholeNumber
};
