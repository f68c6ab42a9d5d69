// Runs a command under --watch: a redrawn table on a terminal, changed rows in a pipe or with -o.
import type { Context, Run } from '../context/context.js';
import { printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { type FormatName, isFormatName, traitsOf } from '../output/formats.js';
import { changedRows } from './changes.js';
import { type AnswerEvent, type OutageNotice, pollUntilInterrupted } from './poll.js';
import type { WatchSource } from './watch-source.js';
import { watchTable } from './watch-table.js';

/** Returns the format of an endless command; throws CliError USAGE. `what` is for messages. */
export function watchFormat({ globals, io }: Run, what = '--watch'): FormatName {
  const isOnTerminal = io.stdout.isTTY === true;
  const name = globals.output || io.env.FLEET_OUTPUT || (isOnTerminal ? 'table' : 'ndjson');
  if (isFormatName(name)) {
    const { streamable, redrawable } = traitsOf(name);
    if (streamable) refuseListFlags({ globals });
    if (streamable || (redrawable && isOnTerminal)) return name;
  }
  throw new CliError(
    'USAGE',
    `${what} cannot print ${name}${isOnTerminal ? '' : ' in a pipe'}: its output has no end.`,
    {
      hint: 'Use -o ndjson, csv or tsv, which print row by row.',
    },
  );
}

function refuseListFlags({ globals: { sort, limit } }: Pick<Context, 'globals'>): void {
  if (sort === undefined && limit === undefined) return;
  const flag = sort === undefined ? '--limit' : '--sort';
  throw new CliError('USAGE', `${flag} needs a complete list, but --watch prints changes as they arrive.`, {
    hint: `Leave out ${flag}, or watch on a terminal.`,
  });
}

/** Runs until an interrupt, or until an error that cannot be retried. */
export async function watch<Answer, Row>(
  context: Context,
  everyMs: number,
  source: WatchSource<Answer, Row>,
): Promise<void> {
  const output = watchFormat(context);
  const events = withMissing(
    pollUntilInterrupted(context, everyMs, (options) => source.request(options)),
    source,
  );
  if (traitsOf(output).redrawable) return watchTable(context, everyMs, events, source);
  const shape = source.shape(context);
  const printing = { ...context, globals: { ...context.globals, output } };
  await printRows(printing, changedRows(context, asRows(events, source), shape, source), shape.view, source.emptyText);
}

async function* withMissing<Answer, Row>(
  events: AsyncIterable<AnswerEvent<Answer> | OutageNotice>,
  source: WatchSource<Answer, Row>,
): AsyncIterable<AnswerEvent<Answer> | OutageNotice> {
  for await (const event of events) {
    const missing = event.kind === 'answer' ? (source.missing?.(event.answer) ?? null) : null;
    yield event.kind === 'outage' || missing === null ? event : { ...event, warnings: [...event.warnings, missing] };
  }
}

async function* asRows<Answer, Row>(
  events: AsyncIterable<AnswerEvent<Answer> | OutageNotice>,
  { rows }: WatchSource<Answer, Row>,
): AsyncIterable<AnswerEvent<readonly Row[]> | OutageNotice> {
  for await (const event of events) {
    yield event.kind === 'outage' ? event : { ...event, answer: rows(event.answer, event.at) };
  }
}
