// What changes of groups have in common: which groups a record joins and leaves.
import { isObject } from '../../../core/json.js';
import type { ChangeSpec } from '../../change/change-spec.js';
import { refusal } from '../../errors/cli-error.js';

/** A group cannot be joined and left by one change. */
export const addedAndRemoved: NonNullable<ChangeSpec['contradiction']> = (input, { names }) => {
  const idsIn = (member: string) => (isObject(input) ? [input[member]].flat() : []);
  const left = idsIn('removeGroupIds');
  const both = idsIn('addGroupIds').find((id) => left.includes(id));
  if (typeof both !== 'string') return null;
  return refusal(`The group "${names.get(both) ?? both}" is to be added and removed.`, {
    hint: 'Give it to one of --add and --remove.',
  });
};
