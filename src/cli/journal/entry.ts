// Types of a journal entry: one command, with its author, its steps and their outcomes.
import type { Author } from '../context/open-service.js';

export interface JournaledChange {
  readonly field: string;
  /** Missing when unknown, and for secrets. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** Both values for people: names instead of ids. */
  readonly names?: { readonly before: unknown; readonly after: unknown };
  /** The values are secrets and are not stored. */
  readonly isSecret?: true;
}

export interface JournaledRecord {
  /** Name of the kind of record: `vehicle`, `driver assignment`. */
  readonly kind: string;
  readonly action: 'create' | 'update' | 'keep' | 'delete';
  readonly name: string;
  /** Null before the record is created, or when it was not found. */
  readonly id: string | null;
  readonly changes: readonly JournaledChange[];
  readonly pair?: { readonly vehicleId: string; readonly driverId: string };
  /** For a record that undo creates again: its id before it was deleted. */
  readonly formerId?: string;
  /** The change in words, if members and values are not enough. */
  readonly effect?: string;
  /** Records that refer to a deleted record; missing if unreadable. */
  readonly dependents?: Dependents;
}

/** The records that refer to a deleted record; the references are lost with it. */
export interface Dependents {
  readonly rules?: readonly DependentRecord[];
  readonly groups?: readonly DependentRecord[];
  /** Current and planned assignments of a driver. */
  readonly assignments?: readonly JournaledAssignment[];
}

export interface DependentRecord {
  readonly id: string;
  readonly name: string;
}

export interface JournaledAssignment {
  readonly vehicleId: string;
  readonly vehicle: string;
  readonly startedAt: string;
  /** Null while it is open. */
  readonly endedAt: string | null;
}

export interface EntryHead extends Author {
  /** RFC 3339, by the clock of this machine. */
  readonly at: string;
  /** The command line, without values that may be secret. */
  readonly command: string;
  /** The number of the entry that this command undoes, if any. */
  readonly undoes: number | null;
  /** Keys of the reverted records; missing when the whole entry was undone. */
  readonly part?: readonly string[] | undefined;
}

export interface Intent {
  readonly operations: readonly string[];
  readonly records: readonly JournaledRecord[];
}

/** `unknown`: the step was sent, but no answer confirms it. */
export type OutcomeName = 'done' | 'failed' | 'unknown';

export interface StepOutcome {
  readonly outcome: OutcomeName;
  readonly id?: string | null;
  /** Groups that the record actually joined and left, if the service returns them. */
  readonly joined?: readonly string[];
  readonly left?: readonly string[];
}

/** Called once, when the step has an answer or gets none. */
export type EndOfStep = (outcome: StepOutcome) => void;

export interface JournalStep extends Intent, StepOutcome {
  /** Send time, by the clock of the service if known. RFC 3339. */
  readonly at: string;
}

export interface JournalEntry extends EntryHead {
  readonly n: number;
  readonly steps: readonly JournalStep[];
  /** True when a line of it could not be read. */
  readonly isDamaged: boolean;
}

/** Returns the outcome of the whole entry: `partly` when only some of its steps were done. */
export function entryOutcome({ steps }: Pick<JournalEntry, 'steps'>): OutcomeName | 'partly' {
  const outcomes = new Set(steps.map(({ outcome }) => outcome));
  if (outcomes.has('unknown') || outcomes.size === 0) return 'unknown';
  if (outcomes.size > 1) return 'partly';
  return outcomes.has('done') ? 'done' : 'failed';
}

/**
 * Returns the key of a record in an entry and its undos. `ids` maps ids of deleted records to their
 * new ids. An assignment is identified by name, because its id can differ after each change.
 */
export function recordKey(
  { kind, action, id, name, pair }: JournaledRecord,
  step: Pick<JournalStep, 'id'>,
  ids: ReadonlyMap<string, string>,
): string {
  const currentId = idAfter({ action, id }, step);
  return latestKey(`${kind}:${pair !== undefined || currentId === null ? name : currentId}`, ids);
}

/** Returns the id of a record after its step; for a created record, the id in the answer. */
export function idAfter(
  { id, action }: Pick<JournaledRecord, 'id' | 'action'>,
  step: Pick<JournalStep, 'id'>,
): string | null {
  return action === 'create' ? (step.id ?? id) : id;
}

function latestKey(key: string, ids: ReadonlyMap<string, string>): string {
  const at = key.indexOf(':') + 1;
  const id = key.slice(at);
  return `${key.slice(0, at)}${ids.get(id) ?? id}`;
}

/** Returns the keys of the records that an entry has changed, or may have changed. */
export function changedKeys({ steps }: Pick<JournalEntry, 'steps'>, ids: ReadonlyMap<string, string>): Set<string> {
  const changed = steps
    .filter(({ outcome }) => outcome !== 'failed')
    .flatMap((step) => step.records.filter(({ action }) => action !== 'keep').map((one) => recordKey(one, step, ids)));
  return new Set(changed);
}

export interface UndoneRecords {
  readonly by: number;
  readonly keys: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/** Returns the reverted records by entry number. An undo may itself be undone, also in part. */
export function undoneBy(entries: readonly JournalEntry[]): ReadonlyMap<number, UndoneRecords> {
  const undone = new Map<number, UndoneRecords>();
  const ids = restoredIds(entries);
  const byNumber = new Map(entries.map((entry) => [entry.n, entry]));
  // Newest first: an undo that was itself undone no longer counts.
  for (const entry of [...entries].sort((a, b) => b.n - a.n)) {
    const { n, undoes, part } = entry;
    const own = undone.get(n);
    if (undoes === null || own?.isWhole || entryOutcome(entry) !== 'done') continue;
    const target = byNumber.get(undoes);
    const all = target ? changedKeys(target, ids) : new Set<string>();
    const revertedKeys = (part?.map((key) => latestKey(key, ids)) ?? [...all]).filter((key) => !own?.keys.has(key));
    const { by = n, keys: others = [] } = undone.get(undoes) ?? {};
    const keys = new Set([...others, ...revertedKeys]);
    const isWhole = (part === undefined && own === undefined) || [...all].every((key) => keys.has(key));
    undone.set(undoes, { by, keys, isWhole });
  }
  return undone;
}

/** Maps ids of deleted records to their ids after undo created them again. */
export function restoredIds(entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
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
