import {
  Kind
} from "graphql";
const maxDepth = 20;
const maxWalkDepth = 200;
const maxFields = 3e4;
const maxRootFields = 200;
const maxRepeatedField = 200;
function fragmentsOf(document) {
  const fragments = /* @__PURE__ */ new Map();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  return fragments;
}
function documentLimitProblem(document) {
  const fragments = fragmentsOf(document);
  const sizes = /* @__PURE__ */ new Map();
  const visiting = /* @__PURE__ */ new Set();
  let repeatedFieldProblem = null;
  const sizeOf = (set, level) => {
    if (set === void 0) return { fields: 0, depth: 0 };
    if (level > maxWalkDepth) return { fields: 0, depth: Number.POSITIVE_INFINITY };
    let fields2 = 0;
    let depth = 0;
    const responseNames = /* @__PURE__ */ new Map();
    for (const selection of set.selections) {
      let size;
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const count = (responseNames.get(name) ?? 0) + 1;
        responseNames.set(name, count);
        if (count > maxRepeatedField)
          repeatedFieldProblem = `A selection names the same field more than ${maxRepeatedField} times.`;
        const below = selection.name.value.startsWith("__") ? { fields: 1, depth: 0 } : sizeOf(selection.selectionSet, level + 1);
        size = { fields: 1 + below.fields, depth: 1 + below.depth };
      } else if (selection.kind === Kind.INLINE_FRAGMENT) size = sizeOf(selection.selectionSet, level + 1);
      else size = fragmentSize(selection.name.value, level);
      fields2 += size.fields;
      depth = Math.max(depth, size.depth);
    }
    return { fields: fields2, depth };
  };
  const fragmentSize = (name, level) => {
    const cached = sizes.get(name);
    if (cached !== void 0) return cached;
    const fragment = fragments.get(name);
    if (fragment === void 0 || visiting.has(name)) return { fields: 0, depth: 0 };
    visiting.add(name);
    const size = sizeOf(fragment.selectionSet, level + 1);
    visiting.delete(name);
    sizes.set(name, size);
    return size;
  };
  let fields = 0;
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragmentSize(node.name.value, 0);
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const size = sizeOf(node.selectionSet, 0);
    if (size.depth > maxDepth) return `The document is nested deeper than ${maxDepth} levels.`;
    fields += size.fields;
    if (countRootFields(fragments, node) > maxRootFields)
      return `An operation has more than ${maxRootFields} root fields.`;
  }
  if (fields > maxFields) return `The document selects more than ${maxFields} fields.`;
  return repeatedFieldProblem;
}
function* walkRootFields(fragments, set, visited) {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection.name.value;
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* walkRootFields(fragments, selection.selectionSet, visited);
    else {
      const fragment = fragments.get(selection.name.value);
      if (fragment === void 0 || visited.has(selection.name.value)) continue;
      visited.add(selection.name.value);
      yield* walkRootFields(fragments, fragment.selectionSet, visited);
    }
  }
}
function countRootFields(fragments, node) {
  let count = 0;
  for (const _ of walkRootFields(fragments, node.selectionSet, /* @__PURE__ */ new Set())) count += 1;
  return count;
}
function rootFieldNames(document, node) {
  return [...new Set(walkRootFields(fragmentsOf(document), node.selectionSet, /* @__PURE__ */ new Set()))];
}
export {
  documentLimitProblem,
  rootFieldNames
};
