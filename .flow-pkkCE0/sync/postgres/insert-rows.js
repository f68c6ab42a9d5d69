import { columnType, upsertStatement } from "../ddl.js";
const ROWS_AT_ONCE = 500;
async function insertRows(session, table, rows) {
  const cells = table.columns.map(({ type }, index) => `(cells ->> ${index})::${columnType("postgres", type)}`);
  const source = `SELECT ${cells.join(", ")} FROM jsonb_array_elements($1::text::jsonb) AS cells`;
  const statement = upsertStatement(table, source);
  const distinct = withoutRepeats(table, rows);
  let written = 0;
  for (let at = 0; at < distinct.length; at += ROWS_AT_ONCE) {
    written += await session.change(statement, [JSON.stringify(distinct.slice(at, at + ROWS_AT_ONCE))]);
  }
  return written;
}
function withoutRepeats({ columns, key }, rows) {
  const at = columns.flatMap(({ name }, index) => key.includes(name) ? [index] : []);
  return [...new Map(rows.map((row) => [JSON.stringify(at.map((index) => row[index])), row])).values()];
}
function arrayOf(cells) {
  return `{${cells.map(elementOf).join(",")}}`;
}
function elementOf(cell) {
  if (cell === null) return "NULL";
  return typeof cell === "string" ? `"${cell.replace(/["\\]/g, "\\$&")}"` : String(cell);
}
export {
  arrayOf,
  insertRows
};
