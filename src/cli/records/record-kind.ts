// Describes a kind of record: its names, and the operations that list, read and change records.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { Choice } from '../errors/cli-error.js';
import type { View } from '../output/view.js';
import type { Differences, Members } from './differences.js';
import { isSameText, type TextForm, withoutSeparators } from './names.js';

export type ListOperation = {
  [Name in OperationName]: OperationTypes[Name]['variables'] extends Record<string, never>
    ? OperationTypes[Name]['result'] extends readonly unknown[]
      ? Name
      : never
    : never;
}[OperationName];

export interface RecordText {
  readonly noun: string;
  readonly form: TextForm;
  /** The members that contain the text; `firstName` and `lastName` form one name. */
  readonly members: readonly string[];
  /** True when parts do not match: many ids share digits. */
  readonly isWhole?: true;
  /** True when another value in a file means another record, even with the same name. */
  readonly isFixed?: true;
}

/** A kind of record. `Row`: a record as the list returns it. */
export interface RecordKind<Row> {
  /** As in "There is no vehicle …". */
  readonly noun: string;
  readonly plural: string;
  /** In arguments and flags: `<vehicle>`. */
  readonly placeholder: string;
  readonly listCommand: string;
  readonly list: ListOperation;
  /** Extracts the records when they are nested in the listed ones. */
  readonly within?: (listed: readonly unknown[]) => readonly object[];
  /** The operation that reads one record by id; null when only the list can be searched. */
  readonly byId: OperationName | null;
  /** The texts that name a record; the first is the displayed name. */
  readonly texts: readonly RecordText[];
  /** Selection of a lookup: the id, the members of the texts, and others to distinguish records. */
  readonly identity: SelectionTree;
  /** More members in a list of candidates. */
  readonly choiceMembers?: readonly string[];
  /** True when white space and hyphens are ignored: `123 ABC`, `123-ABC` and `123abc` are equal. */
  readonly ignoresSeparators?: true;
  /** Returns true for a preferred match: the driver among people with the same name. */
  readonly isPreferred?: (row: object) => boolean;
  /** The columns and details; a list of records has no total. */
  readonly view: Omit<View<Row>, 'total'>;
}

export interface ReadableKind<Row> extends RecordKind<Row> {
  readonly byId: OperationName;
}

export interface WritingOperation {
  readonly operation: OperationName;
  readonly variable: string;
  readonly type: string;
}

/** An input member that contains the id of a record, or a list of ids. */
interface Relation {
  /** Member of the record with the related records; null when the record has the id itself. */
  readonly holder: string | null;
  readonly list?: true;
  /** The column of the related record's name. A line of a file has the name, the id, or both. */
  readonly label?: string;
  readonly kind: () => RecordKind<never>;
}

/** A kind whose records the command line changes. */
export interface EditableKind<Row> extends RecordKind<Row> {
  readonly type: string;
  readonly idVariable: string;
  /** The column of the name next to that id: `vehicle`. */
  readonly label?: string;
  /** Null when the service cannot create records. */
  readonly create: WritingOperation | null;
  readonly update: WritingOperation;
  /** Null when the service cannot delete records. */
  readonly remove: OperationName | null;
  readonly groups?: WritingOperation;
  readonly field?: OperationName;
  readonly roles?: OperationName;
  readonly relations?: Readonly<Record<string, Relation>>;
  /** Returns why a record with these members cannot be created; null when it can be. */
  readonly lacks?: (members: Members) => string | null;
  /** Compares desired members with a record; default: member by member. */
  readonly differences?: (desired: Members, present: object) => Differences;
  /** Returns true for a record of another owner, which `--prune` skips. */
  readonly isProtected?: (row: object) => boolean;
}

export function textsOf({ texts }: Pick<RecordKind<never>, 'texts'>, row: object): readonly string[] {
  return texts.flatMap((text) => textIn(text, row) ?? []);
}

/** Returns the text; null when the record, or the line of a file, does not have it. */
export function textIn({ members }: Pick<RecordText, 'members'>, row: object): string | null {
  const parts = members.map((member) => Reflect.get(row, member)).filter(isFilled);
  return parts.length === 0 ? null : parts.join(' ');
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

export function recordId(row: object): string | null {
  const id: unknown = Reflect.get(row, 'id');
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Returns true when two values of a text name the same record. */
export function isSameRecordText(
  { ignoresSeparators }: Pick<RecordKind<never>, 'ignoresSeparators'>,
  { form }: RecordText,
  one: string,
  other: string,
): boolean {
  return (
    isSameText(one, other, form) ||
    (ignoresSeparators === true && withoutSeparators(one, form) === withoutSeparators(other, form))
  );
}

/** Returns the name that people use; null for a record without any text. */
export function recordName(kind: Pick<RecordKind<never>, 'texts'>, row: object): string | null {
  return textsOf(kind, row)[0] ?? null;
}

/** Returns the values that distinguish a record from others with the same name. */
export function choiceOf({ texts, choiceMembers = [] }: RecordKind<never>, row: object): Choice {
  const others = choiceMembers.map((member) => [member, String(Reflect.get(row, member) ?? '')] as const);
  // A name of several members, such as first and last name, is one value.
  const named = texts.map((text) => [text.members.length > 1 ? 'name' : (text.members[0] ?? ''), textIn(text, row)]);
  return { id: recordId(row), ...Object.fromEntries([...named, ...others]) };
}

export function rowsIn<Row>(
  { within }: Pick<RecordKind<Row>, 'within' | 'view'>,
  listed: readonly unknown[],
): readonly Row[] {
  // The Row of a kind is the row of its list operation.
  return (within ? within(listed) : listed) as readonly Row[];
}
