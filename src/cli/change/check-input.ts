// Checks an input against the contract before anything is sent. When the contract only guesses the members, an unknown member is just a
// warning, because the live service may accept it.

import { didYouMean } from '../../core/suggestions.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { isGuessed, type Member, membersOf } from './input-members.js';

/** `where` is the line number for messages, when there are many lines. */
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
    const suggestion = didYouMean(name, names);
    if (guessed) {
      context.warnings.push(
        `${where}"${name}" is not a known member of ${type}; it is sent as it is.${suggestion ? ` ${suggestion}` : ''}`,
      );
    } else {
      throw refused(`${where}${type} has no member "${name}"`, suggestion ?? `Its members are ${names.join(', ')}.`);
    }
  }
  for (const member of members) {
    const value = Object.hasOwn(input, member.name) ? input[member.name] : undefined;
    if (member.required && (value === undefined || value === null)) {
      throw refused(`${where}${member.name} is missing`, `${type} requires it.`);
    }
    if (!guessed && value !== undefined && value !== null && !fits(value, member)) {
      throw refused(
        `${where}${member.name} is not of type ${member.type.replaceAll('!', '')}`,
        `Give ${example(member)}.`,
      );
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

function example({ type }: Member): string {
  const plain = type.replaceAll('!', '');
  if (plain.startsWith('[')) return 'a list';
  if (plain === 'DateTime') return 'a time such as 2026-03-01T08:30:00Z';
  if (plain === 'Boolean') return 'true or false';
  if (plain === 'UUID' || plain === 'String') return 'a text in quotes';
  return plain === 'Int' || plain === 'Long' || plain === 'Float' ? 'a number' : 'an object';
}

function refused(reason: string, hint: string): CliError {
  return new CliError('USAGE', `The input cannot be used: ${reason}. Nothing was sent.`, { hint });
}
