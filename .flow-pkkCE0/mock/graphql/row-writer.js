import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind
} from "graphql";
import { formOf } from "../variants/values.js";
function objectWriter(type, nodes, options) {
  const fieldsByKey = /* @__PURE__ */ new Map();
  for (const { selectionSet } of nodes) {
    if (selectionSet !== void 0) collectFields(selectionSet, options, fieldsByKey, /* @__PURE__ */ new Set());
  }
  const names = [];
  const keys = [];
  const writers = [];
  for (const [key, [first, ...rest]] of fieldsByKey) {
    if (first === void 0) continue;
    keys.push(`${keys.length === 0 ? "{" : ","}${JSON.stringify(key)}:`);
    names.push(first.name.value);
    writers.push(fieldWriter(type, [first, ...rest], options));
  }
  return (value) => {
    if (value === null || value === void 0) return "null";
    const source = value;
    let text = keys.length === 0 ? "{" : "";
    for (let i = 0; i < keys.length; i += 1) text += keys[i] + (writers[i]?.(source[names[i] ?? ""]) ?? "null");
    return `${text}}`;
  };
}
function collectFields(selectionSet, options, fieldsByKey, visitedFragments) {
  for (const node of selectionSet.selections) {
    const { variableValues } = options;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) continue;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false) continue;
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      fieldsByKey.set(key, [...fieldsByKey.get(key) ?? [], node]);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      collectFields(node.selectionSet, options, fieldsByKey, visitedFragments);
    } else if (!visitedFragments.has(node.name.value)) {
      visitedFragments.add(node.name.value);
      const fragment = options.fragments[node.name.value];
      if (fragment !== void 0) collectFields(fragment.selectionSet, options, fieldsByKey, visitedFragments);
    }
  }
}
function fieldWriter(type, nodes, options) {
  const name = nodes[0].name.value;
  if (name === "__typename") return () => JSON.stringify(type.name);
  const override = options.override(type, nodes);
  if (override !== null) return override;
  const field = type.getFields()[name];
  if (field === void 0) return () => "null";
  const form = formOf(field);
  return form === null ? valueWriter(field.type, nodes, options) : formWriter(form);
}
function valueWriter(type, nodes, options) {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const item = valueWriter(nullable.ofType, nodes, options);
    return (value) => Array.isArray(value) ? `[${value.map(item).join(",")}]` : "null";
  }
  if (isObjectType(nullable)) return objectWriter(nullable, nodes, options);
  const leaf = getNamedType(type);
  const form = formOf(leaf);
  if (form !== null) return formWriter(form);
  return leaf.name === "DateTime" ? writeTime : writeLeaf;
}
function formWriter(form) {
  return (value) => value === null || value === void 0 ? "null" : writeLeaf(form(value));
}
const writeTime = (value) => typeof value === "number" ? `"${new Date(value).toISOString()}"` : "null";
const writeLeaf = (value) => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? `${value}` : "null";
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return JSON.stringify(value);
    default:
      return "null";
  }
};
export {
  objectWriter
};
