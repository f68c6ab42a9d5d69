// The report on a service that refuses introspection. Each operation is sent with `@skip(if: true)`
// on its field, so that the service validates it and runs nothing.
import {
  buildSchema,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { GraphQLResponseError } from '../../core/errors.js';
import { contractText } from '../../generated/contract-text.js';
import { guessedInputs } from '../../generated/input-map.js';
import { type OperationName, operations } from '../../generated/operation-table.js';
import { type Assumption, assumptionsOf } from './assumptions.js';
import type { AssumptionFinding, OperationFinding, SchemaReport } from './findings.js';
import type { SchemaClient, SchemaOptions } from './schema-client.js';

export async function probe(client: SchemaClient, options: SchemaOptions): Promise<SchemaReport> {
  const contract = buildSchema(contractText, { noLocation: true });
  const ask: Ask = async (name, document, variables) => {
    try {
      return wrongFieldReasons(name, await client.request(document, variables, options));
    } catch (error) {
      if (GraphQLResponseError.is(error)) return error.serviceErrors.map(({ message }) => message);
      throw error;
    }
  };
  const isSkipRespected = await respectsSkip(client, options);
  const found: OperationFinding[] = [];
  for (const { name, kind, document, args } of Object.values(operations)) {
    if (kind === 'mutation' && !isSkipRespected) {
      found.push({
        operation: name,
        status: 'unknown',
        reasons: ['the service does not respect @skip, so it was not sent'],
      });
      continue;
    }
    const reasons = await ask(name, withSkip(name, document), variablesOf(contract, name, 'shown'));
    found.push(findingOf(name, args, reasons));
  }
  const assumptions: AssumptionFinding[] = [];
  for (const assumption of assumptionsOf(contract))
    assumptions.push(await probeAssumption(contract, assumption, ask, found, isSkipRespected));
  return { source: 'probing', operations: found, assumptions, changes: [] };
}

/** Sends a document whose only root field is `name`. Returns the service's validation errors. */
type Ask = (name: string, document: string, variables: Record<string, unknown>) => Promise<readonly string[]>;

/** Returns an error for an answer with another root field; a skipped field may be missing. */
function wrongFieldReasons(name: string, data: Record<string, unknown>): readonly string[] {
  const [member] = Object.keys(data);
  if (member === undefined || Object.hasOwn(data, name)) return [];
  return [`the answer has the member ${member.slice(0, LONGEST_MEMBER)} in data, and not ${name}`];
}
const LONGEST_MEMBER = 64;

/** `unknown` when only members are missing that the contract does not show: the caller decides. */
function findingOf(
  operation: OperationName,
  args: readonly { readonly type: string }[],
  reasons: readonly string[],
): OperationFinding {
  if (reasons.length === 0) return { operation, status: 'works', reasons };
  const isGuessed = args.some(({ type }) => guessedInputs.includes(type.replace(/[[\]!]/g, '')));
  const isAboutInput = isGuessed && reasons.every((reason) => /\bvariable\b/i.test(reason));
  if (!isAboutInput) return { operation, status: 'breaks', reasons };
  return {
    operation,
    status: 'unknown',
    reasons: ['the service demands members of the input that the contract does not show', ...reasons],
  };
}

/** `shown`: without the assumed members, except those that the contract requires. */
type Members = 'shown' | 'all';

function variablesOf(contract: GraphQLSchema, operation: OperationName, members: Members): Record<string, unknown> {
  const argumentEntries = operations[operation].args.map((arg) => [
    arg.name,
    placeholder(argumentType(contract, operation, arg.name), members),
  ]);
  return Object.fromEntries(argumentEntries);
}

async function respectsSkip(client: SchemaClient, options: SchemaOptions): Promise<boolean> {
  try {
    const data = await client.request('query getRoles { getRoles @skip(if: true) { id } }', {}, options);
    return Object.keys(data).length === 0;
  } catch (error) {
    if (GraphQLResponseError.is(error)) return false;
    throw error;
  }
}

function withSkip(name: string, document: string): string {
  return document.replace(new RegExp(`(\\{\\s*${name}(?:\\([^)]*\\))?)`), '$1 @skip(if: true)');
}

function argumentType(contract: GraphQLSchema, operation: OperationName, name: string): GraphQLInputType | undefined {
  const roots = [contract.getQueryType(), contract.getMutationType()];
  const field = roots.map((root) => root?.getFields()[operation]).find((one) => one !== undefined);
  return field?.args.find((arg) => arg.name === name)?.type;
}

/** Returns a value that identifies no record. An unknown member is reported by the service. */
function placeholder(type: GraphQLInputType | undefined, members: Members): unknown {
  if (type === undefined) return null;
  if (isNonNullType(type)) return placeholder(type.ofType, members);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) {
    const isWhole = members === 'all' || !guessedInputs.includes(type.name);
    const sent = Object.values(type.getFields()).filter((field) => isWhole || isNonNullType(field.type));
    return Object.fromEntries(sent.map((field) => [field.name, placeholder(field.type, members)]));
  }
  return placeholders[type.name] ?? '';
}

