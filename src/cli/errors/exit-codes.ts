// Maps every error to an exit code. The texts for SDK errors are in error-messages.ts.
import { CommanderError } from 'commander';
import type { FleetErrorCode, GraphQLErrorEntry } from '../../core/errors.js';
import { isTransient } from '../../core/http-status.js';
import { type Choice, CliError, type CliErrorCode } from './cli-error.js';
import { type Facts, hintFor, messageFor } from './error-messages.js';

export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  /** The service's own messages. */
  readonly details: readonly string[];
  readonly operation: string | null;
  readonly hint: string | null;
  readonly choices: readonly Choice[] | undefined;
  readonly error: unknown;
}

const exitCodes: Readonly<Record<FleetErrorCode | CliErrorCode, number>> = {
  UNEXPECTED: 1,
  TARGET: 1,
  TRANSPORT: 1,
  USAGE: 2,
  AMBIGUOUS_NAME: 2,
  INVALID_INPUT: 2,
  CONFIGURATION: 3,
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
  NETWORK: 8,
  TIMEOUT: 8,
  AMBIGUOUS_MUTATION: 9,
  ABORTED: 130,
};

/** `timeoutMs` is the value of --timeout; `proxy` the host and port that requests go through. */
export function failureOf(
  error: unknown,
  interrupted: boolean,
  timeoutMs?: number,
  proxy: string | null = null,
): Failure {
  if (interrupted || isAbort(error)) return interruption(error, timeoutMs);
  if (error instanceof CommanderError) return usageFailure(error);
  if (isClosedPipe(error)) return failure('CLOSED_PIPE', 0, 'The reader closed the pipe.', error);
  if (error instanceof CliError) {
    return {
      ...failure(error.code, exitCodeOf(error.code, error.httpStatus ?? null), error.message, error),
      details: error.details,
      operation: error.operation ?? null,
      hint: error.hint ?? null,
      choices: error.choices,
    };
  }
  if (isStackOverflow(error)) {
    const text = 'The service sent a value that is nested too deeply to be printed.';
    return { ...failure('PROTOCOL', exitCodes.PROTOCOL, text, error), hint: 'Ask for fewer fields with --fields.' };
  }
  const code = codeOf(error);
  if (code === null || !(error instanceof Error)) {
    const message = error instanceof Error ? error.message : String(error);
    const unexpected = failure('UNEXPECTED', exitCodes.UNEXPECTED, `Unexpected error: ${message}`, error);
    return { ...unexpected, hint: 'Run it again with --verbose to see the stack trace.' };
  }
  const facts = { ...factsOf(error, code, timeoutMs), proxy };
  return {
    ...failure(code, exitCodeOf(code, facts.status), messageFor(facts), error),
    details: messagesOf(Reflect.get(error, 'serviceErrors')),
    operation: facts.operation,
    hint: hintFor(facts),
    choices: facts.choices,
  };
}

/** A gateway or a service that is down for the moment: trying again later may help, as with an unreachable one. */
function exitCodeOf(code: FleetErrorCode | CliErrorCode, status: number | null): number {
  return code === 'HTTP' && status !== null && isTransient(status) ? exitCodes.NETWORK : exitCodes[code];
}

function factsOf(error: Error, code: FleetErrorCode, timeoutMs: number | undefined): Facts {
  const operation: unknown = Reflect.get(error, 'operation');
  const attempts: unknown = Reflect.get(error, 'attempts');
  const status: unknown = Reflect.get(error, 'status');
  const waitedFor: unknown = Reflect.get(error, 'waitedFor');
  return {
    code,
    message: error.message,
    operation: typeof operation === 'string' ? operation : null,
    attempts: typeof attempts === 'number' ? attempts : 0,
    waitedFor: typeof waitedFor === 'string' ? waitedFor : null,
    status: typeof status === 'number' ? status : null,
    choices: choicesOf(Reflect.get(error, 'choices')),
    reason: reasonIn(error),
    // The SDK knows more of the request and of what the service said.
    mayNeedTls: error.message.includes('must begin with https://'),
    isDrift: error.message.includes('fleet schema check'),
    timeoutMs,
    proxy: null,
  };
}

/** The cause of an SDK error holds its code and nothing else. */
function reasonIn(error: Error): string | null {
  const code: unknown = error.cause instanceof Error ? Reflect.get(error.cause, 'code') : undefined;
  return typeof code === 'string' ? code : null;
}

function failure(code: string, exitCode: number, message: string, error: unknown): Failure {
  return { exitCode, code, message, details: [], operation: null, hint: null, choices: undefined, error };
}

/** An interrupted request is mentioned only when it may have changed something. */
function interruption(error: unknown, timeoutMs: number | undefined): Failure {
  const aborted = failure('ABORTED', 130, 'Interrupted.', error);
  if (error instanceof CliError && error.code === 'ABORTED') return { ...aborted, hint: error.hint ?? null };
  if (!(error instanceof Error) || codeOf(error) !== 'AMBIGUOUS_MUTATION') return aborted;
  const facts = factsOf(error, 'AMBIGUOUS_MUTATION', timeoutMs);
  return { ...aborted, message: `Interrupted. ${messageFor(facts)}`, operation: facts.operation, hint: hintFor(facts) };
}

/** Commander also throws after it has printed help or the version, which is not a failure. */
function usageFailure(error: CommanderError): Failure {
  if (error.exitCode === 0 || error.code === 'commander.help') return failure('HELP', 0, '', error);
  const [firstLine = '', suggestion] = error.message.split('\n');
  const message = firstLine.replace(/^error: /, '');
  return {
    ...failure(
      'USAGE',
      exitCodes.USAGE,
      `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.'),
      error,
    ),
    hint: suggestion?.replace(/^\((.*)\)$/, '$1') ?? wayOut(error),
  };
}

/** An unknown command has no help of its own. */
function wayOut({ code }: CommanderError): string {
  return code === 'commander.unknownCommand'
    ? '`fleet --help` lists the commands, and `fleet <command> --help` what belongs to one.'
    : 'Add --help to see the arguments and flags of the command.';
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === 'EPIPE';
}

function codeOf(error: unknown): FleetErrorCode | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && isFleetCode(code) ? code : null;
}

function isFleetCode(code: string): code is FleetErrorCode {
  return Object.hasOwn(exitCodes, code);
}

/** The service's messages, one line per GraphQL error. */
export function messagesOf(errors: unknown): readonly string[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((entry: Partial<GraphQLErrorEntry> | null) => {
    const path = Array.isArray(entry?.path) ? ` (at ${entry.path.join('.')})` : '';
    return `${entry?.message ?? 'no message'}${path}`;
  });
}

function choicesOf(choices: unknown): readonly Choice[] | undefined {
  if (!Array.isArray(choices)) return undefined;
  // The choices of SDK errors, such as FleetUser, are flat records of texts.
  return choices.filter((choice): choice is Choice => typeof choice === 'object' && choice !== null);
}

/** JSON is parsed at any depth, and printed only up to the depth of the stack. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}
