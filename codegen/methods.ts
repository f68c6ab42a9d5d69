// Writes the methods of FleetClient, one for each operation, with the schema's descriptions.
import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import { type GraphQLArgument, getNamedType, isInputObjectType } from 'graphql';
import { assumedPart } from './assumed.js';
import { oneLine } from './documented.js';
import { readOperations, type SourceOperation } from './operations.js';

export const plugin: PluginFunction = (schema, documents) => {
  const { operations } = readOperations(schema, documents);
  return {
    prepend: [
      "import type { AnyCallOptions, CallOptions, MutationOptions, Operation } from '../core/operation.js';",
      "import type { ResultOf, Selection, SelectOptions, Unselected } from '../contract/selection/types.js';",
      "import { type OperationName, type OperationTypes, operations } from './operation-table.js';",
    ],
    content: [
      '/** One method for each operation of the contract. `FleetClient` adds how a call is carried out. */',
      'export abstract class FleetOperations {',
      '  protected abstract execute<Name extends OperationName, Result>(',
      '    operation: Operation<Name>,',
      '    variables: object | undefined,',
      '    options: (AnyCallOptions & { readonly select?: unknown }) | undefined,',
      '  ): Promise<Result>;',
      '',
      ...operations.flatMap((operation) => [documentation(operation), method(operation), '']),
      '}',
      '',
    ].join('\n'),
  };
};

function method({ name, kind, field, returns }: SourceOperation): string {
  const result = returns.leaf ? `OperationTypes['${name}']['result']` : `ResultOf<'${name}', Select>`;
  const own = returns.leaf ? '' : `SelectOptions<'${name}', Select>`;
  const options =
    [own, ...(kind === 'mutation' ? ['MutationOptions'] : [])].filter(Boolean).join(' & ') || 'CallOptions';
  const required = field.args.some((arg) => String(arg.type).endsWith('!'));
  return [
    `  ${name}${returns.leaf ? '' : `<Select extends Selection<'${name}'> | Unselected | undefined>`}(`,
    `    variables${required ? '' : '?'}: OperationTypes['${name}']['variables'],`,
    `    options?: ${options},`,
    `  ): Promise<${result}> {`,
    `    return this.execute(operations.${name}, variables, options);`,
    '  }',
  ].join('\n');
}

function documentation({ name, kind, field, returns }: SourceOperation): string {
  const lines = [...(field.description ?? '').trim().split('\n'), ''];
  if (field.args.length === 0) lines.push('It has no variables: options come after `{}`.', '');
  else {
    lines.push('Variables:', ...field.args.flatMap(argument), '');
  }
  lines.push(
    `Contract: ${kind} \`${name}\`, returns \`${String(field.type)}\`.`,
    '',
    `@returns ${outcome(returns)}`,
    '@throws {FleetError} one of its classes, told apart by `code`.',
  );
  if (kind === 'mutation') lines.push('An AMBIGUOUS_MUTATION means that the change may or may not have been made.');
  if (field.deprecationReason) lines.push(`@deprecated ${field.deprecationReason}`);
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}

function outcome(returns: SourceOperation['returns']): string {
  if (returns.list && returns.leaf) return 'The values; an empty array when there are none.';
  if (returns.list)
    return `The ${returns.type} rows, default selection or \`select\`; an empty array when there are none.`;
  if (returns.leaf) return 'The value, or null when the service gave none.';
  return `The ${returns.type}, default selection or \`select\`; null when there is none.`;
}

function argument(arg: GraphQLArgument): string[] {
  const type = getNamedType(arg.type);
  const note =
    isInputObjectType(type) && assumedPart(type) === 'INPUT'
      ? ' Members the contract does not show are assumed; other keys are sent too.'
      : '';
  const about = oneLine(arg.description ?? (isInputObjectType(type) ? type.description : ''));
  const head = `- \`${arg.name}\` (\`${String(arg.type)}\`${String(arg.type).endsWith('!') ? '' : ', optional'})`;
  const lines = [`${head}${about || note ? `: ${about}${note}` : ''}`];
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      const text = oneLine(field.description);
      lines.push(`  - \`${field.name}\` (\`${String(field.type)}\`)${text ? `: ${text}` : ''}`);
    }
  }
  return lines;
}
