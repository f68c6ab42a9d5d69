// Writes the types of the schema with the `typescript` plugin. An input whose members are assumed also accepts other keys.
import type { PluginFunction, Types } from '@graphql-codegen/plugin-helpers';
import { plugin as typescript } from '@graphql-codegen/typescript';
import { isInputObjectType } from 'graphql';
import { assumedPart } from './assumed.js';

const otherKeys = `/** Keys beyond those this project guessed: the contract does not show the members of such an input. */
export type OtherKeys = { [key: string]: unknown };
`;

export const plugin: PluginFunction = async (schema, documents, config) => {
  const output = asComplex(await typescript(schema, documents, config));
  let content = output.content;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type) || assumedPart(type) !== 'INPUT') continue;
    const closed = new RegExp(`(export type ${type.name} = \\{[\\s\\S]*?\\n\\});`);
    if (!closed.test(content)) throw new Error(`the typescript plugin did not write ${type.name} as expected`);
    content = content.replace(closed, '$1 & OtherKeys;');
  }
  return { prepend: output.prepend ?? [], content: `${otherKeys}\n${content}`, append: output.append ?? [] };
};

function asComplex(output: Types.PluginOutput): Types.ComplexPluginOutput {
  return typeof output === 'string' ? { content: output } : output;
}
