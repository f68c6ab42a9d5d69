// Groups as a tree. A group includes the vehicles of its subgroups, like --group.
import type { Group } from '../../../index.js';
import { compareValues } from '../../shape/compare.js';

type GroupRow = Pick<Group, 'id' | 'name' | 'parentId'>;

interface PlacedGroup {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly level: number;
}

export class GroupTree {
  readonly #byId: ReadonlyMap<string, GroupRow>;

  constructor(groups: readonly GroupRow[]) {
    this.#byId = new Map(groups.flatMap((group) => (group.id ? [[group.id, group] as const] : [])));
  }

  /** Returns these groups and all their ancestors. Stops at cycles. */
  withAbove(ids: readonly string[]): ReadonlySet<string> {
    const all = new Set<string>();
    for (const id of ids) {
      for (let at: string | null = id; at !== null && !all.has(at); at = this.#parentOf(at)) all.add(at);
    }
    return all;
  }

  /** Returns the groups depth-first, siblings by name. */
  inOrder(ids: ReadonlySet<string>): readonly PlacedGroup[] {
    const below = new Map<string | null, string[]>();
    for (const id of ids) {
      const parent = this.#parentOf(id);
      const place = parent !== null && ids.has(parent) ? parent : null;
      below.set(place, [...(below.get(place) ?? []), id]);
    }
    const placed = new Map<string, PlacedGroup>();
    const place = (id: string, level: number) => {
      if (placed.has(id)) return;
      placed.set(id, { id, name: this.#nameOf(id), parentId: this.#parentOf(id), level });
      for (const other of this.#byName(below.get(id) ?? [])) place(other, level + 1);
    };
    for (const id of this.#byName(below.get(null) ?? [])) place(id, 0);
    // Groups in a cycle have no root, so they come last.
    for (const id of this.#byName([...ids])) place(id, 0);
    return [...placed.values()];
  }

  #byName(ids: readonly string[]): readonly string[] {
    return [...ids].sort((a, b) => compareValues(this.#nameOf(a), this.#nameOf(b)));
  }

  #nameOf(id: string): string {
    return this.#byId.get(id)?.name || id;
  }

  /** Returns the parent id; null for a root or an invisible parent. */
  #parentOf(id: string): string | null {
    const parent = this.#byId.get(id)?.parentId ?? null;
    return parent !== null && this.#byId.has(parent) ? parent : null;
  }
}
