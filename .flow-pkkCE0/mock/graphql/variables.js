import {
  coerceInputValue,
  GraphQLError,
  isInputType,
  isNonNullType,
  typeFromAST
} from "graphql";
import { dropUnknownKeys } from "./lenient-inputs.js";
import { maxErrors } from "./response-errors.js";
function withoutValue(message) {
  return /^(?:Int|Float|String|Boolean|ID) cannot /.test(message) ? `${message.split(":", 1).join("")}.` : message;
}
function variablePath(name, path) {
  const steps = path.map((step) => typeof step === "number" ? `[${step}]` : `.${step}`).join("");
  return `Variable "$${name}${steps}"`;
}
function checkVariables(schema, operation, values, unknownKeys) {
  const errors = [];
  const variables = {};
  for (const definition of operation.variableDefinitions ?? []) {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) continue;
    const addProblem = (path, message) => {
      if (errors.length < maxErrors) errors.push(variableError(`${variablePath(name, path)}: ${message}`, definition));
    };
    if (!Object.hasOwn(values, name)) {
      if (definition.defaultValue === void 0 && isNonNullType(type))
        addProblem([], `a value of type ${type} is required.`);
      continue;
    }
    const value = dropUnknownKeys(values[name], type, unknownKeys);
    checkValue(value, type, addProblem);
    variables[name] = value;
  }
  return errors.length > 0 ? { errors } : { variables };
}
function checkValue(value, type, addProblem) {
  coerceInputValue(value, type, (path, _value, error) => addProblem(path, withoutValue(error.message)));
}
function variableError(message, node) {
  return new GraphQLError(message, { nodes: node, extensions: { classification: "ValidationError" } });
}
export {
  checkVariables
};
