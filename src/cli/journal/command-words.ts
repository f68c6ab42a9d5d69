// Returns the words of a command for the journal, without global options and possible secrets.
import type { Command } from 'commander';
import { isSecretName } from './secrets.js';

/** Commands with tokens, or with documents and variables of the user. */
const secretive: ReadonlySet<string> = new Set(['tokens', 'api']);

/** Returns the words of a command. `filters`: the values of --filter. */
export function wordsForJournal(command: Command, filters: readonly string[], hasSecret: boolean): string {
  const path = pathOf(command);
  const values = [...command.args, ...filters, ...Object.values(command.opts()).flat()];
  const isSecretive = hasSecret || secretive.has(path[0] ?? '') || values.some((one) => isSecretName(String(one)));
  const flags = command.options.flatMap((option): readonly string[] => {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    const flag = value === false ? `--no-${option.name().replace(/^no-/, '')}` : (option.long ?? option.flags);
    // An option and its negation share one value.
    if (typeof value === 'boolean') return option.negate === !value ? [flag] : [];
    const values = (Array.isArray(value) ? value : [value]).filter((one) => ['string', 'number'].includes(typeof one));
    return isSecretive ? [flag] : values.flatMap((one) => [flag, quoted(String(one))]);
  });
  const names = isSecretive ? [] : command.args.map(quoted);
  const chosen = filters.flatMap((one) => (isSecretive ? ['--filter'] : ['--filter', quoted(one)]));
  return [...path, ...names, ...flags, ...chosen].join(' ');
}

function pathOf(command: Command): readonly string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

function quoted(word: string): string {
  return /^[\w./:@,+=-]+$/.test(word) ? word : JSON.stringify(word);
}
