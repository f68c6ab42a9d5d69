// Exports all input types by name, so that src/index.ts makes a new one public automatically.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { isInputObjectType } from 'graphql';

export const plugin: PluginFunction = (schema) => {
  const names = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .map(({ name }) => `  ${name},`);
  return ['export type {', ...names, "} from './contract-types.js';", ''].join('\n');
};
