// With `strict: false`, input keys that the schema does not have are dropped instead of refused, so that a program written for
// another revision of the service can be tested.
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
import { isJsonObject } from '../core/json-object.js';

/** A copy of the document whose input literals have no unknown keys. */
export function dropUnknownLiteralKeys(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
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

/** A copy of the value without unknown keys. */
export function dropUnknownKeys(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value)) return value.map((item) => dropUnknownKeys(item, nullable.ofType));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  const known: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields[key];
    if (field !== undefined) known[key] = dropUnknownKeys(member, field.type);
  }
  return known;
}
