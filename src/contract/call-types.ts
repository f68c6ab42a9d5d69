// The types of `call`, which takes the name of an operation as a value. For a union of names each part of them distributes over it.
import type { CallOptions, MutationOptions } from '../core/operation.js';
import type { OperationName, OperationTypes } from '../generated/operation-table.js';
import type { RecordOperation, ResultOf, Selection, SelectOptions } from './selection/types.js';

/** What `select` of an operation accepts; nothing for one that returns no records. */
export type SelectionOf<Name extends OperationName> = Name extends RecordOperation ? Selection<Name> : never;

/** The variables of an operation. Whichever of several it is, they fit, so they are those of all of them. */
export type VariablesOf<Name extends OperationName> = (
  Name extends OperationName
    ? (variables: OperationTypes[Name]['variables']) => void
    : never
) extends (variables: infer OfAll) => void
  ? OfAll
  : never;

/** The operations that can be called without variables. */
export type OperationWithoutVariables = {
  [Name in OperationName]: Record<never, never> extends OperationTypes[Name]['variables'] ? Name : never;
}[OperationName];

/** The options of the operation's method. */
export type OptionsOf<Name extends OperationName, Select> = (Name extends RecordOperation
  ? SelectOptions<Name, Select>
  : CallOptions) &
  ('query' extends OperationTypes[Name]['kind'] ? CallOptions : MutationOptions);

/** What the operation's method returns. */
export type CallResultOf<Name extends OperationName, Select> = Name extends RecordOperation
  ? ResultOf<Name, Select>
  : OperationTypes[Name]['result'];
