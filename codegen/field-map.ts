// Writes what a selection is checked against at run time: the fields of every record type, small enough to be part of every
// bundle, and as text so that nothing is built before the first selection is.
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
