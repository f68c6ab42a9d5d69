import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { cellOf, columnSourcesOf, parsers, schemaOf, writtenSchemaOf } from "./columns.js";
import { DamagedFileError } from "./parquet-error.js";
const GROUP_ROWS = 1e4;
const CODEC = "GZIP";
const compress = (bytes) => gzipSync(bytes, { level: 1 });
const decompress = (bytes) => gunzipSync(bytes);
async function writeTableFile({ fileWriter, ParquetWriter }, path, table, rows) {
  const writer = new ParquetWriter({
    ...{ writer: fileWriter(path), schema: writtenSchemaOf(table) },
    ...{ codec: CODEC, compressors: { [CODEC]: compress }, createdBy: "fleet-telematics" }
  });
  let group = [];
  let written = 0;
  const write = async () => {
    await setImmediate();
    await writer.write({ columnData: columnSourcesOf(table, group), rowGroupSize: GROUP_ROWS });
    written += group.length;
    group = [];
  };
  for await (const row of rows) {
    group.push(row);
    if (group.length === GROUP_ROWS) await write();
  }
  if (group.length > 0) await write();
  writer.schema = schemaOf(table);
  await writer.finish();
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return written;
}
class TableFile {
  #hyparquet;
  #path;
  #table;
  #file;
  #metadata;
  constructor(hyparquet, path, table) {
    this.#hyparquet = hyparquet;
    this.#path = path;
    this.#table = table;
    this.#file = openSync(path, "r");
    try {
      this.#metadata = hyparquet.parquetMetadata(this.#footer(), { parsers, geoparquet: false });
    } catch (error) {
      this.close();
      throw this.#asDamage(error);
    }
  }
  close() {
    closeSync(this.#file);
  }
  /** How many it has. */
  get rows() {
    return Number(this.#metadata.num_rows);
  }
  /** Whether this column may have this value, or a greater one, or null. */
  mayReach(column, least) {
    return this.#metadata.row_groups.some((_, group) => {
      const range = this.#rangeOf(group, column);
      return range === null || range.nulls || range.max === null || range.max >= least;
    });
  }
  /** The row groups that may have rows that fit. */
  groupsWith(filter) {
    return [...this.#metadata.row_groups.keys()].filter((group) => this.#mayHold(group, filter));
  }
  /** The rows of a row group. Columns that the file does not have, or that are not wanted, are null. */
  async rowsOf(group, columns) {
    const inFile = new Set(this.#metadata.schema.slice(1).map(({ name }) => name));
    const read = this.#table.columns.filter(({ name }) => inFile.has(name) && (columns?.has(name) ?? true));
    const places = this.#table.columns.map((column) => read.indexOf(column));
    const sizes = this.#metadata.row_groups.map(({ num_rows: count }) => Number(count));
    const rowStart = sizes.slice(0, group).reduce((sum, size) => sum + size, 0);
    const rowEnd = rowStart + (sizes[group] ?? 0);
    await setImmediate();
    const found = await this.#read({ rowStart, rowEnd, columns: read.map(({ name }) => name) });
    return found.map((values) => places.map((place) => place < 0 ? null : cellOf(values[place])));
  }
  /** The rows in the order of the file, in arrays of a row group. */
  async *groups({ columns, filter = {} } = {}) {
    for (const group of this.groupsWith(filter)) yield await this.rowsOf(group, columns);
  }
  async #read(wanted) {
    let found = [];
    const onComplete = (rows) => {
      found = rows;
    };
    const file = { ...{ file: this.#buffer(), metadata: this.#metadata, geoparquet: false }, parsers };
    try {
      await this.#hyparquet.parquetRead({
        ...file,
        ...wanted,
        compressors: { [CODEC]: decompress },
        onComplete
      });
    } catch (error) {
      throw this.#asDamage(error);
    }
    return found;
  }
  /** What the library says; the file system speaks for itself. */
  #asDamage(error) {
    if (!(error instanceof Error) || Reflect.has(error, "syscall")) return error;
    return new DamagedFileError(`${this.#path} cannot be read as Parquet (${error.message})`, { cause: error });
  }
  #mayHold(group, filter) {
    return Object.entries(filter).every(([column, values]) => {
      const range = this.#rangeOf(group, column);
      if (range === null || range.nulls) return true;
      const { min, max } = range;
      return min === null || max === null || values.some((value) => value === null || value >= min && value <= max);
    });
  }
  /** What the file says about a column of a row group; null when it says nothing. Its bounds of texts may be wider than the texts. */
  #rangeOf(group, column) {
    const chunks = this.#metadata.row_groups[group]?.columns ?? [];
    const statistics = chunks.find(({ meta_data: own }) => own?.path_in_schema[0] === column)?.meta_data?.statistics;
    if (statistics?.null_count === void 0) return null;
    const { min_value: min, max_value: max, null_count: nulls } = statistics;
    return { min: cellOf(min), max: cellOf(max), nulls: nulls > 0n };
  }
  #buffer() {
    const { size } = fstatSync(this.#file);
    return { byteLength: size, slice: (start, end = size) => this.#bytes(start, end - start) };
  }
  /** The end of the file, which describes it. */
  #footer() {
    const { size } = fstatSync(this.#file);
    const length = size < 12 ? 0 : new DataView(this.#bytes(size - 8, 4)).getUint32(0, true) + 8;
    if (length === 0 || length > size) throw new RangeError("it has no end of a Parquet file");
    return this.#bytes(size - length, length);
  }
  #bytes(from, length) {
    const bytes = new Uint8Array(length);
    const read = readSync(this.#file, bytes, 0, length, from);
    if (read < length) throw new RangeError("it ends too early");
    return bytes.buffer;
  }
}
export {
  TableFile,
  writeTableFile
};
