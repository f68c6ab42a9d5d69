// Changes in the journal that the files do not have yet: set rows and removed keys, by day and
// owner. They can be applied twice, so a sync repeats them after a kill during the replacement of
// files.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { copyToBackup, Journal, type JournalParts, type JournalRecord } from 'fleet-telematics/kit';
import type { Cell, Row } from '../rows.js';
import { columnIndex, type Table, tableOf } from '../tables.js';
import { type FileState, NO_DAY, type PublishedStates, type TablePlace } from './layout.js';
import { DamagedJournalError } from './parquet-error.js';

export interface Delta {
  readonly rows: readonly Row[];
  readonly removedKeys: readonly string[];
}

/** A period of rows. It finds only rows with a single time; the end of other rows can change. */
export interface TimeSpan {
  readonly from: string;
  readonly until: string;
}

/** A delta in memory, or its place in the journal. */
interface Chunk {
  readonly span: TimeSpan | null;
  where: { readonly at: number; readonly length: number } | { readonly cachedDelta: Delta };
}

/** Small deltas of tables without days stay in memory: each batch changes the sync's own tables. */
const CACHED_ROWS = 1000;
const CACHED_BYTES = 64 * 1024;

/** The place of a delta. A null owner means that the day has lost all earlier rows. */
type Place = readonly [table: string, day: string, owner: string | null, span: TimeSpan | null];

interface StagedDelta {
  readonly head: Place;
  readonly delta: Delta;
  readonly chunk: Chunk;
  readonly chunks: Chunk[];
  readonly undo: () => void;
}

type Head = readonly (readonly [...Place, length: number])[];

/** A journal record of a file that is replaced next; the state is null when it is removed. */
interface PublishedFile {
  readonly file: string;
  readonly state: FileState | null;
}

const nothing: Delta = { rows: [], removedKeys: [] };

