import { FAIR_TURNS } from "../core/priority.js";
class PartOfClient {
  client;
  constructor(client) {
    this.client = client;
  }
}
const priorities = ["high", "normal", "low"];
const rankOf = (priority) => priorities.indexOf(priority);
class TurnOrder {
  /** What waits, by priority; each list in the order of the places. */
  #levels = { high: [], normal: [], low: [] };
  /** The turns since something of this priority had one, as long as something of it waits. */
  #passedOver = { high: 0, normal: 0, low: 0 };
  /** The changes that wait, and who asked for each; by who that is, and by the client of which it is a part. Each list in order. */
  #fences = /* @__PURE__ */ new Map();
  #fencesByCaller = /* @__PURE__ */ new Map();
  #fencesOfParts = /* @__PURE__ */ new Map();
  #waiting = /* @__PURE__ */ new Set();
  #lastPlace = 0;
  /** Adds what was just asked for. */
  add(item) {
    item.place = ++this.#lastPlace;
    this.#levels[item.priority].push(item);
    this.#waiting.add(item);
    if (!item.isFence) return;
    const [caller] = item.callers();
    this.#fences.set(item, caller);
    addTo(this.#fencesByCaller, caller, item);
    if (caller instanceof PartOfClient) addTo(this.#fencesOfParts, caller.client, item);
  }
  /** Puts the parts of a request that had its turn where it was: before what was asked for later, after parts that were there already. */
  addAgain(parts, original) {
    const place = original.place;
    const level = this.#levels[original.priority];
    const at = level.findIndex((other) => other.place > place);
    level.splice(at < 0 ? level.length : at, 0, ...parts);
    for (const part of parts) {
      part.place = place;
      this.#waiting.add(part);
    }
  }
  /** Removes what goes next, and returns it; null when nothing waits. */
  take() {
    const [only = null] = this.#waiting;
    if (only === null) return null;
    if (this.#waiting.size === 1) {
      this.#remove(only);
      this.#passedOver = { high: 0, normal: 0, low: 0 };
      return only.isAbandoned ? null : only;
    }
    const priority = this.#nextPriority();
    if (priority === null) return null;
    const [head] = this.#levels[priority];
    if (!head) return null;
    let item = head;
    for (let before = this.#blockerOf(item); before; before = this.#blockerOf(item)) item = before;
    this.#remove(item);
    this.#countTurn(priority, item.priority);
    return item;
  }
  /**
   * Whether a read may be added to a request without overtaking a change of its caller, and without making the others in the request wait
   * for such a change.
   */
  mayJoin(item, caller) {
    if (this.#fences.size === 0) return true;
    const fences = this.#fencesOf(caller);
    const last = fences.at(-1);
    if (!last) return true;
    if (!this.#waiting.has(item) || last.place > item.place) return false;
    if (fences.every(({ priority }) => rankOf(priority) <= rankOf(item.priority))) return true;
    return isOf(item, caller);
  }
  get hasWaiting() {
    return this.#waiting.size > 0;
  }
  /** Whether something of a higher priority waits. */
  hasAbove(priority) {
    return priorities.slice(0, rankOf(priority)).some((higher) => this.#hasWaiting(higher));
  }
  /** What waits, from the highest priority to the lowest. */
  *waiting() {
    for (const priority of priorities) for (const item of this.#levels[priority]) if (!item.isAbandoned) yield item;
  }
  #nextPriority() {
    const [high, normal, low] = [this.#hasWaiting("high"), this.#hasWaiting("normal"), this.#hasWaiting("low")];
    if (low && this.#passedOver.low >= FAIR_TURNS - 1) return "low";
    if (normal && this.#passedOver.normal >= FAIR_TURNS - 2) return "normal";
    if (high) return "high";
    if (normal) return "normal";
    return low ? "low" : null;
  }
  #hasWaiting(priority) {
    const level = this.#levels[priority];
    for (let head = level[0]; head?.isAbandoned; head = level[0]) this.#remove(head);
    return level.length > 0;
  }
  /** What was asked for before it and has to go first; null when nothing has to. */
  #blockerOf(item) {
    if (this.#fences.size === 0) return null;
    const place = item.place;
    for (const caller of item.callers()) {
      const [fence] = this.#fencesOf(caller);
      if (fence && fence.place < place) return fence;
    }
    if (!item.isFence) return null;
    for (const caller of item.callers()) {
      for (const priority of priorities.slice(0, rankOf(item.priority) + 1)) {
        for (const other of this.#levels[priority]) {
          if (other.place >= place) break;
          if (!other.isAbandoned && isInOrderWith(other, caller)) return other;
        }
      }
    }
    return null;
  }
  /** The changes that a caller has to wait for, in order, without those that nobody waits for any more. */
  #fencesOf(caller) {
    const own = this.#fencesByCaller.get(caller) ?? [];
    const others = caller instanceof PartOfClient ? this.#fencesByCaller.get(caller.client) : this.#fencesOfParts.get(caller);
    const fences = others ? [...own, ...others].sort((one, other) => one.place - other.place) : own;
    return fences.some(({ isAbandoned }) => isAbandoned) ? fences.filter(({ isAbandoned }) => !isAbandoned) : fences;
  }
  #remove(item) {
    const level = this.#levels[item.priority];
    level.splice(level.indexOf(item), 1);
    this.#waiting.delete(item);
    if (!this.#fences.has(item)) return;
    const caller = this.#fences.get(item);
    this.#fences.delete(item);
    removeFrom(this.#fencesByCaller, caller, item);
    if (caller instanceof PartOfClient) removeFrom(this.#fencesOfParts, caller.client, item);
  }
  /** Counts a turn that one priority was due for and that an item of another may have taken: they differ when that item had to go first. */
  #countTurn(forSakeOf, taken) {
    for (const priority of priorities) {
      const hadTurn = priority === forSakeOf || priority === taken || this.#levels[priority].length === 0;
      this.#passedOver[priority] = hadTurn ? 0 : this.#passedOver[priority] + 1;
    }
  }
}
function isOf(item, caller) {
  for (const one of item.callers()) if (one === caller) return true;
  return false;
}
function isInOrderWith(item, caller) {
  for (const one of item.callers()) {
    if (one === caller || isPartOf(one, caller) || isPartOf(caller, one)) return true;
  }
  return false;
}
function isPartOf(one, other) {
  return one instanceof PartOfClient && one.client === other;
}
function addTo(lists, key, value) {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
function removeFrom(lists, key, value) {
  const list = lists.get(key);
  if (!list) return;
  list.splice(list.indexOf(value), 1);
  if (list.length === 0) lists.delete(key);
}
export {
  PartOfClient,
  TurnOrder
};
