// Validates a request's variables. Unlike graphql-js, its messages never repeat a (secret) value.
import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { PlainObject } from '../core/json-object.js';
import { dropUnknownKeys, type UnknownKeys } from './lenient-inputs.js';
import { maxErrors } from './response-errors.js';

export type OperationVariables = PlainObject;

// Messages of graphql-js's built-in scalars end with a colon and the value.
function withoutValue(message: string): string {
  return /^(?:Int|Float|String|Boolean|ID) cannot /.test(message) ? `${message.split(':', 1).join('')}.` : message;
}

function variablePath(name: string, path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `Variable "$${name}${steps}"`;
}

export function checkOperationVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: OperationVariables,
  unknownKeys: UnknownKeys,
): { readonly variables: OperationVariables } | { readonly errors: readonly GraphQLError[] } {
  const errors: GraphQLError[] = [];
  const variables: Record<string, unknown> = {};
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type: unknown = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const addProblem = (path: readonly (string | number)[], message: string): void => {
      if (errors.length < maxErrors) errors.push(variableError(`${variablePath(name, path)}: ${message}`, definition));
    };
    if (!Object.hasOwn(values, name)) {
      if (definition.defaultValue === undefined && isNonNullType(type))
        addProblem([], `a value of type ${type} is required.`);
      continue;
    }
    const value = dropUnknownKeys(values[name], type, unknownKeys);
    checkValue(value, type, addProblem);
    variables[name] = value;
  }
  return errors.length > 0 ? { errors } : { variables };
}

function checkValue(
  value: unknown,
  type: GraphQLInputType,
  addProblem: (path: readonly (string | number)[], message: string) => void,
): void {
  coerceInputValue(value, type, (path, _value, error) => addProblem(path, withoutValue(error.message)));
}

function variableError(
  message: string,
  node: NonNullable<OperationDefinitionNode['variableDefinitions']>[number],
): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { classification: 'ValidationError' } });
}
