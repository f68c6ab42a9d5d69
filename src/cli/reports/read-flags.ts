// Reads the flags of a report: checks them against its inputs, and parses their values.
import { didYouMean } from '../../core/suggestions.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { isTooDeep, MAX_LEVELS } from '../parse/nesting.js';
import { yesOrNo } from '../parse/yes-or-no.js';
import type { ReportInput } from './report-inputs.js';

/** A flag as typed; null without a value. */
export interface TypedFlag {
  readonly flag: string;
  readonly value: string | null;
}

/** Returns the flags after the name of the report. Throws CliError USAGE for another word. */
export function typedFlags(words: readonly string[]): readonly TypedFlag[] {
  const flags: TypedFlag[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(word);
    if (!match) {
      throw refusal(`"${word}" is not expected here.`, {
        hint: 'Inputs of the report are flags: --vehicle "Truck 07". A name with spaces stands in quotes.',
      });
    }
    const [, flag = '', value] = match;
    const next = words[at + 1];
    if (value !== undefined) flags.push({ flag, value });
    else if (next === undefined || next.startsWith('--')) flags.push({ flag, value: null });
    else {
      flags.push({ flag, value: next });
      at++;
    }
  }
  return flags;
}

/**
 * Returns the values by input, in the order typed. Unknown flags get suggestions.
 * @throws CliError USAGE that lists every invalid flag
 */
export function valuesOf(
  report: string,
  inputs: readonly ReportInput[],
  typed: readonly TypedFlag[],
  commandFlags: readonly string[],
): ReadonlyMap<ReportInput, readonly unknown[]> {
  const values = new Map<ReportInput, unknown[]>();
  const problems: string[] = [];
  const names = inputs.flatMap(({ flags }) => flags.slice(0, 1).map((flag) => `--${flag}`));
  for (const { flag, value } of typed) {
    const no = /^no-(.*)$/.exec(flag)?.[1];
    const negated =
      no === undefined ? undefined : inputs.find(({ flags, type }) => type === 'yes or no' && flags.includes(no));
    const input = inputs.find(({ flags }) => flags.includes(flag)) ?? negated;
    if (!input) {
      // A flag of the command, such as --on, sets inputs that this report does not have.
      if (commandFlags.includes(`--${flag}`)) {
        problems.push(`The report has no input --${flag}.`);
        continue;
      }
      const own = inputs.flatMap(({ flags }) => flags.map((other) => `--${other}`));
      const near = didYouMean(`--${flag}`, [...own, ...commandFlags]);
      problems.push(`The report has no input --${flag}.${near ? ` ${near}` : ''}`);
      continue;
    }
    const read = negated ? { value: false } : readValue(input, value);
    if ('problem' in read) problems.push(`--${flag}: ${read.problem}.`);
    else if (!input.list && values.has(input)) problems.push(`--${flag} is given twice.`);
    else values.set(input, [...(values.get(input) ?? []), read.value]);
  }
  if (problems.length === 0) return values;
  throw new CliError('USAGE', `The report ${report} cannot be run with these flags.`, {
    undone: 'run',
    details: problems,
    hint: names.length === 0 ? 'It takes no inputs.' : `Its inputs are ${names.join(', ')}.`,
  });
}

type Read = { readonly value: unknown } | { readonly problem: string };

function readValue({ type, choices }: ReportInput, text: string | null): Read {
  if (text === null) return type === 'yes or no' ? { value: true } : { problem: 'its value is missing' };
  if (choices !== null) {
    const choice = choices.find((one) => one.toLowerCase() === text.toLowerCase());
    if (choice !== undefined) return { value: choice };
    return { problem: `give one of ${choices.join(', ')}` };
  }
  switch (type) {
    case 'number':
    case 'whole number': {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      const fits = type === 'number' ? Number.isFinite(value) : Number.isSafeInteger(value);
      return fits ? { value } : { problem: `give a ${type}` };
    }
    case 'yes or no': {
      const value = yesOrNo(text);
      return value === null ? { problem: 'give yes or no' } : { value };
    }
    case 'time of day': {
      const match = /^(\d{1,2}):([0-5]\d)$/.exec(text.trim());
      if (!match || Number(match[1]) > 24) return { problem: 'give a time of day such as 08:30' };
      return { value: `${(match[1] ?? '').padStart(2, '0')}:${match[2]}` };
    }
    case 'json':
      try {
        const value: unknown = JSON.parse(text);
        return isTooDeep(value) ? { problem: `it is nested deeper than ${MAX_LEVELS} levels` } : { value };
      } catch {
        return { problem: 'give JSON' };
      }
    default:
      return text.trim() === '' ? { problem: 'its value is empty' } : { value: text };
  }
}
