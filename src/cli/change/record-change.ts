// What a change does to a record: one description for plans, questions, outcomes and everything else that tells or keeps changes.
import { isObject } from '../../core/json.js';
import type { KeptRecord } from '../journal/entry.js';
import type { MemberChange } from '../records/differences.js';
import { describedShape } from '../views/geofence.js';

export type Action = KeptRecord['action'];

/** The journal keeps it as it is, without secrets. */
export interface PlannedChange extends KeptRecord {
  /** Of a created record all its members, of a deleted one all that are lost. */
  readonly changes: readonly MemberChange[];
  /** An assignment loses time by it, or may lose some where its effect could not be read. */
  readonly isEnding?: true;
}

/** The members of a new record. */
export function createdMembers(members: Readonly<Record<string, unknown>>): readonly MemberChange[] {
  return Object.entries(members).map(([field, after]) => ({ field, before: null, after }));
}

/** Adds the names of ids to the changes that have some. */
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

/** The same value when it has no id with a name. */
function namesIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  // What has a class stands for a record that is to be created, and has its name.
  if (isObject(value) && Object.getPrototypeOf(value) !== Object.prototype) return String(value);
  if (!Array.isArray(value)) return value;
  const named = value.map((member: unknown) => namesIn(member, names));
  return named.some((name, index) => name !== value[index]) ? named : value;
}

const signs: Readonly<Record<Action, string>> = { create: '+', update: '~', keep: '=', delete: '-' };

export function signOf({ action }: Pick<PlannedChange, 'action'>): string {
  return signs[action];
}

/** `~ Anna Tamm: phone +372 1 → +372 2` */
export function recordText(record: PlannedChange): string {
  const changes = changesText(record);
  return `${signOf(record)} ${record.name}${changes === '' ? '' : `: ${changes}`}`;
}

/** `2 to create, 3 to change, 1 to delete, 13 stay as they are` */
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

/** Names what changes member by member, and of a new record the members that its name does not show. */
export function changesText({
  action,
  name,
  changes,
  told,
}: Pick<PlannedChange, 'action' | 'name' | 'changes' | 'told'>): string {
  if (told !== undefined) return told;
  if (action === 'create') return changes.flatMap((change) => newMemberText(change, name)).join(', ');
  if (action !== 'update') return '';
  return changes.map(memberText).join(', ');
}

function newMemberText({ field, after, names }: MemberChange, name: string): string | readonly [] {
  const value = names?.after ?? after;
  const shape = describedShape(value);
  if (shape !== '') return shape;
  const text = valueText(value);
  if (text === 'none' || (text !== null && name.includes(text))) return [];
  return text === null ? labelOf(field) : `${labelOf(field)} ${text}`;
}

function labelOf(field: string): string {
  return field.replace(/Id(s?)$/, '$1');
}

function memberText({ field, before, after, names = { before, after } }: MemberChange): string {
  const label = labelOf(field);
  const [was, is] = [valueText(names.before), valueText(names.after)];
  // Nobody can compare the corners of a shape.
  const shape = describedShape(names.after);
  if (shape !== '') return `${label} → ${shape}`;
  if (was === null || is === null) return label;
  return before === undefined ? `${label} → ${is}` : `${label} ${was} → ${is}`;
}

/** Null for a value that takes too much room. */
function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return typeof value === 'object' ? null : String(value);
  const texts = value.map(valueText);
  return texts.includes(null) ? null : texts.join(', ') || 'none';
}
