// The snapshots of a period, however long it is: window after window through the same lane as any call, the next one on its way
// while the caller works, and never more than two of them in memory.
import { setImmediate } from 'node:timers/promises';
import { withSelection } from '../contract/selection/selection.js';
import type { ResultOf, Unselected } from '../contract/selection/types.js';
import { ProtocolError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { CallOptions } from '../core/operation.js';
import { operations } from '../generated/operation-table.js';
import type { Call, CallAnswer } from '../request/batch.js';
import { unwrapResult } from '../request/unwrap-result.js';
import { checkVariables } from '../request/variables.js';
import { RowBuffer } from '../rows/row-buffer.js';
import type { RowReader } from '../rows/row-reader.js';
import type { RowSink } from '../rows/row-transport.js';
import { OverlapDedup } from './overlap-dedup.js';
import { type Period, readPeriod } from './period.js';
import { RowIterator, type RowSource } from './row-iterator.js';
import { TOO_LONG_BYTES, type Window, Windows } from './windows.js';

/** Which snapshots: those of one vehicle over a period, both ends included. */
export interface SnapshotPeriod {
  readonly vehicleId: string;
  /** RFC 3339 text with an offset, or a Date. */
  readonly from: string | Date;
  /** RFC 3339 text with an offset, or a Date; not before `from`. */
  readonly to: string | Date;
}

/** The rows of a stream, for one `for await`. */
export type SnapshotStream<Select = Unselected> = AsyncIterableIterator<
  Row<ResultOf<'getSnapshots', Select>>,
  undefined
>;

type Row<List> = List extends readonly (infer Item)[] ? Item : never;

export interface StreamSteps {
  /** Sends a call of the user when its turn has come. */
  send(call: Call, options: CallOptions): Promise<CallAnswer>;
  readonly report: Notifier;
}

const operation = operations.getSnapshots;
const { name } = operation;

/** Nothing is sent before the first row is asked for. @throws {InvalidInputError} when period or selection cannot be used. */
export function streamSnapshots<Select>(
  variables: SnapshotPeriod,
  { select, ...options }: CallOptions & { readonly select?: unknown },
  steps: StreamSteps,
): SnapshotStream<Select> {
  const given = checkVariables(name, operation.args, variables);
  const period = readPeriod(name, variables.from, variables.to);
  const chosen = select === undefined ? operation : withSelection(operation, select);
  // Two windows are put together by the rows' times, so these are asked for in any case.
  const isTimeExtra = typeof select === 'object' && select !== null && Reflect.get(select, 'timestamp') !== true;
  const { document } = isTimeExtra ? withSelection(operation, { ...select, timestamp: true }) : chosen;
  const ask = (window: Window, sink: RowSink, signal: AbortSignal) => {
    const part = { ...given, from: period.text(window.from), to: period.text(window.to) };
    const call = { name, kind: operation.kind, document, variables: part, idempotent: true, rows: sink };
    return steps.send(call, { ...options, signal });
  };
  const check = (answer: CallAnswer) =>
    unwrapResult({ name, list: true }, answer, options.partial ?? false, steps.report);
  const source = new SnapshotSource(period, ask, check, steps.report, isTimeExtra, options.signal);
  // The rows are what the document selects; nothing is validated against the schema at run time.
  return new RowIterator(name, source, options.signal) as SnapshotStream<Select>;
}

/** A window that has been asked for. */
interface Asked {
  readonly window: Window;
  readonly arrived: Promise<RowReader | null | 'too long'>;
  bytes: number;
}

/** A window whose answer is here. */
interface Arrived {
  readonly window: Window;
  readonly rows: RowReader | null;
  /** The window after it; null when it was the last. */
  readonly following: Window | null;
  /** That window's answer, when it was asked for at once. */
  readonly coming: Promise<Arrived> | null;
}

class SnapshotSource implements RowSource<unknown> {
  readonly #period: Period;
  readonly #windows: Windows;
  readonly #seam = new OverlapDedup();
  readonly #memory = new RowBuffer();
  readonly #ask: (window: Window, sink: RowSink, signal: AbortSignal) => Promise<CallAnswer>;
  readonly #check: (answer: CallAnswer) => unknown;
  readonly #report: Notifier;
  readonly #isTimeExtra: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #rows: AsyncGenerator<unknown[], void>;
  readonly #onAbort = () => this.stop();
  #underWay: AbortController | null = null;
  #isStopped = false;
  #reached: string | null = null;

  constructor(
    period: Period,
    ask: (window: Window, sink: RowSink, signal: AbortSignal) => Promise<CallAnswer>,
    check: (answer: CallAnswer) => unknown,
    report: Notifier,
    isTimeExtra: boolean,
    signal: AbortSignal | undefined,
  ) {
    this.#period = period;
    this.#windows = new Windows(period);
    this.#ask = ask;
    this.#check = check;
    this.#report = report;
    this.#isTimeExtra = isTimeExtra;
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
    this.#underWay?.abort();
    // Frees what a generator that stands at a yield holds on to; one that waits ends when its window does.
    void this.#rows.return().catch(() => undefined);
  }

  reached(): string | null {
    return this.#reached;
  }

  async *#run(): AsyncGenerator<unknown[], void> {
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    let coming: Promise<Arrived> | null = this.#comingOf(this.#windows.first());
    while (coming !== null) {
      const arrived: Arrived = await coming;
      const { window, rows, following } = arrived;
      coming = arrived.coming ?? (following && this.#comingOf(following));
      this.#seam.begin(window.to);
      if (rows) yield* this.#read(rows);
      this.#reached = this.#period.text(window.to);
    }
  }

  #comingOf(window: Window): Promise<Arrived> {
    const coming = this.#fitting(window);
    // It may fail while the caller works; the caller is told when it asks for the next row.
    coming.catch(() => undefined);
    return coming;
  }

  /** The answer to a window, or to as much of its beginning as is not too long. */
  async #fitting(whole: Window): Promise<Arrived> {
    let asked = this.#send(whole, TOO_LONG_BYTES);
    for (;;) {
      const rows = await asked.arrived;
      const { window, bytes } = asked;
      if (rows !== 'too long') {
        const hasRows = rows?.hasRows ?? false;
        const following = this.#windows.after(window, bytes, hasRows);
        // A rest that takes no memory needs no waiting for the caller either.
        const coming = following && !hasRows && !this.#isStopped ? this.#comingOf(following) : null;
        return { window, rows, following, coming };
      }
      const shorter = this.#windows.shorter(window);
      asked = this.#send(shorter ?? window, shorter ? TOO_LONG_BYTES : Number.POSITIVE_INFINITY);
    }
  }

  #send(window: Window, tooLong: number): Asked {
    const own = new AbortController();
    this.#underWay = own;
    if (this.#isStopped) own.abort();
    let rows: RowReader | null = null;
    let isTooLong = false;
    const sink = {
      field: name,
      memory: this.#memory,
      enough: own.signal,
      arriving(bytes: number) {
        if (bytes <= tooLong) return;
        isTooLong = true;
        own.abort();
      },
      take(all: RowReader, bytes: number) {
        rows = all;
        asked.bytes = bytes;
      },
    };
    const arrived = this.#ask(window, sink, own.signal).then(
      (answer) => {
        this.#check(answer);
        return rows;
      },
      (error: unknown) => {
        if (isTooLong && !this.#isStopped) return 'too long' as const;
        throw error;
      },
    );
    const asked: Asked = { window, arrived, bytes: 0 };
    return asked;
  }

  /** Hands out the rows of an answer, a batch at a time. */
  async *#read(answer: RowReader): AsyncGenerator<unknown[], void> {
    let nulls = 0;
    for (let all = nextOf(answer); all; all = nextOf(answer)) {
      const some = all.includes(null) ? all.filter((row) => row !== null) : all;
      nulls += all.length - some.length;
      const rows = this.#seam.fresh(some);
      if (rows.length > 0) yield this.#isTimeExtra ? rows.map(withoutTime) : rows;
      // Rows at hand never leave the loop of promises: here the next window's bytes get in.
      await setImmediate();
    }
    if (nulls > 0) {
      const message = `${name} answered ${nulls} null rows; they were left out.`;
      this.#report.warning({ code: 'NULL_ROWS', operation: name, message });
    }
  }
}

function nextOf(answer: RowReader): unknown[] | null {
  try {
    return answer.next();
  } catch {
    throw new ProtocolError(
      `The answer to ${name} cannot be read: its rows are no JSON. Check that the base URL is the right one.`,
      { operation: name },
    );
  }
}

function withoutTime(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || !('timestamp' in row)) return row;
  const { timestamp: _, ...rest } = row;
  return rest;
}
