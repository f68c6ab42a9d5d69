// Calls an operation by name, with a selection that is known only at run time.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { AnyCallOptions } from '../../core/operation.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';

export interface Selecting extends AnyCallOptions {
  readonly select?: SelectionTree | undefined;
}

/** Calls the operation. The result has only the selected fields, although its type has more. */
export function call<Name extends OperationName>(
  client: FleetClient,
  name: Name,
  variables: OperationTypes[Name]['variables'],
  options: Selecting,
): Promise<OperationTypes[Name]['result']> {
  // Safe cast: methods and operation names are generated from one table.
  const methods = client as unknown as Record<
    Name,
    (variables: unknown, options: Selecting) => Promise<OperationTypes[Name]['result']>
  >;
  return methods[name](variables, options);
}
