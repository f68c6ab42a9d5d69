// A list query whose rows are delivered while its answer arrives. It is one request, and holds its
// user's turn until the answer is complete.
import type { ListQuery, RowOf } from '../contract/selection/types.js';
import { onAbort } from '../core/deadline.js';
import { errorForCaller, type FleetError } from '../core/errors.js';
import type { FleetStream } from '../core/generator-stream.js';
import type { Notifier } from '../core/hooks.js';
import type { CallOptions } from '../core/operation.js';
import type { Timers } from '../core/ports.js';
import { turnOfEventLoop } from '../core/real-time.js';
import type { AnswerHead } from '../core/request-ids.js';
import type { Call, CallAnswer } from '../request/call.js';
import { nullRowsWarning, unwrapRows } from '../request/unwrap-result.js';
import { type ArrivingRows, type LongList, nextRows } from '../rows/list-rows.js';
import { RowIterator, type RowProgress, type RowSource } from '../rows/row-iterator.js';

export interface ListDependencies {
  send(call: Call, options: CallOptions, read: (answer: CallAnswer) => void): Promise<void>;
  readonly notifier: Notifier;
  readonly timers: Timers;
  readonly maxBytes: number;
  readonly onHead: (answer: AnswerHead) => void;
}

/** Returns the stream. It sends nothing before the first row is requested. */
export function streamList<Name extends ListQuery, Select>(
  call: Call,
  options: CallOptions,
  { send, notifier, timers, maxBytes, onHead }: ListDependencies,
): FleetStream<RowOf<Name, Select>> {
  const { name } = call;
  const partial = options.partial === true;
  const source = new ListSource(
    { name, partial, signal: options.signal, maxBytes },
    (list, signal) =>
      send({ ...call, list: { ...list, onHead } }, { ...options, signal }, (answer) => {
        unwrapRows(name, answer, partial, notifier);
      }),
    notifier,
    timers,
  );
  // The document selects the fields of the row type; responses are not validated at run time.
  return new RowIterator(name, source, options.signal, withRowsGiven) as FleetStream<RowOf<Name, Select>>;
}

/** A list cannot be resumed, so the error has no `resumeFrom`. */
function withRowsGiven(error: FleetError, { delivered: rowsGiven }: RowProgress): FleetError {
  const message = rowsGiven === 0 ? error.message : `${error.message} ${rowsGiven} rows were delivered before.`;
  return Object.assign(errorForCaller(error, message), { rowsGiven });
}

interface List {
  readonly name: string;
  readonly partial: boolean;
  readonly signal: AbortSignal | undefined;
  /** Limit of unread bytes, which are in memory like the answer of a method. */
  readonly maxBytes: number;
}

/**
 * Delivers the rows of one answer while it arrives. It applies backpressure when too many rows are
 * unread, but only for a limited time: the request holds the user's turn, and other calls wait for
 * it.
 */
class ListSource implements RowSource<unknown> {
  readonly #list: List;
  readonly #request: (list: LongList, signal: AbortSignal) => Promise<void>;
  readonly #notifier: Notifier;
  readonly #pace: Backpressure;
  readonly #controller = new AbortController();
  readonly #onAbort = () => this.stop(this.#list.signal?.reason);
  /** Rows of the last request. Complete answers deliver them only after they are accepted. */
  #arrivingRows: ArrivingRows | null = null;
  #isStarted = false;
  #isAnswered = false;
  #failure: { readonly error: unknown } | null = null;
  /** True after the first delivered row: the request cannot be repeated. */
  #hasDelivered = false;
  /** True when errors precede the rows: no row is delivered. Null while unknown. */
  #isRefused: boolean | null = null;
  #rows = 0;
  #nulls = 0;
  #wake = () => {};

  constructor(
    list: List,
    request: (list: LongList, signal: AbortSignal) => Promise<void>,
    notifier: Notifier,
    timers: Timers,
  ) {
    this.#list = list;
    this.#request = request;
    this.#notifier = notifier;
    this.#pace = new Backpressure(timers);
  }

  // A list has no time up to which it is complete.
  readonly beginning = '';
  completeUntil(): null {
    return null;
  }

