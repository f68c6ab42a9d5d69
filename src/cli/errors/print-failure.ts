// Tells a failure on stderr: for people, or as exactly one line of JSON.

import { colorsFor } from '../output/colors.js';
import { jsonText } from '../output/json.js';
import { plainLines, plainText } from '../output/plain-text.js';
import type { Io } from '../run/io.js';
import type { Choice } from './cli-error.js';
import type { Failure } from './exit-codes.js';

/** Each once, however often it came up. */
export function reportWarnings(warnings: readonly string[], io: Io): void {
  if (warnings.length === 0) return;
  const colors = colorsFor(io.stderr, io.env);
  for (const warning of new Set(warnings)) io.stderr.write(`${colors.yellow('warning:')} ${plainText(warning)}\n`);
}

/** The failure with the warnings before its hint, for where they cannot be told by themselves. */
export function withWarnings(failure: Failure, warnings: readonly string[]): Failure {
  if (warnings.length === 0) return failure;
  return { ...failure, hint: [...new Set(warnings), failure.hint].filter((text) => text !== null).join(' ') };
}

export function reportFailure(
  failure: Failure,
  io: Io,
  how: { readonly json: boolean; readonly stack: boolean },
): void {
  if (how.json) {
    const { code, operation, exitCode, hint, choices } = failure;
    const message = [failure.message, ...failure.details].join(' ');
    const error = { code, message, operation, exitCode, hint, ...(choices === undefined ? {} : { choices }) };
    io.stderr.write(`${jsonText({ error }, 0, io.stderr.isTTY === true)}\n`);
    return;
  }
  const colors = colorsFor(io.stderr, io.env);
  const lines = [
    `${colors.red('error:')} ${plainLines(failure.message)}`,
    ...failure.details.map((detail) => `  ${plainText(detail)}`),
    ...choiceLines(failure.choices ?? []),
  ];
  if (failure.hint !== null) lines.push(`${colors.dim('hint:')} ${plainText(failure.hint)}`);
  if (how.stack && failure.code === 'UNEXPECTED' && failure.error instanceof Error) {
    lines.push(plainLines(failure.error.stack ?? ''));
  }
  io.stderr.write(`${lines.join('\n')}\n`);
}

/** More than this tells people nothing; JSON has them all. */
const mostChoices = 20;

/** The choices under each other, with their parts aligned. */
function choiceLines(all: readonly Choice[]): readonly string[] {
  const choices = all.slice(0, mostChoices);
  const names = [...new Set(choices.flatMap((choice) => Object.keys(choice)))];
  const rows = choices.map((choice) => names.map((name) => plainText(choice[name] ?? '')));
  const widths = names.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  if (all.length > choices.length) lines.push(`and ${all.length - choices.length} more`);
  return lines.map((line) => `  ${line}`.trimEnd());
}
