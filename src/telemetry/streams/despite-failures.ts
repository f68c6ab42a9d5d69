// Reads on although vehicles failed, for callers that learn of failures from events.
import { IncompleteStreamError } from '../../core/errors.js';

/** Yields the items of a stream of many vehicles, and ends well when some of them failed. */
export async function* despiteFailures<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  try {
    yield* items;
  } catch (error) {
    if (!IncompleteStreamError.is(error)) throw error;
  }
}
