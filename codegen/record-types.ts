// Writes the type of each record with its default selection, field by field. So an editor shows
// `Vehicle[]` for a list, and documents each field.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import {
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { documented } from './documented.js';
import { leafType, type ValueTypes, valueImports } from './leaf-type.js';
import { readOperations, type SourceOperation } from './operations.js';

interface Config extends ValueTypes {
  /** Names for records that the contract names after an operation. */
  readonly recordNames: Readonly<Record<string, string>>;
}

export const plugin: PluginFunction<Config> = (schema, documents, config) => {
  const { operations, fragmentNodes } = readOperations(schema, documents);
  const writer = new RecordWriter(schema, config);
  const texts = [...fragmentNodes.values()].map((fragment) => writer.ofFragment(fragment, operations));
  for (const [name, group] of recordsWithoutFragment(operations, config)) {
    const [first] = group;
    if (first) texts.push(writer.declare(name, first.returns.type, first.root.selectionSet, group));
  }
  const content = texts.sort((a, b) => a.name.localeCompare(b.name)).flatMap(({ text }) => [text, '']);
  return { prepend: valueImports(config), content: content.join('\n') };
};

/** Returns the type name of an operation's default record; null for plain values. */
export function recordName(operation: SourceOperation, { recordNames }: Pick<Config, 'recordNames'>): string | null {
  const { returns, root } = operation;
  if (returns.leaf) return null;
  const spread = onlySpread(root.selectionSet);
  return spread === null ? (recordNames[returns.type] ?? returns.type) : fragmentRecord(spread);
}

/** `VehicleFields` is the fragment of a `Vehicle`. */
function fragmentRecord(fragment: string): string {
  return fragment.replace(/Fields$/, '');
}

function recordsWithoutFragment(operations: readonly SourceOperation[], config: Config) {
  const groups = new Map<string, SourceOperation[]>();
  for (const operation of operations) {
    const name = recordName(operation, config);
    if (name === null || onlySpread(operation.root.selectionSet) !== null) continue;
    const group = groups.get(name) ?? [];
    const [first] = group;
    if (first && first.selection !== operation.selection) {
      throw new Error(
        `${first.name} and ${operation.name} select different fields of ${operation.returns.type}: give each a fragment of its own`,
      );
    }
    groups.set(name, [...group, operation]);
  }
  return groups;
}

function onlySpread(selections: SelectionSetNode | undefined): string | null {
  const [only, ...others] = selections?.selections ?? [];
  return only?.kind === Kind.FRAGMENT_SPREAD && others.length === 0 ? only.name.value : null;
}

class RecordWriter {
  constructor(
    readonly schema: GraphQLSchema,
    readonly config: Config,
  ) {}

  ofFragment(fragment: FragmentDefinitionNode, operations: readonly SourceOperation[]) {
    const name = fragment.name.value;
    const users = operations.filter(({ root }) => onlySpread(root.selectionSet) === name);
    return this.declare(fragmentRecord(name), fragment.typeCondition.name.value, fragment.selectionSet, users);
  }

  declare(
    name: string,
    typeName: string,
    selections: SelectionSetNode | undefined,
    operations: readonly SourceOperation[],
  ) {
    const type = this.#record(this.schema.getType(typeName));
    const users = operations.map((operation) => `\`${operation.name}\``).join(', ');
    const about = [
      (type.description ?? '').trim(),
      users && `What ${users} return${operations.length === 1 ? 's' : ''} by default.`,
    ];
    const text = [
      ...documented('', about.filter(Boolean).join('\n\n')),
      `export type ${name} = ${this.#members(type, selections, '')};`,
    ].join('\n');
    return { name, text };
  }

  #members(type: GraphQLObjectType, selections: SelectionSetNode | undefined, indent: string): string {
    const lines = (selections?.selections ?? []).flatMap((node) => {
      if (node.kind !== Kind.FIELD)
        throw new Error(`${type.name}: only plain fields can be selected beside a fragment`);
      const field = type.getFields()[node.name.value];
      if (!field || node.alias) throw new Error(`${type.name}.${node.name.value} must be a field under its own name`);
      const value = node.selectionSet
        ? this.#nested(field.type, node.selectionSet, `${indent}  `)
        : leafType(type.name, field, this.config);
      return [...documented(`${indent}  `, field.description), `${indent}  ${field.name}: ${value};`];
    });
    return ['{', ...lines, `${indent}}`].join('\n');
  }

  #nested(type: GraphQLOutputType, selections: SelectionSetNode, indent: string): string {
    const spread = onlySpread(selections);
    const record = spread
      ? fragmentRecord(spread)
      : this.#members(this.#record(getNamedType(type)), selections, indent);
    return isListType(getNullableType(type)) ? `(${record} | null)[] | null` : `${record} | null`;
  }

  #record(type: GraphQLNamedType | undefined): GraphQLObjectType {
    if (!isObjectType(type)) throw new Error(`${String(type)} is no record type`);
    return type;
  }
}
