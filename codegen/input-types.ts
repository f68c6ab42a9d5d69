// Exports the input types by name: src/index.ts passes all of them on, so that a new one is public without another line.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { isInputObjectType } from 'graphql';

export const plugin: PluginFunction = (schema) => {
  const names = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .map(({ name }) => `  ${name},`);
  return ['export type {', ...names, "} from './contract-types.js';", ''].join('\n');
};
