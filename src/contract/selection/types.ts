// The types of a selection and of what it returns. They are read once for every selection in a user's program, so they are
// plain mapped types over what was written there, never over the whole schema.

import type { CallOptions } from '../../core/operation.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';

/** A field that holds one record: all its fields, and those that are plain values. */
export interface One<Fields, Leaves> {
  readonly fields: Fields;
  readonly leaves: Leaves;
}

/** A field that holds a list of records. */
export interface Many<Fields, Leaves> extends One<Fields, Leaves> {
  readonly list: true;
}

/** The operations that return records, and so take a `select`. */
export type RecordOperation = {
  [Name in OperationName]: OperationTypes[Name] extends { readonly record: unknown } ? Name : never;
}[OperationName];

/** What can be selected of the records an operation returns: a nested object, or true for all their plain fields. */
export type Selection<Name extends RecordOperation> = OperationTypes[Name]['selection'];

/** A record as an operation returns it for a selection. */
export type Selected<Name extends RecordOperation, Select> = RecordOf<OperationTypes[Name]['record'], Select>;

/** What a caller may say about one call of a method that returns records. */
export type SelectOptions<Name extends RecordOperation, Select> = DefaultSelection | OwnSelection<Name, Select>;

interface DefaultSelection extends CallOptions {
  readonly select?: undefined;
}

interface OwnSelection<Name extends RecordOperation, Select> extends CallOptions {
  /**
   * The fields to return, in place of the default ones: a nested object with true at each field wanted. True at a field that
   * holds records stands for all their plain fields.
   */
  readonly select: Select & Known<OperationTypes[Name]['record'], Select>;
}

/** Stands for a call that says nothing of a selection; `ReturnType` of a method then is its default result. No value has it. */
export interface Unselected {
  readonly [unselected]: never;
}
declare const unselected: unique symbol;

/** What a method returns: its default selection, or what was selected. A list never has null rows. */
export type ResultOf<Name extends RecordOperation, Select> = [Unselected] extends [Select]
  ? OperationTypes[Name]['result']
  : SelectedResult<Name, Select>;

type SelectedResult<Name extends RecordOperation, Select> = Select extends undefined
  ? OperationTypes[Name]['result']
  : OperationTypes[Name]['record'] extends { readonly list: true }
    ? RecordOf<OperationTypes[Name]['record'], Select>[]
    : RecordOf<OperationTypes[Name]['record'], Select> | null;

/**
 * What a selection makes of a record. The plain fields are spelt out, because a user's own declaration files could not name
 * the interface.
 */
type RecordOf<Link extends One<unknown, unknown>, Select> = Select extends true
  ? { [Key in keyof Link['leaves']]: Link['leaves'][Key] }
  : {
      -readonly [Key in keyof Select as Select[Key] extends false | undefined
        ? never
        : Key]: Key extends keyof Link['fields'] ? ValueOf<Link['fields'][Key], Select[Key]> : never;
    };

/** What a selection makes of one field. What may turn out not to be selected may be missing. */
type ValueOf<Field, Select> = Select extends false | undefined
  ? undefined
  : [Field] extends [One<unknown, unknown>]
    ? Field extends Many<unknown, unknown>
      ? (RecordOf<Field, Select> | null)[] | null
      : RecordOf<Field, Select> | null
    : Field;

/**
 * Refuses what the schema does not have: TypeScript does not refuse excess keys where it infers a type. Says nothing of the
 * rest, so that an editor completes and complains in terms of the selection's own interface.
 */
type Known<Link, Select> = Select extends object
  ? Link extends One<infer Fields, infer Leaves>
    ? {
        [Key in Exclude<keyof Select, keyof Leaves>]: Key extends keyof Fields
          ? Known<Fields[Key], Select[Key]>
          : UnknownField<Key>;
      }
    : unknown
  : unknown;

/** Nothing has this type; it is what the compiler says of a key that is no field. */
export interface UnknownField<Name> {
  readonly [unknownField]: Name;
}
declare const unknownField: unique symbol;
