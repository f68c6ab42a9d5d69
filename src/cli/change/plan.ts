// A plan: what a command is about to change, step by step, and how people see it before and afterwards.
import type { FleetClient } from '../../index.js';
import type { View } from '../output/view.js';
import type { Request } from '../records/requests.js';
import type { OutcomeCheck } from './foresight.js';
import type { InputLine, TableFormat } from './read-input.js';
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
  /** Later steps refer to the record that it creates by this name. */
  readonly creates?: string | null;
  /** Returns the requests for members that a creation does not take, such as roles. `id`: that of the new record. */
  readonly follow?: (id: string) => readonly Request[];
  /** What is sent, one after the other. `created`: the ids of the records that earlier steps have created, by their names. */
  readonly requests: (created: ReadonlyMap<string, string>) => readonly Request[];
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
  readonly result: unknown;
  /** The number of the entry in the journal; null for a step that was not sent or not written down. */
  readonly journal: number | null;
  readonly error: { readonly code: string; readonly message: string; readonly exitCode: number } | null;
}

export interface ShownPlan {
  readonly rows: readonly PlanRow[];
  /** Whether it is one change, which programs get as an object. */
  readonly isOne: boolean;
  /** Whether programs get what is sent, too. */
  readonly hasRequests: boolean;
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

export interface Plan<OneStep extends PlanStep, Row> {
  /** In this order. Those that keep a record as it is are not sent. */
  readonly steps: readonly OneStep[];
  /** What people and programs see of it. */
  readonly shown: ShownPlan;
  /** The lines about the plan for people who are not asked. With JSON, they follow the result. */
  readonly notices: readonly string[];
  readonly outcome: Outcome<OneStep, Row>;
  /** Called when every step was done; null when the answers say enough. */
  readonly check: OutcomeCheck | null;
  readonly undoing?: Undoing | undefined;
}

/** The entry of the journal that a plan undoes. */
export interface Undoing {
  /** Its number. */
  readonly undoes: number;
  /** The keys of the records that are taken back; missing for all. */
  readonly part?: readonly string[] | undefined;
}

/** What is printed of the outcome: what the only step did, or a row for each. */
export type Outcome<OneStep extends PlanStep, Row> = ShownResult<OneStep> | RowsOfResults<OneStep, Row>;

export interface ShownResult<OneStep extends PlanStep> {
  readonly show: (client: FleetClient, step: OneStep, result: unknown) => Promise<void>;
}

export interface RowsOfResults<OneStep extends PlanStep, Row> {
  readonly view: View<Row>;
  /** `reason`: what went wrong, for a narrow column; null when nothing did. */
  readonly rows: (result: StepResult, step: OneStep, reason: string | null) => readonly Row[];
  /** The step at the beginning of an error message. */
  readonly nameOf: (step: OneStep) => string;
  /** Told when there is nothing to send. */
  readonly nothingToDo: { readonly text: string; readonly forPrograms: boolean };
  /** How what was not done is repeated; null when it is not. */
  readonly again: string | null;
  /** The format of the table that the steps come from; undefined when they come from none. */
  readonly table: TableFormat | undefined;
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
