// `fleet api`: sends any GraphQL document with typed variables and prints `data` as JSON.

import { allowPartial, dataDespiteErrors } from '../connection/allow-partial.js';
import { connect } from '../connection/connect.js';
import type { Context } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError } from '../errors/cli-error.js';
import { mayHaveApplied } from '../errors/exit-codes.js';
import { write } from '../io/io.js';
import { traitsOf } from '../output/formats.js';
import { printedJson } from '../output/json.js';
import { readInputText } from '../prompt/read-text.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('send any GraphQL document')
    .description(
      'Send any GraphQL document and print `data` as JSON. The value of -v gets the type that the document declares for the variable.',
    )
    .argument('<document>', 'the document, @file, or - for stdin')
    .option(
      '-v, --variable <key=value>',
      'a variable; repeat for more variables or more members of a list; JSON, list and input values may be @file or -; key:=<json> is always JSON',
      (pair: string, previous: readonly string[]) => [...previous, pair],
      [],
    )
    .addHelpText(
      'after',
      examples(
        ["fleet api '{ getRoles { id name } }'", ''],
        ["fleet api 'query ($vin: String!) { getVehiclesByVin(vin: $vin) { name } }' -v vin=WMA06XZZ0SN000016", ''],
        ['fleet api @query.graphql -v input=@input.json', 'from files'],
        ['fleet api @query.graphql -v name:=null', 'null; for a String, name=null is the text "null"'],
      ),
    )
    .action((document: string, flags: { readonly variable: readonly string[] }) =>
      api(open(), document, flags.variable),
    );
};

async function api(context: Context, source: string, pairs: readonly string[]): Promise<void> {
  const { output = 'json' } = context.globals;
  const indent = traitsOf(output).jsonIndent;
  if (indent === null) {
    throw new CliError('USAGE', `\`fleet api\` prints JSON; it cannot print ${output}.`, {
      hint: 'Leave out -o, or use -o ndjson for JSON on one line.',
    });
  }
  const document = source === '-' || source.startsWith('@') ? await readInputText(context, source) : source;
  const { mutationsIn, readVariables } = await import('../api/variables.js');
  const variables = await readVariables(document, pairs, (file) => readInputText(context, file));
  const client = await connect(context);
  const mutations = mutationsIn(document);
  const send = () =>
    mutations.length === 0
      ? allowPartial(context, (options) => client.request(document, variables, options))
      : client
          .request(document, variables, { signal: context.io.signal })
          .catch((error) => dataDespiteErrors(context, error));
  const data = await sendRecorded(context, mutations, send);
  await write(context.io.stdout, `${printedJson(data, indent, context.io.stdout.isTTY === true)}\n`);
}

/** Records the names of the operations in the journal: their effects are unknown. */
async function sendRecorded<T>(context: Context, operations: readonly string[], send: () => Promise<T>): Promise<T> {
  if (operations.length === 0) return send();
  const { recorderOf } = await import('../journal/recorder.js');
  const records = operations.map(
    (name) => ({ kind: 'operation', action: 'update', name, id: null, changes: [] }) as const,
  );
  const end = recorderOf(context, { undoes: null })?.begin({ operations, records });
  try {
    const data = await send();
    end?.({ outcome: 'done' });
    return data;
  } catch (error) {
    end?.({ outcome: mayHaveApplied(error) ? 'unknown' : 'failed' });
    throw error;
  }
}
