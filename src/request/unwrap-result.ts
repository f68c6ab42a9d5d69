// Turns the answer to a call into the caller's result: the value of the root field, or one error.
import type { OffContract } from '../core/error-facts.js';
import { errorOf } from '../core/error-messages.js';
import { type FailedCall, type GraphQLErrorEntry, ProtocolError } from '../core/errors.js';
import type { Notifier, Warning } from '../core/hooks.js';
import { isEmptyData, isObject } from '../core/json.js';
import type { OperationName } from '../generated/operation-table.js';
import type { CallAnswer } from './call.js';
import type { TimedCall } from './deadlines.js';
import { graphqlError } from './failure-error.js';
import type { RequestStep } from './steps.js';

/** By the contract, these operations return true or an error. */
const TRUE_RESULTS: readonly string[] = ['assignDriver', 'unassignDriver'] satisfies readonly OperationName[];

export interface ResultShape {
  readonly name: string;
  readonly list: boolean;
}

export const unwrap: RequestStep<TimedCall, unknown, TimedCall, CallAnswer> = (request, next) =>
  next(request).then(request.read);

/** Returns `data`. Throws on errors, unless `partial` is set and some data has arrived. */
export function unwrapData(name: string, answer: CallAnswer, partial: boolean, notifier: Notifier): unknown {
  const { data, errors } = answer;
  if (errors.length > 0) {
    if (!partial || isEmptyData(data)) throw graphqlError(errors, data, callOf(name, answer));
    notifier.warning(partialDataWarning(name, errors));
  }
  return data;
}

/**
 * Returns the value of the root field: a list without null rows, or a single value or null. Missing
 * data is reported as a warning.
 */
export function unwrapResult(
  { name, list }: ResultShape,
  answer: CallAnswer,
  partial: boolean,
  notifier: Notifier,
): unknown {
  const value = rootValue(name, answer, partial, notifier);
  if (!list) {
    if (TRUE_RESULTS.includes(name) && value !== true) throw offContractError('notTrue', name, answer);
    return value;
  }
  if (value !== null) return withoutNulls(name, value, answer, notifier);
  notifier.warning({
    code: 'NULL_LIST',
    operation: name,
    message: `${name} answered null instead of a list; the result is an empty list.`,
  });
  return [];
}

/**
 * Returns the rows of a list for a reader that draws conclusions from missing rows.
 * @throws {ProtocolError} when the service answered null instead of the list
 */
export function unwrapRows(name: string, answer: CallAnswer, partial: boolean, notifier: Notifier): unknown[] {
  const value = rootValue(name, answer, partial, notifier);
  if (value === null) throw nullListError(name, answer);
  return withoutNulls(name, value, answer, notifier);
}

export function nullListError(operation: string, answer: CallAnswer): ProtocolError {
  return errorOf(ProtocolError, { kind: 'nullList' }, callOf(operation, answer));
}

function rootValue(name: string, answer: CallAnswer, partial: boolean, notifier: Notifier): unknown {
  const data = unwrapData(name, answer, partial, notifier);
  const value = isObject(data) ? data[name] : undefined;
  if (value === undefined) throw offContractError('noMember', name, answer);
  return value;
}

function withoutNulls(name: string, value: unknown, answer: CallAnswer, notifier: Notifier): unknown[] {
  if (!Array.isArray(value)) throw offContractError('noList', name, answer);
  if (!value.includes(null)) return value;
  const rows: unknown[] = value.filter((row: unknown) => row !== null);
  notifier.warning(nullRowsWarning(name, value.length - rows.length, value.length));
  return rows;
}

export function nullRowsWarning(operation: string, nulls: number, all: number): Warning {
  const message = `${operation} answered ${nulls} null rows among ${all}; they are left out.`;
  return { code: 'NULL_ROWS', operation, message };
}

function offContractError(what: OffContract, operation: string, answer: CallAnswer): ProtocolError {
  return errorOf(ProtocolError, { kind: 'offContract', what }, callOf(operation, answer));
}

function callOf(operation: string, { attempts, ids }: CallAnswer): FailedCall {
  return { operation, attempts, ...ids?.() };
}

/** `errors` is not enumerable: logging the event does not log the service's messages. */
function partialDataWarning(name: string, errors: readonly GraphQLErrorEntry[]) {
  const event = {
    code: 'PARTIAL_DATA' as const,
    operation: name,
    message: `${name} answered with data and ${errors.length} GraphQL error(s); the data is returned.`,
  };
  return Object.defineProperty(event, 'errors', { value: errors, enumerable: false });
}
