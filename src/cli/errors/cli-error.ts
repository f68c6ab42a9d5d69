// The error class of the command line. exit-codes.ts maps it to an exit code.
import type { ActionNotTaken } from '../../core/error-facts.js';
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

/** A candidate for an ambiguous name, as the values that distinguish it. */
export type Choice = Readonly<Record<string, string | null | undefined>>;

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode | FleetErrorCode;
  /** The message without the sentence on what was not done. */
  readonly problem: string;
  readonly hint: string | undefined;
  readonly choices: readonly Choice[] | undefined;
  readonly operation: string | undefined;
  /** Messages of the service. */
  readonly details: readonly string[];
  /** Message for contexts that already name the request. */
  readonly reason: string;
  /** For code HTTP. */
  readonly httpStatus: number | undefined;

  constructor(
    code: CliErrorCode | FleetErrorCode,
    problem: string,
    more: {
      /** Certainly not done, such as `sent`. */
      undone?: ActionNotTaken | undefined;
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

/** Returns the error for invalid input, before anything was sent. `problem`: whole sentences. */
export function refusal(
  problem: string,
  more: { readonly hint?: string | undefined; readonly details?: readonly string[] | undefined } = {},
): CliError {
  return new CliError('USAGE', problem, { undone: 'sent', ...more });
}