export class Pending {
  readonly #journal: Journal;
  /** By table, day and owner. */
  readonly #chunks = new Map<string, Map<string, Map<string, Chunk[]>>>();
  /** Days whose files no longer count, by table. */
  readonly #emptied = new Map<string, Set<string>>();
  readonly #published = new Map<string, (FileState | null)[]>();
  #staged: StagedDelta[] = [];

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    const found: { readonly head: Head; readonly partsAt: number }[] = [];
    // The casts are safe: the journal has only records of this class, with a correct checksum.
    let backup: string | null = null;
    const take = ({ head, partsAt }: JournalRecord) => {
      if (Array.isArray(head)) found.push({ head: head as Head, partsAt });
      else this.#addPublished(head as PublishedFile);
    };
    this.#journal = new Journal(path, take, {
      readOnly,
      // Records after the damage are dropped: their cursors would count lost rows as read.
      onDamage: ({ isLast }) => {
        if (!isLast && !readOnly) backup = copyToBackup(path);
        return false;
      },
    });
    if (backup !== null) {
      this.close();
      throw new DamagedJournalError(backup);
    }
    for (const { head, partsAt } of found) {
      let at = partsAt;
      for (const [name, day, owner, span, length] of head) {
        const table = tableOf(name);
        if (owner === null) {
          this.#empty({ table, day });
          at += length;
          continue;
        }
        const chunks = this.#chunksOf({ table, day }, owner);
        chunks.push({ span, where: { at, length } });
        at += length;
        if (day === NO_DAY) this.#cacheLast(table, chunks);
      }
    }
  }

  get size(): number {
    return this.#journal.size;
  }

  /** States that a killed sync gave to files. */
  get published(): PublishedStates {
    return this.#published;
  }

  /** Stores the next state of a file, so that a sync after a kill knows it. */
  notePublished(file: string, state: FileState | null): void {
    this.#journal.append({ file, state } satisfies PublishedFile, []);
    this.#addPublished({ file, state });
  }

  days({ name }: Table): readonly string[] {
    return [...(this.#chunks.get(name)?.keys() ?? [])];
  }

  owners({ table, day }: TablePlace): readonly string[] {
    return [...(this.#chunks.get(table.name)?.get(day)?.keys() ?? [])];
  }

  has({ table, day }: TablePlace, owner: string): boolean {
    return this.#chunks.get(table.name)?.get(day)?.has(owner) ?? false;
  }

  /** Returns true when the day has lost all rows of its file. */
  isEmptied({ table, day }: TablePlace): boolean {
    return this.#emptied.get(table.name)?.has(day) ?? false;
  }

  /** Returns an owner's deltas in order; with `span`, those that may change rows of that time. */
  deltas({ table, day }: TablePlace, owner: string, span: TimeSpan | null = null): readonly Delta[] {
    const chunks = this.#chunks.get(table.name)?.get(day)?.get(owner) ?? [];
    const matching = chunks.filter((chunk) => {
      if (span === null || chunk.span === null) return true;
      return chunk.span.from <= span.until && chunk.span.until >= span.from;
    });
    return matching.map(({ where }) => ('cachedDelta' in where ? where.cachedDelta : unpack(this.#journal, where)));
  }

  /** Adds a delta, which counts at once; `commit` writes it to the journal. */
  stage(place: TablePlace, owner: string, span: TimeSpan | null, delta: Delta): void {
    const chunk = { span, where: { cachedDelta: delta } };
    const chunks = this.#chunksOf(place, owner);
    chunks.push(chunk);
    const undo = () => void chunks.splice(chunks.indexOf(chunk), 1);
    this.#staged.push({ head: [place.table.name, place.day, owner, span], delta, chunk, chunks, undo });
  }

  stageEmpty(place: TablePlace): void {
    const undo = this.#empty(place);
    const chunk: Chunk = { span: null, where: { cachedDelta: nothing } };
    this.#staged.push({ head: [place.table.name, place.day, null, null], delta: nothing, chunk, chunks: [], undo });
  }

  /** Writes the staged deltas to the journal, all or none. */
  commit(parts: JournalParts): void {
    const staged = this.#staged.map((one) => ({ ...one, bytes: pack(one.delta) }));
    if (staged.length === 0) return;
    const head: Head = staged.map((one) => [...one.head, one.bytes.length]);
    let at = this.#journal.append(
      head,
      staged.map(({ bytes }) => bytes),
      parts,
    );
    for (const {
      head: [name, day],
      chunk,
      chunks,
      bytes,
    } of staged) {
      chunk.where = { at, length: bytes.length };
      at += bytes.length;
      if (day === NO_DAY) this.#cacheLast(tableOf(name), chunks);
    }
    this.#staged = [];
  }

  rollBack(): void {
    for (const { undo } of this.#staged.toReversed()) undo();
    this.#staged = [];
  }

  close(): void {
    this.#journal.close();
  }

  /** Merges the last two deltas when both are small. The journal has them apart. */
  #cacheLast(table: Table, chunks: Chunk[]): void {
    const last = chunks.at(-1);
    if (last === undefined || (!('cachedDelta' in last.where) && last.where.length > CACHED_BYTES)) return;
    const cachedDelta = 'cachedDelta' in last.where ? last.where.cachedDelta : unpack(this.#journal, last.where);
    last.where = { cachedDelta };
    const before = chunks.at(-2)?.where;
    if (
      before === undefined ||
      !('cachedDelta' in before) ||
      before.cachedDelta.rows.length + cachedDelta.rows.length > CACHED_ROWS
    )
      return;
    chunks.splice(-2, 2, { span: null, where: { cachedDelta: mergedDelta(table, before.cachedDelta, cachedDelta) } });
  }

  /** Returns a function that reverts the change. */
  #empty({ table, day }: TablePlace): () => void {
    const days = this.#daysOf(table);
    const before = days.get(day);
    days.set(day, new Map());
    const emptied = this.#emptied.get(table.name) ?? new Set<string>();
    this.#emptied.set(table.name, emptied);
    const wasEmptied = emptied.has(day);
    emptied.add(day);
    return () => {
      if (before) days.set(day, before);
      else days.delete(day);
      if (!wasEmptied) emptied.delete(day);
    };
  }

  #addPublished({ file, state }: PublishedFile): void {
    this.#published.set(file, [...(this.#published.get(file) ?? []), state]);
  }

  #daysOf({ name }: Table): Map<string, Map<string, Chunk[]>> {
    const days = this.#chunks.get(name) ?? new Map<string, Map<string, Chunk[]>>();
    this.#chunks.set(name, days);
    return days;
  }

  #chunksOf({ table, day }: TablePlace, owner: string): Chunk[] {
    const days = this.#daysOf(table);
    const owners = days.get(day) ?? new Map<string, Chunk[]>();
    days.set(day, owners);
    const chunks = owners.get(owner) ?? [];
    owners.set(owner, chunks);
    return chunks;
  }
}

function mergedDelta(table: Table, first: Delta, second: Delta): Delta {
  const keyOf = keyText(table);
  const rows = new Map(first.rows.map((row) => [keyOf(row), row]));
  const removedKeys = new Set([...first.removedKeys, ...second.removedKeys]);
  for (const key of second.removedKeys) rows.delete(key);
  for (const row of second.rows) rows.set(keyOf(row), row);
  return { rows: [...rows.values()], removedKeys: [...removedKeys] };
}

function pack({ rows, removedKeys }: Delta): Uint8Array {
  return deflateRawSync(JSON.stringify([rows, removedKeys]), { level: 1 });
}

function unpack(journal: Journal, { at, length }: { readonly at: number; readonly length: number }): Delta {
  // Written by `pack`.
  const [rows, removedKeys] = JSON.parse(inflateRawSync(journal.bytes(at, length)).toString()) as [Row[], string[]];
  return { rows, removedKeys };
}

/** Returns the owner, whose rows are read together: a vehicle in tables with days. */
export function ownerOf(table: Table, row: Row): string {
  const { period, references } = table;
  if (period === undefined || references === undefined) return '';
  return String(row[columnIndex(table, references.column)] ?? '');
}

export function keyText(table: Table): (row: Row) => string {
  const places = table.key.map((name) => columnIndex(table, name));
  return (row) => places.map((place): Cell => row[place] ?? null).join('\0');
}
