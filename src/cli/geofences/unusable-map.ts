// The error for a map file that cannot be used.
import { type CliError, refusal } from '../errors/cli-error.js';

export function unusableMap(reason: string, hint: string, details: readonly string[] = []): CliError {
  return refusal(`The file cannot be used: ${reason}.`, { hint, details });
}
