// Reads the record types of the schema: every object type except Query and Mutation.
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';

export interface SourceField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly type: string;
  readonly list: boolean;
  readonly leaf: boolean;
}

export interface SourceRecord {
  readonly name: string;
  readonly fields: readonly SourceField[];
  /** False when `true` cannot select it, because it has no leaf fields. */
  readonly hasLeaves: boolean;
}

/** Returns types and fields in the schema's order. Throws when a field cannot be selected. */
export function readRecords(schema: GraphQLSchema): readonly SourceRecord[] {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type))
    .map((type) => {
      const fields = Object.values(type.getFields()).map((field) => readField(type.name, field));
      return { name: type.name, fields, hasLeaves: fields.some(({ leaf }) => leaf) };
    });
}

function readField(owner: string, field: GraphQLField<unknown, unknown>): SourceField {
  const type = getNamedType(field.type);
  const leaf = isLeafType(type);
  if (field.args.length > 0) throw new Error(`${owner}.${field.name} takes arguments: a selection cannot give them`);
  if (!leaf && !isObjectType(type)) throw new Error(`${owner}.${field.name} is neither a leaf nor a record`);
  const nullable = getNullableType(field.type);
  if (isListType(nullable) && isListType(getNullableType(nullable.ofType))) {
    throw new Error(`${owner}.${field.name} is a list of lists: a selection cannot say so`);
  }
  return { name: field.name, field, type: type.name, list: isListType(nullable), leaf };
}
