// The contract of the service, and queries of the model's own.
import { isObject } from '../../../core/json.js';
import { didYouMean } from '../../../core/suggestions.js';
import { operations } from '../../../generated/operation-table.js';
import { allowPartial } from '../../connection/allow-partial.js';
import { connect } from '../../connection/connect.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { type AnswerRow, inputOf, outputOf, pageInput, readTool, type ToolAnswer, text } from '../../mcp/tool.js';
import { counted } from './inputs.js';

export const describe = readTool<{ readonly name?: string; readonly limit?: number; readonly offset?: number }>({
  name: 'describe',
  title: 'The contract of the service',
  description:
    'The GraphQL contract behind this server, for writing a query: without a name the list of queries; with the name of a query or a type its definition. Needed only when no other tool answers the question.',
  input: inputOf({
    name: { type: 'string', description: 'of a query or a type', examples: ['getVehicles', 'Vehicle', 'CanBus'] },
    ...pageInput,
  }),
  output: outputOf({
    row: { query: text, description: text, definition: { ...text, description: 'a line of GraphQL' } },
  }),
  async run(_context, { name, limit, offset }) {
    const queries = Object.values(operations).filter(({ kind }) => kind === 'query');
    const { contractText } = await import('../../../generated/contract-text.js');
    const { buildSchema, printType } = await import('graphql');
    const schema = buildSchema(contractText, { noLocation: true });
    const fields = schema.getQueryType()?.getFields() ?? {};
    const signature = (query: string) => {
      const { args = [], type } = fields[query] ?? {};
      const given = args.map((arg) => `${arg.name}: ${arg.type}`).join(', ');
      return `${query}${given === '' ? '' : `(${given})`}: ${type}`;
    };
    if (name === undefined) {
      const rows = queries.map((query) => ({
        query: signature(query.name),
        description: firstSentence(fields[query.name]?.description),
      }));
      return { summary: `${counted(rows.length, 'query', 'queries')}.`, rows, page: { limit, offset } };
    }
    const field = fields[name];
    const type = schema.getType(name);
    if (field !== undefined) {
      const definition = `"""${field.description ?? ''}"""\n${signature(name)}`;
      return { summary: `The query ${name}.`, rows: lines(definition), page: { limit, offset } };
    }
    if (type) return { summary: `The type ${name}.`, rows: lines(printType(type)), page: { limit, offset } };
    const names = [...queries.map((query) => query.name), ...Object.keys(schema.getTypeMap())];
    throw new CliError('NOT_FOUND', `The contract has no query and no type "${name}".`, {
      hint: didYouMean(name, names) ?? undefined,
    });
  },
});

/** A row for each line: the definition of a large type is paged like any list. */
function lines(definition: string): readonly AnswerRow[] {
  return definition.split('\n').map((line) => ({ definition: line }));
}

function firstSentence(description: string | null | undefined): string {
  return (description ?? '').split(/(?<=\.)\s/)[0] ?? '';
}

const limits = { characters: 10_000, rootFields: 20 };

export const query = readTool<{
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly limit?: number;
  readonly offset?: number;
}>({
  name: 'query',
  title: 'A GraphQL query of your own',
  description:
    'Sends one read-only GraphQL query, for questions that no other tool answers; describe shows the contract. Mutations are refused. Ask for few fields: an answer with one list is paged, any other must fit.',
  input: inputOf(
    {
      document: { type: 'string', description: 'one query', examples: ['{ getVehicles { name lastOdometer } }'] },
      variables: { type: 'object', description: 'its variables' },
      ...pageInput,
    },
    ['document'],
  ),
  output: outputOf({ facts: { data: { type: 'object', description: 'when it is no single list' } }, row: {} }),
  async run(context, { document, variables = {}, limit, offset }): Promise<ToolAnswer> {
    const { requireQuery } = await import('../../api/variables.js');
    requireQuery(document, limits);
    const client = await connect(context);
    const data = await allowPartial(context, (options) => client.request(document, variables, options));
    const members: readonly unknown[] = isObject(data) ? Object.values(data) : [];
    const [list] = members;
    if (members.length === 1 && Array.isArray(list)) {
      const rows = list.map((row: unknown): AnswerRow => (isObject(row) ? row : { value: row }));
      return { summary: `${counted(rows.length, 'row')}.`, rows, page: { limit, offset } };
    }
    const size = Buffer.byteLength(JSON.stringify(data));
    if (size > LARGEST_DATA) {
      throw refusal(`The answer has ${Math.round(size / 1_000)} kB, and ${LARGEST_DATA / 1_000} kB fit.`, {
        hint: 'Ask for fewer fields or records, or for one list alone, which is paged.',
      });
    }
    return { summary: 'The answer to the query.', facts: { data }, rows: [] };
  },
});

/** It is told twice, as structured content and as text. */
const LARGEST_DATA = 8_000;
