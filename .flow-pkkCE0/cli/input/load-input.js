import { note } from "../context/context.js";
import { formatOf } from "../context/print.js";
import { readBytes } from "../prompt/read-text.js";
import { decodeInput, formatOfFile, isArchive } from "./input-format.js";
import { notOneObject, parseInput, unusableInput } from "./read-input.js";
async function loadInput(run, source, flags, columns) {
  return parseContent(run, await readContent(run, source, flags.inputFormat), columns, flags);
}
async function readContent(run, source, format) {
  const bytes = await readBytes(run, source === "-" ? source : `@${source}`);
  if (format === "xlsx" || format === void 0 && isArchive(bytes)) return { workbook: bytes };
  const named = format ?? formatOfFile(source);
  const { text, note: remark } = decodeInput(bytes);
  if (remark !== null) tellOrKeep(run, remark);
  return { text, kind: named === "xlsx" ? null : named };
}
async function parseContent(run, content, columns, { ignoreColumns }) {
  const rules = { zone: run.zone.name, ignoreColumns: ignoreColumns === true };
  const tell = ({ notes, ...input }) => {
    for (const line of notes) tellOrKeep(run, line);
    return input;
  };
  if ("workbook" in content) {
    const [{ readXlsx }, { tableOfRows }] = await Promise.all([
      import("./table/read-xlsx.js"),
      import("./table/read-table.js")
    ]);
    const rows = await readXlsx(content.workbook);
    return tell(tableOfRows({ rows, decimalComma: false, format: "csv" }, columns, rules));
  }
  const { text, kind } = content;
  if (kind !== "csv" && kind !== "tsv") return parseDocument(text, kind);
  const { readTable } = await import("./table/read-table.js");
  return tell(readTable(text, kind, columns, rules));
}
async function loadObject(run, source, hint) {
  const content = await readContent(run, source, void 0);
  if ("workbook" in content || content.kind === "csv" || content.kind === "tsv") {
    throw unusableInput("it is a table, and this takes one JSON object", hint);
  }
  if (content.text.trim() === "") throw unusableInput("it is empty", "Give one JSON object.");
  const { lines, isList } = await parseDocument(content.text, content.kind, hint);
  const [only] = lines;
  if (!isList && typeof only === "object") return only;
  throw notOneObject(hint);
}
async function parseDocument(text, kind, manyHint) {
  return kind === "yaml" ? (await import("./read-yaml.js")).parseYaml(text) : parseInput(text, manyHint);
}
function tellOrKeep(run, line) {
  if (formatOf(run).jsonIndent === null) note(run, line);
  else run.report.warn(line);
}
export {
  loadInput,
  loadObject,
  parseContent,
  readContent,
  tellOrKeep
};
