// GraphQL documents: valid ones, broken ones, and expensive hostile ones.
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { contractText } from '../../src/generated/contract-text.js';
import { type OperationName, operations } from '../../src/generated/operation-table.js';
import type { Random } from './random.js';
import { characters, geojson, json, text, time, unusualText, type World } from './values.js';

const schema: GraphQLSchema = buildSchema(contractText);

export interface Operation {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: unknown;
}

// Object.keys loses the type of the keys.
const names = Object.keys(operations) as OperationName[];

function rootField(name: string) {
  const field = schema.getQueryType()?.getFields()[name] ?? schema.getMutationType()?.getFields()[name];
  if (field === undefined) throw new Error(`the schema has no ${name}`);
  return field;
}

function sampleOf(type: GraphQLInputType, random: Random, world: World, oddness: number): unknown {
  if (random.chance(oddness)) return json(random, world);
  if (isNonNullType(type)) return sampleOf(type.ofType, random, world, oddness);
  if (random.chance(0.05)) return null;
  if (isListType(type)) {
    return Array.from({ length: random.size(20) }, () => sampleOf(type.ofType, random, world, oddness));
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || random.chance(0.5));
    return Object.fromEntries(fields.map((field) => [field.name, sampleOf(field.type, random, world, oddness)]));
  }
  switch (type.name) {
    case 'UUID':
      return random.pick(world.ids);
    case 'DateTime':
    case 'Timestamp':
      return time(random, world);
    case 'Boolean':
      return random.chance(0.5);
    case 'JSON':
      return geojson(random, world);
    case 'String':
      return text(random, world);
    default:
      return random.below(3000) - 10;
  }
}

function variablesOf(args: readonly GraphQLArgument[], random: Random, world: World, oddness: number): object {
  return Object.fromEntries(args.map((arg) => [arg.name, sampleOf(arg.type, random, world, oddness)]));
}

