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
  /** The keys of the records that it takes back; missing for all of the entry that it undoes. */
  readonly part?: readonly string[] | undefined;
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

/**
 * Returns what an entry and its undos call a record. `ids`: the successors of deleted records. An assignment has its name, because its id
 * may be another one after each change.
 */
export function recordKey(
  { kind, action, id, name, pair }: KeptRecord,
  step: Pick<JournalStep, 'id'>,
  ids: ReadonlyMap<string, string>,
): string {
  const known = idAfter({ action, id }, step);
  return latestKey(`${kind}:${pair !== undefined || known === null ? name : known}`, ids);
}

/** Returns the id of a record after its step: a created one has that of the answer. */
export function idAfter(
  { id, action }: Pick<KeptRecord, 'id' | 'action'>,
  step: Pick<JournalStep, 'id'>,
): string | null {
  return action === 'create' ? (step.id ?? id) : id;
}

/** Replaces a former id by the id that the record has now. */
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

/** The part of an entry that is undone. */
export interface UndoneRecords {
  /** The number of the latest undo. */
  readonly by: number;
  /** The keys of the records that are taken back. */
  readonly keys: ReadonlySet<string>;
  readonly isWhole: boolean;
}

/** Returns what undos that are in force have taken back, by the number of the entry: an undo may itself be undone, also in part. */
export function undoneBy(entries: readonly JournalEntry[]): ReadonlyMap<number, UndoneRecords> {
  const undone = new Map<number, UndoneRecords>();
  const ids = successors(entries);
  const byNumber = new Map(entries.map((entry) => [entry.n, entry]));
  // The newest first: what is in force of an undo is known before what it undoes is looked at.
  for (const entry of [...entries].sort((a, b) => b.n - a.n)) {
    const { n, undoes, part } = entry;
    const own = undone.get(n);
    if (undoes === null || own?.isWhole || entryOutcome(entry) !== 'done') continue;
    const target = byNumber.get(undoes);
    const all = target ? changedKeys(target, ids) : new Set<string>();
    const taken = (part?.map((key) => latestKey(key, ids)) ?? [...all]).filter((key) => !own?.keys.has(key));
    const { by = n, keys: others = [] } = undone.get(undoes) ?? {};
    const keys = new Set([...others, ...taken]);
    const isWhole = (part === undefined && own === undefined) || [...all].every((key) => keys.has(key));
    undone.set(undoes, { by, keys, isWhole });
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
