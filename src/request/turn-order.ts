// Chooses the next of a user's waiting requests: by priority, then in the order of the calls. No
// priority starves, and no read overtakes an earlier change of its own caller. docs/sdk.md
// ("Priorities") promises these rules.

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { FAIR_TURNS, type Priority } from '../core/priority.js';

/** A client or a part of it, compared by identity. */
export type Caller = object | undefined;

/**
 * A part of a client. Parts do not wait for each other, but the client's own calls wait for all.
 */
export class ClientPart {
  readonly client: object;

  constructor(client: object) {
    this.client = client;
  }
}

export interface Waiting {
  readonly priority: Priority;
  /** True for a mutation: later items of its caller wait for it. */
  readonly isFence: boolean;
  /** True when no caller waits for it any more. */
  readonly isAbandoned: boolean;
  callers(): Iterable<Caller>;
  /** Position among all waiting items; set by the order. */
  place: number;
}

const priorities = ['high', 'normal', 'low'] as const satisfies readonly Priority[];
const rankOf = (priority: Priority) => priorities.indexOf(priority);

export class TurnOrder<Item extends Waiting> {
  readonly #levels: Readonly<Record<Priority, Item[]>> = { high: [], normal: [], low: [] };
  /** Turns since this priority had one, while an item of it waits. */
  #passedOver: Record<Priority, number> = { high: 0, normal: 0, low: 0 };
  /** The waiting mutations with their callers; also by caller, and by the client of a part. */
  readonly #fences = new Map<Item, Caller>();
  readonly #fencesByCaller = new Map<Caller, Item[]>();
  readonly #fencesOfParts = new Map<Caller, Item[]>();
  readonly #waiting = new Set<Item>();
  #lastPlace = 0;

