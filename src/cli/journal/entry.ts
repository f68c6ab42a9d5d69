// What the journal keeps of one command that changed something: who sent it, and for each step what it changes and what became of it.
import type { Author } from '../context/open-service.js';

/** A member of a record with its value before and after. */
export interface KeptChange {
  readonly field: string;
  /** Missing when it was not known, and when the value is a secret. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Both as people know them: names in the place of ids. */
  readonly names?: { readonly before: unknown; readonly after: unknown };
  /** The values are secrets and are not kept. */
  readonly isSecret?: true;
}

/** A record that a step creates, changes or deletes. */
export interface KeptRecord {
  /** What the kind of record is called: `vehicle`, `driver assignment`. */
  readonly kind: string;
  readonly action: 'create' | 'update' | 'keep' | 'delete';
  /** As people know it. */
  readonly name: string;
  /** Null for a record that is to be created, or that was not found. */
  readonly id: string | null;
  readonly changes: readonly KeptChange[];
  /** Of an assignment: whose it is. */
  readonly pair?: { readonly vehicleId: string; readonly driverId: string };
  /** Of a deleted record that is created again: the id that it had. */
  readonly formerId?: string;
  /** The change in words, where members and values do not say it. */
  readonly told?: string;
  /** What refers to a record that is deleted; missing where that could not be read. */
  readonly dependents?: Dependents;
}

/** What refers to a record that is deleted, and is lost with it. */
export interface Dependents {
  /** Event rules that name it. */
  readonly rules?: readonly Named[];
  /** The groups below it. */
  readonly groups?: readonly Named[];
  /** The assignments of a driver that last or are planned. */
  readonly assignments?: readonly KeptAssignment[];
}

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface KeptAssignment {
  readonly vehicleId: string;
  /** The name of the vehicle. */
  readonly vehicle: string;
  /** RFC 3339. */
  readonly startedAt: string;
  /** Null while it is open. */
  readonly endedAt: string | null;
}

/** The first line of an entry. */
export interface EntryHead extends Author {
  /** RFC 3339, by the clock of this machine. */
  readonly at: string;
  /** Its words, without values that may be secret. */
  readonly command: string;
  /** The number of the entry that it undoes; null for another command. */
  readonly undoes: number | null;
}

/** A step that is about to be sent. */
export interface Intent {
  readonly operations: readonly string[];
  readonly records: readonly KeptRecord[];
}

/** `unknown`: it was sent, and no answer says whether it was made. */
export type OutcomeName = 'done' | 'failed' | 'unknown';

export interface StepOutcome {
  readonly outcome: OutcomeName;
  /** Of a record that was created. */
  readonly id?: string | null;
  /** The groups that a record has really joined and left, where the service says it. */
  readonly joined?: readonly string[];
  readonly left?: readonly string[];
}

/** Called once, when the step has an answer, or will get none. */
export type EndOfStep = (outcome: StepOutcome) => void;

export interface JournalStep extends Intent, StepOutcome {
  /** When it was sent, by the clock of the service as far as it is known. RFC 3339. */
  readonly at: string;
}

export interface JournalEntry extends EntryHead {
  /** Its number, which no other entry has. */
  readonly n: number;
  readonly steps: readonly JournalStep[];
  /** Whether a line of it could not be read. */
  readonly isDamaged: boolean;
}

/** What became of the whole entry: `partly` when only some of its steps were done. */
export function entryOutcome({ steps }: Pick<JournalEntry, 'steps'>): OutcomeName | 'partly' {
  const outcomes = new Set(steps.map(({ outcome }) => outcome));
  if (outcomes.has('unknown') || outcomes.size === 0) return 'unknown';
  if (outcomes.size > 1) return 'partly';
  return outcomes.has('done') ? 'done' : 'failed';
}

/** The entry that has undone another one and is in force, by the number of that one: an undo may itself be undone. */
export function undoneBy(entries: readonly JournalEntry[]): ReadonlyMap<number, number> {
  const undone = new Map<number, number>();
  // The newest first: whether an undo is in force is known before what it undoes is looked at.
  for (const entry of [...entries].sort((a, b) => b.n - a.n)) {
    if (entry.undoes === null || undone.has(entry.n) || undone.has(entry.undoes)) continue;
    if (entryOutcome(entry) === 'done') undone.set(entry.undoes, entry.n);
  }
  return undone;
}

/** The ids under which deleted records have come back, by those that they had. */
export function successors(entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
  const renamed = entries
    .flatMap(({ steps }) => steps)
    .flatMap(({ id, records: [record] }) => (record?.formerId && id ? [[record.formerId, id] as const] : []));
  const next = new Map(renamed);
  const last = (id: string): string => {
    const passed = new Set<string>();
    let at = id;
    for (let later = next.get(at); later !== undefined && !passed.has(at); later = next.get(at)) {
      passed.add(at);
      at = later;
    }
    return at;
  };
  return new Map(renamed.map(([former, id]) => [former, last(id)]));
}
