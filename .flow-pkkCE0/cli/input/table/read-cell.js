import { isObject } from "../../../core/json.js";
import { safeText } from "../../output/csv.js";
import { isTooDeep, MAX_LEVELS } from "../../parse/nesting.js";
import { parseAbsolute } from "../../parse/time.js";
import { yesOrNo } from "../../parse/yes-or-no.js";
const SPREADSHEET_ERROR = /^#(?:[¡¿]?[\p{Lu}\d/_]+[!?]|\p{Lu}\/\p{Lu}|NV|YOK|HIÁNYZIK|GETTING_DATA|#+)$/u;
function readCell({ text, quoted, shown }, type, rules) {
  const trimmed = text.trim();
  if (trimmed === "") return { empty: true };
  if (!quoted && SPREADSHEET_ERROR.test(trimmed)) {
    return {
      problem: `the spreadsheet shows ${trimmed} there: correct its formula or widen its column, or empty the cell`
    };
  }
  const isList = type.startsWith("[");
  if (trimmed === "null" && !quoted) return { value: isList ? [] : null };
  const plain = type.replace(/[[\]!]/g, "");
  if (isList) return listIn(shown ?? trimmed, plain);
  switch (plain) {
    case "Boolean":
      return flagIn(trimmed);
    case "Int":
    case "Long":
    case "Float":
      return numberIn(trimmed, plain === "Float", rules);
    case "DateTime":
      return timeIn(trimmed, rules);
    case "UUID":
      return textIn(shown ?? trimmed);
    case "String":
      return textIn(shown ?? (quoted ? text : trimmed));
    default:
      return jsonIn(trimmed, plain === "JSON" ? null : "object");
  }
}
function textIn(text) {
  if (/^-?\d([.,]\d+)?E\+\d\d+$/.test(text)) {
    return { problem: "a spreadsheet has rounded this number: make the column a text there, and fill it in again" };
  }
  const rest = text.slice(1);
  return text.startsWith("'") && safeText(rest) === text ? { value: rest, unquoted: true } : { value: text };
}
function flagIn(text) {
  const value = yesOrNo(text);
  return value === null ? { problem: "write yes or no" } : { value };
}
function numberIn(text, hasFraction, { decimalComma }) {
  const hint = /\d[.,\s]\d{3}\b/.test(text) ? ", without separators between thousands" : "";
  const point = decimalComma && /^[+-]?\d+,\d+$/.test(text) ? text.replace(",", ".") : text;
  if (!/^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(point)) {
    return { problem: `write a ${hasFraction ? "number such as 12.5" : "whole number"}${hint}` };
  }
  const value = Number(point);
  return hasFraction || Number.isSafeInteger(value) ? { value } : { problem: `write a whole number${hint}` };
}
function timeIn(text, { zone }) {
  const moment = parseAbsolute(text, zone);
  if (moment !== null) return { value: new Date(moment).toISOString() };
  if (parseAbsolute(text, "UTC") !== null) {
    return {
      problem: "clocks are put forward over this time: write another one, or its offset, such as 2026-03-01T08:30+02:00"
    };
  }
  return { problem: "write a time such as 2026-03-01 08:30 or 2026-03-01T08:30:00Z" };
}
function listIn(text, member) {
  const isText = member === "UUID" || member === "String";
  if (text.startsWith("[") || !isText) return jsonIn(text, "array");
  const members = text.split(";").map((part) => part.trim());
  return { value: members.filter((part) => part !== "") };
}
function jsonIn(text, form) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: `write JSON${form === null ? "" : `: an ${form}`}` };
  }
  const isArray = Array.isArray(value);
  if (isTooDeep(value)) return { problem: `it is nested deeper than ${MAX_LEVELS} levels` };
  const fits = form === null || (form === "array" ? isArray : isObject(value));
  return fits ? { value } : { problem: `write JSON: an ${form}` };
}
export {
  readCell
};
