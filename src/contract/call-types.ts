// The types of `call`, which takes the name of an operation as a value. They distribute over a
// union of names.
import type { CallOptions, MutationOptions } from '../core/operation.js';
import type { OperationName, OperationTypes } from '../generated/operation-table.js';
import type { RecordOperation, ResultOf, Selection, SelectOptions } from './selection/types.js';

/** The `select` of an operation; never for one that returns no records. */
export type SelectionOf<Name extends OperationName> = Name extends RecordOperation ? Selection<Name> : never;

/** The variables of an operation; for a union of names, variables that fit all of them. */
export type VariablesOf<Name extends OperationName> = (
  Name extends OperationName
    ? (variables: OperationTypes[Name]['variables']) => void
    : never
) extends (variables: infer OfAll) => void
  ? OfAll
  : never;

export type OperationWithoutVariables = {
  [Name in OperationName]: Record<never, never> extends OperationTypes[Name]['variables'] ? Name : never;
}[OperationName];

export type OptionsOf<Name extends OperationName, Select> = (Name extends RecordOperation
  ? SelectOptions<Name, Select>
  : CallOptions) &
  ('query' extends OperationTypes[Name]['kind'] ? CallOptions : MutationOptions);

export type CallResultOf<Name extends OperationName, Select> = Name extends RecordOperation
  ? ResultOf<Name, Select>
  : OperationTypes[Name]['result'];
