// What a changing command says of its changes, and what is known of each before it is sent. draft.ts and resolve.ts fill it in.
import type { OperationName } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import type { CliError } from '../errors/cli-error.js';
import { findEach, type Kind } from '../find/record.js';
import type { SaidTime } from '../parse/time.js';
import type { Context } from '../run/context.js';
import type { InputLine } from './read-input.js';

/** Turns what people say into ids, in the same order; for what names no record, or several, the error. */
export type Resolve = (
  context: Context,
  client: FleetClient,
  said: readonly string[],
) => Promise<readonly (string | CliError)[]>;

/** Changes take no parts of names: what is changed has to be said in full. */
export function idsOf<Row>(kind: Kind<Row>): Resolve {
  return (context, client, said) => findEach(context, client, kind, said, { substring: false });
}

/** A member that names a record: the vehicle of an assignment, the group that is updated. */
export interface Reference {
  /** Name of the variable, or of the member of the input. */
  readonly name: string;
  readonly into: 'variables' | 'input';
  readonly resolve: Resolve;
  /** As a word of the command line, or several for a list; undefined when it was left out. */
  readonly said: string | readonly string[] | undefined;
  /** The member is a list of records, such as the groups that are joined. */
  readonly list?: boolean | undefined;
  /** How the command's help calls it, such as `<group>`; the reference may not be left out. Null: it may. */
  readonly needed: string | null;
}

/** What of a change goes by what time the service has. It is put in, and held to the rules, when names have become ids. */
export interface Timed {
  readonly times: readonly SaidTime[];
  /** A last look at an input; what it returns is sent. `where` names the line when there are many. */
  readonly input: (input: Readonly<Record<string, unknown>>, now: number, where: string) => Record<string, unknown>;
}

export interface ChangeSpec {
  readonly operation: OperationName;
  /** The variable that holds the input object, and its type; null when the operation takes none. */
  readonly input: { readonly variable: string; readonly type: string } | null;
  /** The first one that is needed is what the change is about. */
  readonly references: readonly Reference[];
  /** Members of the input that flags say; undefined ones are left out. They win over --input. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Further variables that flags say. */
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly timed?: Timed;
  /** A last look at each input before anything is sent; what it returns is sent. `where` names the line when there are many. */
  readonly refine?: (input: Readonly<Record<string, unknown>>, where: string) => Record<string, unknown>;
}

/** A change whose records may still be called by names. */
export interface Draft {
  /** Where it stands in the input, from 1. */
  readonly line: number;
  /** As it was given, to be given again. */
  readonly given: InputLine;
  readonly variables: Record<string, unknown>;
  readonly input: Record<string, unknown>;
}

export interface PlannedChange {
  readonly line: number;
  readonly given: InputLine;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Why it cannot be sent: a name that fits no record, or several. */
  readonly problem: CliError | null;
}

/** The reference to the record that a change is about; undefined for one that makes a new record. */
export function subjectOf({ references }: Pick<ChangeSpec, 'references'>): Reference | undefined {
  return references.find(({ needed }) => needed !== null);
}
