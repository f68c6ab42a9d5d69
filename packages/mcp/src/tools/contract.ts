// The tools for the GraphQL contract: its definitions, and custom queries.
import { didYouMean, isObject } from 'fleet-telematics/kit';
import { allowPartial, CliError, contractText, parseDocument, refusal } from 'fleet-telematics/kit/command';
import { Kind, type OperationDefinitionNode } from 'graphql';
import type { Tool } from '../tool.js';
import type { AnswerRow } from '../tool-call.js';
import { countText } from './tools.js';

/** Limits of a document. */
const MAX_CHARACTERS = 10_000;
const MAX_ROOT_FIELDS = 20;

/** In bytes; an answer contains its data twice, as structured content and as text. */
const LARGEST_DATA = 8_000;

export const describe: Tool = {
  name: 'describe',
  title: 'The contract of the service',
  description:
    'The GraphQL contract, for writing a query: without a name the list of queries; with the name of a query or a type its definition. Needed only when no other tool answers the question.',
  input: { name: { type: 'string', description: 'a query or a type', examples: ['getVehicles', 'Vehicle'] } },
  hasRows: true,
  async run(_call, { name: requestedName }) {
    const name = requestedName === undefined ? undefined : String(requestedName);
    const { buildSchema, printType } = await import('graphql');
    const schema = buildSchema(contractText, { noLocation: true });
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
    const signatureOf = ({ name: query, args, type }: (typeof fields)[number]) =>
      `${query}${args.length === 0 ? '' : `(${args.map((arg) => `${arg.name}: ${arg.type}`).join(', ')})`}: ${type}`;
    if (name === undefined) {
      const rows = fields.map((field) => ({
        query: signatureOf(field),
        description: (field.description ?? '').split(/(?<=\.)\s/)[0],
      }));
      return { summary: `${countText(rows.length, 'query', 'queries')}.`, rows };
    }
    const field = fields.find((one) => one.name === name);
    const type = schema.getType(name);
    if (field === undefined && !type) {
      const names = [...fields.map((one) => one.name), ...Object.keys(schema.getTypeMap())];
      const hint = didYouMean(name, names) ?? undefined;
      throw new CliError('NOT_FOUND', `The contract has no query and no type "${name}".`, { hint });
    }
    const definition = field ? `"""${field.description ?? ''}"""\n${signatureOf(field)}` : type ? printType(type) : '';
    // One row per line, so that a large type is paged.
    return {
      summary: `The definition of ${name}.`,
      rows: definition.split('\n').map((line) => ({ definition: line })),
    };
  },
};

export const query: Tool = {
  name: 'query',
  title: 'A GraphQL query of your own',
  description:
    'Sends one read-only GraphQL query, for questions that no other tool answers; describe shows the contract. Mutations are refused. Ask for few fields: an answer with one list is paged, any other must fit.',
  input: {
    document: { type: 'string', description: 'one query', examples: ['{ getVehicles { name lastOdometer } }'] },
    variables: { type: 'object', description: 'its variables' },
  },
  required: ['document'],
  hasRows: true,
  async run(call, input) {
    const [document, variables] = [String(input.document), Object(input.variables)];
    requireQuery(document);
    const client = await call.client;
    const { signal } = call.context.io;
    const data = await allowPartial(call.context, (options) =>
      client.request(document, variables, { ...options, signal }),
    );
    const members: readonly unknown[] = isObject(data) ? Object.values(data) : [];
    const [list] = members;
    if (members.length === 1 && Array.isArray(list)) {
      const rows = list.map((row: unknown): AnswerRow => (isObject(row) ? row : { value: row }));
      return { summary: `${countText(rows.length, 'row')}.`, rows };
    }
    const size = Buffer.byteLength(JSON.stringify(data));
    if (size <= LARGEST_DATA) return { summary: 'The answer to the query.', facts: { data } };
    throw new CliError('USAGE', `The answer has ${Math.round(size / 1_000)} kB, and ${LARGEST_DATA / 1_000} kB fit.`, {
      hint: 'Ask for fewer fields or records, or for one list alone, which is paged.',
    });
  },
};

/** @throws CliError USAGE for a mutation, several operations or an exceeded limit */
function requireQuery(document: string): void {
  if (document.length > MAX_CHARACTERS) throw refusal(`The document has more than ${MAX_CHARACTERS} characters.`);
  const operations = parseDocument(document).definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation, second] = operations;
  if (!operation || second) {
    throw refusal(`The document has ${operation ? 'more than one operation' : 'no operation'}.`, {
      hint: 'Send one query at a time.',
    });
  }
  if (operation.operation !== 'query') {
    throw refusal(`The document is a ${operation.operation}, and only queries are sent.`);
  }
  if (operation.selectionSet.selections.length <= MAX_ROOT_FIELDS) return;
  throw refusal(`The document asks for more than ${MAX_ROOT_FIELDS} operations at once.`, {
    hint: 'Send several documents.',
  });
}
