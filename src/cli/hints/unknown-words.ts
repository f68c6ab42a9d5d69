// Builds the hint for unknown words: the right command or flag, or that there is none.
import type { Command, CommanderError } from 'commander';
import { closestNames } from '../../core/suggestions.js';
import { operations } from '../../generated/operation-table.js';
import { formatSuggestion, withWords } from '../errors/format-hint.js';
import { answers, commandWords, nounOfRecords, verbWords } from './synonyms.js';
import { flagHint } from './unknown-flag.js';
import { brokenPosition, formOf, takesWords } from './verb-forms.js';

/** Returns the hint; null when the words match nothing. `extra` maps more words to their hint. */
export async function hintAbout(
  { code }: Pick<CommanderError, 'code'>,
  program: Command,
  loadAll: () => Promise<Command>,
  extra: ReadonlyMap<string, string> = new Map(),
): Promise<string | null> {
  const command = deepest(program);
  if (code === 'commander.unknownOption') return flagHint(command, program, loadAll);
  if (code === 'commander.excessArguments') return argumentHint(command, program);
  if (code !== 'commander.unknownCommand') return null;
  return command === program ? commandHint(program, extra) : verbHint(command);
}

function deepest(command: Command): Command {
  const below = command.commands.find((existing) => existing.name() === command.args[0]);
  return below === undefined ? command : deepest(below);
}

function commandHint(program: Command, extra: ReadonlyMap<string, string>): string | null {
  const [word = '', ...rest] = program.args;
  const found = hintFromTables(word, rest);
  if (found !== null) return found;
  const near = closestNames(word, [...namesOf(program), ...extra.keys()]).map((name) => extra.get(name) ?? name);
  // Command names have no space or digit, but most vehicle names do.
  if (near.length === 0 && /[\d ]/.test(word))
    return formatSuggestion([`fleet ${withWords('vehicles get …', [word])}`]);
  return formatSuggestion(near);
}

function verbHint(noun: Command): string | null {
  const [word = '', ...rest] = noun.args;
  if (word === 'help') return null;
  const verbs = namesOf(noun);
  const meaning = verbOf(word);
  // Geofences can also be imported.
  const verb = meaning === 'apply' && verbs.includes('import') ? 'import' : meaning;
  const found = hintFromTables(`${noun.name()} ${word}`, rest) ?? hintFromTables(`${noun.name()} ${verb}`, rest);
  if (found !== null) return found;
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
  const general = isVerb ? null : hintFromTables(word, rest);
  if (general !== null) return general;
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
  if (command.commands.length > 0) return verbHint(command);
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

/** Returns the hint of the tables for a word, or for a noun and a word; null without one. */
function hintFromTables(typed: string, rest: readonly string[]): string | null {
  const key = typed.toLowerCase();
  if (Object.hasOwn(answers, key)) return withWords(answers[key] ?? '', rest);
  const leads = Object.hasOwn(commandWords, key) ? (commandWords[key] ?? []) : [];
  // If no name was typed, commands without a name come first.
  const takesName = (lead: string) => Number(rest.length === 0 && lead.endsWith('…'));
  const sorted = leads.toSorted((a, b) => takesName(a) - takesName(b));
  return formatSuggestion(sorted.map((lead) => `fleet ${withWords(lead, rest)}`));
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
