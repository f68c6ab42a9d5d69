// The description of a kind of record: what it is called, how its records are listed, read, shown and named, and what changes them.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { Choice } from '../errors/cli-error.js';
import type { View } from '../output/view.js';
import type { Differences, Members } from './differences.js';
import { isSameText, type TextForm, withoutSeparators } from './names.js';

/** The operations that list all records of a kind. */
export type ListOperation = {
  [Name in OperationName]: OperationTypes[Name]['variables'] extends Record<string, never>
    ? OperationTypes[Name]['result'] extends readonly unknown[]
      ? Name
      : never
    : never;
}[OperationName];

/** A text that names a record. */
export interface RecordText {
  /** Its usual name: `employee id`. */
  readonly noun: string;
  readonly form: TextForm;
  /** The members that hold it: `firstName` and `lastName` are one name. */
  readonly members: readonly string[];
  /** A part of it names no record: a few digits stand in many ids. */
  readonly isWhole?: true;
  /** A record of a file with another one is another record, whatever its name. */
  readonly isFixed?: true;
}

/** `Row`: a record as the list has it. */
export interface RecordKind<Row> {
  /** `vehicle`, as in "There is no vehicle …". */
  readonly noun: string;
  readonly plural: string;
  /** The word for it in arguments and flags: `<vehicle>`. */
  readonly placeholder: string;
  /** The command that lists all of them, for hints. */
  readonly listCommand: string;
  readonly list: ListOperation;
  /** Extracts the records, when they are parts of the listed ones. */
  readonly within?: (listed: readonly unknown[]) => readonly object[];
  /** Reads one record by id; null when the service has no such operation and the list is searched. */
  readonly byId: OperationName | null;
  /** The texts that name it; the first is the name under which it is shown. */
  readonly texts: readonly RecordText[];
  /** The selection of a lookup: the id, the members of the texts, and others that tell records apart. */
  readonly identity: SelectionTree;
  /** Members that a choice shows beside the texts. */
  readonly shownBeside?: readonly string[];
  /** White space and hyphens in its texts mean nothing: `123 ABC`, `123-ABC` and `123abc` are the same plate. */
  readonly ignoresSeparators?: true;
  /** Matching records that are preferred to the others: the driver among people with the same name. */
  readonly preferred?: (row: object) => boolean;
  /** Its columns and details; a list of records has no total. */
  readonly view: Omit<View<Row>, 'total'>;
}

/** A kind whose records can be read one by one. */
export interface ReadableKind<Row> extends RecordKind<Row> {
  readonly byId: OperationName;
}

/** The operation that writes members: the variable that holds them, and its type. */
export interface WritingOperation {
  readonly operation: OperationName;
  readonly variable: string;
  readonly type: string;
}

/** A member of inputs that is the id of a record, or a list of ids. */
export interface Relation {
  /** The member of the record that holds these records; null when the record has the id itself. */
  readonly holder: string | null;
  /** The member is a list of ids. */
  readonly list?: true;
  /** What lists call the name of the record, beside its id. A line of a file has the name, the id, or both. */
  readonly label?: string;
  readonly kind: () => RecordKind<never>;
}

/** A kind whose records the command line changes. */
export interface EditableKind<Row> extends RecordKind<Row> {
  /** The type of the record in the contract. */
  readonly type: string;
  /** The variable of its id: `vehicleId`. */
  readonly idVariable: string;
  /** The column of its name beside that id: `vehicle`. */
  readonly label?: string;
  /** Null when the service creates none. */
  readonly create: WritingOperation | null;
  readonly update: WritingOperation;
  /** Null when the service deletes none. */
  readonly remove: OperationName | null;
  /** Changes the groups that it is in. */
  readonly groups?: WritingOperation;
  /** Sets one custom field. */
  readonly field?: OperationName;
  /** Sets its roles. */
  readonly roles?: OperationName;
  readonly relations?: Readonly<Record<string, Relation>>;
  /** Why a record with these members cannot be created. */
  readonly lacks?: (members: Members) => string | null;
  /** Default: each member is compared by itself. */
  readonly differences?: (wanted: Members, present: object) => Differences;
  /** Records of others, which `--prune` leaves alone. */
  readonly spared?: (row: object) => boolean;
}

/** All texts that name the record. */
export function textsOf({ texts }: Pick<RecordKind<never>, 'texts'>, row: object): readonly string[] {
  return texts.flatMap((text) => textIn(text, row) ?? []);
}

/** Null when the record, or the line of a file, does not have it. */
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
export function isSameIn(
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

/** The values that distinguish a record from others with the same name. */
export function choiceOf({ texts, shownBeside = [] }: RecordKind<never>, row: object): Choice {
  const others = shownBeside.map((member) => [member, String(Reflect.get(row, member) ?? '')] as const);
  const named = texts.map((text) => [text.members.length > 1 ? 'name' : (text.members[0] ?? ''), textIn(text, row)]);
  return { id: recordId(row), ...Object.fromEntries([...named, ...others]) };
}

/** The records in the answer of the list operation. */
export function rowsIn<Row>(
  { within }: Pick<RecordKind<Row>, 'within' | 'view'>,
  listed: readonly unknown[],
): readonly Row[] {
  // The Row of a kind is the row of its list operation.
  return (within ? within(listed) : listed) as readonly Row[];
}
