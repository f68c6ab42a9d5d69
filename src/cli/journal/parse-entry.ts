// Parses the lines of an entry. Invalid lines are skipped, and the entry is marked as damaged. The
// last line of a killed process can be incomplete, or a disk or a person may have damaged the file.
import { isObject } from '../../core/json.js';
import { isTextList } from '../records/differences.js';
import type { Intent, JournalEntry, JournaledRecord, JournalStep, OutcomeName, StepOutcome } from './entry.js';

type Line = Readonly<Record<string, unknown>>;

/** Returns null when the first line is no valid head. */
export function parseEntry(n: number, text: string): JournalEntry | null {
  const [first, ...others] = text.split('\n').filter((line) => line !== '');
  const head = first === undefined ? null : headIn(first);
  if (head === null) return null;
  const intents: (Intent & { readonly step: number; readonly at: string })[] = [];
  const outcomes = new Map<number, StepOutcome>();
  let isDamaged = false;
  for (const line of others.map(objectIn)) {
    if (line !== null && isIntent(line)) intents.push(line);
    else if (line !== null && isOutcome(line)) outcomes.set(line.step, outcomeIn(line));
    else isDamaged = true;
  }
  const steps = intents.map(
    ({ step, ...intent }): JournalStep => ({
      outcome: 'unknown',
      ...intent,
      ...outcomes.get(step),
    }),
  );
  return { n, ...head, steps, isDamaged };
}

function headIn(text: string): Omit<JournalEntry, 'n' | 'steps' | 'isDamaged'> | null {
  const line = objectIn(text);
  if (line === null || line.journal !== 1) return null;
  const { at, command, undoes = null, part, profile, baseUrl = null, login = null, user = null } = line;
  if (!isMoment(at) || typeof command !== 'string' || typeof profile !== 'string') return null;
  if (!isTextOrNull(baseUrl) || !isTextOrNull(login)) return null;
  if (undoes !== null && typeof undoes !== 'number') return null;
  if (part !== undefined && !isTextList(part)) return null;
  return { at, command, undoes, part, profile, baseUrl, login, user: isObject(user) ? userIn(user) : null };
}

function userIn(user: Line) {
  const text = (name: string) => {
    const value = user[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    userId: text('userId'),
    fleetId: text('fleetId'),
    userName: text('userName'),
    fleetName: text('fleetName'),
  };
}

function isIntent(line: Line): line is Line & Intent & { readonly step: number; readonly at: string } {
  const { step, at, operations, records } = line;
  return (
    typeof step === 'number' &&
    isMoment(at) &&
    isTextList(operations) &&
    Array.isArray(records) &&
    records.every(isRecord)
  );
}

const actions: readonly unknown[] = [
  'create',
  'update',
  'keep',
  'delete',
] satisfies readonly JournaledRecord['action'][];

function isRecord(value: unknown): value is JournaledRecord {
  if (!isObject(value)) return false;
  const { kind, action, name, id, changes, pair, formerId, effect, dependents } = value;
  return (
    typeof kind === 'string' &&
    actions.includes(action) &&
    typeof name === 'string' &&
    isTextOrNull(id) &&
    Array.isArray(changes) &&
    changes.every((change) => isObject(change) && typeof change.field === 'string') &&
    (pair === undefined ||
      (isObject(pair) && typeof pair.vehicleId === 'string' && typeof pair.driverId === 'string')) &&
    (formerId === undefined || typeof formerId === 'string') &&
    (effect === undefined || typeof effect === 'string') &&
    (dependents === undefined || isDependents(dependents))
  );
}

function isDependents(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { rules = [], groups = [], assignments = [] } = value;
  return (
    [rules, groups].every((list) => isListOf(list, ['id', 'name'])) && isListOf(assignments, ['vehicleId', 'startedAt'])
  );
}

function isListOf(value: unknown, members: readonly string[]): boolean {
  const hasAll = (one: unknown) => isObject(one) && members.every((name) => typeof one[name] === 'string');
  return Array.isArray(value) && value.every(hasAll);
}

const outcomeNames: readonly unknown[] = ['done', 'failed', 'unknown'] satisfies readonly OutcomeName[];

function isOutcome(line: Line): line is Line & StepOutcome & { readonly step: number } {
  const { step, outcome, id = null, joined = [], left = [] } = line;
  return (
    typeof step === 'number' &&
    outcomeNames.includes(outcome) &&
    isTextOrNull(id) &&
    isTextList(joined) &&
    isTextList(left)
  );
}

/** Copies only the outcome, not the time of the answer: a step has the time when it was sent. */
function outcomeIn({ outcome, id, joined, left }: StepOutcome): StepOutcome {
  return {
    outcome,
    ...(id === undefined ? {} : { id }),
    ...(joined === undefined ? {} : { joined }),
    ...(left === undefined ? {} : { left }),
  };
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function objectIn(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
