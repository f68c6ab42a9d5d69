import { AsyncLocalStorage } from "node:async_hooks";
import { FleetError } from "../core/errors.js";
class ItemCalls {
  #outer = itemCalls.getStore();
  #hasCalls = false;
  #mayHaveChanged = false;
  /** Notes a call of the item until its end. */
  note(kind, call) {
    this.#hasCalls = true;
    if (kind === "mutation")
      call.then(
        () => this.#changed(),
        (error) => isUnsent(error) || this.#changed()
      );
    this.#outer?.note(kind, call);
  }
  /** True when the calls of the item are known, and no change of it can have been made. */
  get areUnsent() {
    return this.#hasCalls && !this.#mayHaveChanged;
  }
  #changed() {
    this.#mayHaveChanged = true;
  }
}
const itemCalls = new AsyncLocalStorage();
let isUsed = false;
function itemOfCall() {
  return isUsed ? itemCalls.getStore() : void 0;
}
const OF_LOGIN = ["AUTHENTICATION", "CREDENTIALS", "SESSION_EXPIRED", "TOKEN_STORE"];
const UNSENT = [
  ...OF_LOGIN,
  ...[
    "ABORTED",
    "CLOSED",
    "GATE",
    "HEADERS",
    "NETWORK",
    "QUEUE_FULL",
    "RATE_LIMIT",
    "TIMEOUT",
    "USER_SELECTION"
  ]
];
function isUnsent(error) {
  return FleetError.is(error) && UNSENT.includes(error.code);
}
async function each(items, change, { concurrency = 1, stopAfter = Number.POSITIVE_INFINITY, signal }) {
  isUsed = true;
  const all = [...items];
  const done = [];
  const failed = [];
  const unknown = [];
  const notSent = [];
  let next = 0;
  let failuresInARow = 0;
  let isStopped = false;
  const take = async (item, index) => {
    const calls = new ItemCalls();
    try {
      const result = await itemCalls.run(calls, async () => change(item, index));
      failuresInARow = 0;
      done.push({ item, index, result });
    } catch (error) {
      failuresInARow++;
      if (FleetError.is(error) && error.code === "AMBIGUOUS_MUTATION") unknown.push({ item, index, error });
      else if (isUnsent(error) && calls.areUnsent) notSent.push({ item, index, error });
      else failed.push({ item, index, error });
      isStopped ||= failuresInARow >= stopAfter || FleetError.is(error) && OF_LOGIN.includes(error.code);
    }
  };
  const work = async () => {
    while (!isStopped && signal?.aborted !== true && next < all.length) {
      const index = next++;
      await take(all[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, all.length) }, work));
  for (const [place, item] of all.slice(next).entries()) notSent.push({ item, index: next + place, error: null });
  for (const outcomes of [done, failed, unknown, notSent]) outcomes.sort((a, b) => a.index - b.index);
  return { done, failed, unknown, notSent };
}
export {
  each,
  itemOfCall
};