export function knownOperation(random: Random, world: World, oddness: number): Operation {
  const name = random.pick(names);
  return { query: operations[name].document, variables: variablesOf(rootField(name).args, random, world, oddness) };
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${/^[_A-Za-z]\w*$/.test(key) ? key : 'x'}: ${literal(member)}`,
    );
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

// biome-ignore format: a short list
const directives = ['', '', '', '', '@include(if: true)', '@skip(if: false)', '@skip(if: true)', '@include(if: $no)', '@deprecated', '@unknown', '@include'] as const;

function selectionOf(type: GraphQLObjectType, random: Random, world: World, depth: number): string {
  const all = Object.values(type.getFields());
  const chosen = all.filter(() => random.chance(depth === 0 ? 3 / all.length : 0.35));
  const parts = chosen.flatMap((field) => {
    const named = getNamedType(field.type);
    const alias = random.chance(0.1) ? `a${random.below(5)}: ` : '';
    const args = field.args.filter((arg) => isNonNullType(arg.type) || random.chance(0.5));
    const argumentTexts = args.map((arg) => `${arg.name}: ${literal(sampleOf(arg.type, random, world, 0.03))}`);
    const head = `${alias}${field.name}${argumentTexts.length > 0 ? `(${argumentTexts.join(', ')})` : ''} ${random.pick(directives)}`;
    if (isLeafType(named)) return [head];
    if (!isObjectType(named) || depth > 5) return [];
    const body = selectionOf(named, random, world, depth + 1);
    return [`${head} ${random.chance(0.1) ? `{ ... on ${named.name} ${body} }` : body}`];
  });
  if (parts.length === 0 || random.chance(0.05)) parts.push('__typename');
  return `{ ${parts.join(' ')} }`;
}

/** Returns a mostly valid document from the schema. */
export function schemaDocument(random: Random, world: World): Operation {
  const kind = random.chance(0.75) ? 'query' : 'mutation';
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  if (!root) throw new Error('the schema has no such type');
  const body = selectionOf(root, random, world, 0);
  const name = random.chance(0.5) ? ' Named' : '';
  return {
    query: `${kind}${name}${body.includes('$no') ? '($no: Boolean! = false)' : ''} ${body}`,
    ...(random.chance(0.1) ? { operationName: random.pick(['Named', 'Other', '', null]) } : {}),
  };
}

// biome-ignore format: a list of tokens reads best in rows
const tokens = ['{', '}', '(', ')', '[', ']', ':', '!', '$', '@', '...', '|', '=', '&', '"', '"""', '#', ',', 'fragment', 'on', 'query', 'mutation', 'subscription', 'null', 'true', '1e999', '-0', '99999999999999999999', '\\u{110000}', '\\ud800', 'extend type Query { x: Int }', '__schema { types { name } }', '__type(name: "Query") { fields { name } }', '\u0000', '\ufeff', '\u2028'] as const;

export function corruptText(whole: string, random: Random): string {
  let made = whole;
  for (let left = 1 + random.below(5); left > 0; left -= 1) {
    const at = random.below(made.length + 1);
    const to = Math.min(made.length, at + 1 + random.size(60));
    made = random.weighted<() => string>([
      [3, () => made.slice(0, at) + random.pick(tokens) + made.slice(at)],
      [
        3,
        () =>
          made.slice(0, at) +
          String.fromCharCode((made.charCodeAt(at) || 32) ^ (1 << random.below(8))) +
          made.slice(at + 1),
      ],
      [2, () => made.slice(0, at) + made.slice(to)],
      [1, () => made.slice(0, at)],
      [1, () => made.slice(0, to) + made.slice(at)],
      [1, () => made.slice(0, at) + characters(random, 1 + random.below(5)) + made.slice(at)],
      [1, () => made.slice(at) + made.slice(0, at)],
    ])();
  }
  return made;
}

const nested = ['assignedGroups', 'assignedVehicles'] as const;

/** Returns a document that requests an extreme amount. */
export function hostileDocument(random: Random, world: World): Operation {
  const many = 1 + random.size(20_000);
  const few = 1 + random.size(300);
  const id = random.pick(world.ids);
  return random.pick<() => Operation>([
    () => ({ query: `{ getVehicles ${'{ assignedGroups { assignedVehicles '.repeat(few)}{ id }${' } }'.repeat(few)} }` }),
    () => ({ query: '{'.repeat(many) }),
    () => ({ query: `{ getVehicles { ${'... { '.repeat(few)} id ${'}'.repeat(few)} } }` }),
    () => ({ query: `{ getVehicles(x: ${'['.repeat(many)}${']'.repeat(many)}) { id } }` }),
    () => ({ query: `{ getVehicles(x: ${'{a: '.repeat(few)}1${'}'.repeat(few)}) { id } }` }),
    () => ({ query: `query (${'$v: '.repeat(1)}${'['.repeat(few)}UUID${']'.repeat(few)}) { getUserInfo { userId } }` }),
    () => ({ query: `{ ${Array.from({ length: many }, (_, at) => `a${at}: getUserInfo { userId }`).join(' ')} }` }),
    () => ({ query: `{ getVehicleById(id: "${id}") { ${Array.from({ length: many }, (_, at) => `a${at}: name`).join(' ')} } }` }),
    () => ({ query: `{ getVehicles { ${'id '.repeat(many)} } }` }),
    () => ({ query: '{ getVehicles { ...A } } fragment A on Vehicle { ...B } fragment B on Vehicle { ...A id }' }),
    () => ({ query: '{ ...A } fragment A on Query { ...A }' }),
    () => fragmentBomb(random),
    () => ({ query: `{ getVehicles { id ${'@include(if: true) '.repeat(few)} } }` }),
    () => ({ query: `query (${Array.from({ length: few }, (_, at) => `$v${at}: UUID = "${id}"`).join(' ')}) { getUserInfo { userId } }` }),
    () => ({ query: `${'# all quiet\n'.repeat(many)}{ getUserInfo { userId } }` }),
    () => ({ query: `{ getVehiclesByVin(vin: ${JSON.stringify('x'.repeat(many))}) { id } }` }),
    () => ({ query: `{ getVehiclesByVin(vin: """${'\n  "'.repeat(few)}""") { id } }` }),
    () => ({ query: `${Array.from({ length: few }, (_, at) => `query Q${at} { getUserInfo { userId } }`).join(' ')}`, operationName: `Q${random.below(few)}` }),
    () => ({ query: '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }' }),
    () => ({ query: `{ getGroups { ${nested[1]} { ${nested[0]} { ${nested[1]} { ${nested[0]} { ${nested[1]} { lastData { canBus { canrpm } } latestData { timestamp } } } } } } } }` }),
    () => ({ query: `{ getUserInfo { ${characters(random, few)} } }` }),
    () => ({ query: `{ getUserInfo { userId${' '.repeat(many * 10)} } }` }),
    () => ({ query: `subscription { ${random.pick(['getVehicles', 'x'])} { id } }` }),
    () => ({ query: `{ getVehiclesByVin(vin: ${random.pick(['1', '99999999999999999999999', '1e400', '-0', 'ENUM', '$v', '{}', '[]', 'null', '"\\uD800"', '"\\u{1F600}"'])}) { id } }` }),
    () => ({ query: `{ getSnapshots(vehicleId: "${id}", from: "${time(random, world)}", to: "${time(random, world)}") { timestamp vehicle { name assignedGroups { id } } driver { driverId } x: gps { speed } } y: getSnapshots(vehicleId: "${random.pick(world.ids)}", from: "${time(random, world)}", to: "${time(random, world)}") { ...S } } fragment S on CommonFormat { timestamp canBus { canrpm } vehicle { ...V } } fragment V on Vehicle { id lastData { timestamp } }` }),
    () => ({ query: `{ getLatestSnapshots(vehicleIds: [${`"${id}", `.repeat(few)}]) { timestamp } }` }),
  ])(); // biome-ignore format: one kind of hostility a line
}

/** Returns fragments that use each other several times: small text, huge selection. */
function fragmentBomb(random: Random): Operation {
  const levels = 2 + random.below(25);
  const spreads = 2 + random.below(4);
  const fragments = Array.from({ length: levels }, (_, at) => {
    const uses = Array.from({ length: spreads }, (_, use) =>
      random.chance(0.5) ? `...F${at + 1}` : `u${use}: assignedGroups { assignedVehicles { ...F${at + 1} } }`,
    );
    return `fragment F${at} on Vehicle { ${uses.join(' ')} }`;
  });
  return { query: `{ getVehicles { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Vehicle { id }` };
}

export function hostileVariables(random: Random, world: World): Operation {
  const sound = knownOperation(random, world, 0.3);
  const variables = random.weighted<() => unknown>([
    [3, () => json(random, world)],
    [2, () => ({ ...Object(sound.variables), [unusualText(random)]: json(random, world) })],
    [1, () => JSON.parse(`{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}`)],
    [1, () => deep(random)],
    [1, () => ({ id: Array.from({ length: random.size(5000) }, () => random.pick(world.ids)) })],
  ])();
  return { ...sound, variables };
}

function deep(random: Random): unknown {
  let made: unknown = 1;
  for (let left = random.size(2000); left > 0; left -= 1) made = random.chance(0.5) ? [made] : { id: made };
  return { id: made, input: made, geofenceInput: made, vehicleInput: made };
}
