// Shows progress while snapshots arrive, and explains after a failure how to get the rest.

import { DAY_MS } from '../../../core/time-zone.js';
import type { Snapshot } from '../../../index.js';
import { timestampMs } from '../../../telemetry/timestamps.js';
import { type Run, type ServiceRun, serviceNow } from '../../context/context.js';
import { type Progress, progressOn } from '../../context/progress.js';
import { PROGRESS_EVERY_ROWS, ReadShare } from '../../context/read-share.js';
import { CliError } from '../../errors/cli-error.js';
import { commandFailureOf } from '../../errors/exit-codes.js';
import { timestamp } from '../../parse/time.js';
import { localDate } from '../../time/format-time.js';
import { wholeNumber } from '../../views/humanize.js';

export class SnapshotStreamProgress {
  readonly #context: Run;
  readonly #progress: Progress;
  readonly #days: number;
  readonly #from: number;
  readonly #rowsAreVisible: boolean;
  readonly #share: ReadShare;
  #count = 0;
  #last: Snapshot | null = null;
  readonly #vehicles = new Set<string>();

  constructor(run: ServiceRun, from: number, to: number, vehicles: number) {
    this.#context = run;
    this.#progress = progressOn(run);
    // Rows on the same terminal show the progress, unless they are sorted and printed at the end.
    this.#rowsAreVisible = run.io.stdout.isTTY === true && run.globals.sort === undefined;
    this.#from = from;
    this.#days = Math.ceil((to - from) / DAY_MS);
    this.#share = new ReadShare({ from, to: Math.min(to, serviceNow(run)), vehicles });
  }

  async *follow<Row extends Snapshot>(rows: AsyncIterable<Row>): AsyncIterable<Row> {
    this.#progress.show('waiting for the first rows');
    for await (const row of rows) {
      this.#last = row;
      if (row.vehicleId) this.#vehicles.add(row.vehicleId);
      this.#share.take(row.vehicleId ?? '', row.timestamp);
      if (this.#count++ % PROGRESS_EVERY_ROWS === 0) {
        if (this.#rowsAreVisible) this.clear();
        else this.#update();
      }
      yield row;
    }
    this.clear();
  }

  /** Marks a vehicle as read. */
  finish(vehicleId: string): void {
    this.#share.reach(vehicleId, Number.POSITIVE_INFINITY);
  }

  clear(): void {
    this.#progress.clear();
  }

  /** Adds the number of received rows to an SDK error, and a hint for reading the rest. */
  explain(error: unknown): unknown {
    const { io, globals } = this.#context;
    const failure = commandFailureOf(error, io.signal.aborted, globals.timeout);
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    const reached = timestampMs(this.#last?.timestamp);
    const upTo = reached === null ? '' : `, the last one from ${timestamp(reached)}`;
    return new CliError(
      failure.code,
      `${failure.message} ${wholeNumber(this.#count)} rows had arrived before${upTo}.`,
      {
        hint: reached === null ? (failure.hint ?? undefined) : `Request the rest with --from ${timestamp(reached)}.`,
        operation: failure.operation ?? undefined,
        details: failure.details,
        cause: error,
      },
    );
  }

  /** Explains an error of a stream of several vehicles, which cannot be resumed at one time. */
  explainMany(error: unknown, vehicles: number): unknown {
    const { io, globals } = this.#context;
    const failure = commandFailureOf(error, io.signal.aborted, globals.timeout);
    const read = `${wholeNumber(this.#count)} rows of ${this.#vehicles.size} of ${vehicles} vehicles had arrived`;
    if (failure.code === 'ABORTED') {
      return new CliError('ABORTED', 'Interrupted.', { hint: `${read}; the rest is missing.`, cause: error });
    }
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    return new CliError(failure.code, `${failure.message} ${read} before.`, {
      hint: failure.hint ?? undefined,
      operation: failure.operation ?? undefined,
      details: failure.details,
      cause: error,
    });
  }

  #update(): void {
    const reached = timestampMs(this.#last?.timestamp);
    const rows = `${wholeNumber(this.#count)} ${this.#count === 1 ? 'row' : 'rows'}`;
    const day = reached === null ? '' : `, ${localDate(reached, this.#context.zone.name)} (${this.#dayOf(reached)})`;
    this.#progress.show(`${rows}${day}, ${this.#share.text}`);
  }

  #dayOf(moment: number): string {
    return `day ${Math.max(1, Math.floor((moment - this.#from) / DAY_MS) + 1)} of ${this.#days}`;
  }
}

type SdkFailure =
  | 'NETWORK'
  | 'TIMEOUT'
  | 'RATE_LIMIT'
  | 'HTTP'
  | 'GRAPHQL'
  | 'PROTOCOL'
  | 'AUTHENTICATION'
  | 'SESSION_EXPIRED';

/** True for errors of the SDK; interruptions and closed pipes need no explanation. */
function isSdkFailure(code: string): code is SdkFailure {
  return /^(NETWORK|TIMEOUT|RATE_LIMIT|HTTP|GRAPHQL|PROTOCOL|AUTHENTICATION|SESSION_EXPIRED)$/.test(code);
}