  add(item: Item): void {
    item.place = ++this.#lastPlace;
    this.#levels[item.priority].push(item);
    this.#waiting.add(item);
    if (!item.isFence) return;
    // A mutation is sent alone, so it has one caller.
    const [caller] = item.callers();
    this.#fences.set(item, caller);
    addTo(this.#fencesByCaller, caller, item);
    if (caller instanceof ClientPart) addTo(this.#fencesOfParts, caller.client, item);
  }

  /** Puts parts of a request back to its place: after parts that are there, before later items. */
  requeue(parts: readonly Item[], original: Item): void {
    const place = original.place;
    const level = this.#levels[original.priority];
    const at = level.findIndex((other) => other.place > place);
    level.splice(at < 0 ? level.length : at, 0, ...parts);
    for (const part of parts) {
      part.place = place;
      this.#waiting.add(part);
    }
  }

  take(): Item | null {
    const [only = null] = this.#waiting;
    if (only === null) return null;
    if (this.#waiting.size === 1) {
      // The most frequent case: with no other item, nothing is passed over.
      this.#remove(only);
      this.#passedOver = { high: 0, normal: 0, low: 0 };
      return only.isAbandoned ? null : only;
    }
    const priority = this.#nextPriority();
    if (priority === null) return null;
    const [head] = this.#levels[priority];
    if (!head) return null;
    let item = head;
    // A blocker may be blocked itself.
    for (let before = this.#blockerOf(item); before; before = this.#blockerOf(item)) item = before;
    this.#remove(item);
    this.#countTurn(priority, item.priority);
    return item;
  }

  /**
   * True when a read may join without overtaking a mutation of its caller or delaying the others.
   */
  mayJoin(item: Item, caller: Caller): boolean {
    if (this.#fences.size === 0) return true;
    const fences = this.#fencesOf(caller);
    const last = fences.at(-1);
    if (!last) return true;
    if (!this.#waiting.has(item) || last.place > item.place) return false;
    if (fences.every(({ priority }) => rankOf(priority) <= rankOf(item.priority))) return true;
    return belongsTo(item, caller);
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  hasHigherPriority(priority: Priority): boolean {
    return priorities.slice(0, rankOf(priority)).some((higher) => this.#hasWaiting(higher));
  }

  /** Yields the waiting items, from the highest priority to the lowest. */
  *waiting(): Iterable<Item> {
    for (const priority of priorities) for (const item of this.#levels[priority]) if (!item.isAbandoned) yield item;
  }

  #nextPriority(): Priority | null {
    const [high, normal, low] = [this.#hasWaiting('high'), this.#hasWaiting('normal'), this.#hasWaiting('low')];
    if (low && this.#passedOver.low >= FAIR_TURNS - 1) return 'low';
    // One turn earlier than low: when both are due, normal still has a turn within FAIR_TURNS.
    if (normal && this.#passedOver.normal >= FAIR_TURNS - 2) return 'normal';
    if (high) return 'high';
    if (normal) return 'normal';
    return low ? 'low' : null;
  }

  #hasWaiting(priority: Priority): boolean {
    const level = this.#levels[priority];
    for (let head = level[0]; head?.isAbandoned; head = level[0]) this.#remove(head);
    return level.length > 0;
  }

  /** Returns the earlier item that has to go first; null without one. */
  #blockerOf(item: Item): Item | null {
    // The most frequent case: no mutation waits.
    if (this.#fences.size === 0) return null;
    const place = item.place;
    for (const caller of item.callers()) {
      const [fence] = this.#fencesOf(caller);
      if (fence && fence.place < place) return fence;
    }
    if (!item.isFence) return null;
    // An earlier read of the same priority must not see the mutation.
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

  /** Returns the mutations that a caller has to wait for, in order, without abandoned ones. */
  #fencesOf(caller: Caller): readonly Item[] {
    const own = this.#fencesByCaller.get(caller) ?? [];
    const others =
      caller instanceof ClientPart ? this.#fencesByCaller.get(caller.client) : this.#fencesOfParts.get(caller);
    const fences = others ? [...own, ...others].sort((one, other) => one.place - other.place) : own;
    return fences.some(({ isAbandoned }) => isAbandoned) ? fences.filter(({ isAbandoned }) => !isAbandoned) : fences;
  }

  #remove(item: Item): void {
    const level = this.#levels[item.priority];
    level.splice(level.indexOf(item), 1);
    this.#waiting.delete(item);
    if (!this.#fences.has(item)) return;
    const caller = this.#fences.get(item);
    this.#fences.delete(item);
    removeFrom(this.#fencesByCaller, caller, item);
    if (caller instanceof ClientPart) removeFrom(this.#fencesOfParts, caller.client, item);
  }

  /**
   * Updates how often each priority was passed over. `actual` differs from `due` when an earlier
   * item had to go first.
   */
  #countTurn(due: Priority, actual: Priority): void {
    for (const priority of priorities) {
      const hadTurn = priority === due || priority === actual || this.#levels[priority].length === 0;
      this.#passedOver[priority] = hadTurn ? 0 : this.#passedOver[priority] + 1;
    }
  }
}

function belongsTo(item: Waiting, caller: Caller): boolean {
  for (const one of item.callers()) if (one === caller) return true;
  return false;
}

/** True when a caller of the item must not see a later mutation of this caller. */
function isInOrderWith(item: Waiting, caller: Caller): boolean {
  for (const one of item.callers()) {
    if (one === caller || isPartOf(one, caller) || isPartOf(caller, one)) return true;
  }
  return false;
}

function isPartOf(one: Caller, other: Caller): boolean {
  return one instanceof ClientPart && one.client === other;
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function removeFrom<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (!list) return;
  list.splice(list.indexOf(value), 1);
  if (list.length === 0) lists.delete(key);
}

const incomingRequest = new AsyncLocalStorage<WeakMap<object, ClientPart>>();
let isSubscribed = false;

/**
 * Returns the caller of a call: the client, or in an HTTP server its part for the incoming request.
 * The reads of one request therefore do not wait for a change of another request.
 * Calls outside of incoming requests are in order with all of them. Incoming requests are
 * distinguished from the first mutation on: reads need no order.
 */
export function callerOf(client: object, kind: 'query' | 'mutation'): Caller {
  if (!isSubscribed) {
    if (kind === 'query') return client;
    subscribeToRequests();
  }
  const parts = incomingRequest.getStore();
  if (!parts) return client;
  const existing = parts.get(client);
  if (existing) return existing;
  const part = new ClientPart(client);
  parts.set(client, part);
  return part;
}

/**
 * Gives each incoming HTTP request its own map: the channel runs in the request's async context.
 */
function subscribeToRequests(): void {
  isSubscribed = true;
  subscribe('http.server.request.start', () => incomingRequest.enterWith(new WeakMap()));
}
