// A service with other names for every type and member that schema.graphql only assumes. It answers
// every field with a value of its type.
import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type DocumentNode,
  execute,
  type FieldDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  Kind,
  parse,
  validate,
  visit,
} from 'graphql';
import { assumedPart } from '../../codegen/assumed.js';
import type { Fetch } from '../../src/index.js';
import { createMockService } from '../../src/mock/service.js';
import { inputs, records } from './tables.js';

export const id = '3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65';
export const moment = Date.parse('2026-03-02T09:30:00Z');

const named = new Set([
  ...Object.keys(records),
  ...Object.keys(inputs),
  ...['CanBus', 'WorkSchedulePeriod', 'Address', 'Query', 'Mutation', 'UUID', 'Long', 'DateTime', 'JSON'],
  ...['TemperatureMap', 'TemperatureSensorMap', 'SensorMap', 'RawFuelMap', 'FuelLevelMap', 'CanAxleWeightsMap'],
  ...['TirePressureMap', 'TirePressureStatusMap'],
  ...['String', 'Boolean', 'Float', 'Int', 'ID'],
]);

export function renamedSchema(): GraphQLSchema {
  const contract = parse(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const typeName = (name: string) => (named.has(name) || name.endsWith('Input') ? name : `Other${name}`);
  const renamed: DocumentNode = visit(contract, {
    DirectiveDefinition: () => null,
    Directive: (node) => (node.name.value === 'assumed' ? null : undefined),
    // The contract names these inputs but not their members, so the service accepts any.
    InputObjectTypeDefinition: (node) =>
      assumedPart({ astNode: node }) === 'INPUT' ? { kind: Kind.SCALAR_TYPE_DEFINITION, name: node.name } : undefined,
    ObjectTypeDefinition: (node) =>
      assumedPart({ astNode: node }) === 'STRUCTURE'
        ? { ...node, fields: (node.fields ?? []).map(withOtherName) }
        : undefined,
    NamedType: (node) => ({ ...node, name: { ...node.name, value: typeName(node.name.value) } }),
    Name: (node, _key, parent) => (isTypeDefinition(parent) ? { ...node, value: typeName(node.value) } : undefined),
  });
  return buildASTSchema(renamed);
}

function withOtherName(field: FieldDefinitionNode): FieldDefinitionNode {
  return { ...field, name: { ...field.name, value: `other_${field.name.value}` } };
}

function isTypeDefinition(node: unknown): boolean {
  const kind: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'kind') : null;
  return typeof kind === 'string' && /^(Object|Scalar|Enum|InputObject)TypeDefinition$/.test(kind);
}

/** Returns the service with the requests that it refused and the operations that it answered. */
export function renamedService(): { readonly fetch: Fetch; readonly refusals: string[]; readonly answered: string[] } {
  const schema = renamedSchema();
  const login = createMockService({ vehicles: 1, clock: { now: () => moment } });
  const refusals: string[] = [];
  const answered: string[] = [];
  const fetch: Fetch = async (url, init) => {
    if (!url.endsWith('/graphql')) return login.fetch(url, init);
    const { query, variables } = JSON.parse(String(init.body));
    const document = parse(query);
    const errors = validate(schema, document);
    if (errors.length > 0) {
      refusals.push(...errors.map(({ message }) => message));
      return Response.json({ errors });
    }
    const result = await execute({
      schema,
      document,
      variableValues: variables,
      fieldResolver: (_source, _args, _context, info) => anyValueOf(info.returnType, info.fieldName),
    });
    refusals.push(...(result.errors ?? []).map(({ message }) => message));
    answered.push(...Object.keys(result.data ?? {}));
    return Response.json(result);
  };
  return { fetch, refusals, answered };
}

function anyValueOf(type: GraphQLOutputType, field: string): unknown {
  const present = getNullableType(type);
  if (isListType(present)) return [anyValueOf(present.ofType, field)];
  if (!isLeafType(present)) return {};
  if (isEnumType(present)) return present.getValues()[0]?.value;
  switch (present.name) {
    case 'UUID':
      return id;
    case 'Boolean':
      return field !== 'isDeleted' && field !== 'deactivated';
    case 'Int':
    case 'Long':
    case 'Float':
      return 1;
    case 'JSON':
      return { type: 'Point', coordinates: [24.75, 59.43] };
    case 'String':
      return 'x';
    default:
      return new Date(moment).toISOString();
  }
}
