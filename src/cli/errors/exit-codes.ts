// Maps every error to an exit code. The texts of SDK errors are in error-messages.ts.
import { CommanderError } from 'commander';
import { classificationOf, FleetError, type FleetErrorCode, type GraphQLErrorEntry } from '../../core/errors.js';
import { isTransient } from '../../core/http-status.js';
import { REPEATED_FLAG } from '../help/documented-command.js';
import { type Choice, CliError, type CliErrorCode } from './cli-error.js';
import { hintFor, messageFor, type WordingSettings } from './error-messages.js';

export interface CommandFailure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  /** Messages of the service. */
  readonly details: readonly string[];
  /** Message for contexts that already name the request. */
  readonly reason: string;
  readonly operation: string | null;
  /** Id of the failed request at the service. */
  readonly responseId: string | null;
  readonly hint: string | null;
  readonly choices: readonly Choice[] | undefined;
  readonly error: unknown;
}

const exitCodes: Readonly<Record<FleetErrorCode | CliErrorCode, number>> = {
  UNEXPECTED: 1,
  SYNC_TARGET: 1,
  TRANSPORT: 1,
  CLOSED: 1,
  HEADERS: 1,
  USAGE: 2,
  AMBIGUOUS_NAME: 2,
  INVALID_INPUT: 2,
  CONFIGURATION: 3,
  TOKEN_STORE: 3,
  USER_SELECTION: 3,
  AUTHENTICATION: 4,
  CREDENTIALS: 4,
  SESSION_EXPIRED: 4,
  NOT_FOUND: 5,
  GRAPHQL: 6,
  HTTP: 6,
  PROTOCOL: 6,
  RESPONSE_TOO_LARGE: 6,
  INCOMPLETE_STREAM: 6,
  RATE_LIMIT: 7,
  QUEUE_FULL: 7,
  IN_USE: 7,
  NETWORK: 8,
  TIMEOUT: 8,
  GATE: 8,
  AMBIGUOUS_MUTATION: 9,
  ABORTED: 130,
};

export const DIFFERENCES = 10;

/** Returns the failure of a command. `timeoutMs`: value of --timeout. `proxy`: host and port. */
export function commandFailureOf(
  error: unknown,
  interrupted: boolean,
  timeoutMs?: number,
  proxy: string | null = null,
): CommandFailure {
  const settings = { timeoutMs, proxy };
  if (interrupted || isAbort(error)) return interruption(error, settings);
  if (error instanceof CommanderError) return usageFailure(error);
  if (isClosedPipe(error)) return failure('CLOSED_PIPE', 0, 'The reader closed the pipe.', error);
  if (error instanceof CliError) {
    return {
      ...failure(error.code, exitCodeOf(error.code, error.httpStatus ?? null), error.message, error),
      details: error.details,
      reason: error.reason,
      operation: error.operation ?? null,
      hint: error.hint ?? null,
      choices: error.choices,
    };
  }
  if (isStackOverflow(error)) {
    const text = 'The service sent a value that is nested too deeply to be printed.';
    return { ...failure('PROTOCOL', exitCodes.PROTOCOL, text, error), hint: 'Ask for fewer fields with --fields.' };
  }
  if (!FleetError.is(error)) {
    const message = error instanceof Error ? error.message : String(error);
    const unexpected = failure('UNEXPECTED', exitCodes.UNEXPECTED, `Unexpected error: ${message}`, error);
    return { ...unexpected, hint: 'Run it again with --verbose to see the stack trace.' };
  }
  // Errors of the command line while reading credentials have their own texts.
  if (error.code === 'CREDENTIALS' && error.cause instanceof CliError) {
    return commandFailureOf(error.cause, interrupted, timeoutMs, proxy);
  }
  const message = messageFor(error, settings);
  const serviceMessages = error.code === 'GRAPHQL' || error.code === 'HTTP' ? error.serviceErrors : [];
  const details = messagesOf(serviceMessages);
  const isNotFound =
    serviceMessages.length > 0 && serviceMessages.every((entry) => classificationOf(entry) === 'NOT_FOUND');
  const code = isNotFound ? 'NOT_FOUND' : error.code;
  return {
    ...failure(code, exitCodeOf(code, error.code === 'HTTP' ? error.status : null), message, error),
    details,
    reason:
      error.code === 'GRAPHQL' && serviceMessages.length > 0
        ? shortMessageOf(serviceMessages)
        : [message, ...details].join(' '),
    operation: error.operation,
    responseId: error.responseId,
    hint: hintFor(error, settings),
    choices: error.code === 'USER_SELECTION' ? error.choices.map((user) => ({ ...user })) : undefined,
  };
}

