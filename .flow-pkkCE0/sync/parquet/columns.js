const shared = { repetition_type: "OPTIONAL" };
const text = { ...shared, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
const elements = {
  text,
  json: { ...shared, type: "BYTE_ARRAY", converted_type: "JSON", logical_type: { type: "JSON" } },
  integer: { ...shared, type: "INT64" },
  real: { ...shared, type: "DOUBLE" },
  boolean: { ...shared, type: "BOOLEAN" },
  time: {
    ...{ ...shared, type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" }
  },
  day: { ...shared, type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  // In microseconds, so that the reader tells them from times: it has a parser for each unit.
  local: { ...shared, type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } }
};
function schemaOf({ name, columns }) {
  return [
    { name, num_children: columns.length },
    ...columns.map((column) => ({ name: column.name, ...elements[column.type] }))
  ];
}
function writtenSchemaOf({ name, columns }) {
  return schemaOf({
    ...{ name, about: "", key: [] },
    columns: columns.map((column) => column.type === "json" ? { ...column, type: "text" } : column)
  });
}
function columnSourcesOf({ columns }, rows) {
  return columns.map(({ name, type }, at) => ({
    name,
    data: valuesOf(
      type,
      rows.map((row) => row[at] ?? null)
    ),
    // The least and the greatest of JSON texts help nobody, and they may be long.
    statistics: type !== "json"
  }));
}
function valuesOf(type, cells) {
  switch (type) {
    case "time":
      return cells.map((cell) => cell === null ? null : BigInt(Date.parse(String(cell))));
    case "day":
      return cells.map((cell) => cell === null ? null : new Date(String(cell)));
    case "local":
      return cells.map((cell) => cell === null ? null : BigInt(Date.parse(`${cell}Z`)) * 1000n);
    case "integer":
      return cells.map((cell) => cell === null ? null : BigInt(Number(cell)));
    default:
      return [...cells];
  }
}
const parsers = {
  timestampFromMilliseconds: (ms) => ms === null || ms === void 0 ? null : new Date(Number(ms)).toISOString(),
  timestampFromMicroseconds: (microseconds) => microseconds === null || microseconds === void 0 ? null : localText(Number(microseconds / 1000n)),
  dateFromDays: (days) => days === null || days === void 0 ? null : localText(days * 864e5).slice(0, 10),
  jsonFromBytes: (bytes) => bytes && decoder.decode(bytes)
};
function localText(ms) {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
const decoder = new TextDecoder();
function cellOf(value) {
  switch (typeof value) {
    case "bigint":
      return Number(value);
    case "string":
    case "number":
    case "boolean":
      return value;
    default:
      return value instanceof Date ? value.toISOString() : null;
  }
}
export {
  cellOf,
  columnSourcesOf,
  parsers,
  schemaOf,
  writtenSchemaOf
};
