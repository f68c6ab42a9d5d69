// What a kind of record is: what it is called, how its records are listed, and which texts name one.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName, OperationTypes } from '../../generated/operation-table.js';
import type { Choice } from '../errors/cli-error.js';

/** The operations that list all records of a kind. */
export type ListOperation = {
  [Name in OperationName]: OperationTypes[Name]['variables'] extends Record<string, never>
    ? OperationTypes[Name]['result'] extends readonly unknown[]
      ? Name
      : never
    : never;
}[OperationName];

/** A kind of record: what it is called, and how its records are found. */
export interface Kind<Row> {
  /** `vehicle`, as in "There is no vehicle …". */
  readonly noun: string;
  readonly plural: string;
  /** The command that lists all of them, for hints. */
  readonly listCommand: string;
  readonly list: ListOperation;
  /** Extracts the records, when they are parts of the listed ones. */
  readonly within?: (listed: readonly unknown[]) => readonly Row[];
  /** Reads one record by id; null when the service has no such operation and the list is searched. */
  readonly byId: OperationName | null;
  /** The selection that `id`, `texts` and `choice` need. */
  readonly identity: SelectionTree;
  readonly id: (row: Row) => string | null | undefined;
  /** The texts that name the record: each whole, and by a part of it in commands that read. */
  readonly texts: (row: Row) => readonly (string | null | undefined)[];
  /** What names it only whole besides its id: a few digits stand in many ids. */
  readonly codes?: (row: Row) => readonly (string | null | undefined)[];
  /** The values that distinguish one record from others with the same name. */
  readonly choice: (row: Row) => Choice;
  /** Normalizes spellings of the same text, such as the spaces in a plate. */
  readonly normalize?: (text: string) => string;
  /** Matching records that are preferred to the others: the driver among people with the same name. */
  readonly preferred?: (row: Row) => boolean;
}

/** A kind whose records can be read one by one. */
export interface KindById<Row> extends Kind<Row> {
  readonly byId: OperationName;
}

/** All texts that name a record when they are given whole. */
export function wholeTexts<Row>(
  { id, texts, codes }: Pick<Kind<Row>, 'id' | 'texts' | 'codes'>,
  row: Row,
): readonly string[] {
  return [id(row), ...texts(row), ...(codes?.(row) ?? [])].filter(isText);
}

export function isText(text: string | null | undefined): text is string {
  return typeof text === 'string' && text !== '';
}
