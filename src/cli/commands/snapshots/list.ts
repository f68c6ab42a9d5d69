// `fleet snapshots list`: all snapshots of a vehicle over a period, printed while they arrive.
import type { Command } from 'commander';
import { joinTrees } from '../../../contract/selection/tree.js';
import type { Snapshot } from '../../../index.js';
import { connect } from '../../connection/connect.js';
import { CliError } from '../../errors/cli-error.js';
import { failureOf } from '../../errors/exit-codes.js';
import { vehicleKind } from '../../find/kinds.js';
import { findId } from '../../find/record.js';
import { type Progress, progressOn } from '../../output/progress.js';
import { readTime, SaidPeriod, saidNow, timeHelp, timestamp } from '../../parse/time.js';
import { examples } from '../../run/command.js';
import { type Context, formatOf, printRows } from '../../run/context.js';
import { snapshotView } from '../../views/snapshot.js';
import { momentOf, wholeNumber } from '../../views/words.js';
import { snapshotShape } from './slim.js';

interface ListFlags {
  readonly from?: string;
  readonly to?: string;
}

export function defineList(noun: Command, open: () => Context): void {
  noun
    .command('list')
    .description('list the snapshots of a vehicle over a period, streamed (getSnapshots)')
    .argument('<vehicle>', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .option('--from <time>', 'begin of the period')
    .option('--to <time>', 'end of the period (default: now)')
    .addHelpText(
      'after',
      `${examples(
        ['fleet snapshots list "Truck 07" --from -2h', ''],
        ['fleet snapshots list "Truck 07" --from yesterday --to today -o ndjson', 'every field, a line per row'],
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
      // What is selected at run time has no type; views and formats take every field as one that may be missing. The time says
      // how far the rows have come.
      ...(select === undefined ? {} : { select: joinTrees(select, { timestamp: true }) as never }),
    },
  );
  const reading = new Reading(context, from, to);
  try {
    await printRows(context, shape.rows(reading.of(stream)), shape.view, 'There is no snapshot in this period.');
  } catch (error) {
    throw reading.cutShort(error);
  } finally {
    reading.clear();
  }
}

function periodOf(context: Context, { from, to }: ListFlags): SaidPeriod {
  if (from === undefined) {
    throw new CliError('USAGE', 'Say from when on: --from is missing.', {
      hint: 'For example `fleet snapshots list "Truck 07" --from -2h`, or `--from 2026-03-01 --to 2026-04-01`.',
    });
  }
  return new SaidPeriod(
    context,
    readTime(context, from, '--from'),
    to === undefined ? saidNow : readTime(context, to, '--to'),
    (span) =>
      new CliError(
        'USAGE',
        `The period ends before it begins: ${timestamp(span.from)} is after ${timestamp(span.to)}.`,
        {
          hint: to === undefined ? 'Give --from a time that has been.' : 'Is --from what --to should be?',
        },
      ),
  );
}

/** How many rows there are between two looks at the clock of the terminal. */
const sayEvery = 500;

/** Follows the rows as they come: says how far they are, and what to do when they end too soon. */
class Reading {
  readonly #context: Context;
  readonly #progress: Progress;
  readonly #days: number;
  readonly #from: number;
  readonly #runsDown: boolean;
  #count = 0;
  #last: Snapshot | null = null;

  constructor(context: Context, from: number, to: number) {
    this.#context = context;
    this.#progress = progressOn(context);
    // Where rows run down the same terminal, they are the progress. A sorted list comes only when all rows are in.
    this.#runsDown = context.io.stdout.isTTY === true && context.globals.sort === undefined;
    this.#from = from;
    this.#days = Math.ceil((to - from) / dayMs);
  }

  async *of(rows: AsyncIterable<Snapshot>): AsyncIterable<Snapshot> {
    this.#progress.say('waiting for the first rows');
    for await (const row of rows) {
      this.#last = row;
      if (this.#count++ % sayEvery === 0) {
        if (this.#runsDown) this.clear();
        else this.#say();
      }
      yield row;
    }
    this.clear();
  }

  clear(): void {
    this.#progress.clear();
  }

  /** The failure; where rows came before it, with how many, and how to get the others. */
  cutShort(error: unknown): unknown {
    const { io, globals } = this.#context;
    const failure = failureOf(error, io.signal.aborted, globals.timeout);
    if (this.#count === 0 || !isSdkFailure(failure.code)) return error;
    const reached = momentOf(this.#last?.timestamp);
    const upTo = reached === null ? '' : `, the last one of ${timestamp(reached)}`;
    const said = failure.message.replace(/ \d+ rows were delivered before.*$/, '');
    return new CliError(failure.code, `${said} ${wholeNumber(this.#count)} rows had arrived before${upTo}.`, {
      hint: reached === null ? (failure.hint ?? undefined) : `Ask for the rest with --from ${timestamp(reached)}.`,
      operation: failure.operation ?? undefined,
      details: failure.details,
      cause: error,
    });
  }

  #say(): void {
    const reached = momentOf(this.#last?.timestamp);
    const rows = `${wholeNumber(this.#count)} ${this.#count === 1 ? 'row' : 'rows'}`;
    const day = reached === null ? '' : `, ${timestamp(reached).slice(0, 10)} (${this.#dayOf(reached)})`;
    this.#progress.say(`${rows}${day}`);
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

/** Not an interruption, or a reader that went away: nobody wants those explained. */
function isSdkFailure(code: string): code is SdkFailure {
  return /^(NETWORK|TIMEOUT|RATE_LIMIT|HTTP|GRAPHQL|PROTOCOL|AUTHENTICATION|SESSION_EXPIRED)$/.test(code);
}
