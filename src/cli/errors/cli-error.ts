// The error class of the command line, for failures that the SDK does not report. exit-codes.ts maps it to an exit code.
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
  | 'TARGET'
  | 'UNEXPECTED';

/** One of several records that the user may have meant, as the values that distinguish it. */
export type Choice = Readonly<Record<string, string | null | undefined>>;

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode | FleetErrorCode;
  /** What to do next. */
  readonly hint: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  readonly operation: string | undefined;
  /** The service's own messages. */
  readonly details: readonly string[];
  /** Of code HTTP: the status of the answer. */
  readonly httpStatus: number | undefined;

  constructor(
    code: CliErrorCode | FleetErrorCode,
    message: string,
    more: {
      hint?: string | undefined;
      choices?: readonly Choice[] | undefined;
      operation?: string | undefined;
      details?: readonly string[] | undefined;
      httpStatus?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.hint = more.hint;
    this.choices = more.choices;
    this.operation = more.operation;
    this.details = more.details ?? [];
    this.httpStatus = more.httpStatus;
  }
}
