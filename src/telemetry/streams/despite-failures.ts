// Lets a stream end normally although vehicles failed, for callers that get failures as events.
import { IncompleteStreamError } from '../../core/errors.js';

/** Yields the items of a stream of many vehicles. Ignores the final error about failed vehicles. */
export async function* despiteFailures<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    if (!IncompleteStreamError.is(error)) throw error;
  }
}