  async next(): Promise<readonly unknown[] | null> {
    this.#start();
    for (;;) {
      const rows = this.#take();
      if (rows) {
        // Lets the event loop receive more, because promises alone never yield to it.
        await turnOfEventLoop();
        return rows;
      }
      if (this.#failure) throw this.#failure.error;
      if (this.#isAnswered) {
        this.#warnOfNulls();
        return null;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  stop(reason?: unknown): void {
    this.#list.signal?.removeEventListener('abort', this.#onAbort);
    // Rejects the request at once, with the error that the reader of the rows gets.
    this.#controller.abort(reason);
  }

  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { signal } = this.#list;
    if (signal) onAbort(signal, this.#onAbort);
    this.#request(this.#longList(), this.#controller.signal).then(
      () => this.#end(null),
      (error: unknown) => this.#end({ error }),
    );
  }

  #longList(): LongList {
    const { maxBytes } = this.#list;
    return {
      expectedBytes: maxBytes,
      maxBytes,
      onArriving: (rows) => {
        this.#arrivingRows = rows;
        this.#isRefused = null;
      },
      onBytes: () => this.#onBytes(),
      onWaitingCalls: () => this.#pace.stopPausing(),
    };
  }

  #onBytes(): Promise<void> | undefined {
    const arriving = this.#arrivingRows;
    if (!arriving?.hasRows || this.#refuses(arriving)) return undefined;
    this.#wake();
    return this.#pace.pauseIfNeeded(arriving.unreadBytes);
  }

  /** Errors before the rows: without `partial` no row is delivered. */
  #refuses({ head }: ArrivingRows): boolean {
    this.#isRefused ??= !this.#list.partial && hasErrors(head);
    return this.#isRefused;
  }

  #take(): readonly unknown[] | null {
    for (;;) {
      const rows = this.#nextBatch();
      if (rows === null) return null;
      this.#hasDelivered = true;
      this.#rows += rows.length;
      if (!rows.includes(null)) return rows;
      const withoutNulls = rows.filter((row) => row !== null);
      this.#nulls += rows.length - withoutNulls.length;
      if (withoutNulls.length > 0) return withoutNulls;
    }
  }

  #nextBatch(): unknown[] | null {
    const arriving = this.#arrivingRows;
    if (!arriving || this.#isRefused) return null;
    if (arriving.isComplete) {
      if (!this.#isAnswered && !this.#failure) return null;
    } else if (!arriving.hasRows || this.#refuses(arriving)) return null;
    const rows = nextRows(arriving, this.#list.name);
    this.#pace.read(arriving.unreadBytes);
    return rows;
  }

  /** Ends the request. Rows of a complete answer are delivered, unless it fails before any row. */
  #end(failure: { readonly error: unknown } | null): void {
    this.#list.signal?.removeEventListener('abort', this.#onAbort);
    this.#isAnswered = failure === null;
    this.#failure ??= failure;
    if (!this.#arrivingRows?.isComplete || (failure && !this.#hasDelivered)) this.#arrivingRows = null;
    this.#pace.stopPausing();
    this.#wake();
  }

  #warnOfNulls(): void {
    const { name } = this.#list;
    if (this.#nulls === 0) return;
    this.#notifier.warning(nullRowsWarning(name, this.#nulls, this.#rows));
    this.#nulls = 0;
  }
}

/** True when a response that has arrived up to its first row begins with errors. */
function hasErrors(head: string): boolean {
  try {
    const { errors } = JSON.parse(`${head}]}}`);
    return Array.isArray(errors) && errors.length > 0;
  } catch {
    return false;
  }
}

/** The response is paused at this many unread bytes, until half of them have been read. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;
/** Limit for all pauses of a response, then buffered: a slow reader must not keep the turn. */
const MAX_HELD_MS = 5_000;

/** Decides when to pause a response whose rows arrive faster than they are read. */
export class Backpressure {
  readonly #timers: Timers;
  #leftMs = MAX_HELD_MS;
  #isUnlimited = false;
  #held: { readonly until: Promise<void>; readonly release: () => void } | null = null;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Returns a promise that settles when reading may continue; undefined to continue at once. */
  pauseIfNeeded(unreadBytes: number): Promise<void> | undefined {
    if (this.#isUnlimited || unreadBytes <= MAX_UNREAD_BYTES) return undefined;
    this.#held ??= this.#begin();
    return this.#held.until;
  }

  read(unreadBytes: number): void {
    if (unreadBytes <= MAX_UNREAD_BYTES / 2) this.#held?.release();
  }

  /** Ends the pause and allows no other one. */
  stopPausing(): void {
    this.#isUnlimited = true;
    this.#held?.release();
  }

  #begin(): { readonly until: Promise<void>; readonly release: () => void } {
    const since = this.#timers.now();
    let settle = () => {};
    const until = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const cancel = this.#timers.after(this.#leftMs, () => this.stopPausing());
    const release = () => {
      cancel();
      this.#leftMs = Math.max(0, this.#leftMs - (this.#timers.now() - since));
      this.#held = null;
      settle();
    };
    return { until, release };
  }
}
