// Selects the records of a journal entry to undo.
import { CliError } from '../../errors/cli-error.js';
import { firstOf } from '../../errors/unusable.js';
import {
  changedKeys,
  type JournalEntry,
  type JournaledRecord,
  type JournalStep,
  recordKey,
} from '../../journal/entry.js';
import { isSameText } from '../../records/names.js';

/** Present ids by the ids of deleted records. */
type Ids = ReadonlyMap<string, string>;

/** Returns the keys of the named records, and of assignments that changed with them. */
export function keysOfNamed(entry: JournalEntry, ids: Ids, texts: readonly string[]): ReadonlySet<string> {
  const recordsByKey = new Map(
    entry.steps.flatMap((step) =>
      step.records.map((record) => [recordKey(record, step, ids), { record, step }] as const),
    ),
  );
  const changed = changedKeys(entry, ids);
  const candidates = [...recordsByKey].filter(([key]) => changed.has(key));
  const lines = (some: typeof candidates) => firstOf(some.map(([, { record, step }]) => lineOf(record, step)));
  const found = texts.map((text) => {
    const matches = candidates.filter(([key, { record, step }]) =>
      [key.slice(key.indexOf(':') + 1), record.id, step.id, record.name].some(
        (own) => typeof own === 'string' && isSameText(own, text, 'name'),
      ),
    );
    const [only, ...others] = matches;
    if (only === undefined) {
      throw new CliError('NOT_FOUND', `#${entry.n} changed no record "${text}". It changed:`, {
        undone: undefined,
        details: lines(candidates),
        hint: 'Give the whole name of a record, or its id.',
      });
    }
    if (others.length === 0) return only[0];
    throw new CliError('AMBIGUOUS_NAME', `#${entry.n} has changed ${matches.length} records "${text}":`, {
      details: lines(matches),
      hint: 'Give the id of one of them.',
    });
  });
  return withPartners(entry, ids, new Set(found));
}

function lineOf({ kind, name, id, pair }: JournaledRecord, step: JournalStep): string {
  const recordsByKey = pair === undefined ? (id ?? step.id) : null;
  return `${kind} "${name}"${typeof recordsByKey === 'string' ? ` (${recordsByKey})` : ''}`;
}

/** Adds assignments that changed in the same step, where one starts because another ends. */
export function withPartners(entry: JournalEntry, ids: Ids, chosen: ReadonlySet<string>): ReadonlySet<string> {
  const steps = entry.steps.map((step) =>
    step.records.filter(({ pair }) => pair !== undefined).map((record) => recordKey(record, step, ids)),
  );
  const all = new Set(chosen);
  for (let size = -1; size < all.size; ) {
    size = all.size;
    for (const keys of steps) if (keys.some((key) => all.has(key))) for (const key of keys) all.add(key);
  }
  return all;
}

export function stepsWith(entry: JournalEntry, ids: Ids, keys: ReadonlySet<string>): readonly JournalStep[] {
  return entry.steps.map((step) => ({
    ...step,
    records: step.records.filter((record) => keys.has(recordKey(record, step, ids))),
  }));
}
