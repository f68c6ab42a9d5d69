// The error class of the command line, for failures that the SDK does not report. exit-codes.ts maps it to an exit code.
import type { Undone } from '../../core/error-facts.js';
import type { FleetErrorCode } from '../../core/errors.js';

export type CliErrorCode =
  | 'USAGE'
  | 'AMBIGUOUS_NAME'
  | 'CONFIGURATION'
  | 'USER_SELECTION'
  | 'AUTHENTICATION'
  | 'NOT_FOUND'
  | 'GRAPHQL'
  | 'IN_USE'
  | 'ABORTED'
  | 'UNEXPECTED';

/** One of several records that the user may have meant, as the values that distinguish it. */
export type Choice = Readonly<Record<string, string | null | undefined>>;

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode | FleetErrorCode;
  /** What is wrong: the message without the sentence about what was not done. */
  readonly problem: string;
  /** What to do next. */
  readonly hint: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  readonly operation: string | undefined;
  /** The service's own messages. */
  readonly details: readonly string[];
  /** What went wrong, where what was asked for is told already. */
  readonly reason: string;
  /** Of code HTTP: the status of the answer. */
  readonly httpStatus: number | undefined;

  constructor(
    code: CliErrorCode | FleetErrorCode,
    problem: string,
    more: {
      /** What has certainly not been done. */
      undone?: Undone | undefined;
      hint?: string | undefined;
      choices?: readonly Choice[] | undefined;
      operation?: string | undefined;
      details?: readonly string[] | undefined;
      reason?: string | undefined;
      httpStatus?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(
      more.undone === undefined ? problem : `${problem} Nothing was ${more.undone}.`,
      more.cause === undefined ? undefined : { cause: more.cause },
    );
    this.code = code;
    this.problem = problem;
    this.hint = more.hint;
    this.choices = more.choices;
    this.operation = more.operation;
    this.details = more.details ?? [];
    this.reason = more.reason ?? [this.message, ...this.details].join(' ');
    this.httpStatus = more.httpStatus;
  }
}

/** The error for words that cannot be used, before anything was sent. `problem` is one or more whole sentences. */
export function refusal(
  problem: string,
  more: { readonly hint?: string | undefined; readonly details?: readonly string[] | undefined } = {},
): CliError {
  return new CliError('USAGE', problem, { undone: 'sent', ...more });
}
