// Prints rows and records on stdout in the chosen format, and remarks about them on stderr.
import { CliError, refusal } from '../errors/cli-error.js';
import type { Env } from '../io/child-env.js';
import { colorBitsOf, colorsFor } from '../io/colors.js';
import { columnsOf } from '../io/io.js';
import { type FormatName, type FormatTraits, formatNames, isFormatName, traitsOf } from '../output/formats.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { type Context, note, type ReportingRun, type Run, serviceNow } from './context.js';
import { writeOutput } from './write-output.js';

/** Returns the format: flag before environment before default (table on a terminal, else tsv). */
function formatNameOf(run: Run): FormatName {
  if (run.globals.jq !== undefined) return jsonForJq(run.globals);
  if (run.globals.output) return run.globals.output;
  const fromEnvironment = run.io.env.FLEET_OUTPUT;
  if (fromEnvironment) {
    if (isFormatName(fromEnvironment)) return fromEnvironment;
    throw new CliError('USAGE', `FLEET_OUTPUT is "${fromEnvironment}", which is not an output format.`, {
      hint: `Set it to one of ${formatNames.join(', ')}, or unset it.`,
    });
  }
  return run.io.stdout.isTTY === true ? 'table' : 'tsv';
}

/** Returns the input format of --jq. Throws CliError USAGE when -o is another format. */
function jsonForJq({ output }: Context['globals']): FormatName {
  if (output === undefined || output === 'json' || output === 'ndjson') return output ?? 'json';
  throw refusal(`--jq reads JSON, and -o asks for ${output}.`, {
    hint: 'Leave out -o, or give -o ndjson to apply the expression to each row.',
  });
}

/** Returns the traits of the format. Refuses a binary format on a terminal. */
export function formatOf(run: Run): FormatTraits {
  const name = formatNameOf(run);
  const traits = traitsOf(name);
  if (traits.binary && run.io.stdout.isTTY === true) {
    throw refusal(`${name} is a binary format, which a terminal cannot show.`, {
      hint: `Write it to a file: --output-file report.${name}, or > report.${name}.`,
    });
  }
  return traits;
}

/**
 * Prints a list. `emptyText` is shown to people when the list is empty without a filter. An error
 * after the first row is thrown when the document with the rows so far is complete.
 */
export async function printRows<Row>(
  context: Context,
  rows: Iterable<Row> | AsyncIterable<Row>,
  view: View<Row>,
  emptyText: string,
): Promise<void> {
  const traits = formatOf(context);
  const options = renderOptions(context);
  const format = await traits.load();
  const { onTable } = context.io;
  const adding = onTable === undefined ? undefined : view.total?.begin();
  let isEmpty = true;
  let failure: { readonly error: unknown } | null = null;
  async function* untilFailure() {
    try {
      for await (const row of rows) {
        isEmpty = false;
        context.report.printedRow();
        adding?.take(row);
        yield row;
      }
    } catch (error) {
      if (isEmpty) throw error;
      // The format completes its document here.
      failure = { error };
    }
  }
  await writeOutput(context, format.rows(untilFailure(), view, options));
  const why = context.globals.filter ? 'No row matches the filter.' : emptyText;
  onTable?.({ period: view.period ?? null, total: adding?.row() ?? null, emptyText: isEmpty ? why : null });
  throwIfFailed(failure);
  if (isEmpty && traits.forPeople) note(context, why);
  printRemarks(context);
}

/** A function, because the compiler does not see the assignment in the generator. */
function throwIfFailed(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

export async function printRecord<Row>(context: Context, record: Row, view: View<Row>): Promise<void> {
  const format = await formatOf(context).load();
  await writeOutput(context, format.record(record, view, renderOptions(context)));
  printRemarks(context);
}

export function renderOptions(context: Context): RenderOptions {
  const { stdout, env } = context.io;
  const colors = colorsFor(stdout, env);
  const ascii = isAsciiOnly(env);
  const showsColors = stdout.isTTY === true && colors.isColorSupported && !ascii && formatOf(context).redrawable;
  return {
    width: stdout.isTTY === true ? columnsOf(stdout) : undefined,
    wide: context.globals.wide === true,
    colors,
    colorBits: showsColors ? colorBitsOf(env) : null,
    now: serviceNow(context),
    zone: context.zone.name,
    offset: null,
    hasZone: context.zone.isByFlag,
    headers: context.globals.headers,
    safeCsv: context.globals.safeCsv === true,
    ascii,
    note: (line) => context.report.remark(line),
  };
}

function printRemarks(run: ReportingRun): void {
  // For JSON, stderr is a single line on failure, so `run` prints the remarks at the end.
  if (formatOf(run).jsonIndent !== null) return;
  for (const remark of run.report.takeRemarks()) note(run, remark);
}

/** Detects from the environment which characters a terminal can show. */
function isAsciiOnly({ LC_ALL, LC_CTYPE, LANG, TERM }: Env): boolean {
  if (TERM === 'dumb') return true;
  const locale = [LC_ALL, LC_CTYPE, LANG].find(Boolean);
  return locale !== undefined && !/utf-?8/i.test(locale);
}
