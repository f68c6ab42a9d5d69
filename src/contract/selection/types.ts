// The types of selections and their results. TypeScript evaluates them for every selection in a
// user's program, so they map only over the user's keys, never over the whole schema.

import type { CallOptions } from '../../core/operation.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';

/** A field with one record: all its fields, and those that are plain values. */
export interface One<Fields, Leaves> {
  readonly fields: Fields;
  readonly leaves: Leaves;
}

export interface Many<Fields, Leaves> extends One<Fields, Leaves> {
  readonly list: true;
}

/** The operations that return records, and so take a `select`. */
export type RecordOperation = {
  [Name in OperationName]: OperationTypes[Name] extends { readonly record: unknown } ? Name : never;
}[OperationName];

/** The queries that return a list, and so can be read row by row. */
export type ListQuery = {
  [Name in RecordOperation]: OperationTypes[Name]['result'] extends readonly unknown[] ? Name : never;
}[RecordOperation];

/** The list queries without variables. */
export type PlainListQuery = {
  [Name in ListQuery]: string extends keyof OperationTypes[Name]['variables'] ? Name : never;
}[ListQuery];

/** A row of a list query, with its default selection or the given one. */
export type RowOf<Name extends ListQuery, Select> = ResultOf<Name, Select> extends readonly (infer Row)[] ? Row : never;

/**
 * The type of `select` of an operation: a nested object, or true for all plain fields. For a
 * selection in a variable write `const select = { … } satisfies Selection<'getVehicles'>`. A
 * variable declared with this type loses which fields its rows have.
 */
export type Selection<Name extends RecordOperation> = OperationTypes[Name]['selection'];

export type Selected<Name extends RecordOperation, Select> = RecordOf<OperationTypes[Name]['record'], Select>;

export type SelectOptions<Name extends RecordOperation, Select> = DefaultSelection | OwnSelection<Name, Select>;

interface DefaultSelection extends CallOptions {
  readonly select?: undefined;
}

interface OwnSelection<Name extends RecordOperation, Select> extends CallOptions {
  /**
   * The fields to return instead of the default ones: a nested object with `true` for each field.
   * `true` for a field with records selects all their plain fields.
   */
  readonly select: Inferred<Select> | Checked<Name, Select>[Written<Select>];
}

/** The type of a missing selection, for `ReturnType` of a method. No value has this type. */
export interface Unselected {
  readonly [unselected]: never;
}
declare const unselected: unique symbol;

/** The result of a method, by default selection or `select`. A list never has null rows. */
export type ResultOf<Name extends RecordOperation, Select> = [Unselected] extends [Select]
  ? OperationTypes[Name]['result']
  : SelectedResult<Name, Select>;

type SelectedResult<Name extends RecordOperation, Select> = Select extends undefined
  ? OperationTypes[Name]['result']
  : OperationTypes[Name]['record'] extends { readonly list: true }
    ? RecordOf<OperationTypes[Name]['record'], Select>[]
    : RecordOf<OperationTypes[Name]['record'], Select> | null;

/**
 * A record with the selected fields. The plain fields are written out, because a user's declaration
 * files could not name the interface. The keys come from the interface of the schema's type, so
 * that an editor shows the description of each field.
 */
type RecordOf<Link extends One<unknown, unknown>, Select> = Select extends true
  ? { [Key in keyof Link['leaves']]: Link['leaves'][Key] }
  : keyof Link['fields'] & SelectedKeys<Select> extends infer Keys extends keyof Link['fields']
    ? { [Key in Keys]: Key extends keyof Select ? ValueOf<Link['fields'][Key], Select[Key]> : never }
    : never;

type SelectedKeys<Select> = {
  [Key in keyof Select]-?: Select[Key] extends false | undefined ? never : Key;
}[keyof Select];

/** The type of one field with its selection. An optional selection makes the field optional. */
type ValueOf<Field, Select> = Select extends false | undefined
  ? undefined
  : [Field] extends [One<unknown, unknown>]
    ? Field extends Many<unknown, unknown>
      ? (RecordOf<Field, Select> | null)[] | null
      : RecordOf<Field, Select> | null
    : Field;

/** Always never, but TypeScript infers `Select` from this place. */
type Inferred<Select> = [Select] extends [never] ? Select : never;

/**
 * TypeScript accepts excess keys where it infers a type. So a selection with a wrong field is
 * compared with the type of all selections. The compiler then reports the field like any wrong key:
 * "Did you mean to write 'licensePlate'?"
 */
interface Checked<Name extends RecordOperation, Select> {
  asAny: Selection<Name>;
  asWritten: [WrongField<OperationTypes[Name]['record'], Select>] extends [never]
    ? Selection<Name>
    : Exclude<Selection<Name>, boolean> & WrongSelection<WrongField<OperationTypes[Name]['record'], Select>>;
}

/**
 * `asWritten` for a selection that a program wrote out; `asAny` for a missing one, and for the type
 * of all selections. In a generic function that passes its own type parameter on, TypeScript uses
 * the constraint of the parameter, so `asAny`. The function compiles, and its callers' selections
 * are checked against its constraint.
 */
type Written<Select> = Select extends object
  ? Select extends Unselected
    ? 'asAny'
    : IsSelectionType<Select> extends true
      ? 'asAny'
      : 'asWritten'
  : 'asAny';

/** True for a type of many selections: each field of `Selection<'getVehicles'>` is optional. */
type IsSelectionType<Select> = Partial<Select> extends Select ? ([keyof Select] extends [never] ? false : true) : false;

/** The error in a selection: unknown fields, or no fields; `never` for a valid selection. */
type WrongField<Link, Select> = Select extends object
  ? Link extends One<infer Fields, unknown>
    ? [keyof Select] extends [never]
      ? 'nothing is selected'
      : IsSelectionType<Select> extends true
        ? never
        : Exclude<keyof Select, keyof Fields> extends never
          ? { [Key in keyof Select & keyof Fields]: WrongField<Fields[Key], Select[Key]> }[keyof Select & keyof Fields]
          : Exclude<keyof Select, keyof Fields>
    : never
  : never;

/** A type without values, shown by the compiler for an empty or indirect selection. */
interface WrongSelection<What> {
  readonly [wrongSelection]: What;
}
declare const wrongSelection: unique symbol;
