// Writes the members of every input type, to validate and complete inputs at run time. They are
// text, so that the map costs nothing before its first use.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { assumedPart } from './assumed.js';

export const plugin: PluginFunction = (schema) => {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  return [
    "/** The members of each input type as `name:Type`, in the contract's notation. */",
    'export const inputMap: { readonly [type: string]: string } = {',
    ...inputs.map((input) => `  ${input.name}: '${membersOf(input)}',`),
    '};',
    '',
    '/** The input types whose members are a guess: a live service may take others. */',
    `export const guessedInputs: readonly string[] = ${JSON.stringify(inputs.filter((input) => assumedPart(input) === 'INPUT').map(({ name }) => name))};`,
    '',
  ].join('\n');
};

function membersOf(input: GraphQLInputObjectType): string {
  return Object.values(input.getFields())
    .map(({ name, type }) => `${name}:${type}`)
    .join(' ');
}