/** True when a named record does not exist, by the service or by the command. */
export function isNotFound(error: unknown): boolean {
  return commandFailureOf(error, false).code === 'NOT_FOUND';
}

/** True when a failed change may have been made: no response rules it out. */
export function mayHaveApplied(error: unknown): boolean {
  const { code } = commandFailureOf(error, false);
  // An error inside a result proves that there is a result.
  if (FleetError.is(error) && error.code === 'GRAPHQL')
    return error.serviceErrors.some(({ path }) => (path?.length ?? 0) > 1);
  if (code === 'HTTP') return FleetError.is(error) && error.code === 'HTTP' && error.status >= 500;
  return ['AMBIGUOUS_MUTATION', 'PROTOCOL', 'RESPONSE_TOO_LARGE', 'UNEXPECTED'].includes(code);
}

/** Returns the exit code. A service that is temporarily down counts as a network failure. */
function exitCodeOf(code: FleetErrorCode | CliErrorCode, status: number | null): number {
  return code === 'HTTP' && status !== null && isTransient(status) ? exitCodes.NETWORK : exitCodes[code];
}

function failure(code: string, exitCode: number, message: string, error: unknown): CommandFailure {
  return {
    exitCode,
    code,
    message,
    details: [],
    reason: message,
    operation: null,
    responseId: null,
    hint: null,
    choices: undefined,
    error,
  };
}

/** Returns the failure of an interrupt, with the request if it may have changed something. */
function interruption(error: unknown, settings: WordingSettings): CommandFailure {
  const aborted = failure('ABORTED', 130, 'Interrupted.', error);
  if (error instanceof CliError && error.code === 'ABORTED') return { ...aborted, hint: error.hint ?? null };
  if (!FleetError.is(error) || error.code !== 'AMBIGUOUS_MUTATION') return aborted;
  const message = `Interrupted. ${messageFor(error, settings)}`;
  const { operation, responseId } = error;
  return { ...aborted, message, reason: message, operation, responseId, hint: hintFor(error, settings) };
}

/** Returns the failure of commander, which also throws after help and version. */
function usageFailure(error: CommanderError): CommandFailure {
  if (error.exitCode === 0 || error.code === 'commander.help') return failure('HELP', 0, '', error);
  const serviceMessages = error.message.replace(/^error: /, '');
  // The value after the name may be a secret.
  const message = error.code === 'commander.unknownOption' ? serviceMessages.replace(/=.*(?=')/s, '') : serviceMessages;
  return {
    ...failure(
      'USAGE',
      exitCodes.USAGE,
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
      error,
    ),
    hint: usageHint(error),
  };
}

function usageHint({ code }: CommanderError): string {
  if (code === REPEATED_FLAG) return 'Only one of its values would count: leave out the other.';
  return code === 'commander.unknownCommand'
    ? '`fleet --help` lists the commands, and `fleet <command> --help` its verbs and flags.'
    : 'Add --help to see the arguments and flags of the command.';
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'EPIPE';
}

/** Returns one line per GraphQL error. */
export function messagesOf(errors: readonly GraphQLErrorEntry[]): readonly string[] {
  return errors.map((entry) => messageAt(entry, 1));
}

/** Returns all messages in one line, without paths that only name the operation. */
export function shortMessageOf(errors: readonly GraphQLErrorEntry[]): string {
  return errors.map((entry) => messageAt(entry, 2)).join(' ');
}

/** Returns the message, with its path if that is long enough. Entries may have any form. */
function messageAt(entry: Partial<GraphQLErrorEntry> | null, members: number): string {
  const path = Array.isArray(entry?.path) && entry.path.length >= members ? ` (at ${entry.path.join('.')})` : '';
  return `${entry?.message ?? 'no message'}${path}`;
}

/** True for JSON that was parsed, but is too deep to print. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
