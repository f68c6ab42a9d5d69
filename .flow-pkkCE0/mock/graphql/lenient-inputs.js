import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo
} from "graphql";
import { isJsonObject } from "../core/json-object.js";
function drop(unknownKeys, typeName, key) {
  if (unknownKeys.dropped.size < 50) unknownKeys.dropped.add(`${typeName}.${key.slice(0, 80)}`);
}
function dropUnknownLiteralKeys(document, schema, unknownKeys) {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      enter(node) {
        if (node.kind !== Kind.OBJECT) return void 0;
        const type = getNamedType(types.getInputType());
        if (!isInputObjectType(type) || !unknownKeys.isDropped(type.name)) return void 0;
        const known = type.getFields();
        const fields = node.fields.filter((field) => {
          const isKnown = known[field.name.value] !== void 0;
          if (!isKnown) drop(unknownKeys, type.name, field.name.value);
          return isKnown;
        });
        return fields.length === node.fields.length ? void 0 : { ...node, fields };
      }
    })
  );
}
function dropUnknownKeys(value, type, unknownKeys) {
  const nullable = getNullableType(type);
  if (isListType(nullable) && Array.isArray(value))
    return value.map((item) => dropUnknownKeys(item, nullable.ofType, unknownKeys));
  if (!isInputObjectType(nullable) || !isJsonObject(value)) return value;
  const fields = nullable.getFields();
  const known = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields[key];
    if (field !== void 0) known[key] = dropUnknownKeys(member, field.type, unknownKeys);
    else if (unknownKeys.isDropped(nullable.name)) drop(unknownKeys, nullable.name, key);
    else known[key] = member;
  }
  return known;
}
export {
  dropUnknownKeys,
  dropUnknownLiteralKeys
};
