// The requests that create, change and delete records: the only place that builds them.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName } from '../../generated/operation-table.js';
import type { MemberChange, Members } from './differences.js';
import { membersOf } from './input-members.js';
import type { EditableKind } from './record-kind.js';

export interface Request {
  readonly operation: OperationName;
  readonly variables: Members;
  /** True when it may be sent again after a lost answer. */
  readonly idempotent: boolean;
  /** The selection of the answer; default: the default selection. */
  readonly select?: SelectionTree | undefined;
}

/** Null when the service creates none. */
export function creationRequest({ create }: EditableKind<never>, members: Members): Request | null {
  if (create === null) return null;
  return { operation: create.operation, variables: { [create.variable]: members }, idempotent: false };
}

/** Null when the service deletes none. */
export function deletionRequest({ remove, idVariable }: EditableKind<never>, id: string): Request | null {
  return remove === null ? null : { operation: remove, variables: { [idVariable]: id }, idempotent: false };
}

/** The beginning of the field of a change of a custom field. */
export const FIELD = 'customFields.';

/**
 * Builds the requests for these changes: one for the members of the input, and one for each member with an operation of its own.
 * `send`: the whole values of the members that change.
 */
export function changeRequests(
  kind: EditableKind<never>,
  id: string,
  send: Members,
  changes: readonly MemberChange[],
): readonly Request[] {
  const { update, idVariable, groups, roles, field } = kind;
  const apart = new Set([...(groups ? ['groupIds'] : []), ...(roles ? ['roleIds'] : [])]);
  const others = Object.entries(send).filter(([name]) => !apart.has(name) && name !== 'customFields');
  const changedFields = changes.filter((change) => change.field.startsWith(FIELD));
  // One field alone is set by itself, so that the others stay what they are by now.
  const areMembers =
    membersOf(update.type).some(({ name }) => name === 'customFields') && others.length + changedFields.length > 1;
  const members = areMembers && changedFields.length > 0 ? [...others, ['customFields', send.customFields]] : others;
  const fields = areMembers ? [] : changedFields;
  const changed = (name: string) => changes.find((change) => change.field === name);
  const [ofGroups, ofRoles] = [changed('groupIds'), changed('roleIds')];
  return [
    ...(members.length > 0
      ? [
          {
            operation: update.operation,
            variables: { [idVariable]: id, [update.variable]: Object.fromEntries(members) },
            idempotent: true,
          },
        ]
      : []),
    ...(groups && ofGroups ? [groupRequest(kind, id, moved(ofGroups)) ?? []].flat() : []),
    ...(roles && ofRoles
      ? [{ operation: roles, variables: { [idVariable]: id, roleIds: ofRoles.after ?? [] }, idempotent: true }]
      : []),
    ...fields.flatMap(({ field: name, after = null }) =>
      field === undefined ? [] : [fieldRequest(field, kind, id, name.slice(FIELD.length), after)],
    ),
  ];
}

function fieldRequest(
  operation: OperationName,
  { idVariable }: EditableKind<never>,
  id: string,
  name: string,
  value: unknown,
): Request {
  return { operation, variables: { [idVariable]: id, field: { name, value } }, idempotent: true };
}

export interface GroupMoves {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

function moved({ before, after }: MemberChange): GroupMoves {
  const [was, is] = [idsIn(before), idsIn(after)];
  return { add: is.filter((id) => !was.includes(id)), remove: was.filter((id) => !is.includes(id)) };
}

function idsIn(value: unknown): readonly string[] {
  return [value].flat().filter((id) => typeof id === 'string');
}

/** Null when nothing is to be changed. Joining or leaving a group twice has no further effect. */
export function groupRequest(
  { groups, idVariable }: EditableKind<never>,
  id: string,
  { add, remove }: GroupMoves,
): Request | null {
  if (groups === undefined || add.length + remove.length === 0) return null;
  const input = {
    ...(add.length > 0 ? { addGroupIds: add } : {}),
    ...(remove.length > 0 ? { removeGroupIds: remove } : {}),
  };
  return { operation: groups.operation, variables: { [idVariable]: id, [groups.variable]: input }, idempotent: true };
}
