// Streams the snapshots of a period of any length in windows. Each window goes through the user's queue like any call; the next one is
// requested while the caller works, and at most two windows are in memory.
import { setImmediate } from 'node:timers/promises';
import { withSelection } from '../contract/selection/selection.js';
import type { ResultOf, Unselected } from '../contract/selection/types.js';
import { onAbort } from '../core/abort-listener.js';
import { FleetError, ProtocolError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { CallOptions } from '../core/operation.js';
import { operations } from '../generated/operation-table.js';
import type { Call, CallAnswer } from '../request/batch.js';
import { unwrapResult } from '../request/unwrap-result.js';
import { checkVariables } from '../request/variables.js';
import type { ListRows } from '../rows/list-rows.js';
import { type Explain, RowIterator, type RowSource } from '../rows/row-iterator.js';
import type { Numbered } from './moments.js';
import { OverlapDedup } from './overlap-dedup.js';
import { type Period, readPeriod } from './period.js';
import { mayBeTooLong } from './period-refusal.js';
import { WindowOrder } from './window-order.js';
import { AdaptiveWindows, MAX_ANSWER_BYTES, type Window, type WindowLimit } from './windows.js';

/** The snapshots of one vehicle in a period that includes its start and its end. */
export interface SnapshotPeriod {
  readonly vehicleId: string;
  /** RFC 3339 text with an offset, or a Date. */
  readonly from: string | Date;
  /** RFC 3339 text with an offset, or a Date; not before `from`. */
  readonly to: string | Date;
}

/** The rows of a stream, which can be iterated once. */
export interface SnapshotStream<Select = Unselected>
  extends AsyncIterator<Row<ResultOf<'getSnapshots', Select>> & Numbered, undefined> {
  [Symbol.asyncIterator](): SnapshotStream<Select>;
}

type Row<List> = List extends readonly (infer Item)[] ? Item : never;

export interface StreamDependencies {
  /** Sends a call through the user's queue. */
  send(call: Call, options: CallOptions): Promise<CallAnswer>;
  readonly notifier: Notifier;
  readonly windowLimit: WindowLimit;
  /** Makes the error that the caller gets; without it, one that says how many rows were delivered. */
  readonly explain?: Explain;
}

const operation = operations.getSnapshots;
const { name } = operation;

/**
 * Sends nothing before the first row is requested.
 * @throws {InvalidInputError} when the period or the selection is invalid.
 */
export function streamSnapshots<Select>(
  variables: SnapshotPeriod,
  { select, ...options }: CallOptions & { readonly select?: unknown },
  dependencies: StreamDependencies,
): SnapshotStream<Select> {
  const checked = checkVariables(name, operation.args, variables);
  const period = readPeriod(name, variables.from, variables.to);
  const selected = select === undefined ? operation : withSelection(operation, select);
  // The rows of two windows are merged by their timestamps, so these are always selected.
  const addsTimestamp = typeof select === 'object' && select !== null && Reflect.get(select, 'timestamp') !== true;
  const { document } = addsTimestamp ? withSelection(operation, { ...select, timestamp: true }) : selected;
  const requestWindow = (window: Window, maxBytes: number, signal: AbortSignal) => {
    const windowVariables = { ...checked, from: period.text(window.from), to: period.text(window.to) };
    const list = { expectedBytes: MAX_ANSWER_BYTES, maxBytes };
    const call = { name, kind: operation.kind, document, variables: windowVariables, idempotent: true, list };
    return dependencies.send(call, { ...options, signal });
  };
  const check = (answer: CallAnswer) => rowsOfAnswer(answer, options.partial === true, dependencies.notifier);
  const source = new SnapshotSource(period, requestWindow, check, dependencies, addsTimestamp, options.signal);
  // The document selects what the row type has; responses are not validated at run time.
  return new RowIterator(name, source, options.signal, dependencies.explain) as SnapshotStream<Select>;
}

/** The rows of an answer. Those that are there may be `partial`. Without any, a part of the period would be missing: the errors are thrown. */
export function rowsOfAnswer(answer: CallAnswer, partial: boolean, notifier: Notifier): readonly unknown[] {
  // unwrapResult has checked that it is a list.
  return unwrapResult({ name, list: true }, answer, partial && hasList(answer), notifier) as readonly unknown[];
}

function hasList({ data }: CallAnswer): boolean {
  return typeof data === 'object' && data !== null && Array.isArray(Reflect.get(data, name));
}

/** A window that has been requested. */
interface RequestedWindow {
  readonly window: Window;
  readonly received: Promise<ListRows | null | TooLong>;
}

/** The response to a window was too large, or the service may have refused its length. */
class TooLong {
  readonly refusal: unknown;
  constructor(refusal: unknown = null) {
    this.refusal = refusal;
  }
}

/** A window whose response has arrived. */
interface ReceivedWindow {
  readonly window: Window;
  readonly rows: ListRows | null;
  /** The window after it; null when it was the last. */
  readonly following: Window | null;
  /** The response to that window when it was requested at once. */
  readonly next: Promise<ReceivedWindow> | null;
}

class SnapshotSource implements RowSource<unknown> {
  readonly #period: Period;
  readonly #windows: AdaptiveWindows;
  readonly #dedup = new OverlapDedup();
  readonly #requestWindow: (window: Window, maxBytes: number, signal: AbortSignal) => Promise<CallAnswer>;
  readonly #checkAnswer: (answer: CallAnswer) => unknown;
  readonly #notifier: Notifier;
  readonly #addsTimestamp: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #rows: AsyncGenerator<readonly unknown[], void>;
  readonly #onAbort = () => this.stop();
  #inFlight: AbortController | null = null;
  #isStopped = false;
  /** Rows from outside of their windows. */
  #outside = 0;
  #completeUntil: string | null = null;

  constructor(
    period: Period,
    requestWindow: (window: Window, maxBytes: number, signal: AbortSignal) => Promise<CallAnswer>,
    check: (answer: CallAnswer) => unknown,
    { notifier, windowLimit }: Pick<StreamDependencies, 'notifier' | 'windowLimit'>,
    addsTimestamp: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#period = period;
    this.#windows = new AdaptiveWindows(period, windowLimit);
    this.#requestWindow = requestWindow;
    this.#checkAnswer = check;
    this.#notifier = notifier;
    this.#addsTimestamp = addsTimestamp;
    this.#signal = signal;
    this.#rows = this.#run();
  }

  async next(): Promise<readonly unknown[] | null> {
    const { done, value } = await this.#rows.next();
    return done === true ? null : value;
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#inFlight?.abort();
    // A generator that is paused at a yield ends now; one that waits for a window ends with the window.
    void this.#rows.return().catch(() => undefined);
  }

  get beginning(): string {
    return this.#period.text(this.#period.from);
  }

  completeUntil(): string | null {
    return this.#completeUntil;
  }

  async *#run(): AsyncGenerator<readonly unknown[], void> {
    if (this.#signal) onAbort(this.#signal, this.#onAbort);
    let next: Promise<ReceivedWindow> | null = this.#prefetch(this.#windows.first());
    while (next !== null) {
      const received: ReceivedWindow = await next;
      const { window, rows, following } = received;
      next = received.next ?? (following && this.#prefetch(following));
      this.#dedup.beginWindow(window.to);
      if (rows) yield* this.#readRows(rows, window);
      this.#completeUntil = this.#period.text(window.to);
    }
    if (this.#outside > 0) this.#warnOfOutside();
  }

  #warnOfOutside(): void {
    const message = `${name} answered ${this.#outside} rows from outside of the time that was asked for. The rows of the stream are in order within each part of the period only.`;
    this.#notifier.warning({ code: 'ROWS_OUT_OF_ORDER', operation: name, message });
  }

  #prefetch(window: Window): Promise<ReceivedWindow> {
    const received = this.#receiveFitting(window);
    // It may fail while the caller works. The caller gets the error with the next row.
    received.catch(() => undefined);
    return received;
  }

  /** Requests a window, and a shorter one when its response is too large or its length is refused. */
  async #receiveFitting(wholeWindow: Window): Promise<ReceivedWindow> {
    let requested = this.#startRequest(wholeWindow, MAX_ANSWER_BYTES);
    for (;;) {
      const rows = await requested.received;
      const { window } = requested;
      if (!(rows instanceof TooLong)) {
        const hasRows = rows?.hasRows ?? false;
        const following = this.#windows.after(window, rows?.bytes ?? 0, hasRows);
        // A window without rows takes no memory, so the next one is requested without waiting for the caller.
        const next = following && !hasRows && !this.#isStopped ? this.#prefetch(following) : null;
        return { window, rows, following, next };
      }
      if (rows.refusal !== null) {
        const accepted = this.#windows.afterRefusal(window);
        if (accepted === null) throw rows.refusal;
        requested = this.#startRequest(accepted, MAX_ANSWER_BYTES);
        continue;
      }
      const shorter = this.#windows.shorter(window);
      requested = this.#startRequest(shorter ?? window, shorter ? MAX_ANSWER_BYTES : Number.POSITIVE_INFINITY);
    }
  }

  #startRequest(window: Window, maxBytes: number): RequestedWindow {
    const controller = new AbortController();
    this.#inFlight = controller;
    if (this.#isStopped) controller.abort();
    const received = this.#requestWindow(window, maxBytes, controller.signal).then((answer) => {
      this.#checkAnswer(answer);
      return answer.rows ?? null;
    });
    return {
      window,
      received: received.catch((error: unknown) => {
        if (this.#isStopped) throw error;
        if (error instanceof FleetError && error.code === 'RESPONSE_TOO_LARGE' && Number.isFinite(maxBytes)) {
          return new TooLong();
        }
        if (mayBeTooLong(error)) return new TooLong(error);
        throw error;
      }),
    };
  }

  /** Yields the rows of a response in batches, in order of time. */
  async *#readRows(answer: ListRows, window: Window): AsyncGenerator<readonly unknown[], void> {
    const order = new WindowOrder(window);
    let nulls = 0;
    for (let all = nextBatch(answer); all; all = nextBatch(answer)) {
      const withoutNulls = all.includes(null) ? all.filter((row) => row !== null) : all;
      nulls += all.length - withoutNulls.length;
      order.add(withoutNulls);
      // Lets the event loop receive the next window, because promises alone never yield to it.
      await setImmediate();
    }
    if (nulls > 0) {
      const message = `${name} answered ${nulls} null rows; they were left out.`;
      this.#notifier.warning({ code: 'NULL_ROWS', operation: name, message });
    }
    this.#outside += order.countOutside();
    const areInOrder = order.isInOrder;
    for (const batch of order.take()) {
      const rows = this.#dedup.withoutRepeats(batch, areInOrder);
      if (rows.length > 0) yield this.#addsTimestamp ? rows.map(withoutTimestamp) : rows;
      await setImmediate();
    }
  }
}

/** @throws {ProtocolError} when the rows are no JSON. */
export function nextBatch(answer: Pick<ListRows, 'next'>): unknown[] | null {
  try {
    return answer.next();
  } catch {
    throw new ProtocolError(
      `The answer to ${name} cannot be read: its rows are no JSON. Check that the base URL is the right one.`,
      { operation: name },
    );
  }
}

export function withoutTimestamp(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return row;
  const { timestamp: _, ...rest } = row;
  return rest;
}
