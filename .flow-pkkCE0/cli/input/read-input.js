import { isObject } from "../../core/json.js";
import { unusable } from "../errors/unusable.js";
import { jsonSlipText } from "../parse/json-slip-text.js";
import { isTooDeep, MAX_LEVELS } from "../parse/nesting.js";
function parseInput(raw, manyHint) {
  const text = raw.replace(/^\uFEFF/, "");
  if (text.trim() === "")
    throw unusableInput("it is empty", "Give an object, an array of objects, or one object per line.");
  const value = parse(text);
  if (Array.isArray(value)) {
    const lines = value.map((entry, index) => lineOf(entry, `entry ${index + 1} of the array`));
    return { lines, isList: true };
  }
  if (value !== void 0) return { lines: [lineOf(value, null)], isList: false, lineNumbers: [firstLine(text)] };
  const numbered = text.split(/\r\n|\n|\r/).map((line, index) => ({ line, number: index + 1 }));
  const filled = numbered.filter(({ line }) => line.trim() !== "");
  const [first] = filled;
  const isOne = filled.length < 2 || first === void 0 || parse(first.line) === void 0;
  const isSeveral = isManyObjects(text) || isTable(text);
  if (manyHint !== void 0 && (!isOne || isSeveral)) throw notOneObject(manyHint);
  if (isOne) {
    const hint = [
      jsonSlipText(text),
      isManyObjects(text) ? "Write one object per line; jq does so with -c." : "",
      isTable(text) ? "For a table give --input-format csv or tsv." : ""
    ];
    throw unusableInput("it is not JSON", hint.filter((part) => part !== "").join(" "));
  }
  return {
    lines: filled.map(({ line, number }) => parseLine(line, number)),
    isList: true,
    lineNumbers: filled.map(({ number }) => number)
  };
}
function firstLine(text) {
  return text.slice(0, text.search(/\S/)).split(/\r\n|\n|\r/).length;
}
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function parseLine(line, number) {
  const value = parse(line);
  if (value === void 0) throw unusableInput(`line ${number} is not JSON`, jsonSlipText(line, number));
  return lineOf(value, `line ${number}`);
}
function lineOf(value, where) {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (isTooDeep(value)) {
    throw unusableInput(
      `${where ?? "it"} is nested deeper than ${MAX_LEVELS} levels`,
      "No record needs so many levels."
    );
  }
  if (isObject(value)) return value;
  throw unusableInput(`${where ?? "it"} is not an object`, "Give an object with names and values.");
}
function isManyObjects(text) {
  return /^[\]}]\s*^[[{]/m.test(text);
}
function isTable(text) {
  const [header = ""] = text.split(/[\r\n]/, 1);
  return /[,;\t]/.test(header) && !/^\s*[[{"']/.test(header);
}
function notOneObject(manyHint) {
  return unusableInput("it is not one JSON object", manyHint);
}
function unusableInput(reason, hint, details = []) {
  return unusable("input", reason, { undone: "sent", hint, details });
}
export {
  lineOf,
  notOneObject,
  parseInput,
  unusableInput
};
