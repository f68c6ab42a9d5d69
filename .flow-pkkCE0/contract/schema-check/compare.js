import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo
} from "graphql";
import { contractText } from "../../generated/contract-text.js";
import { operations } from "../../generated/operation-table.js";
import { assumptionsOf, isAssumed, judge } from "./assumptions.js";
import { differencesOf } from "./differences.js";
function compare(live) {
  const contract = buildSchema(contractText, { noLocation: true });
  const assumptions = assumptionsOf(contract);
  const marked = new Set(assumptions.map(({ where }) => where));
  const structures = new Set(assumptions.flatMap(({ where, part }) => part === "STRUCTURE" ? where : []));
  const walk = differencesOf(contract, live, (where) => structures.has(where));
  const usedBy = usesOf(contract);
  const demands = walk.differences.filter(
    ({ isDemand, owner, where }) => isDemand && !where.endsWith(")") && !marked.has(`input ${owner}`)
  );
  return {
    source: "introspection",
    operations: names().map((operation) => findingOf(operation, live, demandsOn(operation, demands, usedBy))),
    assumptions: judge(assumptions, walk),
    changes: walk.differences.filter((difference) => !isAssumed(difference, marked, (where) => scalarAt(contract, where))).map(({ kind, where, what }) => ({ kind, where, what, operations: usedBy(where) }))
  };
}
function names() {
  return Object.values(operations).map(({ name }) => name);
}
function demandsOn(operation, demands, usedBy) {
  return demands.filter(({ where }) => usedBy(where).includes(operation)).map(({ where, what }) => `${where}: ${what}`);
}
function findingOf(operation, live, demands) {
  const { kind, document } = operations[operation];
  const root = kind === "mutation" ? live.getMutationType() : live.getQueryType();
  const errors = root ? validate(live, parse(document, { noLocation: true })) : [{ message: `The service has no ${kind}.` }];
  const reasons = [.../* @__PURE__ */ new Set([...errors.map(({ message }) => message), ...demands])];
  return { operation, status: reasons.length === 0 ? "works" : "breaks", reasons };
}
function usesOf(contract) {
  const users = /* @__PURE__ */ new Map();
  const add = (where, name) => users.set(where, (users.get(where) ?? /* @__PURE__ */ new Set()).add(name));
  for (const name of names()) {
    const types = new TypeInfo(contract);
    visit(
      parse(operations[name].document, { noLocation: true }),
      visitWithTypeInfo(types, {
        Field() {
          const [parent, field] = [types.getParentType(), types.getFieldDef()];
          if (parent && field) add(`${parent.name}.${field.name}`, name);
        }
      })
    );
    for (const { type } of operations[name].args)
      addInput(contract, type.replace(/[[\]!]/g, ""), (where) => add(where, name));
  }
  return (where) => {
    const root = where.replace(/\(.*$/, "");
    if (Object.hasOwn(operations, root)) return names().filter((name) => name === root);
    return [...users.get(root) ?? users.get(root.replace(/\..*$/, "")) ?? []];
  };
}
function addInput(contract, type, add) {
  const input = contract.getType(type);
  if (!isInputObjectType(input)) return;
  add(type);
  for (const field of Object.values(input.getFields())) {
    add(`${type}.${field.name}`);
    addInput(contract, getNamedType(field.type).name, add);
  }
}
function scalarAt(contract, where) {
  const [owner = "", member = ""] = where.split(".");
  const type = contract.getType(owner);
  if (!isObjectType(type) && !isInputObjectType(type)) return null;
  const field = type.getFields()[member];
  const named = field ? getNamedType(field.type) : null;
  return named && isLeafType(named) ? named.name : null;
}
export {
  compare
};
