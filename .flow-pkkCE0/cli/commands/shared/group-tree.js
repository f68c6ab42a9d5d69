import { compareValues } from "../../shape/compare.js";
class GroupTree {
  #byId;
  constructor(groups) {
    this.#byId = new Map(groups.flatMap((group) => group.id ? [[group.id, group]] : []));
  }
  /** Returns these groups and all their ancestors. Stops at cycles. */
  withAbove(ids) {
    const all = /* @__PURE__ */ new Set();
    for (const id of ids) {
      for (let at = id; at !== null && !all.has(at); at = this.#parentOf(at)) all.add(at);
    }
    return all;
  }
  /** Returns the groups from top to bottom, each below its parent, siblings by name. */
  inOrder(ids) {
    const below = /* @__PURE__ */ new Map();
    for (const id of ids) {
      const parent = this.#parentOf(id);
      const place2 = parent !== null && ids.has(parent) ? parent : null;
      below.set(place2, [...below.get(place2) ?? [], id]);
    }
    const placed = /* @__PURE__ */ new Map();
    const place = (id, level) => {
      if (placed.has(id)) return;
      placed.set(id, { id, name: this.#nameOf(id), parentId: this.#parentOf(id), level });
      for (const other of this.#byName(below.get(id) ?? [])) place(other, level + 1);
    };
    for (const id of this.#byName(below.get(null) ?? [])) place(id, 0);
    for (const id of this.#byName([...ids])) place(id, 0);
    return [...placed.values()];
  }
  #byName(ids) {
    return [...ids].sort((a, b) => compareValues(this.#nameOf(a), this.#nameOf(b)));
  }
  #nameOf(id) {
    return this.#byId.get(id)?.name || id;
  }
  /** Returns the parent id; null for a root, or for a parent that is not visible to the user. */
  #parentOf(id) {
    const parent = this.#byId.get(id)?.parentId ?? null;
    return parent !== null && this.#byId.has(parent) ? parent : null;
  }
}
export {
  GroupTree
};
