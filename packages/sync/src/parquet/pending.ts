// What the journal holds that is not in the files yet: for a day and an owner, rows that are set and keys that are gone. Doing it twice has the
// same result, so a sync that was killed while it replaced files is simply done again.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { copyToBackup, Journal, type JournalParts, type JournalRecord } from 'fleet-telematics/kit';
import type { Cell, Row } from '../rows.js';
import { columnIndex, type Table, tableOf } from '../tables.js';
import { type FileState, NO_DAY, type PublishedStates, type TablePlace } from './layout.js';
import { DamagedJournalError } from './parquet-error.js';

/** What changes of the rows of one owner in a place. */
export interface Delta {
  readonly rows: readonly Row[];
  readonly gone: readonly string[];
}

/** A time that rows have. Only rows that are moments are found by it; others can be changed in their end. */
export interface TimeSpan {
  readonly from: string;
  readonly until: string;
}

/** Where a delta is. In the journal it is packed. */
interface Chunk {
  readonly span: TimeSpan | null;
  where: { readonly at: number; readonly length: number } | { readonly kept: Delta };
}

/** Deltas of a table without days are kept in memory up to this size: a note of the sync's own changes with every batch. */
const KEPT_ROWS = 1000;
const KEPT_BYTES = 64 * 1024;

/** Where a delta belongs to; without an owner, the day has lost all rows that it had before. */
type Place = readonly [table: string, day: string, owner: string | null, span: TimeSpan | null];

/** A delta that is not written down yet. */
interface Staged {
  readonly head: Place;
  readonly delta: Delta;
  readonly chunk: Chunk;
  readonly chunks: Chunk[];
  readonly undo: () => void;
}

/** As a record of the journal tells of its parts. */
type Head = readonly (readonly [...Place, length: number])[];

/** A record of the journal about a file that takes its place next; null when it is removed. */
interface Published {
  readonly file: string;
  readonly state: FileState | null;
}

const nothing: Delta = { rows: [], gone: [] };

export class Pending {
  readonly #journal: Journal;
  /** By table, day and owner. */
  readonly #chunks = new Map<string, Map<string, Map<string, Chunk[]>>>();
  /** Days whose files do not count any more, by table. */
  readonly #emptied = new Map<string, Set<string>>();
  readonly #published = new Map<string, (FileState | null)[]>();
  #staged: Staged[] = [];

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    const found: { readonly head: Head; readonly partsAt: number }[] = [];
    // The journal has only what `commit` has written, and its checksum is right.
    let backup: string | null = null;
    const take = ({ head, partsAt }: JournalRecord) => {
      if (Array.isArray(head)) found.push({ head: head as Head, partsAt });
      else this.#takePublished(head as Published);
    };
    this.#journal = new Journal(path, take, {
      readOnly,
      // Records behind the damage are not read: the cursors in them would say that its rows are in the copy.
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
        if (day === NO_DAY) this.#keep(table, chunks);
      }
    }
  }

  /** Bytes on the disk. */
  get size(): number {
    return this.#journal.size;
  }

  /** The states that files were given by a sync that was killed before its end. */
  get published(): PublishedStates {
    return this.#published;
  }

  /** Notes the state that a file gets next, so that a sync after a kill knows it. */
  notePublished(file: string, state: FileState | null): void {
    this.#journal.append({ file, state } satisfies Published, []);
    this.#takePublished({ file, state });
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

  /** Whether the day has lost all rows of its file. */
  isEmptied({ table, day }: TablePlace): boolean {
    return this.#emptied.get(table.name)?.has(day) ?? false;
  }

  /** What is pending of an owner, in order; with `span`, what rows of that time may have of it. */
  deltas({ table, day }: TablePlace, owner: string, span: TimeSpan | null = null): readonly Delta[] {
    const chunks = this.#chunks.get(table.name)?.get(day)?.get(owner) ?? [];
    const wanted = chunks.filter((chunk) => {
      if (span === null || chunk.span === null) return true;
      return chunk.span.from <= span.until && chunk.span.until >= span.from;
    });
    return wanted.map(({ where }) => ('kept' in where ? where.kept : unpack(this.#journal, where)));
  }

  /** Adds a delta, which counts from now on and is written down by `commit`. */
  stage(place: TablePlace, owner: string, span: TimeSpan | null, delta: Delta): void {
    const chunk = { span, where: { kept: delta } };
    const chunks = this.#chunksOf(place, owner);
    chunks.push(chunk);
    const undo = () => void chunks.splice(chunks.indexOf(chunk), 1);
    this.#staged.push({ head: [place.table.name, place.day, owner, span], delta, chunk, chunks, undo });
  }

  /** Takes all rows out of a day. */
  stageEmpty(place: TablePlace): void {
    const undo = this.#empty(place);
    const chunk: Chunk = { span: null, where: { kept: nothing } };
    this.#staged.push({ head: [place.table.name, place.day, null, null], delta: nothing, chunk, chunks: [], undo });
  }

  /** Writes down what was staged, all or nothing of it. */
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
      if (day === NO_DAY) this.#keep(tableOf(name), chunks);
    }
    this.#staged = [];
  }

  /** Forgets what was staged and not written down. */
  rollBack(): void {
    for (const { undo } of this.#staged.toReversed()) undo();
    this.#staged = [];
  }

  close(): void {
    this.#journal.close();
  }

  /** Puts the last of these deltas together with the one before it, when both are small. The journal has them apart. */
  #keep(table: Table, chunks: Chunk[]): void {
    const last = chunks.at(-1);
    if (last === undefined || (!('kept' in last.where) && last.where.length > KEPT_BYTES)) return;
    const kept = 'kept' in last.where ? last.where.kept : unpack(this.#journal, last.where);
    last.where = { kept };
    const before = chunks.at(-2)?.where;
    if (before === undefined || !('kept' in before) || before.kept.rows.length + kept.rows.length > KEPT_ROWS) return;
    chunks.splice(-2, 2, { span: null, where: { kept: together(table, before.kept, kept) } });
  }

  /** Returns what takes it back. */
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

  #takePublished({ file, state }: Published): void {
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

function together(table: Table, first: Delta, second: Delta): Delta {
  const keyOf = keyText(table);
  const rows = new Map(first.rows.map((row) => [keyOf(row), row]));
  const gone = new Set([...first.gone, ...second.gone]);
  for (const key of second.gone) rows.delete(key);
  for (const row of second.rows) rows.set(keyOf(row), row);
  return { rows: [...rows.values()], gone: [...gone] };
}

function pack({ rows, gone }: Delta): Uint8Array {
  return deflateRawSync(JSON.stringify([rows, gone]), { level: 1 });
}

function unpack(journal: Journal, { at, length }: { readonly at: number; readonly length: number }): Delta {
  // What `pack` has written.
  const [rows, gone] = JSON.parse(inflateRawSync(journal.bytes(at, length)).toString()) as [Row[], string[]];
  return { rows, gone };
}

/** Whose rows are read and merged together: those of a vehicle where a table has days, else all. */
export function ownerOf(table: Table, row: Row): string {
  const { period, references } = table;
  if (period === undefined || references === undefined) return '';
  return String(row[columnIndex(table, references.column)] ?? '');
}

/** The key of a row as text. */
export function keyText(table: Table): (row: Row) => string {
  const places = table.key.map((name) => columnIndex(table, name));
  return (row) => places.map((place): Cell => row[place] ?? null).join('\0');
}
