// A table of records by id, in insertion order, with indexes.

export type KeySelector<T> = (row: T) => string | readonly string[] | null;

// Most keys have one record: a Set for each of 100,000 VINs would exceed the vehicles' memory.
type IdSet = string | Set<string>;

const maxDeleted = 10_000;

export class RecordTable<T extends { readonly id: string }, Index extends string = never> {
  readonly #source: () => Iterable<T>;
  // Loaded on first use: most requests to a large fleet use few of its tables.
  #loadedRows: Map<string, T> | null = null;
  readonly #selectors: Readonly<Record<Index, KeySelector<T>>>;
  // For services that still show deleted records.
  readonly #deleted: Map<string, T>;
  // Built on first use and updated from then on.
  readonly #indexes = new Map<Index, Map<string, IdSet>>();

  constructor(
    selectors: Readonly<Record<Index, KeySelector<T>>>,
    source: () => Iterable<T>,
    deleted: readonly T[] = [],
  ) {
    this.#selectors = selectors;
    this.#source = source;
    this.#deleted = new Map(deleted.map((row) => [row.id, row]));
  }

  get #rows(): Map<string, T> {
    if (this.#loadedRows === null) {
      this.#loadedRows = new Map();
      for (const row of this.#source()) this.#loadedRows.set(row.id, row);
    }
    return this.#loadedRows;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  values(): IterableIterator<T> {
    return this.#rows.values();
  }

  findBy(index: Index, key: string): T[] {
    const ids = this.#index(index).get(key);
    if (ids === undefined) return [];
    const found: T[] = [];
    for (const id of typeof ids === 'string' ? [ids] : ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** Returns up to 10,000 deleted records, oldest first. */
  deleted(): IterableIterator<T> {
    return this.#deleted.values();
  }

  put(row: T): T {
    const previous = this.#rows.get(row.id);
    this.#rows.set(row.id, row);
    this.#deleted.delete(row.id);
    for (const [name, index] of this.#indexes) {
      if (previous !== undefined) this.#removeFromIndex(index, this.#selectors[name](previous), row.id);
      this.#addToIndex(index, this.#selectors[name](row), row.id);
    }
    return row;
  }

  delete(id: string): boolean {
    const previous = this.#rows.get(id);
    if (previous === undefined) return false;
    this.#rows.delete(id);
    this.#deleted.set(id, previous);
    const [oldest] = this.#deleted.keys();
    if (this.#deleted.size > maxDeleted && oldest !== undefined) this.#deleted.delete(oldest);
    for (const [name, index] of this.#indexes) this.#removeFromIndex(index, this.#selectors[name](previous), id);
    return true;
  }

  #index(name: Index): Map<string, IdSet> {
    const existing = this.#indexes.get(name);
    if (existing !== undefined) return existing;
    const index = new Map<string, IdSet>();
    for (const row of this.#rows.values()) this.#addToIndex(index, this.#selectors[name](row), row.id);
    this.#indexes.set(name, index);
    return index;
  }

  /** Adds an id to the index. A single id is stored without a Set, which saves memory. */
  #addToIndex(index: Map<string, IdSet>, selectors: string | readonly string[] | null, id: string): void {
    for (const key of toList(selectors)) {
      const ids = index.get(key);
      if (ids === undefined) index.set(key, id);
      else if (typeof ids !== 'string') ids.add(id);
      else if (ids !== id) index.set(key, new Set([ids, id]));
    }
  }

  #removeFromIndex(index: Map<string, IdSet>, selectors: string | readonly string[] | null, id: string): void {
    for (const key of toList(selectors)) {
      const ids = index.get(key);
      if (ids === id) index.delete(key);
      else if (ids instanceof Set) ids.delete(id);
    }
  }
}

function toList(selectors: string | readonly string[] | null): readonly string[] {
  if (selectors === null) return [];
  return typeof selectors === 'string' ? [selectors] : selectors;
}
