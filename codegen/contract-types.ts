// Writes the types of the schema with the `typescript` plugin. An input whose members are assumed
// also accepts other keys. One that needs any of its members does not compile without.
import type { PluginFunction, Types } from '@graphql-codegen/plugin-helpers';
import { type TypeScriptPluginConfig, plugin as typescript } from '@graphql-codegen/typescript';
import { type GraphQLInputObjectType, getNamedType, isInputObjectType } from 'graphql';
import { assumedPart } from './assumed.js';

const otherKeys = `/** Keys beyond those this project guessed: the contract does not show the members of such an input. */
export type OtherKeys = { [key: string]: unknown };
`;

interface Config extends TypeScriptPluginConfig {
  /** Inputs that require at least one member, by the contract. */
  readonly atLeastOne: readonly string[];
}

export const plugin: PluginFunction<Config> = async (schema, documents, config) => {
  const output = asComplex(await typescript(schema, documents, config));
  let content = output.content;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInputObjectType(type)) continue;
    const more = [
      ...(assumedPart(type) === 'INPUT' ? ['OtherKeys'] : []),
      ...(config.atLeastOne.includes(type.name) ? [anyMember(type)] : []),
    ];
    if (more.length === 0) continue;
    const closed = new RegExp(`(export type ${type.name} = \\{[\\s\\S]*?\\n\\});`);
    if (!closed.test(content)) throw new Error(`the typescript plugin did not write ${type.name} as expected`);
    content = content.replace(closed, `$1 & ${more.join(' & ')};`);
  }
  return { prepend: output.prepend ?? [], content: `${otherKeys}\n${content}`, append: output.append ?? [] };
};

function anyMember(type: GraphQLInputObjectType): string {
  const members = Object.values(type.getFields()).map(
    (field) => `{ ${field.name}: Scalars['${getNamedType(field.type).name}']['input'] }`,
  );
  return `(${members.join(' | ')})`;
}

function asComplex(output: Types.PluginOutput): Types.ComplexPluginOutput {
  return typeof output === 'string' ? { content: output } : output;
}
