import { strFromU8, unzipSync } from "fflate";
import { shownNumber } from "./shown-number.js";
const LAST_ROW = 1048576;
const LAST_COLUMN = 16384;
const tags = (names) => new RegExp(String.raw`<(?:[\w.-]+:)?(${names})(?=[\s/>])([^>"']*(?:(?:"[^"]*"|'[^']*')[^>"']*)*)>`, "g");
const elementsOf = (xml, name) => [...xml.replace(/<!--.*?-->/gs, "").matchAll(tags(name))].map(([, , text = ""]) => attributesIn(text));
function shownCells(workbook) {
  const parts = unzipSync(workbook, { filter: ({ name }) => /\.(xml|rels)$/.test(name) });
  const textOf = (path) => {
    const part = parts[path];
    if (part === void 0) throw new Error(`${path} is missing`);
    return strFromU8(part);
  };
  const files = filesOf(textOf("xl/workbook.xml"), textOf("xl/_rels/workbook.xml.rels"));
  const formats = files.styles === void 0 ? [] : formatsOf(textOf(files.styles));
  return cellsOf(textOf(files.sheet), formats);
}
function filesOf(workbook, relations) {
  const [first] = elementsOf(workbook, "sheet");
  const found = elementsOf(relations, "Relationship");
  const pathOf = (relation) => {
    const target = relation?.get("Target");
    return target?.startsWith("/") ? target.slice(1) : target && `xl/${target}`;
  };
  const sheet = pathOf(found.find((relation) => relation.get("Id") === first?.get("id")));
  if (sheet === void 0) throw new Error("there is no sheet");
  return { sheet, styles: pathOf(found.find((relation) => relation.get("Type")?.endsWith("/styles"))) };
}
function formatsOf(styles) {
  const codes = new Map(builtIn);
  for (const format of elementsOf(styles, "numFmt")) {
    codes.set(format.get("numFmtId") ?? "", format.get("formatCode") ?? "");
  }
  const [own = ""] = /<(?:[\w.-]+:)?cellXfs[\s>].*?<\/(?:[\w.-]+:)?cellXfs>/s.exec(styles) ?? [];
  return elementsOf(own, "xf").map((xf) => codes.get(xf.get("numFmtId") ?? "") ?? null);
}
const builtIn = [
  ["1", "0"],
  ["2", "0.00"],
  ["9", "0%"],
  ["10", "0.00%"]
];
function cellsOf(sheet, formats) {
  const texts = /* @__PURE__ */ new Map();
  let [rows, columns, last] = [0, 0, ""];
  for (const { 1: name, 2: text = "", index, 0: tag } of sheet.matchAll(tags("row|c"))) {
    const attributes = attributesIn(text);
    const place = attributes.get("r");
    if (place === void 0 && name === "row") continue;
    const [, letters = "", digits = ""] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place ?? "") ?? [];
    const [row, column] = [Number(digits), columnNumber(letters)];
    if (row < 1 || row > LAST_ROW || column > LAST_COLUMN) throw new Error(`${tag}: there is no such place`);
    if (name === "row" || text.endsWith("/")) continue;
    if (row > rows || column > columns) last = `${place}`;
    rows = Math.max(rows, row);
    columns = Math.max(columns, column);
    const type = attributes.get("t") ?? "n";
    const format = formats[Number(attributes.get("s"))] ?? null;
    if (type !== "e" && (type !== "n" || format === null)) continue;
    const value = valueAfter(sheet, index + tag.length);
    const shown = type === "e" ? value : value && shownNumber(Number(value), format ?? "");
    if (shown) texts.set(`${row - 1}:${column - 1}`, shown);
  }
  return { places: rows * columns, last, texts };
}
function valueAfter(sheet, at) {
  const valueOrEnd = /<(?:[\w.-]+:)?v(?:\s[^>]*)?>([^<]*)<|<\/(?:[\w.-]+:)?c\s*>/g;
  valueOrEnd.lastIndex = at;
  return valueOrEnd.exec(sheet)?.[1];
}
function columnNumber(letters) {
  let number = 0;
  for (let at = 0; at < letters.length; at++) number = number * 26 + letters.charCodeAt(at) - 64;
  return number;
}
function attributesIn(text) {
  const found = /* @__PURE__ */ new Map();
  for (const [, name = "", one, other] of text.matchAll(
    /(?:(?!xmlns)[\w.-]+:)?([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
  )) {
    if (found.has(name)) throw new Error(`${name} occurs twice`);
    found.set(name, decoded(one ?? other ?? ""));
  }
  return found;
}
function decoded(text) {
  if (!text.includes("&")) return text;
  return text.replace(/&(quot|apos|lt|gt|amp|#\d+|#x[\da-f]+);/gi, (_, entity) => entityText(entity));
}
const entities = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&" };
function entityText(entity) {
  if (!entity.startsWith("#")) return entities[entity] ?? "";
  const code = entity.slice(1);
  return String.fromCodePoint(/^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code));
}
export {
  shownCells
};
