// Writes the schema as one string, so that bundles need no other file.
import { readFileSync } from 'node:fs';
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';

export const plugin: PluginFunction = () => {
  const text = readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
  return [
    '/** The text of schema.graphql, descriptions and `@assumed` marks included. */',
    `export const contractText: string = ${JSON.stringify(text)};`,
    '',
  ].join('\n');
};
