// Writes three interfaces for each record type: its leaf fields, all its fields, and its selection. They are written out instead of computed
// from each other, because the type checker reads an interface only when it is used, and an editor shows it well.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { type GraphQLOutputType, isListType, isNonNullType, isScalarType } from 'graphql';
import { readRecords, type SourceField, type SourceRecord } from './records.js';

/** The scalars of codegen.ts. Types are written out, so that an editor shows `string` and not an alias. */
type Scalars = Readonly<Record<string, string | { readonly output: string }>>;
const builtIn: Scalars = { ID: 'string', String: 'string', Boolean: 'boolean', Int: 'number', Float: 'number' };

export const plugin: PluginFunction<{ readonly scalars: Scalars }> = (schema, _documents, { scalars }) => {
  const records = readRecords(schema);
  const withLeaves = new Set(records.filter(({ hasLeaves }) => hasLeaves).map(({ name }) => name));
  return {
    prepend: [
      "import type { Many, One } from '../contract/selection/types.js';",
      "import type * as contract from './contract-types.js';",
    ],
    content: records
      .flatMap((record) => [...leaves(record, scalars), ...fields(record), ...selection(record, withLeaves)])
      .join('\n'),
  };
};

/** The fields that `true` selects. */
function leaves({ name, fields }: SourceRecord, scalars: Scalars): string[] {
  return [
    `/** The plain fields of ${name}. */`,
    `export interface ${name}Leaves {`,
    ...fields.filter(({ leaf }) => leaf).map(({ name, field }) => `  ${name}: ${leafType(field.type, scalars)};`),
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

function leafType(type: GraphQLOutputType, scalars: Scalars): string {
  if (isNonNullType(type)) return presentType(type.ofType, scalars);
  const present = presentType(type, scalars);
  return present === 'unknown' ? present : `${present} | null`;
}

function presentType(type: GraphQLOutputType, scalars: Scalars): string {
  if (isListType(type)) return `(${leafType(type.ofType, scalars)})[]`;
  if (!isScalarType(type)) return `contract.${String(type)}`;
  const scalar = { ...builtIn, ...scalars }[type.name];
  if (scalar === undefined) throw new Error(`the scalar ${type.name} has no TypeScript type in codegen.ts`);
  return typeof scalar === 'string' ? scalar : scalar.output;
}
