// `fleet schema`: prints the contract and the schema of the live service, and compares the two.
import { writeFileSync } from 'node:fs';
import { connect } from '../connection/connect.js';
import { type Context, note } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { refusedFile } from '../errors/unusable.js';
import { colorsFor } from '../io/colors.js';
import { write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { listShape } from '../shape/list-shape.js';
import { findingsOf, findingView, reportLines } from '../views/schema.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet schema check', 'compare the live service with the contract'],
      ['fleet schema pull --out live.graphql', 'save the live schema to generate types from'],
      ['fleet schema print --assumed', 'list the assumptions of the contract'],
    ),
  );
  noun
    .command('print')
    .description('print the contract of this command line, as SDL')
    .option('--assumed', 'only the assumptions of the contract, with the reasons')
    .addHelpText(
      'after',
      examples(['fleet schema print > schema.graphql', ''], ['fleet schema print --assumed -o csv', '']),
    )
    .action((flags: { readonly assumed?: true }) => print(open(), flags));
  noun
    .command('check')
    .description('compare the live service with the contract: broken operations, confirmed assumptions, changes')
    .addHelpText(
      'after',
      `${examples(
        ['fleet schema check', ''],
        ['fleet schema check -o json | jq .changes', 'for a script'],
      )}\n\nThe exit code is 6 when an operation is broken.`,
    )
    .action(() => check(open()));
  noun
    .command('pull')
    .description('print or save the schema of the live service, as SDL')
    .option('--out <file>', 'write it to this file')
    .addHelpText('after', examples(['fleet schema pull --out live.graphql', 'for your own code generator']))
    .action((flags: { readonly out?: string }) => pull(open(), flags));
};

interface Assumption {
  readonly where: string;
  readonly part: string;
  readonly reason: string;
}

async function print(context: Context, { assumed }: { readonly assumed?: true }): Promise<void> {
  const { contractText } = await import('../../generated/contract-text.js');
  if (!assumed) return write(context.io.stdout, contractText);
  const [{ buildSchema }, { assumptionsOf }] = await Promise.all([
    import('graphql'),
    import('../../contract/schema-check/assumptions.js'),
  ]);
  const rows: readonly Assumption[] = assumptionsOf(buildSchema(contractText, { noLocation: true }));
  const shape = listShape<Assumption>(
    context,
    {
      columns: [
        { title: 'WHERE', text: ({ where }) => where, rank: 0 },
        { title: 'PART', text: ({ part }) => part, rank: 2 },
        { title: 'REASON', text: ({ reason }) => reason, min: 20, rank: 1 },
      ],
      fields: ['where', 'part', 'reason'],
    },
    'view',
  );
  await printRows(context, shape.rows(rows), shape.view, 'The contract has no assumptions.');
}

async function check(context: Context): Promise<void> {
  const { forPeople, wholeValues } = formatOf(context);
  // tsv and csv print a row per finding, json and yaml the whole report.
  const shape = forPeople || wholeValues ? null : listShape(context, findingView, 'view');
  const client = await connect(context);
  const { checkSchema } = await import('../../check-schema.js');
  const report = await checkSchema(client, { signal: context.io.signal });
  if (shape) await printRows(context, shape.rows(findingsOf(report)), shape.view, '');
  else if (forPeople) {
    const lines = reportLines(report, colorsFor(context.io.stdout, context.io.env));
    await write(context.io.stdout, `${lines.join('\n')}\n`);
  } else await printRecord(context, report, { columns: [], fields: [] });
  const brokenOperations = report.operations
    .filter(({ status }) => status === 'breaks')
    .map(({ operation }) => operation);
  if (brokenOperations.length === 0) return;
  throw new CliError(
    'GRAPHQL',
    `The live service breaks ${brokenOperations.length} of ${report.operations.length} operations.`,
    {
      details: [brokenOperations.join(', ')],
      hint: 'Request only existing fields with --fields, or update this program. `fleet schema pull` saves the live schema.',
    },
  );
}

async function pull(context: Context, { out }: { readonly out?: string }): Promise<void> {
  const client = await connect(context);
  const { pullSchema } = await import('../../check-schema.js');
  const sdl = await pullSchema(client, { signal: context.io.signal });
  if (sdl === null) {
    throw new CliError('GRAPHQL', 'The service does not describe its schema: introspection is disabled.', {
      hint: '`fleet schema check` still finds broken operations by trying each one; `fleet schema print` prints the contract.',
    });
  }
  if (out === undefined) return write(context.io.stdout, sdl);
  try {
    writeFileSync(out, sdl);
  } catch (error) {
    throw refusedFile(`file ${out}`, 'written', error);
  }
  note(context, `The live schema was saved to ${plainText(out)}.`);
}
