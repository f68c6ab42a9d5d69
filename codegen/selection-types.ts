// Writes, for each record type, the three interfaces that typed selection stands on. They are spelt out rather than computed
// from one another: an interface costs the type checker nothing until it is looked into, and reads well in an editor.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { type GraphQLOutputType, isListType, isNonNullType, isScalarType } from 'graphql';
import { readRecords, type SourceField, type SourceRecord } from './records.js';

export const plugin: PluginFunction = (schema) => {
  const records = readRecords(schema);
  const withLeaves = new Set(records.filter(({ hasLeaves }) => hasLeaves).map(({ name }) => name));
  return {
    prepend: [
      "import type { Many, One } from '../selection/types.js';",
      "import type * as contract from './contract-types.js';",
    ],
    content: records
      .flatMap((record) => [...leaves(record), ...fields(record), ...selection(record, withLeaves)])
      .join('\n'),
  };
};

/** What `true` on the record gives. */
function leaves({ name, fields }: SourceRecord): string[] {
  return [
    `/** The plain fields of ${name}. */`,
    `export interface ${name}Leaves {`,
    ...fields.filter(({ leaf }) => leaf).map(({ name, field }) => `  ${name}: ${leafType(field.type)};`),
    '}',
    '',
  ];
}

function fields({ name, fields }: SourceRecord): string[] {
  return [
    `/** All fields of ${name}. */`,
    `export interface ${name}Fields extends ${name}Leaves {`,
    ...fields
      .filter(({ leaf }) => !leaf)
      .map(({ name, type, list }) => `  ${name}: ${list ? 'Many' : 'One'}<${type}Fields, ${type}Leaves>;`),
    '}',
    '',
  ];
}

function selection({ name, fields }: SourceRecord, withLeaves: ReadonlySet<string>): string[] {
  const value = ({ leaf, type }: SourceField) =>
    leaf ? 'boolean' : `${withLeaves.has(type) ? 'boolean' : 'false'} | ${type}Selection`;
  return [
    `/** What can be selected of ${name}. */`,
    `export interface ${name}Selection {`,
    ...fields.flatMap((field) => [
      ...(field.description ? [`  /** ${field.description.replaceAll('*/', '* /')} */`] : []),
      ...(field.field.deprecationReason ? [`  /** @deprecated ${field.field.deprecationReason} */`] : []),
      `  readonly ${field.name}?: ${value(field)} | undefined;`,
    ]),
    '}',
    '',
  ];
}

function leafType(type: GraphQLOutputType): string {
  if (isNonNullType(type)) return presentType(type.ofType);
  return `${presentType(type)} | null`;
}

function presentType(type: GraphQLOutputType): string {
  if (isListType(type)) return `(${leafType(type.ofType)})[]`;
  if (isScalarType(type)) return `contract.Scalars['${type.name}']['output']`;
  return `contract.${String(type)}`;
}
