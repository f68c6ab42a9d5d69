// Checks the variables of a request before anything runs. graphql-js would check them too, but its messages repeat the
// refused value, which may be a secret or a megabyte long.
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
import { looseValue } from './lenient-inputs.js';

export type Variables = Readonly<Record<string, unknown>>;

const mostErrors = 20;

// graphql-js's own scalars end their message with the value after a colon.
function withoutValue(message: string): string {
  return /^(?:Int|Float|String|Boolean|ID) cannot /.test(message) ? `${message.split(':', 1).join('')}.` : message;
}

function place(name: string, path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `Variable "$${name}${steps}"`;
}

/** The variables to execute with, or what is wrong with them. */
export function checkVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
  strict: boolean,
): { readonly variables: Variables } | { readonly errors: readonly GraphQLError[] } {
  const errors: GraphQLError[] = [];
  const variables: Record<string, unknown> = {};
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type: unknown = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const complain = (path: readonly (string | number)[], message: string): void => {
      if (errors.length < mostErrors) errors.push(problem(`${place(name, path)}: ${message}`, definition));
    };
    if (!Object.hasOwn(given, name)) {
      if (definition.defaultValue === undefined && isNonNullType(type))
        complain([], `a value of type ${type} is required.`);
      continue;
    }
    const value = strict ? given[name] : looseValue(given[name], type);
    check(value, type, complain);
    variables[name] = value;
  }
  return errors.length > 0 ? { errors } : { variables };
}

function check(
  value: unknown,
  type: GraphQLInputType,
  complain: (path: readonly (string | number)[], message: string) => void,
): void {
  coerceInputValue(value, type, (path, _value, error) => complain(path, withoutValue(error.message)));
}

function problem(
  message: string,
  node: NonNullable<OperationDefinitionNode['variableDefinitions']>[number],
): GraphQLError {
  return new GraphQLError(message, { nodes: node, extensions: { classification: 'ValidationError' } });
}
