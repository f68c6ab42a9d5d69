// `fleet schema`: the contract, the live service's own schema, and what has moved between the two.
import { writeFileSync } from 'node:fs';
import { connect } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { colorsFor } from '../output/colors.js';
import { plainText } from '../output/plain-text.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, formatOf, note, printRecord, printRows } from '../run/context.js';
import { write } from '../run/io.js';
import { listShape } from '../shape/list-shape.js';
import { findingsOf, findingView, reportLines } from '../views/schema.js';

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    examples(
      ['fleet schema check', 'what of the live service has moved'],
      ['fleet schema pull --out live.graphql', 'to generate types from'],
      ['fleet schema print --assumed', 'what the contract leaves open'],
    ),
  );
  noun
    .command('print')
    .description('print the contract that this command line is made for, as SDL')
    .option('--assumed', 'only what the contract does not show and is guessed, with the reasons')
    .addHelpText(
      'after',
      examples(['fleet schema print > schema.graphql', ''], ['fleet schema print --assumed -o csv', '']),
    )
    .action((flags: { readonly assumed?: true }) => print(open(), flags));
  noun
    .command('check')
    .description('hold the live service to the contract: what breaks, which guesses are right, what is new')
    .addHelpText(
      'after',
      `${examples(
        ['fleet schema check', ''],
        ['fleet schema check -o json | jq .changes', 'for a script'],
      )}\n\nExit code 6 when an operation breaks.`,
    )
    .action(() => check(open()));
  noun
    .command('pull')
    .description('print or save the schema of the live service, as SDL')
    .option('--out <file>', 'write it to this file')
    .addHelpText('after', examples(['fleet schema pull --out live.graphql', 'for your own codegen']))
    .action((flags: { readonly out?: string }) => pull(open(), flags));
};

interface Guess {
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
  const guesses: readonly Guess[] = assumptionsOf(buildSchema(contractText, { noLocation: true }));
  const shape = listShape<Guess>(
    context,
    {
      columns: [
        { title: 'WHERE', text: ({ where }) => where, rank: 0 },
        { title: 'PART', text: ({ part }) => part, rank: 2 },
        { title: 'REASON', text: ({ reason }) => reason, min: 20, rank: 1 },
      ],
      details: [],
      fields: ['where', 'part', 'reason'],
    },
    'view',
  );
  await printRows(context, shape.rows(guesses), shape.view, 'Nothing is guessed.');
}

async function check(context: Context): Promise<void> {
  const format = formatOf(context);
  const shape = format === 'tsv' || format === 'csv' ? listShape(context, findingView, 'view') : null;
  const client = await connect(context);
  const { checkSchema } = await import('../../check-schema.js');
  const report = await checkSchema(client, { signal: context.io.signal });
  if (shape) await printRows(context, shape.rows(findingsOf(report)), shape.view, '');
  else if (format === 'table') {
    const lines = reportLines(report, colorsFor(context.io.stdout, context.io.env));
    await write(context.io.stdout, `${lines.join('\n')}\n`);
  } else await printRecord(context, report, { columns: [], details: [], fields: [] });
  const broken = report.operations.filter(({ status }) => status === 'breaks').map(({ operation }) => operation);
  if (broken.length === 0) return;
  throw new CliError('GRAPHQL', `The live service breaks ${broken.length} of ${report.operations.length} operations.`, {
    details: [broken.join(', ')],
    hint: 'Name fields that are still there with --fields, or update this program. `fleet schema pull` saves the live schema.',
  });
}

async function pull(context: Context, { out }: { readonly out?: string }): Promise<void> {
  const client = await connect(context);
  const { pullSchema } = await import('../../check-schema.js');
  const sdl = await pullSchema(client, { signal: context.io.signal });
  if (sdl === null) {
    throw new CliError('GRAPHQL', 'The service does not describe its schema: introspection is switched off.', {
      hint: '`fleet schema check` still finds what breaks, by asking operation by operation; `fleet schema print` has the contract.',
    });
  }
  if (out === undefined) return write(context.io.stdout, sdl);
  try {
    writeFileSync(out, sdl);
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw new CliError('USAGE', `The file ${out} cannot be written (${String(code)}).`, { cause: error });
  }
  note(context, `The live schema is in ${plainText(out)}.`);
}
