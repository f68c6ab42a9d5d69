import { InvalidInputError } from "../core/errors.js";
import { printableName } from "../core/printable-name.js";
import { refusedInput } from "../core/refused-input.js";
import { mismatchOf } from "./variable-types.js";
function checkVariables(operation, args, variables) {
  const converted = jsonVariables(operation, variables);
  const missing = args.filter(({ name, required }) => required && isAbsent(converted[name]));
  if (missing.length > 0) {
    throw refusedInput(
      `${operation} needs ${missing.map(({ name, type }) => `${name} (${type})`).join(", ")}.`,
      operation
    );
  }
  const unknown = Object.keys(converted).filter((name) => !args.some((arg) => arg.name === name));
  if (unknown.length > 0) {
    const takes = args.length === 0 ? `It takes none: options come second, as in ${operation}({}, { \u2026 }).` : `It takes ${args.map(({ name }) => name).join(", ")}.`;
    throw refusedInput(`${operation} has no variable ${unknown.map(printableName).join(", ")}. ${takes}`, operation);
  }
  for (const { name, type } of args) {
    const mismatch = isAbsent(converted[name]) ? null : mismatchOf(name, type, converted[name]);
    if (mismatch === null) continue;
    throw refusedInput(`${mismatch.path} of ${operation} must be ${mismatch.expected}.`, operation);
  }
  const { from, to } = converted;
  if (args.some(({ name, type }) => name === "from" && type === "DateTime!") && Date.parse(String(from)) > Date.parse(String(to)))
    throw refusedInput(`from of ${operation} is after to.`, operation);
  return converted;
}
function jsonVariables(operation, variables) {
  if (variables === void 0 || variables === null) return {};
  if (typeof variables !== "object" || Array.isArray(variables)) {
    throw new InvalidInputError(`The variables of ${operation} must be one object, by variable name.`, { operation });
  }
  const convert = (value, path, ancestors) => {
    const refuse = (what) => {
      throw refusedInput(`${path} of ${operation} is ${what}.`, operation);
    };
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? refuse("an invalid Date") : value.toISOString();
    if (typeof value === "number") return Number.isFinite(value) ? value : refuse("not a finite number");
    if (typeof value === "bigint") return refuse("a BigInt, which JSON does not have: use a number or a string");
    if (typeof value === "function" || typeof value === "symbol") return refuse("not a value that can be sent");
    if (typeof value !== "object" || value === null) return value;
    if (ancestors.includes(value)) return refuse("an object that contains itself");
    const nested = [...ancestors, value];
    if (Array.isArray(value)) return value.map((item, index) => convert(item, `${path}[${index}]`, nested));
    if ("toJSON" in value && typeof value.toJSON === "function") {
      let json;
      try {
        json = value.toJSON();
      } catch {
        return refuse("an object whose toJSON failed");
      }
      return convert(json, path, nested);
    }
    if (hasInheritedMembers(value)) {
      return refuse("an object whose members JSON leaves out, such as a Map: use a plain object or an array");
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, convert(item, `${path}.${printableName(key)}`, nested)])
    );
  };
  const converted = {};
  for (const name of Object.keys(variables)) {
    const value = Reflect.get(variables, name);
    const isPlain = typeof value === "string" || typeof value === "boolean" || value === void 0;
    const result = isPlain ? value : convert(value, printableName(name), []);
    if (name === "__proto__") Object.defineProperty(converted, name, { value: result, enumerable: true });
    else converted[name] = result;
  }
  return converted;
}
function hasInheritedMembers(value) {
  let prototype = Object.getPrototypeOf(value);
  while (prototype !== null) {
    const next = Object.getPrototypeOf(prototype);
    if (next === null) return false;
    const members = Object.values(Object.getOwnPropertyDescriptors(prototype));
    if (members.some(({ enumerable, get }) => enumerable === true || get !== void 0)) return true;
    prototype = next;
  }
  return false;
}
function isAbsent(value) {
  return value === void 0 || value === null;
}
export {
  checkVariables,
  jsonVariables
};
