// Change of a record's groups.
import { isObject } from '../../../core/json.js';
import { refusal } from '../../errors/cli-error.js';
import { type Change, type ChangeSpec, referenceTo } from '../../plan/change-spec.js';
import { groupKind } from '../../records/group.js';
import type { EditableKind, WritingOperation } from '../../records/record-kind.js';

/** Returns the specification of a group change. `typed` is the id or name of the record. */
export function groupChange(
  kind: EditableKind<never> & { readonly groups: WritingOperation },
  typed: string | undefined,
  { add, remove }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Omit<Change<never>, 'display'> {
  const list = { into: 'input', kind: groupKind, list: true, requiredAs: null } as const;
  return {
    operation: kind.groups.operation,
    subject: { kind, action: 'update' },
    input: kind.groups,
    references: [
      referenceTo(kind, typed),
      { ...list, name: 'addGroupIds', typed: add },
      { ...list, name: 'removeGroupIds', typed: remove },
    ],
    contradiction: addedAndRemoved,
    // Repeating the change has no further effect.
    idempotent: () => true,
    flags: {},
  };
}

/** Returns an error when one group is both added and removed, else null. */
const addedAndRemoved: NonNullable<ChangeSpec['contradiction']> = (input, { names }) => {
  const idsIn = (member: string) => (isObject(input) ? [input[member]].flat() : []);
  const left = idsIn('removeGroupIds');
  const both = idsIn('addGroupIds').find((id) => left.includes(id));
  if (typeof both !== 'string') return null;
  return refusal(`The group "${names.get(both) ?? both}" is both added and removed.`, {
    hint: 'Give it to one of --add and --remove.',
  });
};
