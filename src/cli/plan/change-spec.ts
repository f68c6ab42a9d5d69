// The types of a change: the specification, the draft with names, and the change with ids.
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
import type { CurrentRecord } from './plan-record.js';

/** A member that refers to a record, such as the vehicle of an assignment. */
export interface Reference {
  readonly name: string;
  /** Column of the record's name: `vehicle`. A line has name, id or both. */
  readonly label?: string | undefined;
  readonly into: 'variables' | 'input';
  readonly kind: RecordKind<never>;
  /** The typed argument or flag, several for a list; undefined when omitted. */
  readonly typed: string | readonly string[] | undefined;
  readonly list?: boolean | undefined;
  /** Required reference in the help text, such as `<group>`; null when it is optional. */
  readonly requiredAs: string | null;
}

export interface Subject {
  /** The kind; only a noun for records that cannot be listed. Their effects come from `foresee`. */
  readonly kind: EditableKind<never> | Pick<EditableKind<never>, 'noun'>;
  readonly action: 'create' | 'update' | 'delete';
  /** Returns the desired members of the record; default: the members of the input. */
  readonly desiredMembers?: (values: Members) => Members;
}

/** The records before the changes, by id. */
export interface Present {
  readonly records: ReadonlyMap<string, CurrentRecord>;
  /** The names of these and of referenced records, by id. */
  readonly names: ReadonlyMap<string, string>;
}

export interface ChangeSpec {
  readonly operation: OperationName;
  readonly subject: Subject;
  /** The variable of the input object and its type; null for operations without input. */
  readonly input: { readonly variable: string; readonly type: string } | null;
  /** The references. The first required one is the changed record. */
  readonly references: readonly Reference[];
  /** Additional members, which `read` converts to input members. */
  readonly more?: readonly InputColumn[];
  /** Converts additional members to input members, such as a circle to a shape. */
  readonly read?: (members: Members, where: string) => Members;
  /** The input members from flags, which override --input. Undefined values are omitted. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Resolves and checks times that are relative to `now`, the time of the service. */
  readonly resolveTimes?: (input: Readonly<Record<string, unknown>>, now: number) => Readonly<Record<string, unknown>>;
  /**
   * Returns the error of a change that contradicts itself or the current records, if any. The first
   * argument has the variables and input members, with ids for names.
   */
  readonly contradiction?: (values: Readonly<Record<string, unknown>>, present: Present) => CliError | null;
  /** Completes and checks an input, and returns it. `where`: the line, for messages. */
  readonly refine?: (input: Readonly<Record<string, unknown>>, where: string) => Record<string, unknown>;
}

export type Display<Row> =
  | {
      readonly view: View<Row>;
      /** Returns the record when nothing is sent; default: reads it. */
      readonly present?: (change: ResolvedChange) => Row;
    }
  /** A deletion; the text names the kind. Programs get the service's answer, `true`. */
  | { readonly deleted: string }
  /**
   * An operation with another result. Programs get it unchanged; for people `print` shows the new
   * state. Flags such as --fields do not apply.
   */
  | {
      /** True when `print` prints rows for programs too, because the service's answer has none. */
      readonly rows?: true;
      readonly print: (context: Context, client: FleetClient, change: ResolvedChange, result: unknown) => Promise<void>;
    };

export interface Change<Row> extends ChangeSpec {
  readonly display: Display<Row>;
  /** Returns the ids or names of the records to change: all of them are changed or none. */
  readonly chosen?: ((client: FleetClient) => Promise<readonly string[]>) | undefined;
  /** Predicts all effects. They are printed before sending, and checked afterwards. */
  readonly foresee?: (context: Context, client: FleetClient, changes: readonly ResolvedChange[]) => Promise<Foresight>;
  /** Returns true when a change may be retried after a missing answer. */
  readonly idempotent?: ((variables: ResolvedChange['variables']) => boolean) | undefined;
}

/** A change whose references may still be names. */
export interface Draft {
  readonly variables: Record<string, unknown>;
  readonly input: Record<string, unknown>;
  /** Names next to ids in the input, by reference name. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface ResolvedChange {
  readonly variables: Readonly<Record<string, unknown>>;
  /** The error of an unknown or ambiguous name, or of a contradiction; null for a valid change. */
  readonly problem: CliError | null;
}

/** Returns the reference to the changed record; undefined when a record is created. */
export function subjectOf({ references }: Pick<ChangeSpec, 'references'>): Reference | undefined {
  return references.find(({ requiredAs }) => requiredAs !== null);
}

/** Returns the ids of the changed records, without unresolved ones. */
export function subjectIds(spec: ChangeSpec, { variables }: Pick<ResolvedChange, 'variables'>): readonly string[] {
  const subject = subjectOf(spec);
  if (!subject) return [];
  const holder = subject.into === 'input' && spec.input ? variables[spec.input.variable] : variables;
  const value: unknown = isObject(holder) ? holder[subject.name] : null;
  return [value].flat().filter((id) => typeof id === 'string');
}

/** Returns the reference to the record that a change is about. */
export function referenceTo(kind: EditableKind<never>, typed: string | undefined): Reference {
  const { idVariable, label, placeholder } = kind;
  return { name: idVariable, label, into: 'variables', kind, typed, requiredAs: `<${placeholder}>` };
}

type RecordChange<Row> = Pick<Change<Row>, 'operation' | 'subject' | 'input' | 'references' | 'display'>;

/** Returns the specification for creating a record. `others`: the references of its input. */
export function creationOf<Row>(
  kind: EditableKind<Row> & { readonly create: WritingOperation },
  others: readonly Reference[] = [],
): RecordChange<Row> {
  return {
    operation: kind.create.operation,
    subject: { kind, action: 'create' },
    input: kind.create,
    references: others,
    display: { view: kind.view },
  };
}

/** Returns the specification for updating the record that the command line names. */
export function updateOf<Row>(
  kind: EditableKind<Row>,
  typed: string | undefined,
  others: readonly Reference[] = [],
): RecordChange<Row> {
  return {
    operation: kind.update.operation,
    subject: { kind, action: 'update' },
    input: kind.update,
    references: [referenceTo(kind, typed), ...others],
    display: { view: kind.view },
  };
}
