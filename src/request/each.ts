// Makes a change for each of many items, and returns the outcome of each one.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type AmbiguousMutationError, FleetError, type FleetErrorCode } from '../core/errors.js';

/** The options of `each`. */
export interface EachOptions {
  /** The number of items in progress at a time. Default 1: one after the other, in order. */
  readonly concurrency?: number | undefined;
  /** Stops after this many consecutive failures. Default: never, except when a login fails. */
  readonly stopAfter?: number | undefined;
  /** Starts no more items when it fires; items in progress finish. */
  readonly signal?: AbortSignal | undefined;
}

/** An item of `each`. */
export interface EachItem<Item> {
  readonly item: Item;
  /** The index of the item, from 0. */
  readonly index: number;
}

/** The outcomes of all items, each list in the order of the items. */
export interface EachOutcomes<Item, Result> {
  readonly done: readonly (EachItem<Item> & { readonly result: Result })[];
  /** The change was refused, or its function threw. */
  readonly failed: readonly (EachItem<Item> & { readonly error: unknown })[];
  /** The change may have been made: check, and repeat it only when it was not. */
  readonly unknown: readonly (EachItem<Item> & { readonly error: AmbiguousMutationError })[];
  /** The change did not run: make it again. `error` is null for an item that was not started. */
  readonly notSent: readonly (EachItem<Item> & { readonly error: FleetError | null })[];
}

class ItemCalls {
  readonly #outer = itemCalls.getStore();
  #hasCalls = false;
  #mayHaveChanged = false;

  note(kind: 'query' | 'mutation', call: Promise<unknown>): void {
    this.#hasCalls = true;
    if (kind === 'mutation')
      call.then(
        () => this.#changed(),
        (error) => isUnsent(error) || this.#changed(),
      );
    this.#outer?.note(kind, call);
  }

  /** True when the item made calls and none of them can have changed anything. */
  get hasOnlyUnsentCalls(): boolean {
    return this.#hasCalls && !this.#mayHaveChanged;
  }

  #changed(): void {
    this.#mayHaveChanged = true;
  }
}

const itemCalls = new AsyncLocalStorage<ItemCalls>();
let isUsed = false;

/** Returns the current item of `each`; undefined outside of `each`. */
export function itemOfCall(): ItemCalls | undefined {
  return isUsed ? itemCalls.getStore() : undefined;
}

const LOGIN_ERRORS: readonly FleetErrorCode[] = ['AUTHENTICATION', 'CREDENTIALS', 'SESSION_EXPIRED', 'TOKEN_STORE'];
const UNSENT_ERRORS: readonly FleetErrorCode[] = [
  ...LOGIN_ERRORS,
  ...([
    'ABORTED',
    'CLOSED',
    'GATE',
    'HEADERS',
    'NETWORK',
    'QUEUE_FULL',
    'RATE_LIMIT',
    'TIMEOUT',
    'USER_SELECTION',
  ] as const),
];

function isUnsent(error: unknown): error is FleetError {
  return FleetError.is(error) && UNSENT_ERRORS.includes(error.code);
}

export async function each<Item, Result>(
  items: Iterable<Item>,
  change: (item: Item, index: number) => Promise<Result>,
  { concurrency = 1, stopAfter = Number.POSITIVE_INFINITY, signal }: EachOptions,
): Promise<EachOutcomes<Item, Result>> {
  isUsed = true;
  const all = [...items];
  const done: (EachItem<Item> & { result: Result })[] = [];
  const failed: (EachItem<Item> & { error: unknown })[] = [];
  const unknown: (EachItem<Item> & { error: AmbiguousMutationError })[] = [];
  const notSent: (EachItem<Item> & { error: FleetError | null })[] = [];
  let next = 0;
  let failuresInARow = 0;
  let isStopped = false;
  const take = async (item: Item, index: number) => {
    const calls = new ItemCalls();
    try {
      const result = await itemCalls.run(calls, async () => change(item, index));
      failuresInARow = 0;
      done.push({ item, index, result });
    } catch (error) {
      failuresInARow++;
      if (FleetError.is(error) && error.code === 'AMBIGUOUS_MUTATION') unknown.push({ item, index, error });
      else if (isUnsent(error) && calls.hasOnlyUnsentCalls) notSent.push({ item, index, error });
      else failed.push({ item, index, error });
      isStopped ||= failuresInARow >= stopAfter || (FleetError.is(error) && LOGIN_ERRORS.includes(error.code));
    }
  };
  const work = async () => {
    while (!isStopped && signal?.aborted !== true && next < all.length) {
      const index = next++;
      // The index is below the length, so this is an item.
      await take(all[index] as Item, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, all.length) }, work));
  for (const [place, item] of all.slice(next).entries()) notSent.push({ item, index: next + place, error: null });
  for (const outcomes of [done, failed, unknown, notSent]) outcomes.sort((a, b) => a.index - b.index);
  return { done, failed, unknown, notSent };
}
