// What the word under the cursor could become: looks at the words before it as the command line itself would, and asks nobody. The
// shell picks those that fit, so all that stand at this place may be given.
import type { Command, Option } from 'commander';
import type { FieldSource } from '../shape/fields.js';
import { type FieldFlag, fieldCandidates } from './field-candidates.js';

export interface Candidate {
  /** The whole word. */
  readonly value: string;
  readonly about: string;
}

export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The word may be the name of a file. */
  readonly files: boolean;
}

/** What the tree of commands itself does not hold. */
export interface Sources {
  /** Hangs its verbs on a noun. */
  readonly load: (noun: Command) => Promise<void>;
  readonly profiles: () => Promise<readonly Candidate[]>;
  /** The fields that rows of a command have; null when it prints none. */
  readonly fieldsOf: (path: readonly string[], command: Command) => Promise<FieldSource | null>;
}

const nothing: Completion = { candidates: [], files: false };

/** `words`: those after `fleet`; the last one is under the cursor, and may be empty. */
export async function complete(program: Command, words: readonly string[], sources: Sources): Promise<Completion> {
  const place = await placeOf(program, words.slice(0, -1), sources);
  if (place === null) return nothing;
  const typed = words.at(-1) ?? '';
  const { command, expecting, isOptionsOver } = place;
  if (expecting) return fitting(await valuesOf(expecting, typed, place, sources), typed);
  if (typed.startsWith('-') && !isOptionsOver) {
    const [flag, ...values] = typed.split('=');
    const option = values.length > 0 ? optionNamed(place, flag ?? '') : undefined;
    if (option && takesValue(option)) {
      const { candidates, files } = await valuesOf(option, values.join('='), place, sources);
      const whole = candidates.map(({ value, about }) => ({ value: `${flag}=${value}`, about }));
      return fitting({ candidates: whole, files }, typed);
    }
    return fitting({ candidates: flagsAt(place), files: false }, typed);
  }
  if (command.commands.length > 0) {
    const known = command.commands.filter((known) => !isHidden(known));
    const nouns = known.map((known) => ({ value: known.name(), about: known.summary() || known.description() }));
    const help = command === program ? [{ value: 'help', about: 'show help for a command' }] : [];
    return fitting({ candidates: [...nouns, ...help], files: false }, typed);
  }
  return fitting(await argumentAt(place, sources), typed);
}

interface Place {
  readonly command: Command;
  /** Names from the noun on. */
  readonly path: readonly string[];
  /** The option whose value comes next. */
  readonly expecting: Option | undefined;
  readonly given: ReadonlySet<Option>;
  /** How many words that are no options the command has already. */
  readonly operands: number;
  /** `--` was there. */
  readonly isOptionsOver: boolean;
}

/** Null where no command can be, because a word before is none. */
async function placeOf(program: Command, before: readonly string[], sources: Sources): Promise<Place | null> {
  const words = before[0] === 'help' ? before.slice(1) : before;
  const given = new Set<Option>();
  const path: string[] = [];
  let command = program;
  let expecting: Option | undefined;
  let operands = 0;
  let isOptionsOver = false;
  for (const word of words) {
    if (expecting) {
      expecting = undefined;
    } else if (!isOptionsOver && word === '--') {
      isOptionsOver = true;
    } else if (!isOptionsOver && /^-./.test(word)) {
      const option = optionNamed({ command }, word.split('=')[0] ?? '');
      if (option) given.add(option);
      if (option?.required && !word.includes('=')) expecting = option;
    } else if (command.commands.length > 0) {
      const next = command.commands.find((known) => known.name() === word && !isHidden(known));
      if (!next) return null;
      if (command === program) await sources.load(next);
      command = next;
      path.push(word);
    } else {
      operands++;
    }
  }
  return { command, path, expecting, given, operands, isOptionsOver };
}

function optionNamed({ command }: Pick<Place, 'command'>, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

/** Its own first, then those that every command takes. */
function optionsOf(command: Command): readonly Option[] {
  const above = command.parent ? optionsOf(command.parent).filter(({ long }) => long !== '--version') : [];
  return [...command.options.filter(({ hidden }) => !hidden), ...above];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Flags that are not there yet, and those that may be there again. */
function flagsAt({ command, given }: Place): readonly Candidate[] {
  const again = (option: Option) => takesValue(option) && /\bagain\b/.test(option.description);
  const flags = optionsOf(command).flatMap((option) =>
    option.long && (!given.has(option) || again(option)) ? { value: option.long, about: option.description } : [],
  );
  return [...flags, { value: '--help', about: 'show help' }];
}

async function valuesOf(option: Option, typed: string, place: Place, sources: Sources): Promise<Completion> {
  if (option.argChoices) return { candidates: option.argChoices.map((value) => ({ value, about: '' })), files: false };
  if (option.flags.includes('<file')) return { candidates: [], files: true };
  if (option.long === '--profile') return { candidates: await sources.profiles(), files: false };
  const flag = fieldFlags.find((name) => name === option.long);
  const fields = flag ? await sources.fieldsOf(place.path, place.command) : null;
  return flag && fields ? { candidates: fieldCandidates(flag, typed, fields), files: false } : nothing;
}

const fieldFlags: readonly FieldFlag[] = ['--fields', '--sort', '--filter'];

async function argumentAt({ command, operands }: Place, sources: Sources): Promise<Completion> {
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic ? last : undefined);
  if (argument?.argChoices) {
    return { candidates: argument.argChoices.map((value) => ({ value, about: '' })), files: false };
  }
  if (argument?.name() === 'profile') return { candidates: await sources.profiles(), files: false };
  return argument?.name() === 'file' ? { candidates: [], files: true } : nothing;
}

function fitting({ candidates, files }: Completion, typed: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(typed)), files };
}

/** Commands that are not for people. */
function isHidden(command: Command): boolean {
  return command.name().startsWith('__');
}
