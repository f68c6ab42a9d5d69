// A plan: what a command is about to change, step by step, and how people see it before and afterwards.
import type { FleetClient } from '../../index.js';
import type { CliError } from '../errors/cli-error.js';
import type { InputLine, TableFormat } from '../input/read-input.js';
import type { NewRecord } from '../records/new-record.js';
import type { Request } from '../records/requests.js';
import type { PlannedChange } from './record-change.js';

export type SentRequest = Pick<Request, 'operation' | 'variables'>;

/** One change, which is done as a whole: a line of the input, or a record. */
export interface PlanStep {
  /** The line of the input that asks for it; null when none does. */
  readonly source: InputLine | null;
  /** Its line there; null when no line asks for it. */
  readonly line: number | null;
  /** What it changes. */
  readonly record: PlannedChange;
  /** All that it changes, where that is another record, several or none. */
  readonly effects?: readonly PlannedChange[];
  /** It is sent even if it changes nothing: the service says why. */
  readonly isAlwaysSent?: true;
  /** The record that its first request creates. */
  readonly creates?: NewRecord;
  /** What is sent, one after the other. A new record in them stands for its id. */
  readonly requests: readonly Request[];
}

/** The records that a step changes. */
export function recordsOf({ record, effects }: Pick<PlanStep, 'record' | 'effects'>): readonly PlannedChange[] {
  return effects && effects.length > 0 ? effects : [record];
}

/** What became of a step. */
export interface StepResult {
  readonly status: 'done' | 'failed' | 'unknown';
  /** The id of the record; null when it is not known. */
  readonly id: string | null;
  /** The number of the entry in the journal; null for a step that was not sent or not written down. */
  readonly journal: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number } | null;
}

export interface ShownPlan {
  readonly rows: readonly PlanRow[];
  /** Whether it is one change, which programs get as an object. */
  readonly isOne: boolean;
  /** Told beside it. */
  readonly remarks: readonly string[];
}

/** A record of a plan as it is printed: planned, or with its outcome. */
export interface PlanRow extends PlannedChange {
  readonly line: number | null;
  readonly status: StepResult['status'] | 'planned';
  /** Missing in a plan. */
  readonly journal?: number | null;
  readonly error: StepResult['error'];
  /** What it changes in all, where that is another record or several. */
  readonly effects?: readonly PlanRow[];
  /** What is sent for it. */
  readonly requests?: readonly SentRequest[];
}

/** Returns why the records are not as they should be after all changes were made; null when they are. */
export type OutcomeCheck = () => Promise<CliError | null>;

/** What changes do beyond what they say: told before they are sent, and compared with what is there afterwards. */
export interface Foresight {
  /** All effects of all changes, for people. */
  readonly sentences: readonly string[];
  /** For programs: the effects of each change, when those before it have been made. */
  readonly effects: readonly (readonly PlannedChange[])[];
  readonly check: OutcomeCheck;
}

export interface Plan {
  /** In this order. Those that keep a record as it is are not sent. */
  readonly steps: readonly PlanStep[];
  /** The format of the table that the steps come from. */
  readonly table?: TableFormat | undefined;
  /** What the steps do together; default: what each of them says. */
  readonly rows?: readonly PlanRow[] | undefined;
  /** Called when every step was done; missing when the answers say enough. */
  readonly check?: OutcomeCheck | undefined;
  /** Told beside the plan, such as what it does not bring back. */
  readonly remarks?: readonly string[] | undefined;
  readonly undoing?: Undoing | undefined;
  /** Shows the result of a plan with one step; default: a row for each record. `result`: null for a step that was not sent. */
  readonly showResult?: ((client: FleetClient, step: PlanStep, result: unknown) => Promise<void>) | undefined;
}

/** The entry of the journal that a plan undoes. */
export interface Undoing {
  /** Its number. */
  readonly undoes: number;
  /** The keys of the records that are taken back; missing for all. */
  readonly part?: readonly string[] | undefined;
}

/** The number of failures in a row after which the rest is not sent. */
export type MaxFailures = number | 'none';

/** How the steps are sent. */
export interface SendingFlags {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  /** The file that the steps come from. */
  readonly input?: string | undefined;
  readonly failed?: string | undefined;
  /** Default: 5. */
  readonly maxFailures?: MaxFailures | undefined;
}
