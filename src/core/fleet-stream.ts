/**
 * Rows, trips or events, one at a time, while they arrive: for `for await`. It can be iterated once; `break` ends what is under way.
 */
export interface FleetStream<Item> extends AsyncIterator<Item, undefined>, AsyncDisposable {
  [Symbol.asyncIterator](): FleetStream<Item>;
  // TypeScript before 5.6 cannot say what an iterator returns at its end.
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends the stream at once, a request under way included; a pending `next()` then resolves with `done`. */
  return(): Promise<IteratorResult<Item, undefined>>;
}
