// What `strict: false` changes: keys of inputs that the schema does not have are dropped instead of refused, so that a
// program written for another revision of the service can be tried out.
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type ObjectValueNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** The document without unknown keys in its literals. */
export function looseDocument(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      enter(node): ObjectValueNode | undefined {
        if (node.kind !== Kind.OBJECT) return undefined;
        const type = getNamedType(types.getInputType());
        if (!isInputObjectType(type)) return undefined;
        const known = type.getFields();
        const fields = node.fields.filter((field) => known[field.name.value] !== undefined);
        return fields.length === node.fields.length ? undefined : { ...node, fields };
      },
    }),
  );
}

/** The value without unknown keys. */
export function looseValue(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) return value.map((item) => looseValue(item, nullable.ofType));
  if (!isInputObjectType(nullable) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = nullable.getFields();
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields[key];
    if (field !== undefined) kept[key] = looseValue(member, field.type);
  }
  return kept;
}
