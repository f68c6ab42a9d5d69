// Checks that the answer of the service means that the change was made.
import { type OperationName, operations } from '../../generated/operation-table.js';
import { CliError } from '../errors/cli-error.js';

/** @throws CliError GRAPHQL for `false` or a missing record, which mean a failure although the answer has no error */
export function checkResult(operation: OperationName, result: unknown): void {
  const { type, list } = operations[operation].returns;
  const isDone = type === 'Boolean' && !list ? result === true : result !== null && result !== undefined;
  if (isDone) return;
  const answer = result === false ? 'false: the change was not made' : 'neither a result nor an error';
  throw new CliError('GRAPHQL', `The service answered ${operation} with ${answer}.`, {
    operation,
    hint: 'Check the current state before you try again.',
  });
}
