// Reads the dotted names of --fields, --sort and --filter: against the contract's record types, or against the few fields that
// rows have which are no record of the contract.
import { fieldsOf, pathsTo } from '../../contract/selection/fields.js';
import { similarNames } from '../../core/suggestions.js';
import { CliError } from '../errors/cli-error.js';

/** What fields rows have: a record type of the contract, or a list of names. */
export type FieldSource = { readonly type: string } | { readonly names: readonly string[] };

/** The names of a comma-separated list; at least one. */
export function splitNames(text: string, flag: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new CliError('USAGE', `${flag} names nothing between two commas.`, {
    hint: `Write for example ${flag} id,name.`,
  });
}

/** The plain values that a name stands for: itself, or all those of the record it names. Throws USAGE for a name that is none. */
export function readField(name: string, source: FieldSource, flag: string): readonly string[] {
  if ('names' in source) {
    if (source.names.includes(name)) return [name];
    throw unknown(name, flag, similarNames(name, source.names), source.names);
  }
  let type = source.type;
  const steps = name.split('.');
  for (const [place, step] of steps.entries()) {
    const field = fieldsOf(type).get(step);
    const before = steps.slice(0, place).join('.');
    if (!field) throw unknownStep(name, step, before, type, flag);
    if (field.leaf && place < steps.length - 1) {
      throw new CliError('USAGE', `${flag} ${name}: ${steps.slice(0, place + 1).join('.')} is a plain value.`, {
        hint: `Nothing is below it: leave out ".${steps.slice(place + 1).join('.')}".`,
      });
    }
    if (field.leaf) return [name];
    type = field.type;
  }
  const leaves = [...fieldsOf(type)].flatMap(([field, { leaf }]) => (leaf ? [`${name}.${field}`] : []));
  if (leaves.length > 0) return leaves;
  throw new CliError('USAGE', `${flag} ${name}: it has no plain values, only records.`, {
    hint: `Name one of them: ${[...fieldsOf(type).keys()].map((field) => `${name}.${field}`).join(', ')}.`,
  });
}

function unknownStep(name: string, step: string, before: string, type: string, flag: string): CliError {
  const prefix = before === '' ? '' : `${before}.`;
  const names = [...fieldsOf(type).keys()];
  const near = similarNames(step, names);
  const same = near.filter((field) => field.toLowerCase() === step.toLowerCase());
  const rest = name.slice(prefix.length + step.length);
  const below = [...pathsTo(step, type)].sort((a, b) => a.length - b.length);
  const meant = [same, near, below.slice(0, 3)]
    .find((fields) => fields.length > 0)
    // The rest of what was written is kept where it fits.
    ?.map((field) => (isField(`${field}${rest}`, type) ? `${prefix}${field}${rest}` : `${prefix}${field}`));
  return unknown(
    name,
    flag,
    meant ?? [],
    names.map((field) => `${prefix}${field}`),
  );
}

function isField(name: string, type: string): boolean {
  let at: string | undefined = type;
  for (const step of name.split('.')) at = at === undefined ? at : fieldsOf(at).get(step)?.type;
  return at !== undefined;
}

function unknown(name: string, flag: string, meant: readonly string[], names: readonly string[]): CliError {
  return new CliError('USAGE', `${flag}: there is no field "${name}".`, {
    hint: meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : `There are ${names.join(', ')}.`,
  });
}
