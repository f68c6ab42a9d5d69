import {
  execute,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isObjectType,
  Kind,
  print
} from "graphql";
import { checkPeriod } from "../variants/results.js";
import { driverChanges, driverTimeline, findSnapshotRows } from "./resolvers/snapshots.js";
import { writtenRows } from "./row-hours.js";
import { objectWriter } from "./row-writer.js";
const rowStreamField = "getSnapshots";
const chunkLength = 64 * 1024;
class RowStream {
  constructor(texts) {
    this.texts = texts;
  }
  texts;
  *chunks() {
    let chunk = "[";
    let separator = "";
    for (const text of this.texts) {
      chunk += separator + text;
      separator = ",";
      if (chunk.length < chunkLength) continue;
      yield chunk;
      chunk = "";
    }
    yield `${chunk}]`;
  }
}
let nextSchemaKey = 0;
function streamingSchema(standardSchema) {
  const query = standardSchema.getQueryType();
  const row = standardSchema.getType("CommonFormat");
  if (!query || !isObjectType(row)) throw new Error("the schema has no snapshots");
  const { fields, ...config } = query.toConfig();
  const snapshots = fields[rowStreamField];
  if (snapshots === void 0) throw new Error("the schema has no snapshots");
  const schemaKey = nextSchemaKey++;
  const resolve = (_source, args, context, info) => {
    context.throwPlannedError(rowStreamField);
    checkPeriod(context.variant, rowStreamField, args);
    return rowStream(args, context, info, { row, standardSchema, schemaKey });
  };
  const leaf = new GraphQLScalarType({ name: "SnapshotRows", serialize: (value) => value });
  const { types, ...rest } = standardSchema.toConfig();
  return new GraphQLSchema({
    ...rest,
    types: types.filter((type) => type !== query),
    query: new GraphQLObjectType({
      ...config,
      fields: { ...fields, [rowStreamField]: { ...snapshots, type: leaf, resolve } }
    }),
    assumeValid: true
  });
}
function rowStream(period, context, info, { row, standardSchema, schemaKey }) {
  const match = findSnapshotRows(period, context);
  if (match === null) return [];
  const driverAt = driverTimeline(context.fleet, match.vehicle.id);
  let timestamp = 0;
  let vehicleText = "";
  let hasDriver = false;
  const write = objectWriter(row, info.fieldNodes, {
    fragments: info.fragments,
    variableValues: info.variableValues,
    override(type, nodes) {
      const [first] = nodes;
      if (type !== row || first === void 0) return null;
      if (first.name.value === "vehicle") {
        const text = JSON.stringify(selectedVehicle(period.vehicleId, nodes, context, info, standardSchema));
        vehicleText += text;
        return () => text;
      }
      if (first.name.value !== "driver") return null;
      hasDriver = true;
      const driver = row.getFields().driver?.type;
      const writeDriver = isObjectType(driver) ? objectWriter(driver, nodes, {
        fragments: info.fragments,
        variableValues: info.variableValues,
        override: () => null
      }) : null;
      return () => writeDriver?.(driverAt(timestamp)) ?? "null";
    }
  });
  const changes = hasDriver ? driverChanges(context.fleet, match.vehicle.id) : [];
  const selection = selectionText(info);
  const { rowsKey } = match;
  const source = {
    rows: match.rows,
    write(value) {
      timestamp = value.timestamp;
      return write(value);
    },
    keyOf: selection === null || rowsKey === null ? null : (from, to) => {
      if (changes.some((time) => time > from && time <= to)) return null;
      const driver = hasDriver ? JSON.stringify(driverAt(from)) : "";
      return `${schemaKey} ${rowsKey} ${selection} ${vehicleText} ${driver}`;
    }
  };
  return new RowStream(writtenRows(source, match.from, match.to));
}
const printed = /* @__PURE__ */ new WeakMap();
function textOf(node) {
  const text = printed.get(node) ?? print(node);
  printed.set(node, text);
  return text;
}
function selectionText({ fieldNodes, fragments }) {
  const text = [...fieldNodes.map(({ selectionSet }) => selectionSet), ...Object.values(fragments)].map((node) => node === void 0 ? "" : textOf(node)).join("\n");
  return text.includes("$") ? null : text;
}
function selectedVehicle(id, nodes, context, info, standardSchema) {
  const name = (value) => ({ kind: Kind.NAME, value });
  const selections = nodes.flatMap((node) => node.selectionSet?.selections ?? []);
  const document = {
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
              name: name("getVehicleById"),
              arguments: [{ kind: Kind.ARGUMENT, name: name("id"), value: { kind: Kind.STRING, value: id } }],
              selectionSet: { kind: Kind.SELECTION_SET, selections }
            }
          ]
        }
      },
      ...Object.values(info.fragments)
    ]
  };
  const { variables } = info.rootValue;
  const result = execute({
    schema: standardSchema,
    document,
    contextValue: context,
    variableValues: variables
  });
  const [error] = result.errors ?? [];
  if (error !== void 0) throw error.originalError ?? error;
  return result.data?.getVehicleById ?? null;
}
function responseBody(data, errors) {
  const ending = errors.length === 0 ? "}" : `,"errors":${JSON.stringify(errors)}}`;
  if (typeof data !== "object" || data === null || !Object.values(data).some((value) => value instanceof RowStream)) {
    return `{"data":${JSON.stringify(data)}${ending}`;
  }
  return bodyChunks(Object.entries(data), ending);
}
function* bodyChunks(entries, ending) {
  let separator = '{"data":{';
  for (const [key, value] of entries) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ",";
    if (value instanceof RowStream) yield* value.chunks();
    else yield JSON.stringify(value);
  }
  yield `}${ending}`;
}
export {
  responseBody,
  rowStreamField,
  streamingSchema
};
