// Records of one kind by id, in the order they were added, with look-ups that never scan.

type Keys<T> = (row: T) => string | readonly string[] | null;

// Most keys lead to one record; a Set for each of 100,000 VINs would cost more memory than the vehicles.
type Ids = string | Set<string>;

export class Table<T extends { readonly id: string }, Index extends string = never> {
  readonly #source: () => Iterable<T>;
  // Read from the source when first asked for: most requests to a large fleet never touch most of its tables.
  #loaded: Map<string, T> | null = null;
  readonly #keys: Readonly<Record<Index, Keys<T>>>;
  // Built when first asked for, kept up to date from then on.
  readonly #indexes = new Map<Index, Map<string, Ids>>();

  constructor(keys: Readonly<Record<Index, Keys<T>>>, source: () => Iterable<T>) {
    this.#keys = keys;
    this.#source = source;
  }

  get #rows(): Map<string, T> {
    if (this.#loaded === null) {
      this.#loaded = new Map();
      for (const row of this.#source()) this.#loaded.set(row.id, row);
    }
    return this.#loaded;
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

  /** The records that have this key. */
  by(index: Index, key: string): T[] {
    const ids = this.#index(index).get(key);
    if (ids === undefined) return [];
    const found: T[] = [];
    for (const id of typeof ids === 'string' ? [ids] : ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** Adds a record, or replaces the one with its id. Records are never changed in place. */
  put(row: T): T {
    const old = this.#rows.get(row.id);
    this.#rows.set(row.id, row);
    for (const [name, index] of this.#indexes) {
      if (old !== undefined) this.#forget(index, this.#keys[name](old), row.id);
      this.#remember(index, this.#keys[name](row), row.id);
    }
    return row;
  }

  delete(id: string): boolean {
    const old = this.#rows.get(id);
    if (old === undefined) return false;
    this.#rows.delete(id);
    for (const [name, index] of this.#indexes) this.#forget(index, this.#keys[name](old), id);
    return true;
  }

  #index(name: Index): Map<string, Ids> {
    const built = this.#indexes.get(name);
    if (built !== undefined) return built;
    const index = new Map<string, Ids>();
    for (const row of this.#rows.values()) this.#remember(index, this.#keys[name](row), row.id);
    this.#indexes.set(name, index);
    return index;
  }

  #remember(index: Map<string, Ids>, keys: string | readonly string[] | null, id: string): void {
    for (const key of listOf(keys)) {
      const ids = index.get(key);
      if (ids === undefined) index.set(key, id);
      else if (typeof ids !== 'string') ids.add(id);
      else if (ids !== id) index.set(key, new Set([ids, id]));
    }
  }

  #forget(index: Map<string, Ids>, keys: string | readonly string[] | null, id: string): void {
    for (const key of listOf(keys)) {
      const ids = index.get(key);
      if (ids === id) index.delete(key);
      else if (ids instanceof Set) ids.delete(id);
    }
  }
}

function listOf(keys: string | readonly string[] | null): readonly string[] {
  if (keys === null) return [];
  return typeof keys === 'string' ? [keys] : keys;
}
