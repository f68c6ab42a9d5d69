// Checks the names of --fields, --sort and --filter against the contract, or a list of names.
import { contractFields, pathsTo } from '../../contract/selection/fields.js';
import { similarNames } from '../../core/suggestions.js';
import { CliError } from '../errors/cli-error.js';
import { withWords } from '../errors/format-hint.js';

/** The fields of rows: those of a record type of the contract, or a list of names. */
export type FieldSource =
  | {
      readonly type: string;
      /** Other accepted names: table columns, and fields that the command adds. */
      readonly also?: readonly string[];
    }
  | { readonly names: readonly string[] };

/** Splits a comma-separated list of at least one name. */
export function splitNames(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new CliError('USAGE', `${flag} has an empty name in its list.`, {
    hint: `Write for example ${flag} id,name.`,
  });
}

export function hasField(name: string, source: FieldSource): boolean {
  return 'names' in source ? source.names.includes(name) : isField(name, source.type);
}

/** Returns the plain fields of a name, or of the record it names; throws CliError USAGE. */
export function readField(name: string, source: FieldSource, flag: string, value?: string): readonly string[] {
  if ('names' in source) {
    if (source.names.includes(name)) return [name];
    throw unknown(name, flag, similarNames(name, source.names), source.names);
  }
  let type = source.type;
  const steps = name.split('.');
  for (const [index, step] of steps.entries()) {
    const field = contractFields(type).get(step);
    const before = steps.slice(0, index).join('.');
    if (!field) throw unknownStep(name, step, before, type, flag, value, source.also);
    if (field.leaf && index < steps.length - 1) {
      throw new CliError('USAGE', `${flag} ${name}: ${steps.slice(0, index + 1).join('.')} is a plain value.`, {
        hint: `It has no fields: leave out ".${steps.slice(index + 1).join('.')}".`,
      });
    }
    if (field.leaf) return [name];
    type = field.type;
  }
  const leaves = [...contractFields(type)].flatMap(([field, { leaf }]) => (leaf ? [`${name}.${field}`] : []));
  if (leaves.length > 0) return leaves;
  throw new CliError('USAGE', `${flag} ${name}: this field holds only records.`, {
    hint: `Name one of them: ${[...contractFields(type).keys()].map((field) => `${name}.${field}`).join(', ')}.`,
  });
}

/** Returns the type of a plain field, such as `Boolean`; null for other paths. */
export function leafTypeOf(path: string, type: string): string | null {
  let current = type;
  const steps = path.split('.');
  for (const [index, step] of steps.entries()) {
    const field = contractFields(current).get(step);
    if (!field) return null;
    if (field.leaf) return index === steps.length - 1 ? field.type : null;
    current = field.type;
  }
  return null;
}

const fieldAnswers: Readonly<Record<string, string>> = {
  'Vehicle.driver':
    'Who drives each vehicle: `fleet vehicles status --filter "driver~…"`. The id of the driver is lastData.driver.driverId.',
};

function unknownStep(
  name: string,
  step: string,
  before: string,
  type: string,
  flag: string,
  value = '',
  also: readonly string[] = [],
): CliError {
  const answer = fieldAnswers[`${type}.${name}`];
  if (answer !== undefined) {
    return new CliError('USAGE', `${flag}: there is no field "${name}".`, { hint: withWords(answer, [value]) });
  }
  const prefix = before === '' ? '' : `${before}.`;
  const names = [...contractFields(type).keys(), ...(before === '' ? also : [])];
  const near = similarNames(step, names);
  const same = near.filter((field) => field.toLowerCase() === step.toLowerCase());
  const rest = name.slice(prefix.length + step.length);
  const below = [...pathsTo(step, type)].sort((a, b) => a.length - b.length);
  const suggestions = [same, near, below.slice(0, 3)]
    .find((fields) => fields.length > 0)
    // Keeps the rest of the path if the corrected name has it.
    ?.map((field) => (isField(`${field}${rest}`, type) ? `${prefix}${field}${rest}` : `${prefix}${field}`));
  return unknown(
    name,
    flag,
    suggestions ?? [],
    names.map((field) => `${prefix}${field}`),
  );
}

function isField(name: string, type: string): boolean {
  let current: string | undefined = type;
  for (const step of name.split('.'))
    current = current === undefined ? current : contractFields(current).get(step)?.type;
  return current !== undefined;
}

function unknown(name: string, flag: string, suggestions: readonly string[], names: readonly string[]): CliError {
  return new CliError('USAGE', `${flag}: there is no field "${name}".`, {
    hint: suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : `The fields are ${names.join(', ')}.`,
  });
}
