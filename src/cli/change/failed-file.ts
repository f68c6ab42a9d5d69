// The file of --failed: the lines that were not done, as they were given, to be given as --input again.
import { closeSync, ftruncateSync, openSync, statSync, writeFileSync } from 'node:fs';
import { CliError } from '../errors/cli-error.js';
import type { InputLine } from './read-input.js';

/**
 * Opens the file before anything is sent, so that one that cannot be written costs no results. Only its owner may read a new one:
 * the lines may hold what is private. What it held stays until the new lines are written.
 */
export function openUndone(file: string, input: string | undefined): (lines: readonly InputLine[]) => void {
  if (input !== undefined && isSame(file, input)) {
    throw new CliError('USAGE', '--failed names the file of --input. Nothing was sent.', {
      hint: 'Give it a name of its own: lines that are done, or of which nobody knows, would be lost from the input.',
    });
  }
  const opened = attempt(() => openSync(file, 'a', 0o600));
  return (lines) =>
    attempt(() => {
      try {
        truncate(opened);
        writeFileSync(opened, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      } finally {
        closeSync(opened);
      }
    });
}

/** A pipe or a device has no length. */
function truncate(opened: number): void {
  try {
    ftruncateSync(opened);
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'code') === 'EINVAL')) throw error;
  }
}

function isSame(one: string, other: string): boolean {
  try {
    // Under whatever name: links share the number of their file.
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw new CliError('USAGE', `The file of --failed cannot be written (${String(code)}).`, { cause: error });
  }
}
