import { InvalidInputError } from "./errors.js";
import { isObject } from "./json.js";
import { printableName } from "./printable-name.js";
const demand = (isGood, demanded) => (value, name) => isGood(value) ? null : `${name} must be ${demanded}`;
const members = (checks, demanded) => (value, name) => isObject(value) ? problemIn(value, checks, name, { prefix: `${name}.` }) : `${name} must be ${demanded}`;
const orFalse = (check) => (value, name) => value === false ? null : check(value, name);
const oneOf = (...values) => {
  const quoted = values.map((value) => `'${value}'`);
  const demanded = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return demand((value) => typeof value === "string" && values.includes(value), demanded);
};
const isCount = (value) => Number.isInteger(value) && Number(value) > 0;
const numberFrom = (least) => demand((value) => typeof value === "number" && value >= least, `a number, ${least} or more`);
const positiveMs = demand(
  (value) => typeof value === "number" && value > 0,
  "a positive number of milliseconds"
);
const finiteMs = demand(
  (value) => Number.isFinite(value) && Number(value) > 0,
  "a positive number of milliseconds"
);
const pauseMs = demand(
  (value) => Number.isFinite(value) && Number(value) >= 0,
  "a number of milliseconds, 0 or more"
);
const flag = demand((value) => typeof value === "boolean", "true or false");
const someIds = demand(
  (value) => Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === "string" && id !== ""),
  "a list of ids that is not empty; left out, it is all"
);
const callable = demand((value) => typeof value === "function", "a function");
function hasFunctions(value, names) {
  if (typeof value !== "object" && typeof value !== "function" || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === "function");
}
function problemIn(options, checks, owner, {
  prefix = "",
  offered = Object.keys(checks)
} = {}) {
  for (const name of Object.keys(options)) {
    const value = Reflect.get(options, name);
    if (value === void 0) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : void 0;
    if (!check) return `${owner} has no option ${printableName(name)}; it takes ${offered.join(", ")}`;
    const problem = check(value, `${prefix}${name}`);
    if (problem !== null) return problem;
  }
  return null;
}
function checkOptions(options, checks, owner) {
  const problem = problemIn(options, checks, owner);
  if (problem !== null) throw new InvalidInputError(`${owner}: ${problem}.`);
}
export {
  callable,
  checkOptions,
  demand,
  finiteMs,
  flag,
  hasFunctions,
  isCount,
  members,
  numberFrom,
  oneOf,
  orFalse,
  pauseMs,
  positiveMs,
  problemIn,
  someIds
};
