// From flags and --input to the variables of each change, checked and with names turned into ids, before any of them is sent.
import { type OperationName, operations } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';
import { findIds, type Kind } from '../find/record.js';
import { looksLikeId } from '../parse/user-selector.js';
import { checkInput } from './check-input.js';
import type { InputLine } from './read-input.js';

/** Turns what people say into ids, in the same order. */
export type Resolve = (context: Context, client: FleetClient, said: readonly string[]) => Promise<readonly string[]>;

/** Changes take no parts of names: what is changed has to be said in full. */
export function idsOf<Row>(kind: Kind<Row>): Resolve {
  return (context, client, said) => findIds(context, client, kind, said, { substring: false });
}

/** A member that names a record: the vehicle of an assignment, the group that is updated. */
export interface Reference {
  /** Name of the variable, or of the member of the input. */
  readonly name: string;
  readonly into: 'variables' | 'input';
  readonly resolve: Resolve;
  /** As a word of the command line, or several for a list; undefined when it was left out. */
  readonly said: string | readonly string[] | undefined;
  /** The member is a list of records, such as the groups that are joined. */
  readonly list?: boolean | undefined;
  /** How the command's help calls it, such as `<group>`; the reference may not be left out. Null: it may. */
  readonly needed: string | null;
}

export interface ChangeSpec {
  readonly operation: OperationName;
  /** The variable that holds the input object, and its type; null when the operation takes none. */
  readonly input: { readonly variable: string; readonly type: string } | null;
  readonly references: readonly Reference[];
  /** Members of the input that flags say; undefined ones are left out. They win over --input. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Further variables that flags say. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** A last look at each input before anything is sent; what it returns is sent. `where` names the line when there are many. */
  readonly refine?: (input: Readonly<Record<string, unknown>>, where: string) => Record<string, unknown>;
}

export interface PlannedChange {
  /** From 1. */
  readonly line: number;
  /** As it was given, to be given again. */
  readonly given: InputLine;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Draft {
  readonly line: number;
  readonly given: InputLine;
  readonly variables: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  readonly where: string;
}

/** What can be said without asking the service: everything but the ids behind names. */
export function draftChanges(
  context: Context,
  spec: ChangeSpec,
  lines: readonly InputLine[],
  many: boolean,
): readonly Draft[] {
  return lines.map((given, place) => {
    const where = many ? `line ${place + 1}: ` : '';
    const { variables, input } = draft(spec, given, where);
    if (!spec.input) return { line: place + 1, given, variables, input, where };
    if (Object.keys(input).length === 0) throw nothingSaid(spec, where);
    checkInput(context, spec.input.type, input, where);
    return { line: place + 1, given, variables, input: spec.refine?.(input, where) ?? input, where };
  });
}

function draft(spec: ChangeSpec, given: InputLine, where: string): Pick<Draft, 'variables' | 'input'> {
  const own = new Map(typeof given === 'string' ? [['id', given]] : Object.entries(given));
  const variables: Record<string, unknown> = { ...said(spec.variables ?? {}) };
  const references: Record<string, unknown> = {};
  const [first] = spec.references;
  for (const reference of spec.references) {
    // The record a line is about may be called `id` there, whatever the variable's name is.
    const alias = reference === first && reference.into === 'variables' ? 'id' : reference.name;
    const value = reference.said ?? own.get(reference.name) ?? own.get(alias);
    if (reference.into === 'variables') {
      own.delete(reference.name);
      own.delete(alias);
    }
    if (value === undefined || value === null || value === '') {
      if (reference.needed === null) continue;
      throw new CliError('USAGE', `${where}It is not said which: ${reference.needed} is missing. Nothing was sent.`, {
        hint: `Give it as an argument, or as "${reference.name}" in --input.`,
      });
    }
    if (!isReference(value, reference.list ?? false)) {
      const form = reference.list ? 'list of texts' : 'text';
      throw new CliError('USAGE', `${where}"${reference.name}" is no ${form}. Nothing was sent.`);
    }
    if (reference.into === 'variables') variables[reference.name] = value;
    else references[reference.name] = value;
  }
  const whole = spec.input ? own.get(spec.input.variable) : undefined;
  // A line may hold the variables as they are sent: { "groupId": …, "updateGroupInput": { … } }.
  const members =
    typeof whole === 'object' && whole !== null && own.size === 1 ? { ...whole } : Object.fromEntries(own);
  if (!spec.input && Object.keys(members).length > 0) {
    throw new CliError('USAGE', `${where}${spec.operation} takes no "${Object.keys(members)[0]}". Nothing was sent.`);
  }
  return { variables, input: { ...members, ...said(spec.flags), ...references } };
}

/** Turns names into ids; each kind's list is looked at once, however many lines there are. Ids alone ask nothing. */
export async function resolveChanges(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: ChangeSpec,
  drafts: readonly Draft[],
): Promise<readonly PlannedChange[]> {
  for (const { name, into, resolve } of spec.references) {
    const holders = drafts
      .map(({ variables, input }) => (into === 'variables' ? variables : input))
      .filter((holder) => typeof holder[name] === 'string' || Array.isArray(holder[name]));
    const wanted = holders.flatMap((holder) => holder[name]).map(String);
    if (wanted.every(looksLikeId)) continue;
    const ids = [...(await resolve(context, await open(), wanted))];
    for (const holder of holders) {
      const value = holder[name];
      holder[name] = Array.isArray(value) ? ids.splice(0, value.length) : ids.shift();
    }
  }
  return drafts.map(({ line, given, variables, input }) => ({
    line,
    given,
    variables: spec.input ? { ...variables, [spec.input.variable]: input } : variables,
  }));
}

function isReference(value: unknown, list: boolean): value is string | readonly string[] {
  if (!list) return typeof value === 'string';
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}

function said(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function nothingSaid(spec: ChangeSpec, where: string): CliError {
  const { description } = operations[spec.operation];
  return new CliError('USAGE', `${where}Nothing is said of what to change. Nothing was sent.`, {
    hint: `Use the flags that --help lists, or --input with what --skeleton prints. (${description})`,
  });
}
