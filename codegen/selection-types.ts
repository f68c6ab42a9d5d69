// Writes, for each record type, the three interfaces that typed selection stands on. They are spelt out rather than computed
// from one another: an interface costs the type checker nothing until it is looked into, and reads well in an editor.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { type GraphQLOutputType, isListType, isNonNullType, isScalarType } from 'graphql';
import { readRecords, type SourceField, type SourceRecord } from './records.js';

/** As in codegen.ts. Written out in full, so that an editor shows `string` and not where that comes from. */
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

/** What `true` on the record gives. */
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
