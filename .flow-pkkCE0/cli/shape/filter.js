import { readFlag, readNumber } from "../../telemetry/readings.js";
import { timestampMs } from "../../telemetry/timestamps.js";
import { CliError } from "../errors/cli-error.js";
import { valueAt } from "../output/field-path.js";
import { caseless, comparable } from "../records/names.js";
import { comparableSize, comparableText, compareValues, isTime, momentIn } from "./compare.js";
const filterHelp = `

Filters (in quotes, because of < > | and *):
  "status=moving|idling"         one of several; also a column of the table: status, seen
  "name=Van*"  "name~van"        a pattern; a part, ignoring case
  "createdAt>=monday"            times as in --from
  "seen>30m"  "seen<-30m"        not seen for 30 minutes, or never
  deactivated=no                 yes and no for true and false
  assignedGroups=                nothing in it; != something in it
Repeat --filter for more conditions.`;
const form = /^([A-Za-z_][\w.]*)\s*(!=|>=|<=|=|~|<|>)(.*)$/s;
function parseFilter(text, fieldOf = anyField) {
  const [, path, operator, value] = form.exec(text) ?? [];
  if (path === void 0 || operator === void 0 || value === void 0) {
    throw new CliError("USAGE", `--filter ${text} does not have the form key=value.`, {
      hint: 'For example --filter "status=moving", --filter "place=Depot*" or --filter "vehicleType.name=Truck"; also != ~ (contains) < <= > >=. Without quotes the shell takes < and > for itself.'
    });
  }
  const field = fieldOf(path);
  const operand = value.trim();
  if (field.kind === "record") checkRecord(operator, operand, path, field.parts ?? []);
  const test = testOf(operator, operand, path, field);
  return { path, passes: (row) => test(valuesIn(field.readValue(row))) };
}
function anyField(path) {
  return { kind: "text", values: null, readValue: (row) => valueAt(row, path), momentOf: () => null };
}
function testOf(operator, operand, path, field) {
  switch (operator) {
    case "~": {
      const parts = alternatives(operand).map(caseless);
      return (values) => values.some((value) => parts.some((part) => caseless(comparableText(value)).includes(part)));
    }
    case "=":
    case "!=": {
      checkValues(operand, path, field);
      const matches = matcher(operand, path, field);
      return operator === "=" ? (values) => values.some(matches) : (values) => !values.some(matches);
    }
    default: {
      const order = orderOf(operator);
      if (field.kind === "age") return ageTest(operator, operand, path, field);
      const moment = field.kind === "time" ? requireMoment(operand, path, field) : null;
      if (field.kind === "number") requireSize(operand, true);
      return (values) => values.some(
        (value) => isSet(value) && order(moment === null ? sizeAgainst(value, operand) : timeAgainst(value, moment()))
      );
    }
  }
}
function ageTest(operator, operand, path, field) {
  const isAge = /^[\d.]+[a-z]+$/i.test(operand) && field.momentOf(`-${operand}`) !== null;
  if (!isAge) requireAgeOrTime(operand, path, field);
  const moment = requireMoment(isAge ? `-${operand}` : operand, path, field);
  const order = orderOf(operator);
  const passes = (difference) => order(isAge ? -difference : difference);
  return (values) => values.some((value) => passes(isSet(value) ? timeAgainst(value, moment()) : Number.NEGATIVE_INFINITY));
}
const FIRST_MOMENT = Date.UTC(2e3, 0, 1);
function requireAgeOrTime(operand, path, { momentOf }) {
  if (momentOf(operand) !== null || (timestampMs(operand) ?? 0) >= FIRST_MOMENT) return;
  throw new CliError("USAGE", `--filter compares a time with "${operand}", which is neither a time nor an age.`, {
    hint: `Give an age, such as 30m or 1d: --filter "${path}>1d". Or a time, such as yesterday: --filter "${path}<yesterday".`
  });
}
function orderOf(operator) {
  if (operator === "<") return (difference) => difference < 0;
  if (operator === "<=") return (difference) => difference <= 0;
  return operator === ">" ? (difference) => difference > 0 : (difference) => difference >= 0;
}
function alternatives(operand) {
  const parts = operand.split("|").map((part) => part.trim());
  return parts.length > 1 ? [operand, ...parts.filter((part) => part !== "")] : [operand];
}
function checkValues(operand, path, field) {
  const { kind, values } = field;
  if (kind === "age" && operand !== "" && operand !== "null" && !operand.includes("*")) {
    for (const text of operand.split("|")) requireAgeOrTime(text.trim(), path, field);
  }
  const all = kind === "boolean" ? ["yes", "no", "true", "false"] : values;
  if (all === null) return;
  const known = (text) => text === "" || text === "null" || all.some((value) => value.toLowerCase() === text.toLowerCase() || patternOf(text)?.(value));
  const wrong = operand.split("|").map((part) => part.trim()).find((part) => !known(part));
  if (wrong === void 0) return;
  const meant = meantBy(wrong, all);
  throw new CliError("USAGE", `--filter: ${path} is never "${wrong}".`, {
    hint: `${meant.length === 0 ? "" : `Write --filter "${path}=${meant.join("|")}". `}Its values are ${all.join(", ")}.`
  });
}
const together = /* @__PURE__ */ new Map([["silent", ["stale", "offline", "unknown"]]]);
function meantBy(text, all) {
  const found = text.split(",").map((part) => part.trim().toLowerCase()).map((part) => together.get(part) ?? all.filter((value) => value.toLowerCase() === part));
  const values = found.flat();
  return found.some((part) => part.length === 0) || !values.every((value) => all.includes(value)) ? [] : values;
}
function checkRecord(operator, operand, path, parts) {
  if ((operator === "=" || operator === "!=") && (operand === "" || operand === "null")) return;
  const field = parts.find((part) => /\.(name|value|serial)$/.test(part)) ?? parts[0] ?? path;
  throw new CliError("USAGE", `--filter: ${path} holds records, which have no value of their own.`, {
    hint: `Name one of their fields: --filter "${field}${operator}${operand}". With = and nothing after it the filter finds what has none.`
  });
}
function matcher(operand, path, { kind, values, momentOf }) {
  const texts = alternatives(operand);
  const form2 = namesRecord.test(path) ? "name" : "text";
  const comparables = new Set(
    kind === "text" ? texts.filter((text) => text !== "").map((text) => comparable(text, form2)) : []
  );
  const patterns = texts.flatMap((text) => patternOf(text) ?? []);
  const anyCase = values !== null;
  if (kind === "time" || kind === "age") for (const text of texts) momentOf(text);
  return (value) => texts.some((text) => {
    const flag = kind === "boolean" && text !== "" ? readFlag(value) : null;
    if (typeof flag === "boolean") return flag === /^(yes|true)$/i.test(text);
    if ((kind === "time" || kind === "age") && isSet(value) && text !== "") {
      const moment = momentOf(text);
      return moment === null ? equals(value, text) : timeAgainst(value, moment) === 0;
    }
    return equals(kind === "number" ? readNumber(value) ?? value : value, text) || anyCase && comparableText(value).toLowerCase() === text.toLowerCase() && isSet(value);
  }) || typeof value === "string" && comparables.has(comparable(value, form2)) || isSet(value) && patterns.some((matches) => matches(comparableText(value)));
}
const namesRecord = /(^|\.)(name|firstName|lastName|vehicle|driver|holder|geofence|place|nearestPlace|group|parent)$/;
function patternOf(text) {
  const [first = "", ...parts] = caseless(text).split("*");
  const last = parts.pop();
  if (last === void 0) return null;
  return (value) => {
    const whole = caseless(value);
    const end = whole.length - last.length;
    if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
    let at = first.length;
    for (const part of parts) {
      const found = whole.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}
function requireMoment(operand, path, { momentOf }) {
  const read = () => momentOf(operand) ?? timestampMs(operand);
  if (read() === null) requireSize(operand, false, path);
  return () => read() ?? Number.NaN;
}
function requireSize(operand, isNumber, path) {
  if (isNumber && comparableSize(operand) !== null) return;
  throw new CliError(
    "USAGE",
    `--filter compares a ${isNumber ? "number" : "time"} with "${operand}", which is not a ${isNumber ? "number" : "time"}.`,
    {
      hint: isNumber ? "Give a number, such as 2020 or 0.5." : `Give a time, such as 2026-03-01T08:30:00Z, yesterday or -30m${path === void 0 ? "" : `: --filter "${path}<-30m"`}.`
    }
  );
}
function timeAgainst(value, moment) {
  const time = momentIn(value);
  return time === null ? Number.NaN : time - moment;
}
function sizeAgainst(value, operand) {
  if (comparableSize(operand) === null && (typeof value === "number" || isTime(value))) {
    requireSize(operand, typeof value === "number");
  }
  return compareValues(value, operand);
}
function valuesIn(value) {
  const values = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
  return values.length === 0 ? [null] : values;
}
function equals(value, operand) {
  if (!isSet(value)) return operand === "" || operand === "null";
  if (typeof value === "number") return operand !== "" && value === Number(operand);
  return comparableText(value) === operand;
}
function isSet(value) {
  return value !== null && value !== void 0 && value !== "";
}
export {
  filterHelp,
  parseFilter
};
