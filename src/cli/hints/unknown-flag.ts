// Builds the hint for an unknown flag: a flag of the command, or the commands that have it.
import type { Command } from 'commander';
import { closestNames, editDistance } from '../../core/suggestions.js';
import { formatSuggestion, isPlain, joinNames, withWords } from '../errors/format-hint.js';
import { acceptedOptions, pathOf } from '../help/global-use.js';
import { flagAnswers, flagWords, likelyCommands } from './synonyms.js';

const MOST_OWNERS = 3;

/** Returns the hint; null without one. */
export async function flagHint(
  command: Command,
  program: Command,
  loadAll: () => Promise<Command>,
): Promise<string | null> {
  const at = command.args.findIndex((word) => word.length > 1 && word.startsWith('-'));
  const [flag = '', attached] = (command.args[at] ?? '').split(/=(.*)/s);
  const value = [attached ?? command.args[at + 1] ?? ''].filter(isPlain);
  const words = command.args.slice(0, at).filter(isPlain);
  const explanation = argumentHint(flag, command, words, value) ?? explanationOf(flag, command, words, value);
  if (explanation !== null) return explanation;

  const names = acceptedOptions(command).flatMap(({ short, long }) =>
    [long, short].filter((name) => name !== undefined),
  );
  const synonyms = [flagWords[flag] ?? []].flat();
  const synonym = synonyms.find((lead) => names.includes(flagOf(lead)));
  if (synonym !== undefined) {
    const hint = formatSuggestion([withWords(synonym, value)]);
    // The flag needs a command.
    const isAlone = !program.commands.some((noun) => program.args.includes(noun.name()));
    return isAlone && synonym.startsWith('-o ')
      ? `${hint} It belongs to a command: \`fleet vehicles list ${synonym}\`.`
      : hint;
  }
  if (!flag.startsWith('--')) return null;

  const longNames = [...names.filter((name) => name.startsWith('--')), '--help'];
  const near = closestNames(flag, longNames);
  const isTypo = (name: string) => editDistance(flag, name) === 1;
  const all = commandsBelow(await loadAll());
  // Short names are near too many others.
  const misspelt = flag.length < 7 ? [] : closestNames(flag, all.flatMap(flagsOf)).filter(isTypo);
  // A flag of the command is likelier than a similar one of another.
  const elsewhere = near.some(isTypo) ? [] : [...synonyms, ...misspelt];
  for (const lead of [flag, ...elsewhere]) {
    const owners = all.filter((other) => flagsOf(other).includes(flagOf(lead)));
    if (owners.length === 0) continue;
    const place = `belongs to ${nameOwners(owners, command, program)}.`;
    if (lead !== flag) return `${formatSuggestion([withWords(lead, value)])} It ${place}`;
    return near.some(isTypo) ? `${formatSuggestion(near)} ${flag} ${place}` : `${flag} ${place}`;
  }
  return formatSuggestion(near);
}

/** Returns the hint for a flag with the name of an argument. */
function argumentHint(
  flag: string,
  command: Command,
  words: readonly string[],
  [value = '…']: readonly string[],
): string | null {
  const { registeredArguments } = command;
  const place = registeredArguments.findIndex((one) => [`--${one.name()}`, `--${one.name()}s`].includes(flag));
  const argument = registeredArguments[place];
  if (argument === undefined) return null;
  const typed = [...registeredArguments.slice(0, place).map((_, index) => words[index] ?? '…'), value];
  return `Give the ${argument.name()} without a flag: \`fleet ${pathOf(command)} ${typed.map((word) => `"${word}"`).join(' ')}\`.`;
}

function explanationOf(
  flag: string,
  command: Command,
  [name = 'Truck 07']: readonly string[],
  value: readonly string[],
): string | null {
  const [noun] = pathOf(command).split(' ');
  const text = flagAnswers[`${noun} ${flag}`] ?? flagAnswers[flag];
  return text === undefined ? null : text.replaceAll('…', value[0] ?? '…').replace('$name', name);
}

/** Names the likeliest owners: typed ones, else ones that also only read, and of the same noun. */
function nameOwners(owners: readonly Command[], command: Command, program: Command): string {
  const [noun] = pathOf(command).split(' ');
  const rank = (owner: Command) => {
    const words = pathOf(owner).split(' ');
    if (command.commands.length > 0 && words.every((word) => program.args.includes(word))) return 0;
    return 1 + Number(isChange(owner) !== isChange(command)) + Number(words[0] !== noun);
  };
  const best = Math.min(...owners.map(rank));
  const paths = owners.filter((owner) => rank(owner) === best).map(pathOf);
  const sorted = [...new Set([...likelyCommands.filter((path) => paths.includes(path)), ...paths])];
  const named = sorted.slice(0, MOST_OWNERS).map((path) => `\`fleet ${path}\``);
  return joinNames(sorted.length > named.length ? [...named, 'others'] : named, 'and');
}

function isChange(command: Command): boolean {
  return flagsOf(command).includes('--yes');
}

/** Returns the flag of a lead such as `--on yesterday`. */
function flagOf(lead: string): string {
  return lead.split(' ')[0] ?? '';
}

function flagsOf({ options }: Command): readonly string[] {
  return options.flatMap(({ long, hidden }) => (long && !hidden ? long : []));
}

function commandsBelow(command: Command): readonly Command[] {
  return command.commands
    .filter((below) => !below.name().startsWith('__'))
    .flatMap((below) => [below, ...commandsBelow(below)]);
}
