// From the answer to a call to what the caller gets: the value of the root field, or one error.
import type { OffContract } from '../core/error-facts.js';
import { messageOf } from '../core/error-messages.js';
import { type FailedCall, type GraphQLErrorEntry, ProtocolError } from '../core/errors.js';
import type { Notifier, Warning } from '../core/hooks.js';
import type { CallAnswer } from './call.js';
import type { TimedCall } from './deadlines.js';
import { graphqlError } from './failure-error.js';
import type { RequestStep } from './steps.js';

/** What is needed to know of an operation. */
export interface ResultShape {
  readonly name: string;
  readonly list: boolean;
}

/** The step: gives the caller what it makes of the answer. */
export const unwrap: RequestStep<TimedCall, unknown, TimedCall, CallAnswer> = (request, next) =>
  next(request).then(request.read);

/** `data` as the service sent it. Throws when there are errors, unless the caller accepts partial data. */
export function unwrapData(name: string, answer: CallAnswer, partial: boolean, notifier: Notifier): unknown {
  const { data, errors } = answer;
  if (errors.length > 0) {
    if (!partial || data === null) throw graphqlError(errors, data, callOf(name, answer));
    notifier.warning(partialData(name, errors));
  }
  return data;
}

/**
 * The value of the root field: a list, never null and without null rows, or a single value, null when there is none. What is missing
 * is reported as a warning.
 */
export function unwrapResult(
  operation: ResultShape,
  answer: CallAnswer,
  partial: boolean,
  notifier: Notifier,
): unknown {
  const { name } = operation;
  const data = unwrapData(name, answer, partial, notifier);
  const value = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  if (value === undefined) throw offContract('noMember', name, answer);
  if (!operation.list) return value;
  if (value === null) {
    // An error that names the list has been reported already.
    if (answer.errors.some(({ path }) => path?.[0] === name)) return [];
    notifier.warning({
      code: 'NULL_LIST',
      operation: name,
      message: `${name} answered null instead of a list; the result is an empty list.`,
    });
    return [];
  }
  if (!Array.isArray(value)) throw offContract('noList', name, answer);
  if (!value.includes(null)) return value;
  const rows: unknown[] = value.filter((row: unknown) => row !== null);
  notifier.warning(nullRows(name, value.length - rows.length, value.length));
  return rows;
}

/** The warning about an answer of which some rows were null. */
export function nullRows(operation: string, nulls: number, all: number): Warning {
  const message = `${operation} answered ${nulls} null rows among ${all}; they are left out.`;
  return { code: 'NULL_ROWS', operation, message };
}

function offContract(what: OffContract, operation: string, answer: CallAnswer): ProtocolError {
  const facts = { kind: 'offContract', what } as const;
  const call = callOf(operation, answer);
  return new ProtocolError(messageOf(facts, call), { ...call, facts });
}

function callOf(operation: string, { attempts, ids }: CallAnswer): FailedCall {
  return { operation, attempts, ...ids?.() };
}

/** The messages of the service are in `errors`, which is not enumerable: logging the event does not log them. */
function partialData(name: string, errors: readonly GraphQLErrorEntry[]) {
  const event = {
    code: 'PARTIAL_DATA' as const,
    operation: name,
    message: `${name} answered with data and ${errors.length} GraphQL error(s); the data is returned.`,
  };
  return Object.defineProperty(event, 'errors', { value: errors, enumerable: false });
}
