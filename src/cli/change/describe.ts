// What a change does to its records, by what they are now: the description that its plan shows.
import { contractFields } from '../../contract/selection/fields.js';
import { defaultTree, joinTrees, type SelectionTree } from '../../contract/selection/tree.js';
import { isObject } from '../../core/json.js';
import { operations } from '../../generated/operation-table.js';
import { type MemberChange, type Members, memberDifferences } from '../records/differences.js';
import { recordName } from '../records/record-kind.js';
import {
  type ChangeSpec,
  type Present,
  type ResolvedChange,
  type Subject,
  type SubjectKind,
  subjectOf,
} from './change-spec.js';
import { createdMembers, type PlannedChange, withNames } from './record-change.js';

type Relations = NonNullable<SubjectKind['relations']>;

/** What is read of each record for changes with these members. */
export function presentSelection(
  { subject }: Pick<ChangeSpec, 'subject'>,
  members: ReadonlySet<string>,
): SelectionTree {
  const { action, kind, wanted } = subject;
  const { type, relations = {} } = kind;
  if (action === 'create' || type === undefined) return {};
  if (action === 'delete') return wholeSelection(type);
  return [...(wanted?.members ?? members)].map((member) => selectionOf(type, member, relations)).reduce(joinTrees, {});
}

function selectionOf(type: string, member: string, relations: Relations): SelectionTree {
  const holder = relations[member]?.holder;
  if (holder) return { [holder]: { id: true, name: true } };
  const field = contractFields(type).get(member);
  if (!field) return {};
  return { [member]: field.leaf || leavesOf(field.type) };
}

function leavesOf(type: string): SelectionTree {
  return Object.fromEntries([...contractFields(type)].filter(([, { leaf }]) => leaf).map(([name]) => [name, true]));
}

/** All that is lost with a record. */
export function wholeSelection(type: string): SelectionTree {
  const list = Object.values(operations).find(({ returns, kind }) => kind === 'query' && returns.type === type);
  return list ? defaultTree(list) : leavesOf(type);
}

/** One description for each record that the change is about. */
export function describeChange(
  spec: ChangeSpec,
  change: ResolvedChange,
  { records, names }: Present,
): readonly PlannedChange[] {
  const { subject } = spec;
  const given = givenMembers(spec, change);
  const base = { kind: subject.kind.noun, action: subject.action };
  if (subject.action === 'create') {
    return [{ ...base, name: nameIn(subject, given), id: null, changes: withNames(createdMembers(given), names) }];
  }
  return subjectIds(spec, change).map((id): PlannedChange => {
    const known = records.get(id);
    const one = { ...base, name: known?.name ?? id, id };
    if (change.problem) return { ...one, id: null, changes: [] };
    if (subject.action === 'delete') return { ...one, changes: known ? lostMembers(known.row) : [] };
    const { type } = subject.kind;
    if (!known || type === undefined) return { ...one, changes: withNames(notCompared(given), names) };
    const present = presentMembers(known.row, subject.kind);
    const wanted = subject.wanted?.of(given, present) ?? wholeObjects(given, present);
    const isKnown = (member: string) => contractFields(type).has(member) || Object.hasOwn(present, member);
    const comparable = Object.fromEntries(Object.entries(wanted).filter(([member]) => isKnown(member)));
    const others = Object.fromEntries(Object.entries(wanted).filter(([member]) => !isKnown(member)));
    const differences = subject.differences ?? subject.kind.differences ?? memberDifferences;
    const changes = [...differences(comparable, present).changes, ...notCompared(others)];
    const all = new Map([...names, ...relatedNames(known.row, subject.kind)]);
    return { ...one, action: changes.length === 0 ? 'keep' : 'update', changes: withNames(changes, all) };
  });
}

function nameIn({ kind: { texts = [] } }: Subject, given: Members): string {
  return recordName({ texts }, given) ?? '';
}

/** What the change says of its record. */
function givenMembers(spec: ChangeSpec, { variables }: ResolvedChange): Members {
  const input = spec.input ? variables[spec.input.variable] : variables;
  const subject = subjectOf(spec)?.name;
  return Object.fromEntries(Object.entries(isObject(input) ? input : {}).filter(([name]) => name !== subject));
}

/** The ids of the records that are changed; texts that are none where they could not be resolved. */
export function subjectIds(spec: ChangeSpec, { variables }: Pick<ResolvedChange, 'variables'>): readonly string[] {
  const subject = subjectOf(spec);
  if (!subject) return [];
  const holder = subject.into === 'input' && spec.input ? variables[spec.input.variable] : variables;
  const value: unknown = isObject(holder) ? holder[subject.name] : null;
  return (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
}

/** The service replaces an object as a whole: what the input does not say of it is lost. */
function wholeObjects(given: Members, present: Members): Members {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const before = present[name];
      if (!isObject(value) || !isObject(before) || name === 'geojson') return [name, value];
      return [name, { ...Object.fromEntries(Object.keys(before).map((member) => [member, null])), ...value }];
    }),
  );
}

/** Members of a record whose value before is not known. */
function notCompared(members: Members): readonly MemberChange[] {
  return Object.entries(members).map(([field, after]) => ({ field, before: undefined, after }));
}

/** The record with the names of inputs. */
export function presentMembers(row: object, { relations = {} }: Pick<SubjectKind, 'relations'>): Members {
  const related = Object.entries(relations).flatMap(([member, { holder }]) =>
    holder !== null && Object.hasOwn(row, holder) ? [[member, idsIn(Reflect.get(row, holder))] as const] : [],
  );
  return { ...row, ...Object.fromEntries(related) };
}

function idsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => idsIn(one) ?? []);
  return isObject(value) ? (value.id ?? null) : null;
}

export function relatedNames(
  row: object,
  { relations = {} }: Pick<SubjectKind, 'relations'>,
): readonly (readonly [string, string])[] {
  return Object.values(relations)
    .flatMap(({ holder }): readonly unknown[] => (holder === null ? [] : [Reflect.get(row, holder)].flat()))
    .flatMap((one) =>
      isObject(one) && typeof one.id === 'string' && typeof one.name === 'string' ? [[one.id, one.name] as const] : [],
    );
}

/** What the service keeps of a record for itself. */
const ownMembers: ReadonlySet<string> = new Set(['id', 'version', 'createdAt', 'updatedAt', 'isDeleted', 'fleetId']);

/** All that a record has and loses with its deletion. */
export function lostMembers(row: object): readonly MemberChange[] {
  return Object.entries(row).flatMap(([field, before]: readonly [string, unknown]) =>
    ownMembers.has(field) || before === null || (Array.isArray(before) && before.length === 0)
      ? []
      : [{ field, before, after: null }],
  );
}
