// `fleet groups apply`: makes the groups those of a file. A parent may be a group that the file creates.
import { type DefineCommand, examples } from '../../context/define-command.js';
import { groupKind } from '../../records/group.js';
import { defineApply } from '../shared/apply-records.js';

export const defineApplyGroups: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    { kind: groupKind },
    `${examples(
      ['fleet groups apply groups.csv', 'the plan, a question, then the changes'],
      ['fleet groups apply groups.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet groups apply groups.csv --prune --yes', 'in a script; deletes the groups that are not in it'],
    )}\n\nA group is found by id, else by external id or whole name. A parent is an id or a name, also of a group\nthat the file creates. --prune leaves groups of others alone.`,
  );
