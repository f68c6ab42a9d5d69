// Holds an input to the contract before anything is sent. Of an input whose members are a guess only slips are told, as a
// warning: the live service may take what is not known here.

import { didYouMean } from '../../core/suggestions.js';
import { CliError } from '../errors/cli-error.js';
import type { Context } from '../run/context.js';
import { isGuessed, type Member, membersOf } from './input-members.js';

/** `where` names the line when there are many. */
export function checkInput(
  context: Context,
  type: string,
  input: Readonly<Record<string, unknown>>,
  where: string,
): void {
  const members = membersOf(type);
  const guessed = isGuessed(type);
  const names = members.map(({ name }) => name);
  for (const name of Object.keys(input)) {
    if (names.includes(name)) continue;
    const meant = didYouMean(name, names);
    if (guessed) {
      context.warnings.push(
        `${where}"${name}" is not a known member of ${type}; it is sent as it is.${meant ? ` ${meant}` : ''}`,
      );
    } else {
      throw refused(`${where}${type} has no member "${name}"`, meant ?? `It has ${names.join(', ')}.`);
    }
  }
  for (const member of members) {
    const value = Object.hasOwn(input, member.name) ? input[member.name] : undefined;
    if (member.required && (value === undefined || value === null)) {
      throw refused(`${where}${member.name} is missing`, `${type} needs it.`);
    }
    if (!guessed && value !== undefined && value !== null && !fits(value, member)) {
      throw refused(`${where}${member.name} is no ${member.type.replaceAll('!', '')}`, `Give ${examples(member)}.`);
    }
  }
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function fits(value: unknown, { type }: Member): boolean {
  const plain = type.replaceAll('!', '');
  if (plain.startsWith('[')) return Array.isArray(value);
  switch (plain) {
    case 'Boolean':
      return typeof value === 'boolean';
    case 'Int':
    case 'Long':
      return Number.isSafeInteger(value);
    case 'Float':
      return typeof value === 'number';
    case 'DateTime':
      return typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
    case 'UUID':
    case 'String':
      return typeof value === 'string';
    default:
      return typeof value === 'object';
  }
}

function examples({ type }: Member): string {
  const plain = type.replaceAll('!', '');
  if (plain.startsWith('[')) return 'a list';
  if (plain === 'DateTime') return 'a time such as 2026-03-01T08:30:00Z';
  if (plain === 'Boolean') return 'true or false';
  if (plain === 'UUID' || plain === 'String') return 'a text in quotes';
  return plain === 'Int' || plain === 'Long' || plain === 'Float' ? 'a number' : 'an object';
}

function refused(why: string, hint: string): CliError {
  return new CliError('USAGE', `The input cannot be used: ${why}. Nothing was sent.`, { hint });
}
