// The report on a service that allows introspection.
import {
  buildSchema,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { contractText } from '../../generated/contract-text.js';
import { type OperationName, operations } from '../../generated/operation-table.js';
import { assumptionsOf, checkAssumptions, isAssumed } from './assumptions.js';
import { type Difference, differencesOf } from './differences.js';
import type { OperationFinding, SchemaReport } from './findings.js';

export function compare(live: GraphQLSchema): SchemaReport {
  const contract = buildSchema(contractText, { noLocation: true });
  const assumptions = assumptionsOf(contract);
  const marked = new Set(assumptions.map(({ where }) => where));
  const structures = new Set(assumptions.flatMap(({ where, part }) => (part === 'STRUCTURE' ? where : [])));
  const walk = differencesOf(contract, live, (where) => structures.has(where));
  const usedBy = usesOf(contract);
  // graphql finds a missing argument in a document, but not the missing members of a variable.
  const demands = walk.differences.filter(
    ({ isRequired, owner, where }) => isRequired && !where.endsWith(')') && !marked.has(`input ${owner}`),
  );
  return {
    source: 'introspection',
    operations: names().map((operation) => findingOf(operation, live, demandsOn(operation, demands, usedBy))),
    assumptions: checkAssumptions(assumptions, walk),
    changes: walk.differences
      .filter((difference) => !isAssumed(difference, marked, (where) => scalarAt(contract, where)))
      .map(({ kind, where, what }) => ({ kind, where, what, operations: usedBy(where) })),
  };
}

function names(): readonly OperationName[] {
  return Object.values(operations).map(({ name }) => name);
}

function demandsOn(
  operation: OperationName,
  demands: readonly Difference[],
  usedBy: (where: string) => readonly OperationName[],
): readonly string[] {
  return demands.filter(({ where }) => usedBy(where).includes(operation)).map(({ where, what }) => `${where}: ${what}`);
}

function findingOf(operation: OperationName, live: GraphQLSchema, demands: readonly string[]): OperationFinding {
  const { kind, document } = operations[operation];
  const root = kind === 'mutation' ? live.getMutationType() : live.getQueryType();
  // graphql cannot validate against a missing root type and finds no error.
  const errors = root
    ? validate(live, parse(document, { noLocation: true }))
    : [{ message: `The service has no ${kind}.` }];
  const reasons = [...new Set([...errors.map(({ message }) => message), ...demands])];
  return { operation, status: reasons.length === 0 ? 'works' : 'breaks', reasons };
}

/** Returns a lookup of the operations that use a field, a type's member or an argument. */
function usesOf(contract: GraphQLSchema): (where: string) => readonly OperationName[] {
  const users = new Map<string, Set<OperationName>>();
  const add = (where: string, name: OperationName) => users.set(where, (users.get(where) ?? new Set()).add(name));
  for (const name of names()) {
    const types = new TypeInfo(contract);
    visit(
      parse(operations[name].document, { noLocation: true }),
      visitWithTypeInfo(types, {
        Field() {
          const [parent, field] = [types.getParentType(), types.getFieldDef()];
          if (parent && field) add(`${parent.name}.${field.name}`, name);
        },
      }),
    );
    for (const { type } of operations[name].args)
      addInput(contract, type.replace(/[[\]!]/g, ''), (where) => add(where, name));
  }
  return (where) => {
    const root = where.replace(/\(.*$/, '');
    if (Object.hasOwn(operations, root)) return names().filter((name) => name === root);
    // A member that is not in the contract concerns all operations with that input.
    return [...(users.get(root) ?? users.get(root.replace(/\..*$/, '')) ?? [])];
  };
}

function addInput(contract: GraphQLSchema, type: string, add: (where: string) => void): void {
  const input = contract.getType(type);
  if (!isInputObjectType(input)) return;
  add(type);
  for (const field of Object.values(input.getFields())) {
    add(`${type}.${field.name}`);
    addInput(contract, getNamedType(field.type).name, add);
  }
}

function scalarAt(contract: GraphQLSchema, where: string): string | null {
  const [owner = '', member = ''] = where.split('.');
  const type = contract.getType(owner);
  if (!isObjectType(type) && !isInputObjectType(type)) return null;
  const field = type.getFields()[member];
  const named = field ? getNamedType(field.type) : null;
  return named && isLeafType(named) ? named.name : null;
}
