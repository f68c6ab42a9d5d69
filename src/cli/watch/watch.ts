// `--watch`: the rows of a command over time. On a terminal a table that is drawn anew in place; in a pipe, or where a format is
// asked for, the changes, one row each.
import type { CallOptions } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { type FormatName, isFormatName } from '../output/format.js';
import { type Context, printRows } from '../run/context.js';
import type { Shape } from '../shape/list-shape.js';
import { watchTable } from './board.js';
import { changes, type Rows } from './changes.js';
import { type Answered, type Outage, poll } from './poll.js';

export interface Watched<Answer, Row> extends Rows<Row> {
  /** As people call what is watched: `vehicles status`. */
  readonly title: string;
  ask(options: Pick<CallOptions, 'timeoutMs'>): Promise<Answer>;
  /** `now` because what a row says may depend on how old its data is. */
  rows(answer: Answer, now: number): readonly Row[];
  /** Made for the place that it prints to. */
  shape(context: Context): Shape<Row>;
  /** Said when there is no row. */
  readonly empty: string;
  /** One line over the rows. */
  summary(rows: readonly Row[], now: number): string;
  /** What the answer does not hold, in words; null when nothing is missing. */
  missing?(answer: Answer): string | null;
}

/** How rows are printed under --watch; found out before anything is sent. @throws CliError USAGE for a format that has an end. */
export function watchFormat({ globals, io }: Context): FormatName {
  const said = globals.output ?? io.env.FLEET_OUTPUT;
  const terminal = io.stdout.isTTY === true;
  const format = said || (terminal ? 'table' : 'ndjson');
  const isEndless = format === 'ndjson' || format === 'csv' || format === 'tsv';
  if (isFormatName(format) && (isEndless || (format === 'table' && terminal))) {
    if (isEndless) refuseWhole({ globals });
    return format;
  }
  throw new CliError(
    'USAGE',
    `--watch has no end, and cannot be printed as ${format}${terminal ? '' : ' in a pipe'}.`,
    {
      hint: 'Use -o ndjson, csv or tsv: every row first, then each row that changes.',
    },
  );
}

function refuseWhole({ globals: { sort, limit } }: Pick<Context, 'globals'>): void {
  if (sort === undefined && limit === undefined) return;
  const flag = sort === undefined ? '--limit' : '--sort';
  throw new CliError('USAGE', `${flag} is for a whole list; --watch gives changes as they come.`, {
    hint: `Leave out ${flag}, or watch on a terminal.`,
  });
}

/** Goes on until it is interrupted, or meets an error that asking again would not cure. */
export async function watch<Answer, Row>(
  context: Context,
  everyMs: number,
  watched: Watched<Answer, Row>,
): Promise<void> {
  const output = watchFormat(context);
  const events = withMissing(
    poll(context, everyMs, (options) => watched.ask(options)),
    watched,
  );
  if (output === 'table') return watchTable(context, everyMs, events, watched);
  const shape = watched.shape(context);
  const printing = { ...context, globals: { ...context.globals, output } };
  await printRows(printing, changes(context, asRows(events, watched), shape, watched), shape.view, watched.empty);
}

async function* withMissing<Answer, Row>(
  events: AsyncIterable<Answered<Answer> | Outage>,
  watched: Watched<Answer, Row>,
): AsyncIterable<Answered<Answer> | Outage> {
  for await (const event of events) {
    const missing = event.kind === 'answer' ? (watched.missing?.(event.answer) ?? null) : null;
    yield event.kind === 'outage' || missing === null
      ? event
      : { ...event, complaints: [...event.complaints, missing] };
  }
}

async function* asRows<Answer, Row>(
  events: AsyncIterable<Answered<Answer> | Outage>,
  { rows }: Watched<Answer, Row>,
): AsyncIterable<Answered<readonly Row[]> | Outage> {
  for await (const event of events) {
    yield event.kind === 'outage' ? event : { ...event, answer: rows(event.answer, event.at) };
  }
}
