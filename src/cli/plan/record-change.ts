// Describes a change to a record, for plans, confirmations, outcomes and the journal.
import { isObject } from '../../core/json.js';
import type { JournaledRecord } from '../journal/entry.js';
import type { MemberChange } from '../records/differences.js';
import { NewRecord } from '../records/new-record.js';
import { describeShape } from '../views/geofence.js';

export type Action = JournaledRecord['action'];

/** A planned change of a record. The journal stores it unchanged, without secrets. */
export interface PlannedChange extends JournaledRecord {
  /** The changed members: all of a created record, all lost ones of a deleted record. */
  readonly changes: readonly MemberChange[];
  /** True when an assignment loses time, or may lose it because its effects are unknown. */
  readonly isEnding?: true;
}

export function createdMembers(members: Readonly<Record<string, unknown>>): readonly MemberChange[] {
  return Object.entries(members).map(([field, after]) => ({ field, before: null, after }));
}

/** Adds names to the changes whose ids have one. */
export function withNames(
  changes: readonly MemberChange[],
  names: ReadonlyMap<string, string>,
): readonly MemberChange[] {
  return changes.map((change) => {
    const [before, after] = [namesIn(change.before, names), namesIn(change.after, names)];
    const isSame = before === change.before && after === change.after;
    return isSame ? change : { ...change, names: { before, after } };
  });
}

/** Replaces ids by names; returns the same value when no id has a name. */
function namesIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (value instanceof NewRecord) return value.name;
  if (!Array.isArray(value)) return value;
  const named = value.map((member: unknown) => namesIn(member, names));
  return named.some((name, index) => name !== value[index]) ? named : value;
}

const signs: Readonly<Record<Action, string>> = { create: '+', update: '~', keep: '=', delete: '-' };

export function signOf({ action }: Pick<PlannedChange, 'action'>): string {
  return signs[action];
}

/** Returns the line of a record: `~ Anna Tamm: phone +372 1 → +372 2`. */
export function recordText(record: PlannedChange): string {
  const changes = changesText(record);
  return `${signOf(record)} ${record.name}${changes === '' ? '' : `: ${changes}`}`;
}

/** Returns the counts: `2 to create, 3 to change, 1 to delete, 13 stay as they are`. */
export function summaryOf(records: readonly Pick<PlannedChange, 'action'>[]): string {
  const actions = ['create', 'update', 'delete', 'keep'] as const;
  const counts = actions.map((action) => [action, records.filter((one) => one.action === action).length] as const);
  return counts.flatMap(([action, count]) => (count > 0 ? countText[action](count) : [])).join(', ');
}

const countText: Readonly<Record<Action, (count: number) => string>> = {
  create: (count) => `${count} to create`,
  update: (count) => `${count} to change`,
  delete: (count) => `${count} to delete`,
  keep: (count) => (count === 1 ? '1 stays as it is' : `${count} stay as they are`),
};

/** Returns `effect` if set, otherwise the changed members, or all members of a new record. */
export function changesText({
  action,
  name,
  changes,
  effect: wording,
}: Pick<PlannedChange, 'action' | 'name' | 'changes' | 'effect'>): string {
  if (wording !== undefined) return wording;
  if (action === 'create') {
    const others = changes.filter((change) => !isPartOfName(change, name));
    return others.flatMap((change) => newMemberTexts(change, name)).join(', ');
  }
  if (action !== 'update') return '';
  return changes.map(memberText).join(', ');
}

function isPartOfName({ field, after }: MemberChange, name: string): boolean {
  if (field === 'firstName') return name === after || name.startsWith(`${String(after)} `);
  return field === 'lastName' && (name === after || name.endsWith(` ${String(after)}`));
}

/** Returns a text for each nested member. Omits the name that the plan already shows. */
function newMemberTexts({ field, after, names }: MemberChange, name: string): readonly string[] {
  const value = names?.after ?? after;
  const shape = describeShape(value);
  if (shape !== '') return [shape];
  const parts = partsOf(value);
  if (parts !== null) {
    return parts.flatMap(([part, inner]) =>
      newMemberTexts({ field: `${field}.${part}`, before: null, after: inner }, name),
    );
  }
  const text = valueText(value);
  return text === 'none' || value === name ? [] : [`${labelOf(field)} ${text}`];
}

/** Returns the members of an object, or the fields of a list of names and values; else null. */
function partsOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (isObject(value) && !(value instanceof NewRecord)) return Object.entries(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const fields = value.flatMap((one: unknown) =>
    isObject(one) && typeof one.name === 'string' && 'value' in one ? [[one.name, one.value] as const] : [],
  );
  return fields.length === value.length ? fields : null;
}

function labelOf(field: string): string {
  return field.replace(/Id(s?)$/, '$1');
}

function memberText({ field, before, after, names = { before, after } }: MemberChange): string {
  const label = labelOf(field);
  // Coordinates are unreadable, so only the new shape is described.
  const shape = describeShape(names.after);
  if (shape !== '') return `${label} → ${shape}`;
  if (before === undefined) return `${label} → ${valueText(names.after)}`;
  const [was, is] = distinctTexts(names.before, names.after);
  return `${label} ${was} → ${is}`;
}

const MAX_TEXT = 200;

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(valueText).join(', ') || 'none';
  if (typeof value === 'object') return shortened(JSON.stringify(value));
  const text = shortened(String(value));
  // Quotes make leading and trailing spaces visible.
  return text === text.trim() ? text : `"${text}"`;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
}

/** Returns both values as texts. Texts that look the same get code points where they differ. */
function distinctTexts(before: unknown, after: unknown): readonly [string, string] {
  if (typeof before !== 'string' || typeof after !== 'string' || visibleText(before) !== visibleText(after)) {
    return [valueText(before), valueText(after)];
  }
  const [was, is] = [[...before], [...after]];
  let start = 0;
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) start++;
  let end = 0;
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const wording = (text: string, characters: readonly string[]) => {
    const own = characters.slice(start, characters.length - end);
    const points = own.map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
    return `"${shortened(text)}"${own.every((one) => one === ' ') ? '' : ` (${points.join(' ')})`}`;
  };
  return [wording(before, was), wording(after, is)];
}

/** Removes invisible differences: Unicode form, zero-width characters, spaces and dashes. */
function visibleText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Dash_Punctuation}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .trim();
}
