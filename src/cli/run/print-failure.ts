// Prints a failure on stderr: as text for people, or as exactly one line of JSON.
import type { Choice } from '../errors/cli-error.js';
import type { CommandFailure } from '../errors/exit-codes.js';
import { colorsFor } from '../io/colors.js';
import type { Io } from '../io/io.js';
import { plainLines, plainText } from '../io/plain-text.js';
import { wrapFor } from '../io/wrap.js';
import { printedJson } from '../output/json.js';

/** Maximum number of choices in an error message for people; JSON lists all. */
const MAX_CHOICES_SHOWN = 20;

/** Prints the remarks that were deferred to the end. */
export function reportRemarks(remarks: readonly string[], io: Io): void {
  for (const remark of remarks) io.stderr.write(`${wrapFor(io.stderr, plainText(remark))}\n`);
}

export function reportWarnings(warnings: readonly string[], io: Io): void {
  if (warnings.length === 0) return;
  const colors = colorsFor(io.stderr, io.env);
  for (const warning of new Set(warnings)) {
    io.stderr.write(`${wrapFor(io.stderr, `${colors.yellow('warning:')} ${plainText(warning)}`)}\n`);
  }
}

/** Adds the warnings to the hint, for JSON, where they cannot be separate lines. */
export function withWarnings(failure: CommandFailure, warnings: readonly string[]): CommandFailure {
  if (warnings.length === 0) return failure;
  return { ...failure, hint: [...new Set(warnings), failure.hint].filter((text) => text !== null).join(' ') };
}

export function reportFailure(
  failure: CommandFailure,
  io: Io,
  how: { readonly json: boolean; readonly stack: boolean },
): void {
  if (how.json) {
    const { code, operation, responseId, exitCode, hint, choices } = failure;
    const message = [failure.message, ...failure.details].join(' ');
    const named = responseId === null ? {} : { responseId };
    const error = { code, message, operation, ...named, exitCode, hint, ...(choices === undefined ? {} : { choices }) };
    io.stderr.write(`${printedJson({ error }, 0, io.stderr.isTTY === true)}\n`);
    return;
  }
  const colors = colorsFor(io.stderr, io.env);
  const lines = [
    `${colors.red('error:')} ${plainLines(failure.message)}`,
    ...failure.details.map((detail) => `  ${plainText(detail)}`),
    ...choiceLines(failure.choices ?? []),
  ];
  if (failure.hint !== null) lines.push(`${colors.dim('hint:')} ${plainText(failure.hint)}`);
  const bug = how.stack ? bugIn(failure) : null;
  const stack = bug === null ? '' : `${plainLines(bug.stack ?? '')}\n`;
  io.stderr.write(`${wrapFor(io.stderr, lines.join('\n'))}\n${stack}`);
}

function choiceLines(all: readonly Choice[]): readonly string[] {
  const choices = all.slice(0, MAX_CHOICES_SHOWN);
  const names = [...new Set(choices.flatMap((choice) => Object.keys(choice)))];
  const rows = choices.map((choice) => names.map((name) => plainText(choice[name] ?? '')));
  const widths = names.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  if (all.length > choices.length) lines.push(`and ${all.length - choices.length} more`);
  return lines.map((line) => `  ${line}`.trimEnd());
}

/** Returns the exception of a bug; null for every other failure. */
function bugIn({ code, error }: CommandFailure): Error | null {
  const thrown = code === 'TRANSPORT' && error instanceof Error ? error.cause : code === 'UNEXPECTED' ? error : null;
  return thrown instanceof Error ? thrown : null;
}
