import { deflateRawSync, inflateRawSync } from "node:zlib";
import { copyToBackup, Journal } from "fleet-telematics/kit";
import { columnIndex, tableOf } from "../tables.js";
import { NO_DAY } from "./layout.js";
import { DamagedJournalError } from "./parquet-error.js";
const KEPT_ROWS = 1e3;
const KEPT_BYTES = 64 * 1024;
const nothing = { rows: [], gone: [] };
class Pending {
  #journal;
  /** By table, day and owner. */
  #chunks = /* @__PURE__ */ new Map();
  /** Days whose files do not count any more, by table. */
  #emptied = /* @__PURE__ */ new Map();
  #published = /* @__PURE__ */ new Map();
  #staged = [];
  constructor(path, { readOnly }) {
    const found = [];
    let backup = null;
    const take = ({ head, partsAt }) => {
      if (Array.isArray(head)) found.push({ head, partsAt });
      else this.#takePublished(head);
    };
    this.#journal = new Journal(path, take, {
      readOnly,
      // Records behind the damage are not read: the cursors in them would say that its rows are in the copy.
      onDamage: ({ isLast }) => {
        if (!isLast && !readOnly) backup = copyToBackup(path);
        return false;
      }
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
  get size() {
    return this.#journal.size;
  }
  /** The states that files were given by a sync that was killed before its end. */
  get published() {
    return this.#published;
  }
  /** Notes the state that a file gets next, so that a sync after a kill knows it. */
  notePublished(file, state) {
    this.#journal.append({ file, state }, []);
    this.#takePublished({ file, state });
  }
  days({ name }) {
    return [...this.#chunks.get(name)?.keys() ?? []];
  }
  owners({ table, day }) {
    return [...this.#chunks.get(table.name)?.get(day)?.keys() ?? []];
  }
  has({ table, day }, owner) {
    return this.#chunks.get(table.name)?.get(day)?.has(owner) ?? false;
  }
  /** Whether the day has lost all rows of its file. */
  isEmptied({ table, day }) {
    return this.#emptied.get(table.name)?.has(day) ?? false;
  }
  /** What is pending of an owner, in order; with `span`, what rows of that time may have of it. */
  deltas({ table, day }, owner, span = null) {
    const chunks = this.#chunks.get(table.name)?.get(day)?.get(owner) ?? [];
    const wanted = chunks.filter((chunk) => {
      if (span === null || chunk.span === null) return true;
      return chunk.span.from <= span.until && chunk.span.until >= span.from;
    });
    return wanted.map(({ where }) => "kept" in where ? where.kept : unpack(this.#journal, where));
  }
  /** Adds a delta, which counts from now on and is written down by `commit`. */
  stage(place, owner, span, delta) {
    const chunk = { span, where: { kept: delta } };
    const chunks = this.#chunksOf(place, owner);
    chunks.push(chunk);
    const undo = () => void chunks.splice(chunks.indexOf(chunk), 1);
    this.#staged.push({ head: [place.table.name, place.day, owner, span], delta, chunk, chunks, undo });
  }
  /** Takes all rows out of a day. */
  stageEmpty(place) {
    const undo = this.#empty(place);
    const chunk = { span: null, where: { kept: nothing } };
    this.#staged.push({ head: [place.table.name, place.day, null, null], delta: nothing, chunk, chunks: [], undo });
  }
  /** Writes down what was staged, all or nothing of it. */
  commit(parts) {
    const staged = this.#staged.map((one) => ({ ...one, bytes: pack(one.delta) }));
    if (staged.length === 0) return;
    const head = staged.map((one) => [...one.head, one.bytes.length]);
    let at = this.#journal.append(
      head,
      staged.map(({ bytes }) => bytes),
      parts
    );
    for (const {
      head: [name, day],
      chunk,
      chunks,
      bytes
    } of staged) {
      chunk.where = { at, length: bytes.length };
      at += bytes.length;
      if (day === NO_DAY) this.#keep(tableOf(name), chunks);
    }
    this.#staged = [];
  }
  /** Forgets what was staged and not written down. */
  rollBack() {
    for (const { undo } of this.#staged.toReversed()) undo();
    this.#staged = [];
  }
  close() {
    this.#journal.close();
  }
  /** Puts the last of these deltas together with the one before it, when both are small. The journal has them apart. */
  #keep(table, chunks) {
    const last = chunks.at(-1);
    if (last === void 0 || !("kept" in last.where) && last.where.length > KEPT_BYTES) return;
    const kept = "kept" in last.where ? last.where.kept : unpack(this.#journal, last.where);
    last.where = { kept };
    const before = chunks.at(-2)?.where;
    if (before === void 0 || !("kept" in before) || before.kept.rows.length + kept.rows.length > KEPT_ROWS) return;
    chunks.splice(-2, 2, { span: null, where: { kept: together(table, before.kept, kept) } });
  }
  /** Returns what takes it back. */
  #empty({ table, day }) {
    const days = this.#daysOf(table);
    const before = days.get(day);
    days.set(day, /* @__PURE__ */ new Map());
    const emptied = this.#emptied.get(table.name) ?? /* @__PURE__ */ new Set();
    this.#emptied.set(table.name, emptied);
    const wasEmptied = emptied.has(day);
    emptied.add(day);
    return () => {
      if (before) days.set(day, before);
      else days.delete(day);
      if (!wasEmptied) emptied.delete(day);
    };
  }
  #takePublished({ file, state }) {
    this.#published.set(file, [...this.#published.get(file) ?? [], state]);
  }
  #daysOf({ name }) {
    const days = this.#chunks.get(name) ?? /* @__PURE__ */ new Map();
    this.#chunks.set(name, days);
    return days;
  }
  #chunksOf({ table, day }, owner) {
    const days = this.#daysOf(table);
    const owners = days.get(day) ?? /* @__PURE__ */ new Map();
    days.set(day, owners);
    const chunks = owners.get(owner) ?? [];
    owners.set(owner, chunks);
    return chunks;
  }
}
function together(table, first, second) {
  const keyOf = keyText(table);
  const rows = new Map(first.rows.map((row) => [keyOf(row), row]));
  const gone = /* @__PURE__ */ new Set([...first.gone, ...second.gone]);
  for (const key of second.gone) rows.delete(key);
  for (const row of second.rows) rows.set(keyOf(row), row);
  return { rows: [...rows.values()], gone: [...gone] };
}
function pack({ rows, gone }) {
  return deflateRawSync(JSON.stringify([rows, gone]), { level: 1 });
}
function unpack(journal, { at, length }) {
  const [rows, gone] = JSON.parse(inflateRawSync(journal.bytes(at, length)).toString());
  return { rows, gone };
}
function ownerOf(table, row) {
  const { period, references } = table;
  if (period === void 0 || references === void 0) return "";
  return String(row[columnIndex(table, references.column)] ?? "");
}
function keyText(table) {
  const places = table.key.map((name) => columnIndex(table, name));
  return (row) => places.map((place) => row[place] ?? null).join("\0");
}
export {
  Pending,
  keyText,
  ownerOf
};
