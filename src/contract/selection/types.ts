// The types of selections and their results. TypeScript evaluates them for every selection in a user's program, so they map only over
// what the user wrote, never over the whole schema.

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

/** The queries that return a list, and so can be read row by row. */
export type ListQuery = {
  [Name in RecordOperation]: OperationTypes[Name]['result'] extends readonly unknown[] ? Name : never;
}[RecordOperation];

/** Those of them that have no variables. */
export type PlainListQuery = {
  [Name in ListQuery]: string extends keyof OperationTypes[Name]['variables'] ? Name : never;
}[ListQuery];

/** A row of a list query, with its default selection or with what was selected. */
export type RowOf<Name extends ListQuery, Select> = ResultOf<Name, Select> extends readonly (infer Row)[] ? Row : never;

/**
 * The type of `select` of an operation: a nested object, or true for all plain fields.
 * For a selection in a variable write `const select = { … } satisfies Selection<'getVehicles'>`.
 * A variable declared with this type does not say which fields its rows have.
 */
export type Selection<Name extends RecordOperation> = OperationTypes[Name]['selection'];

/** A record of an operation's result with a selection. */
export type Selected<Name extends RecordOperation, Select> = RecordOf<OperationTypes[Name]['record'], Select>;

/** The options of a method that returns records. */
export type SelectOptions<Name extends RecordOperation, Select> = DefaultSelection | OwnSelection<Name, Select>;

interface DefaultSelection extends CallOptions {
  readonly select?: undefined;
}

interface OwnSelection<Name extends RecordOperation, Select> extends CallOptions {
  /**
   * The fields to return instead of the default ones: a nested object with `true` for each field that you want. `true` for a field that
   * holds records selects all plain fields of these records.
   */
  readonly select: Inferred<Select> | Checked<Name, Select>[Written<Select>];
}

/** The type of a missing selection, so that `ReturnType` of a method is its default result. No value has this type. */
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
 * A record with the selected fields. The plain fields are written out, because a user's declaration files could not name the interface.
 * The keys come from the interface of the schema's type, so that an editor shows the description of each field.
 */
type RecordOf<Link extends One<unknown, unknown>, Select> = Select extends true
  ? { [Key in keyof Link['leaves']]: Link['leaves'][Key] }
  : keyof Link['fields'] & SelectedKeys<Select> extends infer Keys extends keyof Link['fields']
    ? { [Key in Keys]: Key extends keyof Select ? ValueOf<Link['fields'][Key], Select[Key]> : never }
    : never;

/** The keys of a selection that have a field in the result. */
type SelectedKeys<Select> = {
  [Key in keyof Select]-?: Select[Key] extends false | undefined ? never : Key;
}[keyof Select];

/** What a selection makes of one field. What may turn out not to be selected may be missing. */
type ValueOf<Field, Select> = Select extends false | undefined
  ? undefined
  : [Field] extends [One<unknown, unknown>]
    ? Field extends Many<unknown, unknown>
      ? (RecordOf<Field, Select> | null)[] | null
      : RecordOf<Field, Select> | null
    : Field;

/** Nothing; but it is from here that TypeScript infers `Select`. */
type Inferred<Select> = [Select] extends [never] ? Select : never;

/**
 * TypeScript accepts excess keys where it infers a type. So a selection with a wrong field is compared with the type of all selections, and
 * the compiler says of the field what it says of any wrong key: "Did you mean to write 'licensePlate'?"
 */
interface Checked<Name extends RecordOperation, Select> {
  asAny: Selection<Name>;
  asWritten: [WrongField<OperationTypes[Name]['record'], Select>] extends [never]
    ? Selection<Name>
    : Exclude<Selection<Name>, boolean> & WrongSelection<WrongField<OperationTypes[Name]['record'], Select>>;
}

/**
 * `asWritten` for a selection that a program wrote out; `asAny` where there is none, and for the type of all selections. When a generic
 * function passes its own type parameter on, TypeScript compares with the constraint of the parameter, so with `asAny`: the function
 * compiles, and its callers' selections are checked against its constraint.
 */
type Written<Select> = Select extends object
  ? Select extends Unselected
    ? 'asAny'
    : IsOfAll<Select> extends true
      ? 'asAny'
      : 'asWritten'
  : 'asAny';

/** Whether it is a type of many selections, such as `Selection<'getVehicles'>`, in which every field is optional. */
type IsOfAll<Select> = Partial<Select> extends Select ? ([keyof Select] extends [never] ? false : true) : false;

/** What is wrong with a selection: fields that the schema does not have, or that there are none; `never` when all is well. */
type WrongField<Link, Select> = Select extends object
  ? Link extends One<infer Fields, unknown>
    ? [keyof Select] extends [never]
      ? 'nothing is selected'
      : IsOfAll<Select> extends true
        ? never
        : Exclude<keyof Select, keyof Fields> extends never
          ? { [Key in keyof Select & keyof Fields]: WrongField<Fields[Key], Select[Key]> }[keyof Select & keyof Fields]
          : Exclude<keyof Select, keyof Fields>
    : never
  : never;

/** Nothing has this type; it is what the compiler says of a selection that is empty, or not written where it is used. */
interface WrongSelection<What> {
  readonly [wrongSelection]: What;
}
declare const wrongSelection: unique symbol;
