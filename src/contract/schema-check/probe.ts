// The report on a service that does not describe itself: each operation is sent with `@skip(if: true)` on its field. The service checks
// it, and runs nothing.
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
import { type OperationName, operations } from '../../generated/operation-table.js';
import { type Assumption, assumptionsOf } from './assumptions.js';
import type { AssumptionFinding, OperationFinding, SchemaReport } from './findings.js';
import type { SchemaClient, SchemaOptions } from './schema-client.js';

export async function probe(client: SchemaClient, options: SchemaOptions): Promise<SchemaReport> {
  const contract = buildSchema(contractText, { noLocation: true });
  const ask = async (document: string, variables: Record<string, unknown>): Promise<readonly string[]> => {
    try {
      await client.request(document, variables, options);
      return [];
    } catch (error) {
      if (error instanceof GraphQLResponseError) return error.errors.map(({ message }) => message);
      throw error;
    }
  };
  const isSkipHeeded = await heedsSkip(client, options);
  const found: OperationFinding[] = [];
  for (const { name, kind, document, args } of Object.values(operations)) {
    if (kind === 'mutation' && !isSkipHeeded) {
      found.push({
        operation: name,
        status: 'unknown',
        reasons: ['the service does not heed @skip, so it was not sent'],
      });
      continue;
    }
    const variables = Object.fromEntries(
      args.map((arg) => [arg.name, placeholder(argumentType(contract, name, arg.name))]),
    );
    const reasons = await ask(skipped(name, document), variables);
    found.push({ operation: name, status: reasons.length === 0 ? 'works' : 'breaks', reasons });
  }
  const assumptions: AssumptionFinding[] = [];
  for (const assumption of assumptionsOf(contract))
    assumptions.push(await probeAssumption(contract, assumption, ask, found));
  return { source: 'probing', operations: found, assumptions, changes: [] };
}

/** A service that heeds it leaves the field out of its answer. */
async function heedsSkip(client: SchemaClient, options: SchemaOptions): Promise<boolean> {
  try {
    const data = await client.request('query getRoles { getRoles @skip(if: true) { id } }', {}, options);
    return Object.keys(data).length === 0;
  } catch (error) {
    if (error instanceof GraphQLResponseError) return false;
    throw error;
  }
}

/** The document with its root field skipped. */
function skipped(name: string, document: string): string {
  return document.replace(new RegExp(`(\\{\\s*${name}(?:\\([^)]*\\))?)`), '$1 @skip(if: true)');
}

function argumentType(contract: GraphQLSchema, operation: OperationName, name: string): GraphQLInputType | undefined {
  const roots = [contract.getQueryType(), contract.getMutationType()];
  const field = roots.map((root) => root?.getFields()[operation]).find((one) => one !== undefined);
  return field?.args.find((arg) => arg.name === name)?.type;
}

/** A value of the type that names nothing: with every member, so that one the service does not know is told. */
function placeholder(type: GraphQLInputType | undefined): unknown {
  if (type === undefined) return null;
  if (isNonNullType(type)) return placeholder(type.ofType);
  if (isListType(type)) return [];
  if (isInputObjectType(type)) {
    return Object.fromEntries(Object.values(type.getFields()).map((field) => [field.name, placeholder(field.type)]));
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
  ask: (document: string, variables: Record<string, unknown>) => Promise<readonly string[]>,
  found: readonly OperationFinding[],
): Promise<AssumptionFinding> {
  const unknown = (detail: string): AssumptionFinding => ({ where, part, status: 'unknown', detail });
  if (part === 'LEAF_TYPE')
    return unknown('a service that does not describe itself does not tell the types of its values');
  if (part === 'INPUT') return inputFinding(where, found) ?? unknown('no operation that could be sent takes it');
  const document = documentTo(contract, where);
  if (document === null) return unknown('no query without arguments leads there');
  const reasons = await ask(document, {});
  return { where, part, status: reasons.length === 0 ? 'confirmed' : 'refuted', detail: reasons.join('; ') || null };
}

/** An input is told by the operations that take it: they were sent with all its members. */
function inputFinding(where: string, found: readonly OperationFinding[]): AssumptionFinding | null {
  const type = where.replace('input ', '');
  const takers = found.filter(({ operation }) =>
    operations[operation].args.some((arg) => arg.type.replace(/[[\]!]/g, '') === type),
  );
  const told = takers.find(({ status }) => status !== 'unknown');
  if (!told) return null;
  const isRefuted = told.status === 'breaks';
  return {
    where,
    part: 'INPUT',
    status: isRefuted ? 'refuted' : 'confirmed',
    detail: isRefuted ? told.reasons.join('; ') : null,
  };
}

/** A query that is skipped and selects everything plain below a guessed type or field; null when none leads there. */
function documentTo(contract: GraphQLSchema, where: string): string | null {
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
      const wanted = member === '' ? fields : fields.filter((field) => field.name === member);
      return document(at.path, wanted.map(selectionOf).join(' '));
    }
    for (const field of fields) queue.push({ type: field.type, path: [...at.path, field.name] });
  }
  return null;
}

function document(path: readonly string[], selection: string): string {
  const [root = '', ...below] = path;
  const body = below.reduceRight((inner, name) => `{ ${name} ${inner} }`, `{ ${selection} }`);
  return `query ${root} { ${root} @skip(if: true) ${body} }`;
}

/** A field with the plain values below it. */
function selectionOf(field: { readonly name: string; readonly type: GraphQLOutputType }): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return field.name;
  const below = Object.values(type.getFields());
  const plain = below.filter((one) => !isObjectType(getNamedType(one.type))).map(({ name }) => name);
  const inner = plain.length > 0 ? plain.join(' ') : below.slice(0, 1).map(selectionOf).join(' ');
  return `${field.name} { ${inner} }`;
}
