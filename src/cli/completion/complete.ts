// Finds the candidates for the word under the cursor.
import type { Command, Option } from 'commander';
import { contractFields } from '../../contract/selection/fields.js';
import { isRepeatable } from '../help/documented-command.js';
import { acceptedOptions } from '../help/global-use.js';
import { helpTopics } from '../help/topic-names.js';
import { kindOfPlaceholder } from '../records/all-kinds.js';
import { caseless } from '../records/names.js';
import type { RecordKind } from '../records/record-kind.js';
import type { FieldSource } from '../shape/fields.js';
import type { Candidate } from './candidate.js';

/** A source of names: a kind of record, the reports or the users of the login. */
export type NameKind = RecordKind<never> | 'report' | 'user';

/** Returns the source of names for a placeholder such as `<vehicle>`, else null. */
function nameKindOf(placeholder: string): NameKind | null {
  return placeholder === 'report' || placeholder === 'user' ? placeholder : kindOfPlaceholder(placeholder);
}

/** Returns the placeholder of flags such as `--vehicle <vehicle>`. */
function placeholderOf(flags: string): string {
  return /[<[]([a-z-]+)/.exec(flags)?.[1] ?? '';
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** True when the word may be a file name. */
  readonly files: boolean;
}

/** Data that is not in the command tree. */
export interface Sources {
  readonly load: (noun: Command) => Promise<void>;
  readonly profiles: () => Promise<readonly Candidate[]>;
  /** Returns the names of a kind. `flags`: the global flags before the cursor. */
  readonly names: (kind: NameKind, flags: TypedFlags) => Promise<readonly Candidate[]>;
  /** Returns the fields of the rows; null for a command without rows. */
  readonly fieldsOf: (path: readonly string[], command: Command) => Promise<FieldSource | null>;
}

const topicCandidates = Object.entries(helpTopics).map(([value, about]) => ({ value, about }));

/** Values of flags by commander's names; true for a flag without a value. */
export type TypedFlags = Readonly<Record<string, string | true>>;

const nothing: Completion = { candidates: [], files: false };

/** Returns the completion of the last word after `fleet`, which may be empty. */
export async function complete(program: Command, words: readonly string[], sources: Sources): Promise<Completion> {
  const position = await positionOf(program, words.slice(0, -1), sources);
  if (position === null) return nothing;
  const typed = words.at(-1) ?? '';
  const { command, expecting, isAfterOptions } = position;
  if (expecting) return fitting(await valuesOf(expecting, typed, position, sources), typed);
  if (typed.startsWith('-') && !isAfterOptions) {
    const [flag, ...values] = typed.split('=');
    const option = values.length > 0 ? optionNamed(position, flag ?? '') : undefined;
    if (option && takesValue(option)) {
      const { candidates, files } = await valuesOf(option, values.join('='), position, sources);
      const flagsWithValue = candidates.map(({ value, about }) => ({ value: `${flag}=${value}`, about }));
      return fitting({ candidates: flagsWithValue, files }, typed);
    }
    return fitting({ candidates: flagsAt(position), files: false }, typed);
  }
  if (command.commands.length > 0) {
    const subcommand = command.commands.filter((subcommand) => !isHidden(subcommand));
    const nouns = subcommand.map((subcommand) => ({
      value: subcommand.name(),
      about: subcommand.summary() || subcommand.description(),
    }));
    const isHelp = words[0] === 'help';
    const help =
      command === program ? (isHelp ? topicCandidates : [{ value: 'help', about: 'show help for a command' }]) : [];
    return fitting({ candidates: [...nouns, ...help], files: false }, typed);
  }
  return fitting(await argumentAt(position, sources), typed);
}

interface Position {
  readonly command: Command;
  readonly path: readonly string[];
  /** The option that expects a value next. */
  readonly expecting: Option | undefined;
  readonly used: ReadonlySet<Option>;
  readonly typed: TypedFlags;
  /** Number of arguments before the cursor. */
  readonly operands: number;
  /** True after `--`. */
  readonly isAfterOptions: boolean;
}

/** Returns the position; null when an earlier word is not a command. */
async function positionOf(program: Command, before: readonly string[], sources: Sources): Promise<Position | null> {
  const words = before[0] === 'help' ? before.slice(1) : before;
  const used = new Set<Option>();
  const typed: Record<string, string | true> = {};
  const path: string[] = [];
  let command = program;
  let expecting: Option | undefined;
  let operands = 0;
  let isAfterOptions = false;
  for (const word of words) {
    if (expecting) {
      typed[expecting.attributeName()] = word;
      expecting = undefined;
    } else if (!isAfterOptions && word === '--') {
      isAfterOptions = true;
    } else if (!isAfterOptions && /^-./.test(word)) {
      const option = optionNamed({ command }, word.split('=')[0] ?? '');
      if (option) {
        used.add(option);
        const [, ...value] = word.split('=');
        typed[option.attributeName()] = value.length > 0 ? value.join('=') : true;
      }
      if (option?.required && !word.includes('=')) expecting = option;
    } else if (command.commands.length > 0) {
      const next = command.commands.find((subcommand) => subcommand.name() === word && !isHidden(subcommand));
      if (!next) return null;
      if (command === program) await sources.load(next);
      command = next;
      path.push(word);
    } else {
      operands++;
    }
  }
  return { command, path, expecting, used, typed, operands, isAfterOptions };
}

function optionNamed({ command }: Pick<Position, 'command'>, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function optionsOf(command: Command): readonly Option[] {
  const above = command.parent ? optionsOf(command.parent).filter(({ long }) => long !== '--version') : [];
  return [...command.options.filter(({ hidden }) => !hidden), ...above];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Returns the flags that are still possible: unused or repeatable. */
function flagsAt({ command, used }: Position): readonly Candidate[] {
  const flags = acceptedOptions(command).flatMap((option) =>
    option.long && (!used.has(option) || isRepeatable(option)) ? { value: option.long, about: option.description } : [],
  );
  return [...flags, { value: '--help', about: 'show help' }];
}

async function valuesOf(option: Option, typed: string, position: Position, sources: Sources): Promise<Completion> {
  if (option.argChoices) return { candidates: option.argChoices.map((value) => ({ value, about: '' })), files: false };
  if (option.flags.includes('<file')) return { candidates: [], files: true };
  if (option.long === '--profile') return { candidates: await sources.profiles(), files: false };
  const kind = nameKindOf(placeholderOf(option.flags));
  if (kind !== null) return { candidates: await sources.names(kind, position.typed), files: false };
  const flag = fieldFlags.find((name) => name === option.long);
  const fields = flag ? await sources.fieldsOf(position.path, position.command) : null;
  return flag && fields ? { candidates: fieldCandidates(flag, typed, fields), files: false } : nothing;
}

const fieldFlags: readonly FieldFlag[] = ['--fields', '--sort', '--filter'];

async function argumentAt({ command, operands, typed }: Position, sources: Sources): Promise<Completion> {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic ? last : undefined);
  if (argument?.argChoices) {
    return { candidates: argument.argChoices.map((value) => ({ value, about: '' })), files: false };
  }
  if (argument?.name() === 'profile') return { candidates: await sources.profiles(), files: false };
  const kind = nameKindOf(argument?.name() ?? '');
  if (kind !== null) return { candidates: await sources.names(kind, typed), files: false };
  return argument?.name() === 'file' ? { candidates: [], files: true } : nothing;
}

function fitting({ candidates, files }: Completion, typed: string): Completion {
  return {
    candidates: candidates.filter(
      ({ value }) => value.startsWith(typed) || caseless(value).startsWith(caseless(typed)),
    ),
    files,
  };
}

function isHidden(command: Command): boolean {
  return command.name().startsWith('__');
}

type FieldFlag = '--fields' | '--sort' | '--filter';

/**
 * Completes field names, one step of a path at a time: `id,na` can become `id,name`. `typed` is the
 * value so far.
 */
export function fieldCandidates(flag: FieldFlag, typed: string, source: FieldSource): readonly Candidate[] {
  const comma = flag === '--filter' ? -1 : typed.lastIndexOf(',');
  const before = typed.slice(0, comma + 1);
  const direction = flag === '--sort' && typed.charAt(comma + 1) === '-' ? '-' : '';
  const path = typed.slice(comma + 1 + direction.length);
  const used = new Set(before.split(',').map((name) => name.replace(/^-/, '')));
  return namesAt(path, source)
    .filter(({ value }) => !used.has(value))
    .map(({ value, about }) => {
      const isRecord = value.endsWith('.');
      return { value: `${before}${direction}${value}${flag === '--filter' && !isRecord ? '=' : ''}`, about };
    });
}

/** Returns the names at the last step of a path. Names of records end in a dot. */
function namesAt(path: string, source: FieldSource): readonly Candidate[] {
  if ('names' in source) return source.names.map((value) => ({ value, about: '' }));
  const steps = path.split('.').slice(0, -1);
  let type = source.type;
  for (const step of steps) {
    const field = contractFields(type).get(step);
    if (!field || field.leaf) return [];
    type = field.type;
  }
  const prefix = steps.map((step) => `${step}.`).join('');
  return [...contractFields(type)].map(([name, field]) => ({
    value: `${prefix}${name}${field.leaf ? '' : '.'}`,
    about: field.list ? `list of ${field.type}` : field.type,
  }));
}
