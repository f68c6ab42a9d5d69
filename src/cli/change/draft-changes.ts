// From flags and --input to the changes they ask for, each held to the contract: all that can be said without asking the service.
import { operations } from '../../generated/operation-table.js';
import { CliError } from '../errors/cli-error.js';
import type { Context } from '../run/context.js';
import { checkInput } from './check-input.js';
import { type ChangeSpec, type Draft, type Reference, subjectOf } from './plan.js';
import type { Input, InputLine } from './read-input.js';

/** @throws CliError USAGE that tells of every line that cannot be used. */
export function draftChanges(context: Context, spec: ChangeSpec, { lines, many, places }: Input): readonly Draft[] {
  return everyOne(
    lines.map((given, index) => ({ given, line: places?.[index] ?? index + 1 })),
    ({ given, line }) => ({ line, given, ...draft(context, spec, given, placeOf(line, many)) }),
  );
}

/** How messages begin that are about one line of many. */
export function placeOf(line: number, many: boolean): string {
  return many ? `line ${line}: ` : '';
}

/** What `work` makes of each. @throws CliError USAGE that tells of all for which it failed so. */
export function everyOne<One, Made>(all: readonly One[], work: (one: One) => Made): readonly Made[] {
  const made: Made[] = [];
  const problems: CliError[] = [];
  for (const one of all) {
    try {
      made.push(work(one));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      problems.push(error);
    }
  }
  const [first] = problems;
  if (first === undefined) return made;
  throw problems.length === 1 ? first : allOf(problems, all.length, first);
}

/** More than this nobody reads before mending the file. */
const mostTold = 10;

function allOf(problems: readonly CliError[], count: number, { hint }: CliError): CliError {
  const told = problems.slice(0, mostTold).map(({ message }) => message.replace(/ Nothing was sent\.$/, ''));
  const more = problems.length - told.length;
  return new CliError('USAGE', `${problems.length} of ${count} lines cannot be used. Nothing was sent.`, {
    details: more > 0 ? [...told, `and ${more} more`] : told,
    hint,
  });
}

function draft(
  context: Context,
  spec: ChangeSpec,
  given: InputLine,
  where: string,
): Pick<Draft, 'variables' | 'input'> {
  const own = ownMembers(spec, given, where);
  const variables: Record<string, unknown> = { ...stated(spec.variables ?? {}) };
  const named: Record<string, unknown> = {};
  for (const reference of spec.references) {
    const value = saidOf(spec, reference, own, where);
    if (value !== undefined) (reference.into === 'variables' ? variables : named)[reference.name] = value;
  }
  const members = membersIn(spec, own);
  if (!spec.input) {
    const [stray] = Object.keys(members);
    if (stray === undefined) return { variables, input: {} };
    throw new CliError('USAGE', `${where}${spec.operation} takes no "${stray}". Nothing was sent.`);
  }
  const input = { ...members, ...stated(spec.flags), ...named };
  if (Object.keys(input).length === 0) throw nothingSaid(spec, where);
  checkInput(context, spec.input.type, input, where);
  return { variables, input: spec.refine?.(input, where) ?? input };
}

/** What the line itself says; a text alone stands for the record that the change is about. */
function ownMembers(spec: ChangeSpec, given: InputLine, where: string): Map<string, unknown> {
  if (typeof given !== 'string') return new Map(Object.entries(given));
  const subject = subjectOf(spec);
  if (subject) return new Map([[subject.name, subject.list ? [given] : given]]);
  throw new CliError('USAGE', `${where}A text alone says nothing of a new record. Nothing was sent.`, {
    hint: 'Give an object; --skeleton shows its form.',
  });
}

/** What a reference says. Takes it out of the line's members when it is a variable. */
function saidOf(spec: ChangeSpec, reference: Reference, own: Map<string, unknown>, where: string): unknown {
  const { name, into, said, needed, list = false } = reference;
  // The record a line is about may be called `id` there, as the service calls it in what it returns.
  const isSubject = into === 'variables' && reference === subjectOf(spec);
  const inLine = own.get(name) ?? (isSubject ? own.get('id') : undefined);
  if (into === 'variables') {
    own.delete(name);
    if (isSubject) own.delete('id');
  }
  if (needed !== null && said !== undefined && !isEmpty(inLine) && JSON.stringify(inLine) !== JSON.stringify(said)) {
    throw new CliError('USAGE', `${where}${needed} is said twice: as an argument and in --input. Nothing was sent.`, {
      hint: `Leave out the argument, or "${name}" in --input.`,
    });
  }
  const value = said ?? inLine;
  if (isEmpty(value)) {
    if (needed === null) return undefined;
    throw new CliError('USAGE', `${where}It is not said which: ${needed} is missing. Nothing was sent.`, {
      hint: `Give it as an argument, or as "${name}" in --input.`,
    });
  }
  if (isReference(value, list)) return value;
  throw new CliError('USAGE', `${where}"${name}" is no ${list ? 'list of texts' : 'text'}. Nothing was sent.`);
}

/** A line may hold the variables as they are sent: { "groupId": …, "updateGroupInput": { … } }. */
function membersIn({ input }: ChangeSpec, own: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const whole = input && own.size === 1 ? own.get(input.variable) : undefined;
  const isWhole = typeof whole === 'object' && whole !== null && !Array.isArray(whole);
  return isWhole ? { ...whole } : Object.fromEntries(own);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function isReference(value: unknown, list: boolean): value is string | readonly string[] {
  if (!list) return typeof value === 'string';
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function stated(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function nothingSaid(spec: ChangeSpec, where: string): CliError {
  const { description } = operations[spec.operation];
  return new CliError('USAGE', `${where}Nothing is said of what to change. Nothing was sent.`, {
    hint: `Use the flags that --help lists, or --input with what --skeleton prints. (${description})`,
  });
}
