// getSnapshots without holding its rows: in a copy of the schema its result counts as a leaf, so that graphql-js hands the
// field over whole instead of walking through every row, and the answer's text is made piece by piece while it is sent.
import {
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
} from 'graphql';
import type { Context } from './context.js';
import type { WireError } from './errors.js';
import { driverTimeline, rowsOf, type SnapshotPeriod } from './resolvers/snapshots.js';
import { objectWriter, type Write } from './row-writer.js';

const field = 'getSnapshots';
const pieceLength = 64 * 1024;

/** Rows that become text when they are asked for. */
class RowStream {
  constructor(
    private readonly rows: Iterable<unknown>,
    private readonly write: Write,
  ) {}

  *pieces(): Generator<string> {
    let piece = '[';
    let comma = '';
    for (const row of this.rows) {
      piece += comma + this.write(row);
      comma = ',';
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield `${piece}]`;
  }
}

/** What the root value carries: the variables as they were sent, for the part that is executed on its own. */
export interface Root {
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The schema for operations that ask for snapshots; `whole` answers everything below their `vehicle`. */
export function streamingSchema(whole: GraphQLSchema): GraphQLSchema {
  const query = whole.getQueryType();
  const row = whole.getType('CommonFormat');
  if (!query || !isObjectType(row)) throw new Error('the schema has no snapshots');
  const { fields, ...config } = query.toConfig();
  const snapshots = fields[field];
  if (snapshots === undefined) throw new Error('the schema has no snapshots');
  const resolve: GraphQLFieldResolver<unknown, Context> = (_source, args, context, info) => {
    context.failAsPlanned(field);
    // The arguments have just been coerced by the field's own definition.
    return rowStream(args as SnapshotPeriod, context, info, row, whole);
  };
  const leaf = new GraphQLScalarType({ name: 'SnapshotRows', serialize: (value) => value });
  const { types, ...rest } = whole.toConfig();
  return new GraphQLSchema({
    ...rest,
    types: types.filter((type) => type !== query),
    query: new GraphQLObjectType({ ...config, fields: { ...fields, [field]: { ...snapshots, type: leaf, resolve } } }),
    assumeValid: true,
  });
}

function rowStream(
  period: SnapshotPeriod,
  context: Context,
  info: GraphQLResolveInfo,
  row: GraphQLObjectType,
  whole: GraphQLSchema,
): RowStream | [] {
  const found = rowsOf(period, context);
  if (found === null) return [];
  const driverAt = driverTimeline(context.fleet, found.vehicle.id);
  // Read before the row is written, one row at a time.
  let timestamp = 0;
  const write = objectWriter(row, info.fieldNodes, {
    fragments: info.fragments,
    variableValues: info.variableValues,
    override(type, nodes) {
      const [first] = nodes;
      if (type !== row || first === undefined) return null;
      if (first.name.value === 'vehicle') {
        const text = JSON.stringify(vehicleOf(period.vehicleId, nodes, context, info, whole));
        return () => text;
      }
      if (first.name.value !== 'driver') return null;
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
  return new RowStream(found.rows, (value) => {
    if (typeof value === 'object' && value !== null && 'timestamp' in value) timestamp = Number(value.timestamp);
    return write(value);
  });
}

/** What is selected below `vehicle`: the same in every row, so it is worked out once. */
function vehicleOf(
  id: string,
  nodes: readonly FieldNode[],
  context: Context,
  info: GraphQLResolveInfo,
  whole: GraphQLSchema,
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
  // Set by the one place that executes; no resolver waits for anything, so the result is no promise.
  const { variables } = info.rootValue as Root;
  const result = execute({
    schema: whole,
    document,
    contextValue: context,
    variableValues: variables,
  }) as ExecutionResult;
  const [error] = result.errors ?? [];
  if (error !== undefined) throw error.originalError ?? error;
  return result.data?.getVehicleById ?? null;
}

/** The text of an answer whose data may hold streams of rows: whole when it holds none. */
export function answerText(data: unknown, errors: readonly WireError[]): string | Iterable<string> {
  const tail = errors.length === 0 ? '}' : `,"errors":${JSON.stringify(errors)}}`;
  if (typeof data !== 'object' || data === null || !Object.values(data).some((value) => value instanceof RowStream)) {
    return `{"data":${JSON.stringify(data)}${tail}`;
  }
  return pieces(Object.entries(data), tail);
}

function* pieces(members: readonly (readonly [string, unknown])[], tail: string): Generator<string> {
  let separator = '{"data":{';
  for (const [key, value] of members) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (value instanceof RowStream) yield* value.pieces();
    else yield JSON.stringify(value);
  }
  yield `}${tail}`;
}
