// Calls an operation by its name, with a selection that is only known at run time.

import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { CallOptions, FleetClient } from '../../index.js';

export interface Selecting extends CallOptions {
  readonly select?: SelectionTree | undefined;
}

/** What comes back has the fields selected, and not the others that the type names. */
export function call<Name extends OperationName>(
  client: FleetClient,
  name: Name,
  variables: OperationTypes[Name]['variables'],
  options: Selecting,
): Promise<OperationTypes[Name]['result']> {
  // Every operation is a method of the same name that takes variables and options: both are generated from one table.
  const methods = client as unknown as Record<
    Name,
    (variables: unknown, options: Selecting) => Promise<OperationTypes[Name]['result']>
  >;
  return methods[name](variables, options);
}
