// Prints rows and records on stdout in the chosen format, and remarks about them on stderr.
import { CliError, refusal } from '../errors/cli-error.js';
import { isAsciiOnly } from '../io/characters.js';
import { colorBitsOf, colorsFor } from '../io/colors.js';
import { columnsOf } from '../io/io.js';
import { type FormatName, type FormatTraits, formatNames, isFormatName, traitsOf } from '../output/formats.js';
import type { RenderOptions } from '../output/render-options.js';
import type { View } from '../output/view.js';
import { type Context, note, type ReportingRun, type Run, serviceNow } from './context.js';
import { writeOutput } from './write-output.js';

/** The flag wins over the environment, which wins over the default: a table on a terminal, tsv in a pipe. */
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

/** What --jq reads. @throws CliError USAGE when another format is asked for */
function jsonForJq({ output }: Context['globals']): FormatName {
  if (output === undefined || output === 'json' || output === 'ndjson') return output ?? 'json';
  throw refusal(`--jq reads JSON, and -o asks for ${output}.`, {
    hint: 'Leave out -o, or give -o ndjson to apply the expression to each row.',
  });
}

/** @throws CliError USAGE for a format that the output cannot take. */
export function formatOf(run: Run): FormatTraits {
  const name = formatNameOf(run);
  const traits = traitsOf(name);
  if (traits.binary && run.io.stdout.isTTY === true) {
    throw refusal(`${name} is a file of bytes, which a terminal cannot show.`, {
      hint: `Write it to a file: --output-file report.${name}, or > report.${name}.`,
    });
  }
  return traits;
}

/**
 * Prints a list. `emptyText` is shown to people when the list is empty and no filter is the reason. When the rows end with an error, those
 * before it are printed as a whole document, and then it is thrown; before the first row nothing is printed.
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
      // The format ends its document here.
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

/** A function, because the compiler does not see that a generator has set the variable. */
function throwIfFailed(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error;
}

/** Prints one record. */
export async function printRecord<Row>(context: Context, record: Row, view: View<Row>): Promise<void> {
  const format = await formatOf(context).load();
  await writeOutput(context, format.record(record, view, renderOptions(context)));
  printRemarks(context);
}

/** What the formats render with. */
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
  // With JSON, stderr is one line when the command fails later, so `run` tells them at the end.
  if (formatOf(run).jsonIndent !== null) return;
  for (const remark of run.report.takeRemarks()) note(run, remark);
}
