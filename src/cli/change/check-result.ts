// Whether what the service answered means that the change was made.
import { type OperationName, operations } from '../../generated/operation-table.js';
import { CliError } from '../errors/cli-error.js';

/** @throws CliError GRAPHQL for an answer without an error that still is none: `false`, or no record. */
export function checkResult(operation: OperationName, result: unknown): void {
  const { type, list } = operations[operation].returns;
  const isDone = type === 'Boolean' && !list ? result === true : result !== null && result !== undefined;
  if (isDone) return;
  const said = result === false ? 'false: the change was not made' : 'nothing, and with no error either';
  throw new CliError('GRAPHQL', `The service answered ${operation} with ${said}.`, {
    operation,
    hint: 'Look at how things are now before you try again.',
  });
}
