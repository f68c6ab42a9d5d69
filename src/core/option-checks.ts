// Checks the options of a program before anything is sent, with a table of checks. Messages name
// the option, never its value.
import { InvalidInputError } from './errors.js';
import { isObject } from './json.js';
import { printableName } from './suggestions.js';

/** Returns the problem as a sentence about `name`; null when the value is valid. */
export type Check = (value: unknown, name: string) => string | null;
export type Checks<Name extends string = string> = Readonly<Record<Name, Check>>;

export const demand =
  (isGood: (value: unknown) => boolean, demanded: string): Check =>
  (value, name) =>
    isGood(value) ? null : `${name} must be ${demanded}`;

export const members =
  (checks: Checks, demanded: string): Check =>
  (value, name) =>
    isObject(value) ? problemIn(value, checks, name, { prefix: `${name}.` }) : `${name} must be ${demanded}`;

export const orFalse =
  (check: Check): Check =>
  (value, name) =>
    value === false ? null : check(value, name);

export const oneOf = (...values: readonly string[]): Check => {
  const quoted = values.map((value) => `'${value}'`);
  const demanded = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return demand((value) => typeof value === 'string' && values.includes(value), demanded);
};

export const isCount = (value: unknown) => Number.isInteger(value) && Number(value) > 0;

export const numberFrom = (least: number): Check =>
  demand((value) => typeof value === 'number' && value >= least, `a number, ${least} or more`);
export const positiveMs = demand(
  (value) => typeof value === 'number' && value > 0,
  'a positive number of milliseconds',
);
export const finiteMs = demand(
  (value) => Number.isFinite(value) && Number(value) > 0,
  'a positive number of milliseconds',
);
export const pauseMs = demand(
  (value) => Number.isFinite(value) && Number(value) >= 0,
  'a number of milliseconds, 0 or more',
);
export const flag = demand((value) => typeof value === 'boolean', 'true or false');
export const someIds = demand(
  (value) => Array.isArray(value) && value.length > 0 && value.every((id) => typeof id === 'string' && id !== ''),
  'a non-empty list of ids; leave it out for all',
);
export const callable = demand((value) => typeof value === 'function', 'a function');

/** True when the value has all these functions. It may be a function itself, such as `Date`. */
export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Returns the problem of the first unknown or invalid option. The message lists `offered`. */
export function problemIn(
  options: object,
  checks: Checks,
  owner: string,
  {
    prefix = '',
    offered = Object.keys(checks),
  }: { readonly prefix?: string; readonly offered?: readonly string[] } = {},
): string | null {
  for (const name of Object.keys(options)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) return `${owner} has no option ${printableName(name)}; it takes ${offered.join(', ')}`;
    const problem = check(value, `${prefix}${name}`);
    if (problem !== null) return problem;
  }
  return null;
}

/** @throws {InvalidInputError} that names the owner and the first invalid option */
export function checkOptions(options: object, checks: Checks, owner: string): void {
  const problem = problemIn(options, checks, owner);
  if (problem !== null) throw new InvalidInputError(`${owner}: ${problem}.`);
}
