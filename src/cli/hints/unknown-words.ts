// Builds the hint for unknown words: the right command or flag, or that there is none.
import type { Command, CommanderError } from 'commander';
import { closestNames } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import { answers, commandWords, flagAnswers, flagWords, nounOfRecords, verbWords } from './synonyms.js';
import { brokenPosition, formOf, takesWords } from './verb-forms.js';

/** Returns the hint; null when the words match nothing. `extra` maps more words to their hint. */
export function hintAbout(
  { code }: Pick<CommanderError, 'code'>,
  program: Command,
  extra: ReadonlyMap<string, string> = new Map(),
): string | null {
  const command = deepest(program);
  if (code === 'commander.unknownOption') return flagHint(command, program);
  if (code === 'commander.excessArguments') return argumentHint(command, program);
  if (code !== 'commander.unknownCommand') return null;
  return command === program ? commandHint(program, extra) : verbHint(command, program);
}

function deepest(command: Command): Command {
  const below = command.commands.find((existing) => existing.name() === command.args[0]);
  return below === undefined ? command : deepest(below);
}

function commandHint(program: Command, extra: ReadonlyMap<string, string>): string | null {
  const [word = '', ...rest] = program.args;
  const leads = leadsOf(word, rest, program);
  if (leads.length > 0) return formatSuggestion(leads);
  const near = closestNames(word, [...namesOf(program), ...extra.keys()]).map((name) => extra.get(name) ?? name);
  // Command names have no space or digit, but most vehicle names do.
  if (near.length === 0 && /[\d ]/.test(word))
    return formatSuggestion([`fleet ${withWords('vehicles get …', [word])}`]);
  return formatSuggestion(near);
}

function verbHint(noun: Command, program: Command): string | null {
  const [word = '', ...rest] = noun.args;
  if (word === 'help') return null;
  const verbs = namesOf(noun);
  const meaning = verbOf(word);
  // Geofences can also be imported.
  const verb = meaning === 'apply' && verbs.includes('import') ? 'import' : meaning;
  const answer = answers[`${noun.name()} ${verb}`];
  if (answer !== undefined) return answer;
  const form = formOf(noun.name(), [word, verb], rest);
  if (form !== null) return formatSuggestion([form]);
  if (verb === 'apply' && noun.name() === 'people') return fileHint('people', rest);
  if (verbs.includes(verb)) return formatSuggestion([leadTo(noun.name(), noun, verb, rest)]);
  const near = closestNames(word, verbs);
  if (near.length > 0 && !isChange(verb)) return formatSuggestion(near);
  const other = nounOfRecords[noun.name()];
  if (other !== undefined && Object.hasOwn(verbWords, verb)) {
    if (verb === 'apply') return fileHint(other, rest);
    return formatSuggestion([formOf(other, [word, verb], rest) ?? leadTo(other, undefined, verb, rest)]);
  }
  const commands = `Commands of \`fleet ${noun.name()}\`: ${verbs.join(', ')}.`;
  if (isChange(verb) && lacksOperation(noun.name(), verb)) {
    return `The service has no operation to ${verb} ${noun.name()}. ${commands}`;
  }
  const isVerb = Object.hasOwn(verbWords, verb);
  const leads = isVerb ? [] : leadsOf(word, rest, program);
  if (leads.length > 0) return formatSuggestion(leads);
  const reader = isChange(verb) ? undefined : ['get', 'list'].find((name) => takesNames(noun, name));
  if (reader === undefined) return commands;
  return `${commands} To look up a name: \`fleet ${noun.name()} ${withWords(`${reader} …`, isVerb ? rest : noun.args)}\`.`;
}

/** Returns the command with the following words; or its --help if it takes them only as flags. */
function leadTo(name: string, noun: Command | undefined, verb: string, words: readonly string[]): string {
  return takesWords(noun, verb, words.length)
    ? `fleet ${name} ${withWords(`${verb} …`, words)}`
    : `fleet ${name} ${verb} --help`;
}

