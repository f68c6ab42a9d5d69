// Builds all requests that create, change and delete records.
import type { SelectionTree } from '../../contract/selection/tree.js';
import type { OperationName } from '../../generated/operation-table.js';
import type { MemberChange, Members } from './differences.js';
import { membersOf } from './input-members.js';
import { NewRecord } from './new-record.js';
import type { EditableKind } from './record-kind.js';

type IdOrNew = string | NewRecord;

/** A request of a plan. A new record in the variables is a placeholder for its id. */
export interface Request {
  readonly operation: OperationName;
  readonly variables: Members;
  /** True when it may be retried after a lost answer. */
  readonly idempotent: boolean;
  readonly select?: SelectionTree | undefined;
}

/**
 * Builds the requests for a new record, with one for each member that has its own operation; none
 * when the service cannot create records.
 */
export function creationRequests(kind: EditableKind<never>, members: Members, self: NewRecord): readonly Request[] {
  const { create } = kind;
  if (create === null) return [];
  const memberNames = new Set(membersOf(create.type).map(({ name }) => name));
  // Groups and roles that the creation does not accept are set by their own operations.
  const hasOwnRequest = (name: string) => (name === 'groupIds' || name === 'roleIds') && !memberNames.has(name);
  const ofInput = Object.fromEntries(Object.entries(members).filter(([name]) => !hasOwnRequest(name)));
  const apart = Object.entries(members)
    .filter(([name, value]) => hasOwnRequest(name) && [value].flat().length > 0)
    .map(([field, after]): MemberChange => ({ field, before: null, after }));
  return [
    { operation: create.operation, variables: { [create.variable]: ofInput }, idempotent: false },
    ...changeRequests(kind, self, {}, apart),
  ];
}

/** Builds the request for a deletion; empty when the service cannot delete records. */
export function deletionRequests({ remove, idVariable }: EditableKind<never>, id: string): readonly Request[] {
  return remove === null ? [] : [{ operation: remove, variables: { [idVariable]: id }, idempotent: false }];
}

export const FIELD = 'customFields.';

/** Builds the requests for changes. `send`: the whole values of the changed members. */
export function changeRequests(
  kind: EditableKind<never>,
  id: IdOrNew,
  send: Members,
  changes: readonly MemberChange[],
): readonly Request[] {
  const { update, idVariable, groups, roles, field } = kind;
  const apart = new Set([
    ...(groups ? ['groupIds', 'addGroupIds', 'removeGroupIds'] : []),
    ...(roles ? ['roleIds'] : []),
  ]);
  const others = Object.entries(send).filter(([name]) => !apart.has(name) && name !== 'customFields');
  const changedFields = changes.filter((change) => change.field.startsWith(FIELD));
  // A single field is set on its own, so that concurrent changes of other fields remain.
  const sendsFieldsInUpdate =
    membersOf(update.type).some(({ name }) => name === 'customFields') && others.length + changedFields.length > 1;
  // Fields in a form of a live service are sent as they are.
  const isWhole = changes.some((change) => change.field === 'customFields');
  const hasFields = isWhole || (sendsFieldsInUpdate && changedFields.length > 0);
  const members = hasFields ? [...others, ['customFields', send.customFields]] : others;
  const fields = sendsFieldsInUpdate ? [] : changedFields;
  const changed = (name: string) => changes.find((change) => change.field === name);
  const [ofGroups, ofRoles] = [changed('groupIds'), changed('roleIds')];
  const moves = ofGroups ? groupMoves(ofGroups) : { add: idsIn(send.addGroupIds), remove: idsIn(send.removeGroupIds) };
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
    ...groupRequests(kind, id, moves),
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
  id: IdOrNew,
  name: string,
  value: unknown,
): Request {
  return { operation, variables: { [idVariable]: id, field: { name, value } }, idempotent: true };
}

interface GroupMoves {
  readonly add: readonly IdOrNew[];
  readonly remove: readonly IdOrNew[];
}

function groupMoves({ before, after }: MemberChange): GroupMoves {
  const [was, is] = [idsIn(before), idsIn(after)];
  return { add: is.filter((id) => !was.includes(id)), remove: was.filter((id) => !is.includes(id)) };
}

function idsIn(value: unknown): readonly IdOrNew[] {
  return [value].flat().filter((id) => typeof id === 'string' || id instanceof NewRecord);
}

/** Builds the request for group changes, if any. It can be repeated without further effect. */
function groupRequests(
  { groups, idVariable }: EditableKind<never>,
  id: IdOrNew,
  { add, remove }: GroupMoves,
): readonly Request[] {
  if (groups === undefined || add.length + remove.length === 0) return [];
  const input = {
    ...(add.length > 0 ? { addGroupIds: add } : {}),
    ...(remove.length > 0 ? { removeGroupIds: remove } : {}),
  };
  return [{ operation: groups.operation, variables: { [idVariable]: id, [groups.variable]: input }, idempotent: true }];
}
