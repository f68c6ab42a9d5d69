// Checks an input against the contract before anything is sent. For a guessed type an unknown
// member is only a warning, unless it is similar to a known one.

import { isDateTime } from '../../core/dates.js';
import { isObject } from '../../core/json.js';
import { closestNames, didYouMean } from '../../core/suggestions.js';
import type { ReportingRun } from '../context/context.js';
import { isGuessed, type Member, membersOf } from '../records/input-members.js';
import { unusableInput } from './read-input.js';

/** Checks an input and its nested objects; throws CliError USAGE. `where` is for messages. */
export function checkInput(
  run: ReportingRun,
  type: string,
  input: Readonly<Record<string, unknown>>,
  where: string,
): void {
  const members = membersOf(type);
  const guessed = isGuessed(type);
  const names = members.map(({ name }) => name);
  const unknown = Object.keys(input).filter((name) => !names.includes(name));
  const isWrong = (name: string) => !guessed || closestNames(name, names).length > 0;
  const wrong = unknown.filter(isWrong);
  if (wrong.length > 0) {
    const hints = wrong.flatMap((name) => didYouMean(name, names) ?? []);
    throw unusableInput(
      `${where}${type} has no member ${wrong.map((name) => `"${name}"`).join(' and no ')}`,
      hints.length > 0 ? hints.join(' ') : `Its members are ${names.join(', ')}.`,
    );
  }
  for (const name of unknown) {
    run.report.warn(`${where}"${name}" is not a known member of ${type}; it is sent as it is.`);
  }
  for (const member of members) {
    const value = Object.hasOwn(input, member.name) ? input[member.name] : undefined;
    if (member.required && unknown.length === 0 && (value === undefined || value === null)) {
      throw unusableInput(`${where}${member.name} is missing`, `${type} requires it.`);
    }
    if (!guessed && value !== undefined && value !== null && !fits(value, member)) {
      throw unusableInput(
        `${where}${member.name} is not of type ${member.type.replaceAll('!', '')}`,
        `Give ${example(member)}.`,
      );
    }
    for (const below of objectsIn(value)) {
      const inner = member.type.replace(/[[\]!]/g, '');
      if (membersOf(inner).length > 0) checkInput(run, inner, below, `${where}${member.name}: `);
    }
  }
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter(isObject);
}

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
      return typeof value === 'string' && isDateTime(value);
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
