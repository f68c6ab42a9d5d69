// Errors for invalid map files.
import type { CliError } from '../errors/cli-error.js';
import { unusable } from '../errors/unusable.js';

export function unusableMap(reason: string, hint: string, details: readonly string[] = []): CliError {
  return unusable('file', reason, { undone: 'sent', hint, details });
}

export function zippedMap(): CliError {
  return unusableMap('it is a ZIP archive', 'A KMZ file contains a KML file: unpack it and give that one.');
}
