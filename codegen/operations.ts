// Reads all facts about each operation from schema and documents, for the plugins in this folder.
import type { Types } from '@graphql-codegen/plugin-helpers';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql';

export interface SourceOperation {
  readonly name: string;
  readonly kind: 'query' | 'mutation';
  readonly field: GraphQLField<unknown, unknown>;
  /** The root field of the document. */
  readonly root: FieldNode;
  /** The operation without its fragments. */
  readonly text: string;
  /** The selection on the root field; empty for a leaf. */
  readonly selection: string;
  /** Names of all used fragments, in order of first use. */
  readonly fragments: readonly string[];
  readonly returns: { readonly type: string; readonly list: boolean; readonly leaf: boolean };
}

export interface Source {
  readonly operations: readonly SourceOperation[];
  readonly fragments: ReadonlyMap<string, string>;
  readonly fragmentNodes: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Reads the documents. Throws when an operation does not select exactly its own root field. */
export function readOperations(schema: GraphQLSchema, documents: readonly Types.DocumentFile[]): Source {
  const definitions = documents.flatMap((file) => file.document?.definitions ?? []);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  const operations = definitions
    .filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => readOperation(schema, node, fragments))
    .sort((a, b) => (a.kind === b.kind ? a.name.localeCompare(b.name) : a.kind === 'query' ? -1 : 1));
  const fragmentNodes = new Map([...fragments].sort());
  return {
    operations,
    fragments: new Map([...fragmentNodes].map(([name, node]) => [name, print(node)])),
    fragmentNodes,
  };
}

function readOperation(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): SourceOperation {
  const name = node.name?.value ?? '(anonymous)';
  const [root, ...others] = node.selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0 || root.name.value !== name || root.alias) {
    throw new Error(`operation ${name} must select exactly the root field of its name`);
  }
  if (node.operation === 'subscription') throw new Error(`operation ${name}: the service has no subscriptions`);
  const rootType = node.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  const field = rootType?.getFields()[name];
  if (!field) throw new Error(`the schema has no ${node.operation} ${name}`);
  const type = getNamedType(field.type);
  return {
    name,
    kind: node.operation,
    field,
    root,
    text: print(node),
    selection: root.selectionSet ? print(root.selectionSet) : '',
    fragments: fragmentsUsed(node, fragments),
    returns: { type: type.name, list: isListType(getNullableType(field.type)), leaf: isLeafType(type) },
  };
}

function fragmentsUsed(
  node: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly string[] {
  const used = new Set<string>();
  const collect = (from: OperationDefinitionNode | FragmentDefinitionNode): void => {
    visit(from, {
      FragmentSpread(spread) {
        const name = spread.name.value;
        if (used.has(name)) return;
        const fragment = fragments.get(name);
        if (!fragment) throw new Error(`fragment ${name} is not defined`);
        used.add(name);
        collect(fragment);
      },
    });
  };
  collect(node);
  return [...used];
}