/** A name after `list`, as in `vehicles list 510`, is a search. */
function argumentHint(command: Command, program: Command): string | null {
  const { parent } = command;
  // A noun that is also a command reads an unknown verb as an argument.
  if (command.commands.length > 0) return verbHint(command, program);
  const position = brokenPosition([...command.args, ...Object.values(command.opts()).map(String)]);
  if (position !== null) return `Write the position without a space: ${position}`;
  const form = formOf(parent?.name() ?? '', [command.name()], command.args);
  if (form !== null) return formatSuggestion([form]);
  if (command.name() === 'create' && command.options.map(({ long }) => long).includes('--name')) {
    return 'Give the name with --name, such as --name "Winter 5". Add --help to see the other flags.';
  }
  if (parent === null || tookFlagAsValue(program)) return null;
  const [word = ''] = command.args;
  if (parent === program && namesOf(program).includes(word)) return formatSuggestion([`fleet ${word}`]);
  // If --vehicle chooses the vehicles, an argument is the name of one.
  if (command.options.map(({ long }) => long).includes('--vehicle')) {
    return formatSuggestion([`fleet ${parent.name()} ${command.name()} ${withWords('--vehicle …', command.args)}`]);
  }
  if (command.name() !== 'list') return null;
  return takesNames(parent, 'get')
    ? formatSuggestion([`fleet ${parent.name()} ${withWords('get …', command.args)}`])
    : formatSuggestion([`fleet ${parent.name()} ${withWords('list --filter "name~…"', command.args)}`]);
}

/** In `--user -o json` the value of --user is missing, and `json` is no argument. */
function tookFlagAsValue(program: Command): boolean {
  return Object.values(program.opts()).some((value) =>
    program.options.some(({ short, long }) => value === short || value === long),
  );
}

function flagHint(command: Command, program: Command): string | null {
  const at = command.args.findIndex((word) => word.length > 1 && word.startsWith('-'));
  const [flag = '', attached] = (command.args[at] ?? '').split(/=(.*)/s);
  const typed = attached ?? command.args[at + 1] ?? '';
  const answer = flagAnswers[flag] ?? flagForms[flag]?.(command, command.args.slice(0, at), typed) ?? null;
  if (answer !== null) return answer;
  const existing = [...command.options, ...(command.parent?.options ?? []), ...program.options];
  const isKnown = (lead: string) => existing.some(({ short, long }) => [short, long].includes(lead.split(' ')[0]));
  const lead = [flagWords[flag] ?? []].flat().find(isKnown);
  if (lead !== undefined) {
    const next = command.args[at + 1];
    const hint = formatSuggestion([
      withWords(
        lead,
        [attached ?? next ?? ''].filter((value) => !value.startsWith('-')),
      ),
    ]);
    // The flag needs a command.
    const isAlone = !program.args.some((word) => namesOf(program).includes(word));
    return isAlone && lead.startsWith('-o ')
      ? `${hint} It belongs to a command: \`fleet vehicles list ${lead}\`.`
      : hint;
  }
  const { parent } = command;
  // Flags of other nouns are not loaded.
  const siblings = parent === null || parent === program ? [] : parent.commands;
  const owners = siblings.filter((other) => other.options.some(({ long }) => long === flag));
  if (owners.length > 0 && owners.length <= 3) {
    return `${flag} belongs to ${owners.map((other) => `\`fleet ${parent?.name()} ${other.name()}\``).join(' and ')}.`;
  }
  return formatSuggestion(closestNames(flag, flag.startsWith('--') ? existing.flatMap(({ long }) => long ?? []) : []));
}

function leadsOf(word: string, rest: readonly string[], program: Command): readonly string[] {
  const leads = Object.hasOwn(commandWords, word.toLowerCase()) ? (commandWords[word.toLowerCase()] ?? []) : [];
  const has = (lead: string) => lead.startsWith('-') || namesOf(program).includes(lead.split(' ')[0] ?? '');
  // If no name was typed, commands without a name come first.
  const takesName = (lead: string) => Number(rest.length === 0 && lead.includes('…'));
  return leads
    .filter(has)
    .toSorted((a, b) => takesName(a) - takesName(b))
    .map((lead) => `fleet ${withWords(lead, rest)}`);
}

function fileHint(noun: string, file: readonly string[]): string {
  return `Did you mean \`fleet ${noun} ${withWords('apply …', file)}\`? It updates the existing records and creates the others.`;
}

