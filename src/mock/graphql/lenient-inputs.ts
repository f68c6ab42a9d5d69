// Drops input keys that the schema does not have, instead of refusing them, so that a program written for another revision of the
// service can be tested. What was dropped is shown in the journal.
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

/** Which unknown keys are dropped, and where the names of those that were go. */
export interface UnknownKeys {
  /** Whether those of this input type are; otherwise they are refused. */
  readonly isDropped: (typeName: string) => boolean;
  /** Names such as `CreateGroupInput.colour`. */
  readonly dropped: Set<string>;
}

function drop(unknownKeys: UnknownKeys, typeName: string, key: string): void {
  // Names that clients choose fill no journal.
  if (unknownKeys.dropped.size < 50) unknownKeys.dropped.add(`${typeName}.${key.slice(0, 80)}`);
}

/** A copy of the document whose input literals have no unknown keys that are to be dropped. */
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
        const known = type.getFields();
        const fields = node.fields.filter((field) => {
          const isKnown = known[field.name.value] !== undefined;
          if (!isKnown) drop(unknownKeys, type.name, field.name.value);
          return isKnown;
        });
        return fields.length === node.fields.length ? undefined : { ...node, fields };
      },
    }),
  );
}

/** The value without the unknown keys that this service ignores. */
export function dropUnknownKeys(value: unknown, type: GraphQLInputType, unknownKeys: UnknownKeys): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return value.map((item) => dropUnknownKeys(item, nullable.ofType, unknownKeys));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  const known: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields[key];
    if (field !== undefined) known[key] = dropUnknownKeys(member, field.type, unknownKeys);
    else if (unknownKeys.isDropped(nullable.name)) drop(unknownKeys, nullable.name, key);
    // Validation refuses it.
    else known[key] = member;
  }
  return known;
}
