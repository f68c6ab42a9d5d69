// Writes the fields of every record type, to validate selections at run time. They are text, so
// that the map is small and costs nothing before the first selection.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { readRecords, type SourceField } from './records.js';

export const plugin: PluginFunction = (schema) => {
  const lines = readRecords(schema).map(({ name, fields }) => `  ${name}: '${fields.map(field).join(' ')}',`);
  return [
    '/** The fields of each record type as `name:Type`, a list as `name:[Type]`. A type that is not listed here is a leaf. */',
    'export const fieldMap: { readonly [type: string]: string } = {',
    ...lines,
    '};',
    '',
  ].join('\n');
};

function field({ name, type, list }: SourceField): string {
  return `${name}:${list ? `[${type}]` : type}`;
}
