// Reads and writes one Parquet file by row groups, so that memory never holds the whole file.
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FileMetaData } from 'hyparquet';
import type { Cell, Row } from '../rows.js';
import type { Table } from '../tables.js';
import type { RowFilter } from '../target.js';
import { cellOf, columnSourcesOf, parsers, schemaOf, writtenSchemaOf } from './columns.js';
import { DamagedFileError } from './parquet-error.js';

export type Hyparquet = typeof import('./hyparquet.js');

/** Rows in memory, and read to find one vehicle. Larger groups hardly make files smaller. */
const GROUP_ROWS = 10_000;

/** Native in Node: a quarter smaller than Snappy in JavaScript, and faster. Node 20 has no zstd. */
const CODEC = 'GZIP';
const compress = (bytes: Uint8Array) => gzipSync(bytes, { level: 1 });
const decompress = (bytes: Uint8Array) => gunzipSync(bytes);

/** Writes an existing empty file, syncs it to the disk and returns the number of rows. */
export async function writeTableFile(
  { fileWriter, ParquetWriter }: Hyparquet,
  path: string,
  table: Table,
  rows: AsyncIterable<Row>,
): Promise<number> {
  const writer = new ParquetWriter({
    ...{ writer: fileWriter(path), schema: writtenSchemaOf(table) },
    ...{ codec: CODEC, compressors: { [CODEC]: compress }, createdBy: 'fleet-telematics' },
  });
  let group: Row[] = [];
  let written = 0;
  const write = async () => {
    // The writer makes no pause, and other tasks have to run.
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
  // Readers find at the end of the file that these texts are JSON.
  writer.schema = schemaOf(table);
  await writer.finish();
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return written;
}

/** A selection of rows. A reader may return other rows too. */
export interface RowSelection {
  /** Default: all. Other columns are null. */
  readonly columns?: ReadonlySet<string> | undefined;
  readonly filter?: RowFilter;
}

export class TableFile {
  readonly #hyparquet: Hyparquet;
  readonly #path: string;
  readonly #table: Table;
  readonly #file: number;
  readonly #metadata: FileMetaData;

  constructor(hyparquet: Hyparquet, path: string, table: Table) {
    this.#hyparquet = hyparquet;
    this.#path = path;
    this.#table = table;
    this.#file = openSync(path, 'r');
    try {
      this.#metadata = hyparquet.parquetMetadata(this.#footer(), { parsers, geoparquet: false });
    } catch (error) {
      this.close();
      throw this.#asDamage(error);
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  get rows(): number {
    return Number(this.#metadata.num_rows);
  }

  /** Returns true when the column may have this value, or a greater one, or null. */
  mayReach(column: string, least: string): boolean {
    return this.#metadata.row_groups.some((_, group) => {
      const range = this.#rangeOf(group, column);
      return range === null || range.nulls || range.max === null || range.max >= least;
    });
  }

  groupsWith(filter: RowFilter): readonly number[] {
    return [...this.#metadata.row_groups.keys()].filter((group) => this.#mayHold(group, filter));
  }

  /** Returns the rows of a row group. Columns that are missing or not selected are null. */
  async rowsOf(group: number, columns?: ReadonlySet<string>): Promise<readonly Row[]> {
    const inFile = new Set(this.#metadata.schema.slice(1).map(({ name }) => name));
    const read = this.#table.columns.filter(({ name }) => inFile.has(name) && (columns?.has(name) ?? true));
    const places = this.#table.columns.map((column) => read.indexOf(column));
    const sizes = this.#metadata.row_groups.map(({ num_rows: count }) => Number(count));
    const rowStart = sizes.slice(0, group).reduce((sum, size) => sum + size, 0);
    const rowEnd = rowStart + (sizes[group] ?? 0);
    await setImmediate();
    const found = await this.#read({ rowStart, rowEnd, columns: read.map(({ name }) => name) });
    return found.map((values) => places.map((place): Cell => (place < 0 ? null : cellOf(values[place]))));
  }

  /** Yields the rows in file order, as one array for each row group. */
  async *groups({ columns, filter = {} }: RowSelection = {}): AsyncGenerator<readonly Row[], void> {
    for (const group of this.groupsWith(filter)) yield await this.rowsOf(group, columns);
  }

  async #read(readOptions: {
    readonly rowStart: number;
    readonly rowEnd: number;
    readonly columns: string[];
  }): Promise<readonly (readonly unknown[])[]> {
    let found: readonly (readonly unknown[])[] = [];
    const onComplete = (rows: readonly (readonly unknown[])[]) => {
      found = rows;
    };
    const file = { ...{ file: this.#buffer(), metadata: this.#metadata, geoparquet: false }, parsers };
    try {
      await this.#hyparquet.parquetRead({
        ...file,
        ...readOptions,
        compressors: { [CODEC]: decompress },
        onComplete,
      });
    } catch (error) {
      throw this.#asDamage(error);
    }
    return found;
  }

  /** Wraps errors of the library. Errors of the file system stay as they are. */
  #asDamage(error: unknown): unknown {
    if (!(error instanceof Error) || Reflect.has(error, 'syscall')) return error;
    return new DamagedFileError(`${this.#path} cannot be read as Parquet (${error.message})`, { cause: error });
  }

  #mayHold(group: number, filter: RowFilter): boolean {
    return Object.entries(filter).every(([column, values]) => {
      const range = this.#rangeOf(group, column);
      if (range === null || range.nulls) return true;
      const { min, max } = range;
      return min === null || max === null || values.some((value) => value === null || (value >= min && value <= max));
    });
  }

  /** Returns bounds of a column; null without statistics. They may be wider than the texts. */
  #rangeOf(group: number, column: string): { readonly min: Cell; readonly max: Cell; readonly nulls: boolean } | null {
    const chunks = this.#metadata.row_groups[group]?.columns ?? [];
    const statistics = chunks.find(({ meta_data: own }) => own?.path_in_schema[0] === column)?.meta_data?.statistics;
    if (statistics?.null_count === undefined) return null;
    const { min_value: min, max_value: max, null_count: nulls } = statistics;
    return { min: cellOf(min), max: cellOf(max), nulls: nulls > 0n };
  }

  #buffer() {
    const { size } = fstatSync(this.#file);
    return { byteLength: size, slice: (start: number, end = size) => this.#bytes(start, end - start) };
  }

  /** Returns the end of the file, which has its metadata. */
  #footer(): ArrayBuffer {
    const { size } = fstatSync(this.#file);
    const length = size < 12 ? 0 : new DataView(this.#bytes(size - 8, 4)).getUint32(0, true) + 8;
    if (length === 0 || length > size) throw new RangeError('it has no end of a Parquet file');
    return this.#bytes(size - length, length);
  }

  #bytes(from: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    const read = readSync(this.#file, bytes, 0, length, from);
    if (read < length) throw new RangeError('it ends too early');
    return bytes.buffer;
  }
}
