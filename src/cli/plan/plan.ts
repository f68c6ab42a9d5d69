// The types of a plan: the steps of a command, and their printed form before and after sending.
import type { FleetClient } from '../../index.js';
import type { CliError } from '../errors/cli-error.js';
import type { InputLine, TableFormat } from '../input/read-input.js';
import type { NewRecord } from '../records/new-record.js';
import type { Request } from '../records/requests.js';
import type { PlannedChange } from './record-change.js';

export type SentRequest = Pick<Request, 'operation' | 'variables'>;

/** One change: a line of the input, or a record. */
export interface PlanStep {
  /** The input line of the step; null without one. */
  readonly source: InputLine | null;
  readonly line: number | null;
  readonly record: PlannedChange;
  /** The changed records, when they are not exactly `record`. */
  readonly effects?: readonly PlannedChange[];
  /** Sent even without effects: the service returns the reason. */
  readonly isAlwaysSent?: true;
  /** The record that the first request creates. */
  readonly creates?: NewRecord;
  /** The requests, in order. A new record in them is a placeholder for its id. */
  readonly requests: readonly Request[];
}

export function recordsOf({ record, effects }: Pick<PlanStep, 'record' | 'effects'>): readonly PlannedChange[] {
  return effects && effects.length > 0 ? effects : [record];
}

export interface StepResult {
  readonly status: 'done' | 'failed' | 'unknown';
  /** The id of the record; null when it is unknown. */
  readonly id: string | null;
  /** The number of the journal entry; null when the step was not sent or not recorded. */
  readonly journal: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number } | null;
}

export interface ShownPlan {
  readonly rows: readonly PlanRow[];
  /** True for a single change, which programs get as an object. */
  readonly isOne: boolean;
  readonly remarks: readonly string[];
}

/** A printed record of a plan: planned, or with its outcome. */
export interface PlanRow extends PlannedChange {
  readonly line: number | null;
  readonly status: StepResult['status'] | 'planned';
  /** Missing before the step is sent. */
  readonly journal?: number | null;
  readonly error: StepResult['error'];
  /** The changed records, when they are not exactly this one. */
  readonly effects?: readonly PlanRow[];
  readonly requests?: readonly SentRequest[];
}

/** Returns the error when records do not match the plan after all changes, if any. */
export type OutcomeCheck = () => Promise<CliError | null>;

/** Predicted effects of changes, printed before sending and compared with the outcome. */
export interface Foresight {
  /** The effects of all changes, for people. */
  readonly sentences: readonly string[];
  /** The effects of each change after the changes before it, for programs. */
  readonly effects: readonly (readonly PlannedChange[])[];
  readonly check: OutcomeCheck;
}

export interface Plan {
  /** The steps in order. Steps that change nothing are not sent, except with `isAlwaysSent`. */
  readonly steps: readonly PlanStep[];
  readonly table?: TableFormat | undefined;
  /** The combined effects of the steps; default: the rows of the steps. */
  readonly rows?: readonly PlanRow[] | undefined;
  /** The check after the last step; missing when the answers suffice. */
  readonly check?: OutcomeCheck | undefined;
  readonly remarks?: readonly string[] | undefined;
  readonly undoing?: Undoing | undefined;
  /** Prints the result of a single step (null when not sent); default: a row per record. */
  readonly showResult?: ((client: FleetClient, step: PlanStep, result: unknown) => Promise<void>) | undefined;
}

/** The journal entry that a plan undoes. */
interface Undoing {
  readonly undoes: number;
  /** The keys of the reverted records; missing for all. */
  readonly part?: readonly string[] | undefined;
}

/** The number of consecutive failures that stops a run. */
export type MaxFailures = number | 'none';

export interface SendingFlags {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly input?: string | undefined;
  readonly failed?: string | undefined;
  /** Default: 5. */
  readonly maxFailures?: MaxFailures | undefined;
}
