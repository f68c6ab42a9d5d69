// The error for a map file that cannot be used.
import { CliError } from '../errors/cli-error.js';

export function unusableMap(reason: string, hint: string, details: readonly string[] = []): CliError {
  return new CliError('USAGE', `The file cannot be used: ${reason}. Nothing was sent.`, { hint, details });
}
