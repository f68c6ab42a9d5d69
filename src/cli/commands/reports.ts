// `fleet reports`: which reports the service makes, and running one.

import { didYouMean } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import type { FleetClient, WrappedReportInputs } from '../../index.js';
import { readInput } from '../change/read-input.js';
import { call } from '../connection/call.js';
import { connect } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import { matchesOf } from '../find/record.js';
import { jsonText } from '../output/json.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, formatOf, note, printRecord, printRows } from '../run/context.js';
import { write } from '../run/io.js';
import { listShape } from '../shape/list-shape.js';
import { placeFor } from '../shape/place.js';
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
      ['fleet reports list', 'what there is, and which inputs it takes'],
      ['fleet reports run vehicle-trips --input trips.json -o csv > trips.csv', ''],
    ),
  );
  noun
    .command('list')
    .description('list the reports that can be run (getWrappedReportInputs)')
    .addHelpText('after', examples(['fleet reports list', ''], ['fleet reports list -o json', 'with their inputs']))
    .action(() => list(open()));
  noun
    .command('run')
    .description('run a report and show its rows (getWrappedReport); json and yaml are the whole of it')
    .argument('<report>', 'id or title')
    .option('--input <file>', 'the inputs of the report as a JSON object (- for stdin)')
    .option('--skeleton', 'print what the service says of the inputs, and run nothing')
    .addHelpText(
      'after',
      examples(
        ['fleet reports run vehicles', 'one without inputs'],
        ['fleet reports run vehicle-trips --skeleton', 'which inputs it takes'],
        ['fleet reports run vehicle-trips --input trips.json', ''],
        ['fleet reports run vehicle-trips --input - --sort -distance --limit 10 < trips.json', ''],
      ),
    )
    .action((report: string, flags: RunFlags) => run(open(), report, flags));
};

async function list(context: Context): Promise<void> {
  const shape = listShape(context, reportView, operations.getWrappedReportInputs);
  const client = await connect(context);
  const reports = await tolerate(context, (options) =>
    call(client, 'getWrappedReportInputs', {}, { ...options, ...shape.options }),
  );
  await printRows(context, shape.rows(reports), shape.view, 'There is no report for this user.');
}

async function run(context: Context, said: string, flags: RunFlags): Promise<void> {
  // A report has no places; that is told before anything is sent.
  placeFor(context, { place: undefined });
  const inputs = flags.input === undefined || flags.skeleton ? {} : await readInputs(context, flags.input);
  const client = await connect(context);
  const { id, inputs: described } = await theReport(context, client, said);
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
    hint: '--skeleton shows which inputs the report takes.',
  });
}

/** By id or title, in whatever case, with dashes or spaces. */
async function theReport(context: Context, client: FleetClient, said: string): Promise<WrappedReportInputs> {
  const reports = await tolerate(context, (options) => call(client, 'getWrappedReportInputs', {}, options));
  const matches = matchesOf(kind, said.trim(), reports, false);
  const [only] = matches;
  if (only && matches.length === 1) return only;
  if (only) {
    throw new CliError('AMBIGUOUS_NAME', `"${said}" fits ${matches.length} reports.`, {
      choices: matches.map(({ id, title }) => ({ id, title })),
      hint: 'Give the id.',
    });
  }
  const names = reports.flatMap(({ id, title }) => [id, title]).filter((text) => typeof text === 'string');
  throw new CliError('NOT_FOUND', `There is no report "${said}".`, {
    hint: didYouMean(said, names) ?? '`fleet reports list` shows all there are.',
  });
}

const kind = {
  id: ({ id }: WrappedReportInputs) => id,
  texts: ({ title }: WrappedReportInputs) => [title],
  spelling: (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '-'),
};

async function runReport(
  context: Context,
  client: FleetClient,
  reportId: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  try {
    return await tolerate(context, (options) =>
      call(client, 'getWrappedReport', { input: { reportId, inputs } }, options),
    );
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'GRAPHQL')) throw error;
    throw new CliError(error.code, `The service could not run the report ${reportId}.`, {
      operation: 'getWrappedReport',
      details: error.details,
      hint: `\`fleet reports run ${reportId} --skeleton\` shows which inputs it takes.`,
      cause: error,
    });
  }
}

type Answer = Awaited<ReturnType<FleetClient['getWrappedReport']>>;

/** Rows where there are some; json and yaml are the whole answer, unless it is shaped. */
async function show(context: Context, answer: Answer): Promise<void> {
  const { fields, filter = [], sort, limit } = context.globals;
  const isShaped = fields !== undefined || filter.length > 0 || sort !== undefined || limit !== undefined;
  const format = formatOf(context);
  const table = tableOf(answer?.report);
  if (isCut(answer?.report)) context.warnings.push('The service left out rows: the report is too long. Ask for less.');
  if (table && (isShaped || (format !== 'json' && format !== 'yaml'))) {
    const shape = listShape(context, table.view, 'view');
    return printRows(context, shape.rows(table.rows), shape.view, 'The report has no rows.');
  }
  if (isShaped) {
    throw new CliError('USAGE', 'This report has no rows to choose from.', {
      hint: 'Leave out --fields, --filter, --sort and --limit.',
    });
  }
  if (format === 'table') note(context, 'This report has no rows; -o json shows it better.');
  await printRecord(context, answer, viewOfFields({ columns: [], details: [], fields: [] }, ['reportId', 'report']));
}

function isCut(report: unknown): boolean {
  return typeof report === 'object' && report !== null && Reflect.get(report, 'truncated') === true;
}
