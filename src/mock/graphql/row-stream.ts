// Streams the rows of getSnapshots: the response text is created in chunks while it is sent. A copy
// of the schema declares the field as a leaf, so graphql-js does not walk every row.
import {
  type ASTNode,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  GraphQLSchema,
  isObjectType,
  Kind,
  print,
} from 'graphql';
import { checkPeriod } from '../variants/results.js';
import type { RequestContext } from './request-context.js';
import { driverChanges, driverTimeline, findSnapshotRows, type RequestedPeriod } from './resolvers/snapshots.js';
import type { ResponseError } from './response-errors.js';
import { type WrittenRows, writtenRows } from './row-hours.js';
import { objectWriter } from './row-writer.js';

export const rowStreamField = 'getSnapshots';
const chunkLength = 64 * 1024;

class RowStream {
  constructor(private readonly texts: Iterable<string>) {}

  *chunks(): Generator<string> {
    let chunk = '[';
    let separator = '';
    for (const text of this.texts) {
      chunk += separator + text;
      separator = ',';
      if (chunk.length < chunkLength) continue;
      yield chunk;
      chunk = '';
    }
    yield `${chunk}]`;
  }
}

/** The root value: the variables that `selectedVehicle` needs for its own document. */
export interface RootValue {
  readonly variables: Readonly<Record<string, unknown>>;
}

interface RowSchema {
  readonly row: GraphQLObjectType;
  readonly standardSchema: GraphQLSchema;
  /** Unique per schema: variants use other value formats. */
  readonly schemaKey: number;
}

let nextSchemaKey = 0;

/** Returns the schema for streamed snapshots. `standardSchema` resolves `vehicle`. */
export function streamingSchema(standardSchema: GraphQLSchema): GraphQLSchema {
  const query = standardSchema.getQueryType();
  const row = standardSchema.getType('CommonFormat');
  if (!query || !isObjectType(row)) throw new Error('the schema has no snapshots');
  const { fields, ...config } = query.toConfig();
  const snapshots = fields[rowStreamField];
  if (snapshots === undefined) throw new Error('the schema has no snapshots');
  const schemaKey = nextSchemaKey++;
  const resolve: GraphQLFieldResolver<unknown, RequestContext> = (_source, args, context, info) => {
    context.throwPlannedError(rowStreamField);
    checkPeriod(context.variant, rowStreamField, args);
    // graphql-js has coerced the arguments to the field's types.
    return rowStream(args as RequestedPeriod, context, info, { row, standardSchema, schemaKey });
  };
  const leaf = new GraphQLScalarType({ name: 'SnapshotRows', serialize: (value) => value });
  const { types, ...rest } = standardSchema.toConfig();
  return new GraphQLSchema({
    ...rest,
    types: types.filter((type) => type !== query),
    query: new GraphQLObjectType({
      ...config,
      fields: { ...fields, [rowStreamField]: { ...snapshots, type: leaf, resolve } },
    }),
    assumeValid: true,
  });
}

function rowStream(
  period: RequestedPeriod,
  context: RequestContext,
  info: GraphQLResolveInfo,
  { row, standardSchema, schemaKey }: RowSchema,
): RowStream | [] {
  const match = findSnapshotRows(period, context);
  if (match === null) return [];
  const driverAt = driverTimeline(context.fleet, match.vehicle.id);
  let timestamp = 0;
  let vehicleText = '';
  let hasDriver = false;
  const write = objectWriter(row, info.fieldNodes, {
    fragments: info.fragments,
    variableValues: info.variableValues,
    override(type, nodes) {
      const [first] = nodes;
      if (type !== row || first === undefined) return null;
      if (first.name.value === 'vehicle') {
        const text = JSON.stringify(selectedVehicle(period.vehicleId, nodes, context, info, standardSchema));
        vehicleText += text;
        return () => text;
      }
      if (first.name.value !== 'driver') return null;
      hasDriver = true;
      const driver = row.getFields().driver?.type;
      const writeDriver = isObjectType(driver)
        ? objectWriter(driver, nodes, {
            fragments: info.fragments,
            variableValues: info.variableValues,
            override: () => null,
          })
        : null;
      return () => writeDriver?.(driverAt(timestamp)) ?? 'null';
    },
  });
  const changes = hasDriver ? driverChanges(context.fleet, match.vehicle.id) : [];
  const selection = selectionText(info);
  const { rowsKey } = match;
  const source: WrittenRows = {
    rows: match.rows,
    write(value) {
      timestamp = value.timestamp;
      return write(value);
    },
    keyOf:
      selection === null || rowsKey === null
        ? null
        : (from, to) => {
            if (changes.some((time) => time > from && time <= to)) return null;
            const driver = hasDriver ? JSON.stringify(driverAt(from)) : '';
            return `${schemaKey} ${rowsKey} ${selection} ${vehicleText} ${driver}`;
          },
  };
  return new RowStream(writtenRows(source, match.from, match.to));
}

const printed = new WeakMap<ASTNode, string>();

function textOf(node: ASTNode): string {
  const text = printed.get(node) ?? print(node);
  printed.set(node, text);
  return text;
}

/** Prints the selection of a row. Null when variables influence it. */
function selectionText({ fieldNodes, fragments }: GraphQLResolveInfo): string | null {
  const text = [...fieldNodes.map(({ selectionSet }) => selectionSet), ...Object.values(fragments)]
    .map((node) => (node === undefined ? '' : textOf(node)))
    .join('\n');
  return text.includes('$') ? null : text;
}

/** Returns the value of `vehicle`, resolved once because it is equal in all rows. */
function selectedVehicle(
  id: string,
  nodes: readonly FieldNode[],
  context: RequestContext,
  info: GraphQLResolveInfo,
  standardSchema: GraphQLSchema,
): unknown {
  const name = (value: string) => ({ kind: Kind.NAME, value }) as const;
  const selections = nodes.flatMap((node) => node.selectionSet?.selections ?? []);
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        ...info.operation,
        directives: [],
        selectionSet: {
          kind: Kind.SELECTION_SET,
          selections: [
            {
              kind: Kind.FIELD,
              name: name('getVehicleById'),
              arguments: [{ kind: Kind.ARGUMENT, name: name('id'), value: { kind: Kind.STRING, value: id } }],
              selectionSet: { kind: Kind.SELECTION_SET, selections },
            },
          ],
        },
      },
      ...Object.values(info.fragments),
    ],
  };
  // execute.ts sets the root value. No resolver returns a promise, so execute does not either.
  const { variables } = info.rootValue as RootValue;
  const result = execute({
    schema: standardSchema,
    document,
    contextValue: context,
    variableValues: variables,
  }) as ExecutionResult;
  const [error] = result.errors ?? [];
  if (error !== undefined) throw error.originalError ?? error;
  return result.data?.getVehicleById ?? null;
}

export function responseBody(data: unknown, errors: readonly ResponseError[]): string | Iterable<string> {
  const ending = errors.length === 0 ? '}' : `,"errors":${JSON.stringify(errors)}}`;
  if (typeof data !== 'object' || data === null || !Object.values(data).some((value) => value instanceof RowStream)) {
    return `{"data":${JSON.stringify(data)}${ending}`;
  }
  return bodyChunks(Object.entries(data), ending);
}

function* bodyChunks(entries: readonly (readonly [string, unknown])[], ending: string): Generator<string> {
  let separator = '{"data":{';
  for (const [key, value] of entries) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (value instanceof RowStream) yield* value.chunks();
    else yield JSON.stringify(value);
  }
  yield `}${ending}`;
}
