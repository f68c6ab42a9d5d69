// From an answer to what the caller gets: the root field's value, or one error.
import { type GraphQLErrorEntry, GraphQLResponseError, ProtocolError } from '../core/errors.js';
import type { Notifier } from '../core/hooks.js';
import type { CallAnswer } from './batch.js';
import { refusedText } from './failure-error.js';

/** What settling needs to know of an operation. */
export interface ResultShape {
  readonly name: string;
  readonly list: boolean;
}

/** `data` as it came; throws when there are errors, unless the caller takes what arrived. */
export function unwrapData(name: string, answer: CallAnswer, partial: boolean, report: Notifier): unknown {
  const { data, errors, attempts } = answer;
  if (errors.length > 0) {
    if (!partial || data === null) {
      throw new GraphQLResponseError(refusedText(name, errors), errors, data, { operation: name, attempts });
    }
    report.warning(partialData(name, errors));
  }
  return data;
}

/**
 * The root field's value: a list without null rows, never null; or a single value, null when there is none. What was
 * missing is reported.
 */
export function unwrapResult(operation: ResultShape, answer: CallAnswer, partial: boolean, report: Notifier): unknown {
  const { name } = operation;
  const data = unwrapData(name, answer, partial, report);
  const value = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  if (value === undefined) {
    throw new ProtocolError(
      `The answer has no member ${name} in data, which the contract promises. Check that the base URL is the right one.`,
      { operation: name, attempts: answer.attempts },
    );
  }
  if (!operation.list) return value;
  if (value === null) {
    // An error that names the list has said it already.
    if (answer.errors.some(({ path }) => path?.[0] === name)) return [];
    report.warning({
      code: 'NULL_LIST',
      operation: name,
      message: `${name} answered null instead of a list; taken as empty.`,
    });
    return [];
  }
  if (!Array.isArray(value)) {
    throw new ProtocolError(`The answer to ${name} is no list, which the contract promises.`, {
      operation: name,
      attempts: answer.attempts,
    });
  }
  if (!value.includes(null)) return value;
  const rows: unknown[] = value.filter((row: unknown) => row !== null);
  report.warning({
    code: 'NULL_ROWS',
    operation: name,
    message: `${name} answered ${value.length - rows.length} null rows among ${value.length}; they were left out.`,
  });
  return rows;
}

/** The service's own words are at hand in `errors`, but not picked up by whoever logs the event. */
function partialData(name: string, errors: readonly GraphQLErrorEntry[]) {
  const event = {
    code: 'PARTIAL_DATA' as const,
    operation: name,
    message: `${name} answered with ${errors.length} GraphQL error(s) and with data; the data was returned.`,
  };
  return Object.defineProperty(event, 'errors', { value: errors, enumerable: false });
}
