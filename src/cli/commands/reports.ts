// `fleet reports`: lists the available reports and runs one.

import { didYouMean } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import type { FleetClient, WrappedReportInputs } from '../../index.js';
import { readInput } from '../change/read-input.js';
import { allowPartial } from '../connection/allow-partial.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { type Context, note } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { matchesOf } from '../find/record.js';
import { write } from '../io/io.js';
import { isDocument } from '../output/formats.js';
import { jsonText } from '../output/json.js';
import { listShape } from '../shape/list-shape.js';
import { mapViewFor } from '../shape/map-view.js';
import { viewOfFields } from '../shape/view-of-fields.js';
import { reportView, tableOf } from '../views/report.js';

interface RunFlags {
  readonly input?: string;
  readonly skeleton?: true;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet reports list', 'the available reports and their inputs'],
      ['fleet reports run vehicle-trips --input trips.json -o csv > trips.csv', ''],
    ),
  );
  noun
    .command('list')
    .description('list the available reports (getWrappedReportInputs)')
    .addHelpText('after', examples(['fleet reports list', ''], ['fleet reports list -o json', 'with their inputs']))
    .action(() => list(open()));
  noun
    .command('run')
    .description('run a report and show its rows (getWrappedReport); json and yaml print the complete answer')
    .argument('<report>', 'id or title')
    .option('--input <file>', 'the inputs of the report as a JSON object (- for stdin)')
    .option('--skeleton', 'print the description of the inputs, and run nothing')
    .addHelpText(
      'after',
      examples(
        ['fleet reports run vehicles', 'a report without inputs'],
        ['fleet reports run vehicle-trips --skeleton', 'show its inputs'],
        ['fleet reports run vehicle-trips --input trips.json', ''],
        ['fleet reports run vehicle-trips --input - --sort -distance --limit 10 < trips.json', ''],
      ),
    )
    .action((report: string, flags: RunFlags) => run(open(), report, flags));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, reportView, operations.getWrappedReportInputs);
  const client = await connect(context);
  const reports = await allowPartial(context, (options) =>
    call(client, 'getWrappedReportInputs', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(reports), shape.view, 'No report is available to this user.');
}

async function run(context: Context, name: string, flags: RunFlags): Promise<void> {
  // A report cannot be printed in a map format; fails before anything is sent.
  mapViewFor(context, { map: undefined });
  const inputs = flags.input === undefined || flags.skeleton ? {} : await readInputs(context, flags.input);
  const client = await connect(context);
  const { id, inputs: described } = await findReport(context, client, name);
  if (flags.skeleton) {
    return write(context.io.stdout, `${jsonText(described ?? {}, 2, context.io.stdout.isTTY === true)}\n`);
  }
  const answer = await runReport(context, client, String(id), inputs);
  await show(context, answer);
}

async function readInputs(context: Context, file: string): Promise<Readonly<Record<string, unknown>>> {
  const { lines, many } = await readInput(context, file, false);
  const [only] = lines;
  if (!many && typeof only === 'object') return only;
  throw new CliError('USAGE', 'The input cannot be used: a report takes one JSON object. Nothing was sent.', {
    hint: '--skeleton shows the inputs of the report.',
  });
}

/** Finds a report by id or title; ignores case, and dashes match spaces. */
async function findReport(context: Context, client: FleetClient, name: string): Promise<WrappedReportInputs> {
  const reports = await allowPartial(context, (options) => call(client, 'getWrappedReportInputs', {}, options));
  const matches = matchesOf(kind, name.trim(), reports, false);
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('AMBIGUOUS_NAME', `"${name}" matches ${matches.length} reports.`, {
      choices: matches.map(({ id, title }) => ({ id, title })),
      hint: 'Give the id.',
    });
  }
  const names = reports.flatMap(({ id, title }) => [id, title]).filter((text) => typeof text === 'string');
  throw new CliError('NOT_FOUND', `There is no report "${name}".`, {
    hint: didYouMean(name, names) ?? '`fleet reports list` lists all of them.',
  });
}

const kind = {
  id: ({ id }: WrappedReportInputs) => id,
  texts: ({ title }: WrappedReportInputs) => [title],
  normalize: (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '-'),
};

async function runReport(
  context: Context,
  client: FleetClient,
  reportId: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  try {
    return await allowPartial(context, (options) =>
      call(client, 'getWrappedReport', { input: { reportId, inputs } }, options),
    );
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'GRAPHQL')) throw error;
    throw new CliError(error.code, `The service could not run the report ${reportId}.`, {
      operation: 'getWrappedReport',
      details: error.details,
      hint: `\`fleet reports run ${reportId} --skeleton\` shows its inputs.`,
      cause: error,
    });
  }
}

type Answer = Awaited<ReturnType<FleetClient['getWrappedReport']>>;

/** Prints the rows of the report. json and yaml print the complete answer, unless a flag selects from the rows. */
async function show(context: Context, answer: Answer): Promise<void> {
  const { fields, filter = [], sort, limit } = context.globals;
  const isShaped = fields !== undefined || filter.length > 0 || sort !== undefined || limit !== undefined;
  const traits = formatOf(context);
  const table = tableOf(answer?.report);
  if (isTruncated(answer?.report)) {
    context.warnings.push('The service left out rows because the report is too long. Request a shorter one.');
  }
  if (table && (isShaped || !isDocument(traits))) {
    const shape = listShape(context, table.view, 'view');
    return printRows(context, shape.rows(table.rows), shape.view, 'The report has no rows.');
  }
  if (isShaped) {
    throw new CliError('USAGE', 'This report has no rows to select from.', {
      hint: 'Leave out --fields, --filter, --sort and --limit.',
    });
  }
  if (traits.forPeople) note(context, 'This report has no rows; use -o json to see all of it.');
  await printRecord(context, answer, viewOfFields({ columns: [], fields: [] }, ['reportId', 'report']));
}

function isTruncated(report: unknown): boolean {
  return typeof report === 'object' && report !== null && Reflect.get(report, 'truncated') === true;
}
