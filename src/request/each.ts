// Makes a change for each of many items, and says what happened to every one.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TurnListener } from '../core/deadline.js';
import { FleetError, type FleetErrorCode } from '../core/errors.js';

/** The options of `each`. */
export interface EachOptions {
  /** How many items are under way at the same time. Default 1: one after the other, in order. */
  readonly concurrency?: number | undefined;
  /** Stops after so many failures in a row. Default: never, but for errors that every item would get, such as a refused login. */
  readonly stopAfter?: number | undefined;
  /** Begins no more items when it fires; those that are under way end by themselves. */
  readonly signal?: AbortSignal | undefined;
}

interface OfItem<Item> {
  readonly item: Item;
  /** The place of the item, from 0. */
  readonly index: number;
}

/** What happened to each item, in the order of the items. */
export interface EachOutcomes<Item, Result> {
  readonly done: readonly (OfItem<Item> & { readonly result: Result })[];
  /** The change was refused, or its function threw. */
  readonly failed: readonly (OfItem<Item> & { readonly error: unknown })[];
  /** The change may or may not have been made: check, and make it again only when it was not. */
  readonly unknown: readonly (OfItem<Item> & { readonly error: FleetError })[];
  /** The change was not sent: make it again. `error` says why; null when the item was not begun. */
  readonly notSent: readonly (OfItem<Item> & { readonly error: FleetError | null })[];
}

/** The calls of an item that is under way. */
class ItemCalls implements TurnListener {
  hadTurn = false;
  hasTurn(): void {
    this.hadTurn = true;
  }
}

const itemCalls = new AsyncLocalStorage<ItemCalls>();
let isUsed = false;

/** Returns the calls that a call belongs to; undefined outside of `each`. */
export function callsOfItem(): TurnListener | undefined {
  return isUsed ? itemCalls.getStore() : undefined;
}

/** Every item would get these errors. */
const FINAL: readonly FleetErrorCode[] = [
  'AUTHENTICATION',
  'CLOSED',
  'CREDENTIALS',
  'SESSION_EXPIRED',
  'TOKEN_STORE',
  'USER_SELECTION',
];
/** A call that waited for its turn may end with these. */
const WHILE_WAITING: readonly FleetErrorCode[] = ['ABORTED', 'CLOSED', 'GATE', 'QUEUE_FULL', 'TIMEOUT'];

export async function each<Item, Result>(
  items: Iterable<Item>,
  change: (item: Item, index: number) => Promise<Result>,
  { concurrency = 1, stopAfter = Number.POSITIVE_INFINITY, signal }: EachOptions,
): Promise<EachOutcomes<Item, Result>> {
  isUsed = true;
  const all = [...items];
  const done: (OfItem<Item> & { result: Result })[] = [];
  const failed: (OfItem<Item> & { error: unknown })[] = [];
  const unknown: (OfItem<Item> & { error: FleetError })[] = [];
  const notSent: (OfItem<Item> & { error: FleetError | null })[] = [];
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
      if (!FleetError.is(error)) failed.push({ item, index, error });
      else if (error.code === 'AMBIGUOUS_MUTATION') unknown.push({ item, index, error });
      else if (!calls.hadTurn && WHILE_WAITING.includes(error.code)) notSent.push({ item, index, error });
      else failed.push({ item, index, error });
      isStopped ||= failuresInARow >= stopAfter || (FleetError.is(error) && FINAL.includes(error.code));
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
