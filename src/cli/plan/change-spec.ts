// The types of a change: what a command specifies, and what its lines become: a draft, then a change with all names resolved.
import { isObject } from '../../core/json.js';
import type { OperationName } from '../../generated/operation-table.js';
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import type { CliError } from '../errors/cli-error.js';
import type { InputColumn } from '../input/table/columns.js';
import type { View } from '../output/view.js';
import type { Members } from '../records/differences.js';
import type { EditableKind, RecordKind, WritingOperation } from '../records/record-kind.js';
import type { Foresight } from './plan.js';
import type { KnownRecord } from './plan-record.js';

/** A member that refers to a record, such as the vehicle of an assignment or the group to update. */
export interface Reference {
  /** The name of the variable, or of the member of the input. */
  readonly name: string;
  /** What lists call its name, beside the id: `vehicle`. A line may give the name, the id, or both of one record. */
  readonly label?: string | undefined;
  readonly into: 'variables' | 'input';
  readonly kind: RecordKind<never>;
  /** The argument or flag as typed, or several for a list; undefined when it was left out. */
  readonly typed: string | readonly string[] | undefined;
  /** The member is a list of records, such as the groups to join. */
  readonly list?: boolean | undefined;
  /** The name of a required reference in the help text, such as `<group>`; null when it is optional. */
  readonly requiredAs: string | null;
}

/** The records that a change is about, for its plan. */
export interface Subject {
  /** Only a foresight knows the records of a kind that no list holds. */
  readonly kind: EditableKind<never> | Pick<EditableKind<never>, 'noun'>;
  readonly action: 'create' | 'update' | 'delete';
  /** Returns the members that the record is to have; default: those of the input. */
  readonly wanted?: (given: Members) => Members;
}

/** The records as they are before the changes, by id. */
export interface Present {
  readonly records: ReadonlyMap<string, KnownRecord>;
  /** Names of these and of other records that changes refer to, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export interface ChangeSpec {
  readonly operation: OperationName;
  readonly subject: Subject;
  /** The variable that holds the input object, and its type; null when the operation takes none. */
  readonly input: { readonly variable: string; readonly type: string } | null;
  /** The first required one is the record that is changed. */
  readonly references: readonly Reference[];
  /** Members beside those of the input, which `read` puts in the place of others. */
  readonly more?: readonly InputColumn[];
  /** Puts members of the input in the place of others, such as a circle in that of its centre. `where`: for messages. */
  readonly read?: (members: Members, where: string) => Members;
  /** Members of the input that come from flags; undefined ones are left out. They win over those of --input. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Other variables that come from flags. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Fills times that are relative to `now`, the time of the service, and checks them. */
  readonly timed?: (input: Readonly<Record<string, unknown>>, now: number) => Readonly<Record<string, unknown>>;
  /**
   * Returns the error of a change that contradicts itself or the present records; null for a valid one.
   * `given`: the variables and the members of the input, with ids for names.
   * `present`: the records by id, and the names of related ones.
   */
  readonly contradiction?: (given: Readonly<Record<string, unknown>>, present: Present) => CliError | null;
  /** Completes and checks each input before anything is sent, and returns what is sent. `where` is the line number for messages. */
  readonly refine?: (input: Readonly<Record<string, unknown>>, where: string) => Record<string, unknown>;
}

/** What is printed after the change. */
export type Display<Row> =
  /** The operation returns the record. */
  | {
      readonly view: View<Row>;
      /** The record of a change that changes nothing; default: it is read. */
      readonly present?: (change: ResolvedChange) => Row;
    }
  /** The record is deleted; the text names its kind. Programs get the service's own answer, `true`. */
  | { readonly deleted: string }
  /**
   * The operation returns something else, which programs get as it is. For people, `print` requests and prints the new state; --fields
   * and the like do not apply.
   */
  | {
      /** `print` prints rows, which programs get too: the answer of the service does not have them. */
      readonly rows?: true;
      readonly print: (context: Context, client: FleetClient, change: ResolvedChange, result: unknown) => Promise<void>;
    };

export interface Change<Row> extends ChangeSpec {
  readonly display: Display<Row>;
  /** Records that the command line names: all of them are changed or none. */
  readonly chosen?: ((client: FleetClient) => Promise<readonly string[]>) | undefined;
  /** What the changes will do to other records too: printed before they are sent and with --dry-run, and checked afterwards. */
  readonly foresee?: (context: Context, client: FleetClient, changes: readonly ResolvedChange[]) => Promise<Foresight>;
  /** Whether a change may be sent again when no answer arrived. */
  readonly idempotent?: ((variables: ResolvedChange['variables']) => boolean) | undefined;
}

/** A change whose references may still be names. */
export interface Draft {
  readonly variables: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  /** Names that the input gives beside ids, by the names of the references. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface ResolvedChange {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Why it cannot be sent: a name that matches no record, or several. */
  readonly problem: CliError | null;
}

/** The reference to the record that is changed; undefined when a new record is created. */
export function subjectOf({ references }: Pick<ChangeSpec, 'references'>): Reference | undefined {
  return references.find(({ requiredAs }) => requiredAs !== null);
}

/** The ids of the records that are changed; texts that are none where they could not be resolved. */
export function subjectIds(spec: ChangeSpec, { variables }: Pick<ResolvedChange, 'variables'>): readonly string[] {
  const subject = subjectOf(spec);
  if (!subject) return [];
  const holder = subject.into === 'input' && spec.input ? variables[spec.input.variable] : variables;
  const value: unknown = isObject(holder) ? holder[subject.name] : null;
  return [value].flat().filter((id) => typeof id === 'string');
}

/** The reference to the record that a change is about. */
export function referenceTo(kind: EditableKind<never>, typed: string | undefined): Reference {
  const { idVariable, label, placeholder } = kind;
  return { name: idVariable, label, into: 'variables', kind, typed, requiredAs: `<${placeholder}>` };
}

type RecordSpec = Pick<ChangeSpec, 'operation' | 'subject' | 'input' | 'references'>;

/** Describes the creation of a record of this kind. `others`: the references of its input. */
export function creationOf<Row>(
  kind: EditableKind<Row> & { readonly create: WritingOperation },
  others: readonly Reference[] = [],
): RecordSpec {
  return {
    operation: kind.create.operation,
    subject: { kind, action: 'create' },
    input: kind.create,
    references: others,
  };
}

/** Describes the change of the record that the command line names. */
export function updateOf<Row>(
  kind: EditableKind<Row>,
  typed: string | undefined,
  others: readonly Reference[] = [],
): RecordSpec {
  return {
    operation: kind.update.operation,
    subject: { kind, action: 'update' },
    input: kind.update,
    references: [referenceTo(kind, typed), ...others],
  };
}
