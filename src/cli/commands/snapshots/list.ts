// `fleet snapshots list`: all snapshots of a vehicle over a period, printed as they arrive.
import type { Command } from 'commander';
import { joinTrees } from '../../../contract/selection/tree.js';
import type { Snapshot } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import type { Context } from '../../context/context.js';
import { examples } from '../../context/define-command.js';
import { formatOf, printRows } from '../../context/print.js';
import { type Progress, progressOn } from '../../context/progress.js';
import { CliError } from '../../errors/cli-error.js';
import { failureOf } from '../../errors/exit-codes.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { progressEveryRows } from '../../limits.js';
import { nowExpression, PeriodExpression, readTime, timeHelp, timestamp } from '../../parse/time.js';
import { momentOf, wholeNumber } from '../../views/humanize.js';
import { snapshotView } from '../../views/snapshot.js';
import { snapshotShape } from './snapshot-shape.js';

interface ListFlags {
  readonly from?: string;
  readonly to?: string;
}

export function defineList(noun: Command, open: () => Context): void {
  noun
    .command('list')
    .description('list the snapshots of a vehicle over a period, streamed (getSnapshots)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a unique part of one')
    .option('--from <time>', 'begin of the period')
    .option('--to <time>', 'end of the period (default: now)')
    .addHelpText(
      'after',
      `${examples(
        ['fleet snapshots list "Truck 07" --from -2h', ''],
        ['fleet snapshots list "Truck 07" --from yesterday --to today -o ndjson', 'all fields, a line per row'],
        ['fleet snapshots list "Truck 07" --from 2026-03-01 --to 2026-04-01 -o csv > march.csv', ''],
        ['fleet snapshots list "Truck 07" --from -1d --fields timestamp,gps.speed --filter "gps.speed>90"', ''],
      )}\n${timeHelp}`,
    )
    .action((vehicle: string, flags: ListFlags) => list(open(), vehicle, flags));
}

async function list(context: Context, vehicle: string, flags: ListFlags): Promise<void> {
  const period = periodOf(context, flags);
  const shape = snapshotShape(context, snapshotView, 'getSnapshots', formatOf(context));
  const { select } = shape.options;
  const client = await connect(context);
  const vehicleId = await findId(context, client, vehicleKind, vehicle, { substring: true });
  const { from, to } = await period.span(context, client);
  const stream = client.streamSnapshots(
    { vehicleId, from: timestamp(from), to: timestamp(to) },
    {
      partial: true,
      signal: context.io.signal,
      // A selection made at run time has no static type; views and formats expect that any field may be missing. The progress needs the
      // timestamp.
      ...(select === undefined ? {} : { select: joinTrees(select, { timestamp: true }) as never }),
    },
  );
  const progress = new StreamProgress(context, from, to);
  try {
    await printRows(context, shape.rows(progress.follow(stream)), shape.view, 'There is no snapshot in this period.');
  } catch (error) {
    throw progress.explain(error);
  } finally {
    progress.clear();
  }
}

function periodOf(context: Context, { from, to }: ListFlags): PeriodExpression {
  if (from === undefined) {
    throw new CliError('USAGE', '--from is missing.', {
      hint: 'For example `fleet snapshots list "Truck 07" --from -2h`, or `--from 2026-03-01 --to 2026-04-01`.',
    });
  }
  return new PeriodExpression(
    context,
    readTime(context, from, '--from'),
    to === undefined ? nowExpression : readTime(context, to, '--to'),
    (span) =>
      new CliError(
        'USAGE',
        `The period ends before it begins: ${timestamp(span.from)} is after ${timestamp(span.to)}.`,
        {
          hint: to === undefined ? 'Give a --from in the past.' : 'Swap --from and --to.',
        },
      ),
  );
}

/** Shows the progress while rows arrive, and explains how to get the rest after a failure. */
class StreamProgress {
  readonly #context: Context;
  readonly #progress: Progress;
  readonly #days: number;
  readonly #from: number;
  readonly #rowsAreVisible: boolean;
  #count = 0;
  #last: Snapshot | null = null;

  constructor(context: Context, from: number, to: number) {
    this.#context = context;
    this.#progress = progressOn(context);
    // Rows on the same terminal show the progress themselves, except a sorted list, which is printed at the end.
    this.#rowsAreVisible = context.io.stdout.isTTY === true && context.globals.sort === undefined;
    this.#from = from;
    this.#days = Math.ceil((to - from) / dayMs);
  }

  async *follow(rows: AsyncIterable<Snapshot>): AsyncIterable<Snapshot> {
    this.#progress.show('waiting for the first rows');
    for await (const row of rows) {
      this.#last = row;
      if (this.#count++ % progressEveryRows === 0) {
        if (this.#rowsAreVisible) this.clear();
        else this.#update();
      }
      yield row;
    }
    this.clear();
  }

  clear(): void {
    this.#progress.clear();
  }

  /** Adds to an SDK failure how many rows arrived before it, and how to get the rest. */
  explain(error: unknown): unknown {
    const { io, globals } = this.#context;
    const failure = failureOf(error, io.signal.aborted, globals.timeout);
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    const reached = momentOf(this.#last?.timestamp);
    const upTo = reached === null ? '' : `, the last one from ${timestamp(reached)}`;
    const message = failure.message.replace(/ \d+ rows had been given.*$/, '');
    return new CliError(failure.code, `${message} ${wholeNumber(this.#count)} rows had arrived before${upTo}.`, {
      hint: reached === null ? (failure.hint ?? undefined) : `Request the rest with --from ${timestamp(reached)}.`,
      operation: failure.operation ?? undefined,
      details: failure.details,
      cause: error,
    });
  }

  #update(): void {
    const reached = momentOf(this.#last?.timestamp);
    const rows = `${wholeNumber(this.#count)} ${this.#count === 1 ? 'row' : 'rows'}`;
    const day = reached === null ? '' : `, ${timestamp(reached).slice(0, 10)} (${this.#dayOf(reached)})`;
    this.#progress.show(`${rows}${day}`);
  }

  #dayOf(moment: number): string {
    return `day ${Math.max(1, Math.floor((moment - this.#from) / dayMs) + 1)} of ${this.#days}`;
  }
}

const dayMs = 86_400_000;

type SdkFailure =
  | 'NETWORK'
  | 'TIMEOUT'
  | 'RATE_LIMIT'
  | 'HTTP'
  | 'GRAPHQL'
  | 'PROTOCOL'
  | 'AUTHENTICATION'
  | 'SESSION_EXPIRED';

/** Interruptions and closed pipes need no explanation. */
function isSdkFailure(code: string): code is SdkFailure {
  return /^(NETWORK|TIMEOUT|RATE_LIMIT|HTTP|GRAPHQL|PROTOCOL|AUTHENTICATION|SESSION_EXPIRED)$/.test(code);
}
