// Drops unknown input keys instead of refusing them, and lists them in the journal. This allows
// tests of programs that are written for another revision of the service.
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

export interface UnknownKeys {
  /** True when this input type drops unknown keys instead of refusing them. */
  readonly isDropped: (typeName: string) => boolean;
  /** Such as `CreateGroupInput.colour`. */
  readonly dropped: Set<string>;
}

function drop(unknownKeys: UnknownKeys, typeName: string, key: string): void {
  // Clients choose these names, so their number and length are limited.
  if (unknownKeys.dropped.size < 50) unknownKeys.dropped.add(`${typeName}.${key.slice(0, 80)}`);
}

/** Copies the document without droppable unknown keys in input literals. */
export function dropUnknownLiteralKeys(
  document: DocumentNode,
  schema: GraphQLSchema,
  unknownKeys: UnknownKeys,
): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      enter(node): ObjectValueNode | undefined {
        if (node.kind !== Kind.OBJECT) return undefined;
        const type = getNamedType(types.getInputType());
        if (!isInputObjectType(type) || !unknownKeys.isDropped(type.name)) return undefined;
        const keptFields = type.getFields();
        const fields = node.fields.filter((field) => {
          const isKnown = keptFields[field.name.value] !== undefined;
          if (!isKnown) drop(unknownKeys, type.name, field.name.value);
          return isKnown;
        });
        return fields.length === node.fields.length ? undefined : { ...node, fields };
      },
    }),
  );
}

export function dropUnknownKeys(value: unknown, type: GraphQLInputType, unknownKeys: UnknownKeys): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return value.map((item) => dropUnknownKeys(item, nullable.ofType, unknownKeys));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  const keptFields: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields[key];
    if (field !== undefined) keptFields[key] = dropUnknownKeys(member, field.type, unknownKeys);
    else if (unknownKeys.isDropped(nullable.name)) drop(unknownKeys, nullable.name, key);
    // Validation refuses this key.
    else keptFields[key] = member;
  }
  return keptFields;
}
