// Writes the operation table, which the SDK methods, the command line and the tests read.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { oneLine } from './documented.js';
import { plainResult, type ValueTypes } from './leaf-type.js';
import { readOperations, type SourceOperation } from './operations.js';
import { recordName } from './record-types.js';
import { readRecords } from './records.js';

interface Config extends ValueTypes {
  readonly neverMerge: readonly string[];
  readonly recordNames: Readonly<Record<string, string>>;
}

export const plugin: PluginFunction<Config> = (schema, documents, config) => {
  const { operations, fragments } = readOperations(schema, documents);
  const entries = operations.map((operation) => `  ${operation.name}: ${entry(operation, config.neverMerge)},`);
  const withLeaves = new Set(readRecords(schema).flatMap(({ name, hasLeaves }) => (hasLeaves ? [name] : [])));
  const pascal = (name: string) => name[0]?.toUpperCase() + name.slice(1);
  const types = operations.map((operation) => {
    const { name, kind, field, returns } = operation;
    const record = recordName(operation, config);
    const result = record ? `records.${record}${returns.list ? '[]' : ' | null'}` : plainResult(field.type, config);
    const members = [
      `kind: '${kind}'`,
      `variables: types.${pascal(name)}${pascal(kind)}Variables`,
      `result: ${result}`,
    ];
    if (!returns.leaf) members.push(...selectable(returns, withLeaves.has(returns.type)));
    return `  ${name}: { ${members.join('; ')} };`;
  });
  return {
    prepend: [
      "import type { Operation } from '../core/operation.js';",
      "import type { Many, One } from '../contract/selection/types.js';",
      "import type * as types from './operation-types.js';",
      "import type * as records from './record-types.js';",
      "import type * as select from './selection-types.js';",
    ],
    content: [
      '/** Every fragment the default selections are made of, by name. */',
      'export const fragments = {',
      ...[...fragments].map(([name, text]) => `  ${name}: ${JSON.stringify(text)},`),
      '} as const;',
      '',
      '/** The kind, the variables and the result of each operation, by name, and what can be selected where it returns records. */',
      'export interface OperationTypes {',
      ...types,
      '}',
      '',
      '/** The name of an operation: that of its root field. */',
      'export type OperationName = keyof OperationTypes;',
      '',
      '/** Every operation of the contract, by name. */',
      'export const operations: { readonly [Name in OperationName]: Operation<Name> } = {',
      ...entries,
      '};',
      '',
    ].join('\n'),
  };
};

function selectable({ type, list }: SourceOperation['returns'], hasLeaves: boolean): string[] {
  return [
    `selection: ${hasLeaves ? 'true | ' : ''}select.${type}Selection`,
    `record: ${list ? 'Many' : 'One'}<select.${type}Fields, select.${type}Leaves>`,
  ];
}

function entry(operation: SourceOperation, neverMerge: readonly string[]): string {
  const { name, kind, field, text, selection, fragments, returns } = operation;
  const used = fragments.map((fragment) => `fragments.${fragment}`);
  const document = [JSON.stringify(text), ...used.map((fragment) => `'\\n' + ${fragment}`)].join(' + ');
  const args = field.args.map((arg) => ({
    name: arg.name,
    type: String(arg.type),
    required: String(arg.type).endsWith('!'),
    description: oneLine(arg.description),
  }));
  return [
    '{',
    `    name: '${name}',`,
    `    kind: '${kind}',`,
    `    description: ${JSON.stringify(oneLine(field.description))},`,
    `    deprecated: ${JSON.stringify(field.deprecationReason ?? null)},`,
    `    args: ${JSON.stringify(args)},`,
    `    returns: ${JSON.stringify(returns)},`,
    `    mergeable: ${kind === 'query' && !neverMerge.includes(name)},`,
    `    selection: ${JSON.stringify(selection)},`,
    `    fragments: ${JSON.stringify(fragments)},`,
    `    document: ${document},`,
    '  }',
  ].join('\n');
}
