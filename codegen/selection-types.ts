// Writes three interfaces for each record type: leaf fields, all fields, and selection. Written out
// instead of computed, because the type checker then reads only used interfaces, and an editor
// shows them well.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { documented } from './documented.js';
import { leafType, type ValueTypes, valueImports } from './leaf-type.js';
import { readRecords, type SourceField, type SourceRecord } from './records.js';

export const plugin: PluginFunction<ValueTypes> = (schema, _documents, config) => {
  const records = readRecords(schema);
  const withLeaves = new Set(records.filter(({ hasLeaves }) => hasLeaves).map(({ name }) => name));
  return {
    prepend: [...valueImports(config), "import type { Many, One } from '../contract/selection/types.js';"],
    content: records
      .flatMap((record) => [...leaves(record, config), ...fields(record), ...selection(record, withLeaves)])
      .join('\n'),
  };
};

function leaves({ name, fields }: SourceRecord, config: ValueTypes): string[] {
  return [
    `/** The plain fields of ${name}. */`,
    `export interface ${name}Leaves {`,
    ...fields
      .filter(({ leaf }) => leaf)
      .flatMap(({ field }) => [...comment(field), `  ${field.name}: ${leafType(name, field, config)};`]),
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
      .flatMap(({ name, type, list, field }) => [
        ...comment(field),
        `  ${name}: ${list ? 'Many' : 'One'}<${type}Fields, ${type}Leaves>;`,
      ]),
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
    ...fields.flatMap((field) => [...comment(field.field), `  readonly ${field.name}?: ${value(field)} | undefined;`]),
    '}',
    '',
  ];
}

function comment({ description, deprecationReason }: SourceField['field']): string[] {
  return documented('  ', description, deprecationReason);
}
