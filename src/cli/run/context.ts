// What one run of a command carries: the flags that every command takes, the way to the outside, and what came up on the
// way. Prints data on stdout and everything else on stderr.
import { CliError } from '../errors/cli-error.js';
import type { PartialResult } from '../errors/partial-result.js';
import { colorsFor } from '../output/colors.js';
import { type FormatName, formatNames, formats, isFormatName, type Look, type View } from '../output/format.js';
import { plainText } from '../output/plain-text.js';
import type { Globals } from './global-flags.js';
import { type Clock, columnsOf, type Io, writeAll } from './io.js';

export interface Context {
  readonly io: Io;
  /** "Now" of this run: the clock of the machine, or the one that --demo-time sets. */
  readonly clock: Clock;
  readonly globals: Globals;
  /** What was missing from answers that are printed all the same; told when the command is over. */
  readonly partialResults: PartialResult[];
  /** Said when the command is over, so that an error in JSON stays alone on stderr. */
  readonly warnings: string[];
  /** Said below the rows they are about. */
  readonly remarks: string[];
  /** Tells what time the service has, once there is a client; the last one made counts. */
  readonly service: { now: (() => number) | null };
  /** Run when the command is over, whatever came of it. */
  readonly closing: (() => Promise<void>)[];
}

/** Whether there is a person to ask. */
export function canAsk(context: Context): boolean {
  return context.globals.input && context.io.stdin.isTTY === true && context.io.stderr.isTTY === true;
}

/** By this machine's clock: what tokens and certificates are measured on. */
export function now(context: Context): number {
  return context.clock.now();
}

/** By the service's clock, as far as its answers have told: what the ages of its data are measured on. */
export function serviceNow(context: Context): number {
  return context.service.now?.() ?? now(context);
}

/** One line for people, on stderr. */
export function note(context: Context, line: string): void {
  context.io.stderr.write(`${plainText(line)}\n`);
}

/** Flag over environment over what stdout is. */
export function formatOf(context: Context): FormatName {
  if (context.globals.output) return context.globals.output;
  const wanted = context.io.env.FLEET_OUTPUT;
  if (wanted) {
    if (isFormatName(wanted)) return wanted;
    throw new CliError('USAGE', `FLEET_OUTPUT is "${wanted}", which is no output format.`, {
      hint: `Set it to one of ${formatNames.join(', ')}, or unset it.`,
    });
  }
  return context.io.stdout.isTTY === true ? 'table' : 'tsv';
}

function lookOf(context: Context): Look {
  const { stdout, env } = context.io;
  return {
    width: stdout.isTTY === true ? columnsOf(stdout) : undefined,
    colors: colorsFor(stdout, env),
    now: serviceNow(context),
    safeCsv: context.globals.safeCsv === true,
    note: (line) => {
      if (stdout.isTTY === true) context.remarks.push(line);
    },
  };
}

/** Prints a list; `empty` is said to people when it holds nothing, and no filter is why. */
export async function printRows<Row>(
  context: Context,
  rows: Iterable<Row> | AsyncIterable<Row>,
  view: View<Row>,
  empty: string,
): Promise<void> {
  const name = formatOf(context);
  const format = await formats[name]();
  let some = false;
  async function* counted() {
    for await (const row of rows) {
      some = true;
      yield row;
    }
  }
  await writeAll(context.io.stdout, format.rows(counted(), view, lookOf(context)));
  if (!some && name === 'table') note(context, context.globals.filter ? 'Nothing fits the filter.' : empty);
  tellRemarks(context);
}

function tellRemarks(context: Context): void {
  for (const remark of context.remarks.splice(0)) note(context, remark);
}

/** Prints one record. */
export async function printRecord<Row>(context: Context, record: Row, view: View<Row>): Promise<void> {
  const format = await formats[formatOf(context)]();
  await writeAll(context.io.stdout, format.record(record, view, lookOf(context)));
  tellRemarks(context);
}