const placeholders: Readonly<Record<string, unknown>> = {
  UUID: '00000000-0000-0000-0000-000000000000',
  DateTime: '2000-01-01T00:00:00Z',
  Boolean: false,
  Int: 0,
  Long: 0,
  Float: 0,
  JSON: {},
};

async function probeAssumption(
  contract: GraphQLSchema,
  { where, part }: Assumption,
  ask: Ask,
  found: readonly OperationFinding[],
  isSkipRespected: boolean,
): Promise<AssumptionFinding> {
  const unknown = (detail: string): AssumptionFinding => ({ where, part, status: 'unknown', detail });
  if (part === 'LEAF_TYPE')
    return unknown('a service that refuses introspection does not show the types of its values');
  if (part === 'INPUT') {
    const operationName = operationWithInput(where, found, isSkipRespected);
    if (operationName === null) return unknown('no operation that could be sent takes it');
    const reasons = await ask(
      operationName,
      withSkip(operationName, operations[operationName].document),
      variablesOf(contract, operationName, 'all'),
    );
    return { where, part, status: reasons.length === 0 ? 'confirmed' : 'refuted', detail: reasons.join('; ') || null };
  }
  const query = documentTo(contract, where);
  if (query === null) return unknown('no query without arguments leads there');
  const reasons = await ask(query.root, query.text, {});
  return { where, part, status: reasons.length === 0 ? 'confirmed' : 'refuted', detail: reasons.join('; ') || null };
}

/** Returns a working operation that takes the input; null without one. */
function operationWithInput(
  where: string,
  found: readonly OperationFinding[],
  isSkipRespected: boolean,
): OperationName | null {
  const type = where.replace('input ', '');
  const operationName = found.find(({ operation, status }) => {
    const { args, kind } = operations[operation];
    const takes = args.some((arg) => arg.type.replace(/[[\]!]/g, '') === type);
    return takes && status !== 'breaks' && (kind === 'query' || isSkipRespected);
  });
  return operationName?.operation ?? null;
}

/**
 * Returns a query of a type or field with `@skip`: the service checks it but runs nothing. Null
 * when no query without arguments leads there.
 */
function documentTo(contract: GraphQLSchema, where: string): { readonly root: string; readonly text: string } | null {
  const [kind = '', name] = where.split(' ');
  const [owner = '', member = ''] = name === undefined ? kind.split('.') : [name];
  const queue: { readonly type: GraphQLOutputType; readonly path: readonly string[] }[] = [];
  for (const field of Object.values(contract.getQueryType()?.getFields() ?? {})) {
    if (field.args.length === 0) queue.push({ type: field.type, path: [field.name] });
  }
  const seen = new Set<string>();
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const type = getNamedType(at.type);
    if (!isObjectType(type) || seen.has(type.name)) continue;
    seen.add(type.name);
    const fields = Object.values(type.getFields());
    if (type.name === owner) {
      const selectedFields = member === '' ? fields : fields.filter((field) => field.name === member);
      return skippedQuery(at.path, selectedFields.map(selectionOf).join(' '));
    }
    for (const field of fields) queue.push({ type: field.type, path: [...at.path, field.name] });
  }
  return null;
}

/** Returns a query along the path. With `@skip` the service checks it but runs nothing. */
function skippedQuery(path: readonly string[], selection: string): { readonly root: string; readonly text: string } {
  const [root = '', ...below] = path;
  const body = below.reduceRight((inner, name) => `{ ${name} ${inner} }`, `{ ${selection} }`);
  return { root, text: `query ${root} { ${root} @skip(if: true) ${body} }` };
}

function selectionOf(field: { readonly name: string; readonly type: GraphQLOutputType }): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return field.name;
  const below = Object.values(type.getFields());
  const plain = below.filter((one) => !isObjectType(getNamedType(one.type))).map(({ name }) => name);
  const inner = plain.length > 0 ? plain.join(' ') : below.slice(0, 1).map(selectionOf).join(' ');
  return `${field.name} { ${inner} }`;
}
