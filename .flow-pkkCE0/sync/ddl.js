import { columnIndex, ownTables, STAMP, syncTables, tableOf } from "./tables.js";
import { views } from "./views.js";
const types = {
  sqlite: {
    ...{ text: "TEXT", integer: "INTEGER", real: "REAL", boolean: "BOOLEAN" },
    ...{ time: "TEXT", day: "TEXT", local: "TEXT", json: "TEXT" }
  },
  postgres: {
    ...{ text: "text", integer: "bigint", real: "double precision" },
    ...{ boolean: "boolean", time: "timestamptz", day: "date", local: "timestamp", json: "jsonb" }
  }
};
function columnType(dialect, type) {
  return types[dialect][type];
}
function newTables(dialect) {
  return [...ownTables, ...syncTables].flatMap((table) => tableStatements(table, dialect));
}
function tableStatements(table, dialect) {
  const { name, columns, key, references, indexes = [], flagIndex } = table;
  const lines = columns.map((column) => {
    const type = columnType(dialect, column.type);
    return `${column.name} ${type}${key.includes(column.name) ? " NOT NULL" : ""}`;
  });
  lines.push(`PRIMARY KEY (${key.join(", ")})`);
  if (references) lines.push(`FOREIGN KEY (${references.column}) REFERENCES ${references.table} (id)`);
  if (dialect === "postgres") lines.push(...namedRowReferences(table));
  const partition = table.isMonthly ? ` PARTITION BY RANGE (${table.period?.begins})` : "";
  const end = dialect === "sqlite" ? ") WITHOUT ROWID" : `)${partition}`;
  return [
    `CREATE TABLE ${name} (
  ${lines.join(",\n  ")}
${end}`,
    ...indexes.map((of) => `CREATE INDEX ${name}_by_${of.join("_")} ON ${name} (${of.join(", ")})`),
    ...flagIndex ? [
      `CREATE INDEX ${name}_${flagIndex.flag}_by_${flagIndex.column} ON ${name} (${flagIndex.column}) WHERE ${flagIndex.flag}`
    ] : []
  ];
}
function namedRowReferences({ columns }) {
  return columns.flatMap(
    ({ name, names, isNamedRowThere }) => names === void 0 || isNamedRowThere !== true ? [] : [`FOREIGN KEY (${name}) REFERENCES ${names} (id) DEFERRABLE INITIALLY DEFERRED`]
  );
}
function viewStatements(dialect, create = "CREATE VIEW") {
  return views.map(({ name, sql }) => `${create} ${name} AS
${sql[dialect]}`);
}
function dropViewStatements() {
  return views.map(({ name }) => `DROP VIEW IF EXISTS ${name}`).reverse();
}
function comments() {
  return [
    ...[...ownTables, ...syncTables].flatMap(({ name: relation, about, columns }) => [
      { kind: "TABLE", relation, column: null, text: about },
      ...columns.map(({ name: column, about: of, names }) => {
        const text = names === void 0 ? of : `${of}; id in ${names}`;
        return { kind: "TABLE", relation, column, text };
      })
    ]),
    ...views.map(({ name, about }) => ({ kind: "VIEW", relation: name, column: null, text: about }))
  ];
}
function commentStatement({ kind, relation, column, text }) {
  const on = column === null ? `${kind} ${relation}` : `COLUMN ${relation}.${column}`;
  return `COMMENT ON ${on} IS '${text.replaceAll("`", "").replaceAll("'", "''")}'`;
}
function targetSchema(dialect) {
  const statements = [
    ...newTables(dialect),
    ...viewStatements(dialect),
    ...dialect === "postgres" ? comments().map(commentStatement) : []
  ];
  return statements.map((statement) => `${statement};
`).join("\n");
}
function upsertStatement({ name, columns, key }, source) {
  const all = columns.map((column) => column.name);
  const others = all.filter((column) => !key.includes(column));
  const compared = others.filter((column) => column !== STAMP);
  const list = (prefix) => compared.map((column) => `${prefix}${column}`).join(", ");
  const action = compared.length === 0 ? "NOTHING" : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(", ")}
  WHERE (${list(`${name}.`)}) IS DISTINCT FROM (${list("excluded.")})`;
  return `INSERT INTO ${name} (${all.join(", ")}) ${source} ON CONFLICT (${key.join(", ")}) DO ${action}`;
}
function filterQuery(table, filter, dialect) {
  const conditions = [];
  const parameters = [];
  for (const [column, values] of Object.entries(filter)) {
    if (values.length === 1 && values[0] === true) conditions.push(column);
    else conditions.push(among(table, column, parameters.push(JSON.stringify(values)), dialect));
  }
  return { sql: conditions.join(" AND "), parameters };
}
function otherRows(table, rows, periods, dialect) {
  const { name, key, references, period } = table;
  if (references === void 0 || period === void 0) throw new RangeError(`The rows of ${name} have no period.`);
  const vehicle = columnIndex(table, references.column);
  const [begins, ends] = [columnIndex(table, period.begins), columnIndex(table, period.ends)];
  const rowsOf = new Map(groupedBy(rows, (row) => String(row[vehicle])).map((own) => [own[0]?.[vehicle], own]));
  const [until, from] = dialect === "sqlite" ? ["?", "?"] : ["$2::timestamptz", "$3::timestamptz"];
  const goesOn = period.begins === period.ends ? "" : `${period.ends} IS NULL OR `;
  const where = `FROM ${name} WHERE ${among(table, references.column, 1, dialect)} AND ${period.begins} <= ${until}
  AND (${goesOn}${period.ends} >= ${from})`;
  const notKept = `(${key.join(", ")}) NOT IN (${keyRows(table, 4, dialect)})`;
  return groupedBy(periods, ({ from: begin, until: end }) => `${begin} ${end}`).map((same) => {
    const vehicleIds = same.map(({ vehicleId }) => vehicleId);
    const [{ from: begin, until: end } = { from: "", until: "" }] = same;
    const written = vehicleIds.flatMap((vehicleId) => rowsOf.get(vehicleId) ?? []);
    const isInside = (row) => String(row[begins]) <= end && ((row[ends] ?? null) === null || String(row[ends]) >= begin);
    const parameters = [JSON.stringify(vehicleIds), end, begin];
    return {
      count: { sql: `SELECT count(*) ${where}`, parameters },
      kept: new Set(keysOf(table, written.filter(isInside)).map((cells) => JSON.stringify(cells))).size,
      deletion: () => ({
        sql: `DELETE ${where} AND ${notKept}`,
        parameters: [...parameters, JSON.stringify(keysOf(table, written))]
      })
    };
  });
}
function deleteQuery(table, column, values, dialect) {
  const sql = `DELETE FROM ${table.name} WHERE ${among(table, column, 1, dialect)}`;
  return { sql, parameters: [JSON.stringify(values)] };
}
function deleteBeforeQuery(table, { before, limit }, dialect) {
  const owner = table.partsOf === void 0 ? table : tableOf(table.partsOf.table);
  const { period, key } = owner;
  if (period === void 0) throw new RangeError(`The rows of ${table.name} have no period.`);
  const [own] = table.key;
  const keys = owner === table ? `(${key.join(", ")})` : own;
  const time = dialect === "sqlite" ? "?" : "$1::timestamptz";
  const ended = [.../* @__PURE__ */ new Set([period.begins, period.ends])].map((column) => `${column} < ${time}`);
  const parameters = dialect === "sqlite" ? ended.map(() => before) : [before];
  const sql = `DELETE FROM ${table.name} WHERE ${keys} IN (
  SELECT ${key.join(", ")} FROM ${owner.name} WHERE ${ended.join(" AND ")} ORDER BY ${[period.begins, ...key].join(", ")} LIMIT ${limit})`;
  return { sql, parameters };
}
function deleteOtherPartsQuery(table, rows, owners, dialect) {
  const { name, key, references } = table;
  if (references === void 0) throw new RangeError(`The rows of ${name} have no owner.`);
  const sql = `DELETE FROM ${name} WHERE ${among(table, references.column, 1, dialect)}
  AND (${key.join(", ")}) NOT IN (${keyRows(table, 2, dialect)})`;
  return { sql, parameters: [JSON.stringify(owners), JSON.stringify(keysOf(table, rows))] };
}
function keysOf(table, rows) {
  const at = table.key.map((column) => columnIndex(table, column));
  return rows.map((row) => at.map((index) => row[index] ?? null));
}
function groupedBy(items, nameOf) {
  const groups = /* @__PURE__ */ new Map();
  for (const item of items) {
    const same = groups.get(nameOf(item));
    if (same) same.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return [...groups.values()];
}
function among(table, column, parameter, dialect) {
  if (dialect === "sqlite") return `${column} IN (SELECT value FROM json_each(?))`;
  const type = typeOf(table, column, dialect);
  return `${column} = ANY (ARRAY(SELECT json_array_elements_text($${parameter}::text::json)::${type}))`;
}
function keyRows(table, parameter, dialect) {
  if (dialect === "sqlite") {
    const cells2 = table.key.map((_, index) => `json_extract(value, '$[${index}]')`);
    return `SELECT ${cells2.join(", ")} FROM json_each(?)`;
  }
  const cells = table.key.map((column, index) => `(kept ->> ${index})::${typeOf(table, column, dialect)}`);
  return `SELECT ${cells.join(", ")} FROM json_array_elements($${parameter}::text::json) AS kept`;
}
function typeOf(table, wanted, dialect) {
  return columnType(dialect, table.columns.find(({ name }) => name === wanted)?.type ?? "text");
}
export {
  columnType,
  commentStatement,
  comments,
  deleteBeforeQuery,
  deleteOtherPartsQuery,
  deleteQuery,
  dropViewStatements,
  filterQuery,
  newTables,
  otherRows,
  targetSchema,
  upsertStatement,
  viewStatements
};
