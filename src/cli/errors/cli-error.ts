// The errors that the command line itself finds, before or beside those of the SDK. exit-codes.ts turns both into an
// exit code.
import type { FleetErrorCode } from '../../core/errors.js';

export type CliErrorCode =
  | 'USAGE'
  | 'AMBIGUOUS_NAME'
  | 'CONFIGURATION'
  | 'USER_SELECTION'
  | 'AUTHENTICATION'
  | 'NOT_FOUND'
  | 'GRAPHQL'
  | 'ABORTED'
  | 'UNEXPECTED';

/** One of the things that could have been meant, as the words that tell it from the others. */
export type Choice = Readonly<Record<string, string | null | undefined>>;

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode | FleetErrorCode;
  /** What to do next. */
  readonly hint: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  readonly operation: string | undefined;
  /** What the service itself said. */
  readonly details: readonly string[];

  constructor(
    code: CliErrorCode | FleetErrorCode,
    message: string,
    more: {
      hint?: string | undefined;
      choices?: readonly Choice[] | undefined;
      operation?: string | undefined;
      details?: readonly string[] | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint;
    this.choices = more.choices;
    this.operation = more.operation;
    this.details = more.details ?? [];
  }
}