function verbOf(typed: string): string {
  const word = typed.toLowerCase();
  return Object.entries(verbWords).find(([, synonyms]) => synonyms.includes(word))?.[0] ?? word;
}

function isChange(verb: string): boolean {
  return verb === 'create' || verb === 'update' || verb === 'delete';
}

/** Returns true when the contract lists the records of a noun but lacks this operation. */
function lacksOperation(noun: string, verb: string): boolean {
  const plural = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  const list = Object.values(operations).find(
    ({ name, kind }) => kind === 'query' && new RegExp(`^get[A-Za-z]*${plural}(By[A-Z]\\w*)?$`).test(name),
  );
  return list !== undefined && !Object.hasOwn(operations, `${verb}${list.returns.type}`);
}

function namesOf(command: Command): readonly string[] {
  return command.commands.map((below) => below.name()).filter((name) => !name.startsWith('__'));
}

function takesNames(noun: Command, verb: string): boolean {
  return noun.commands.some((below) => below.name() === verb && below.registeredArguments.length > 0);
}

/** Returns a command with the words in place of `…`, if a shell leaves them unchanged. */
function withWords(lead: string, words: readonly string[]): string {
  const plain =
    words.length > 0 && words.every((word) => /^[\p{L}\p{N} .,@:_-]+$/u.test(word) && !word.startsWith('-'));
  const isQuoted = lead.includes('"');
  const typed = words.map((word) => (/^[\p{L}\p{N}.,@:_-]+$/u.test(word) || isQuoted ? word : `"${word}"`)).join(' ');
  if (plain) return lead.replace('…', typed);
  return isQuoted ? lead : lead.replace(/ ?…/, '');
}

function formatSuggestion(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const shown = names.map((name) => (name.includes(' ') ? `\`${name}\`` : name));
  return `Did you mean ${shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`}?`;
}

type FlagForm = (command: Command, words: readonly string[], typed: string) => string | null;

/** Hints by flag, from the words before it and the value after it; null when none fits. */
const flagForms: Readonly<Record<string, FlagForm>> = {
  '--at': pastMomentHint,
  '--driver': driverHint,
  '--vehicle': vehicleHint,
};

/** The status has the driver of each vehicle; the list has only driver ids. */
function driverHint(command: Command, _words: readonly string[], name: string): string | null {
  if (command.parent?.name() !== 'vehicles') return null;
  return `Who drives each vehicle: \`fleet vehicles status --filter "driver~${isPlain(name) ? name : '…'}"\`.`;
}

function vehicleHint(command: Command, _words: readonly string[], name: string): string | null {
  const noun = command.parent?.name() ?? '';
  const takesVehicles = command.registeredArguments.some((argument) => argument.name() === 'vehicle');
  const verb = takesVehicles ? command.name() : noun === 'vehicles' ? 'get' : null;
  if (verb === null) return null;
  return `Vehicles are named without a flag: \`fleet ${noun} ${verb} "${isPlain(name) ? name : '…'}"\`.`;
}

/** Returns the command that takes a time in the past; null for a command without positions. */
function pastMomentHint(command: Command, words: readonly string[], time: string): string | null {
  if (!['vehicles', 'snapshots'].includes(command.parent?.name() ?? '')) return null;
  const [vehicle = 'Truck 07'] = words.filter(isPlain);
  return `Where a vehicle was then: \`fleet vehicles status "${vehicle}" --at "${isPlain(time) ? time : '08:00'}"\`.`;
}

function isPlain(word: string): boolean {
  return /^[\p{L}\p{N} .,:+_-]+$/u.test(word);
}
