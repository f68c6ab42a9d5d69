// The groups of the chosen vehicles as a tree: a group has the vehicles of the groups below it too, as with --group.
import type { Group } from '../../../index.js';
import { compareValues } from '../../shape/compare.js';

type GroupRow = Pick<Group, 'id' | 'name' | 'parentId'>;

export interface PlacedGroup {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** 0 for a group that stands below none. */
  readonly level: number;
}

export class GroupTree {
  readonly #byId: ReadonlyMap<string, GroupRow>;

  constructor(groups: readonly GroupRow[]) {
    this.#byId = new Map(groups.flatMap((group) => (group.id ? [[group.id, group] as const] : [])));
  }

  /** These groups and all above them. Groups may contain each other by mistake. */
  withAbove(ids: readonly string[]): ReadonlySet<string> {
    const all = new Set<string>();
    for (const id of ids) {
      for (let at: string | null = id; at !== null && !all.has(at); at = this.#parentOf(at)) all.add(at);
    }
    return all;
  }

  /** From top to bottom, each below the one that it belongs to, by name. */
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
    // A circle has no top.
    for (const id of this.#byName([...ids])) place(id, 0);
    return [...placed.values()];
  }

  #byName(ids: readonly string[]): readonly string[] {
    return [...ids].sort((a, b) => compareValues(this.#nameOf(a), this.#nameOf(b)));
  }

  #nameOf(id: string): string {
    return this.#byId.get(id)?.name || id;
  }

  /** Null also for a group above that this user does not see. */
  #parentOf(id: string): string | null {
    const parent = this.#byId.get(id)?.parentId ?? null;
    return parent !== null && this.#byId.has(parent) ? parent : null;
  }
}
