/**
 * A stream of rows, trips or events for `for await`, each delivered as it arrives. It can be
 * iterated once; `break` cancels a running request.
 */
export interface FleetStream<Item> extends AsyncIterator<Item, undefined>, AsyncDisposable {
  [Symbol.asyncIterator](): FleetStream<Item>;
  // TypeScript before 5.6 cannot type the return value of an iterator.
  next(): Promise<IteratorResult<Item, undefined>>;
  /** Ends the stream and cancels its request; a pending `next()` resolves with `done`. */
  return(): Promise<IteratorResult<Item, undefined>>;
}
