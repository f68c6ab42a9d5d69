// `fleet api`: any GraphQL document, with variables typed by what the document declares. Prints `data` as JSON.

import { connect } from '../connection/connect.js';
import { CliError } from '../errors/cli-error.js';
import { tolerate } from '../errors/partial-result.js';
import { jsonText } from '../output/json.js';
import { readText } from '../prompt/read-text.js';
import { type DefineCommand, examples } from '../run/command.js';
import type { Context } from '../run/context.js';
import { write } from '../run/io.js';

export const define: DefineCommand = (noun, open) => {
  noun
    .summary('send any GraphQL document')
    .description(
      'Send any GraphQL document and print `data` as JSON. A value of -v is typed by the variable that the document declares.',
    )
    .argument('<document>', 'the document, @file, or - for stdin')
    .option(
      '-v, --variable <key=value>',
      'a variable; again for the next one, or for the next member of a list; JSON, list and input values may be @file or -; key:=<json> is JSON whatever the type',
      (pair: string, before: readonly string[]) => [...before, pair],
      [],
    )
    .addHelpText(
      'after',
      examples(
        ["fleet api '{ getRoles { id name } }'", ''],
        ["fleet api 'query ($vin: String!) { getVehiclesByVin(vin: $vin) { name } }' -v vin=WMA06XZZ0SN000016", ''],
        ['fleet api @query.graphql -v input=@input.json', 'from files'],
        ['fleet api @query.graphql -v name:=null', 'null; name=null is that text for a String'],
      ),
    )
    .action((document: string, flags: { readonly variable: readonly string[] }) =>
      api(open(), document, flags.variable),
    );
};

async function api(context: Context, said: string, pairs: readonly string[]): Promise<void> {
  const { output } = context.globals;
  if (output !== undefined && output !== 'json' && output !== 'ndjson') {
    throw new CliError('USAGE', `\`fleet api\` prints JSON; it cannot print ${output}.`, {
      hint: 'Leave out -o, or say -o ndjson for JSON on one line.',
    });
  }
  const document = said === '-' || said.startsWith('@') ? await readText(context, said) : said;
  const { readVariables } = await import('../api/variables.js');
  const variables = await readVariables(document, pairs, (source) => readText(context, source));
  const client = await connect(context);
  const data = await tolerate(context, (options) => client.request(document, variables, options));
  await write(context.io.stdout, `${jsonText(data, output === 'ndjson' ? 0 : 2, context.io.stdout.isTTY === true)}\n`);
}
