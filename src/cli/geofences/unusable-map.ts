// The error for a map file that cannot be used.
import type { CliError } from '../errors/cli-error.js';
import { unusable } from '../errors/unusable.js';

export function unusableMap(reason: string, hint: string, details: readonly string[] = []): CliError {
  return unusable('file', reason, { undone: 'sent', hint, details });
}
