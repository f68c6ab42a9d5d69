// `fleet groups apply`: makes the groups those of a file. A parent may be a group that the file creates.

import type { Group } from '../../../index.js';
import { type FileRecord, type Target, textOf } from '../../apply/plan-records.js';
import type { Members } from '../../change/change-spec.js';
import { mapAll } from '../../change/draft-changes.js';
import type { ReportingRun } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { CliError, refusal } from '../../errors/cli-error.js';
import { groupKind } from '../../find/kinds.js';
import { findEachIn } from '../../find/match.js';
import { groupView } from '../../views/group.js';
import { defineApply } from '../shared/apply-records.js';

/** In place of the id of a parent that is to be created. */
class NewParent {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  toString(): string {
    return this.name;
  }

  toJSON(): string {
    return this.name;
  }
}

function sent({ parentId, ...members }: Members, created: ReadonlyMap<string, string>): Members {
  if (parentId === undefined) return members;
  if (!(parentId instanceof NewParent)) return { ...members, parentId };
  const id = created.get(parentId.name);
  if (id !== undefined) return { ...members, parentId: id };
  throw new CliError('GRAPHQL', `Its parent "${parentId.name}" was not created.`, {
    undone: 'sent',
    hint: 'The same command tries both again.',
  });
}

export const groupTarget: Target<Group> = {
  noun: 'group',
  plural: 'groups',
  listCommand: 'fleet groups list',
  id: ({ id }) => id,
  keys: [
    { noun: 'external id', isFixed: true, of: ({ externalId }) => textOf(externalId) },
    { noun: 'name', of: ({ name }) => textOf(name) },
  ],
  nameOf: ({ name }) => textOf(name) ?? '',
  create: (members, created) => ({
    operation: 'createGroup',
    variables: { createGroupInput: sent(members, created) },
    idempotent: false,
  }),
  change: (groupId, members, created) => ({
    operation: 'updateGroup',
    variables: { groupId, updateGroupInput: sent(members, created) },
    idempotent: true,
  }),
  remove: (groupId) => ({ operation: 'deleteGroup', variables: { groupId }, idempotent: false }),
  above: ({ parentId }) => parentId,
  inOrderOfDeletion: childrenFirst,
  // Such a group belongs to somebody else.
  spared: ({ isOwn }) => isOwn === false,
};

/** The service deletes no group that has groups below it. */
function childrenFirst(groups: readonly Group[]): readonly Group[] {
  const depthOf = (group: Group, seen: readonly Group[] = []): number => {
    const parent = groups.find(({ id }) => id === group.parentId);
    return parent === undefined || seen.includes(parent) ? 0 : 1 + depthOf(parent, [...seen, group]);
  };
  const depths = new Map(groups.map((group) => [group, depthOf(group)]));
  return [...groups].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
}

/** Replaces the names of parents by ids. Parents come before their children. @throws CliError USAGE that lists every unknown parent */
function withParents(wanted: readonly FileRecord[], known: readonly Group[], run: ReportingRun): readonly FileRecord[] {
  const nameOf = ({ members }: FileRecord) => groupTarget.nameOf(members);
  const isKnown = (one: FileRecord) => known.some((group) => group.name === nameOf(one) || group.id === one.id);
  const born = new Map(wanted.filter((one) => !isKnown(one)).map((one) => [nameOf(one), one]));
  const referring = mapAll(wanted, (one): FileRecord => {
    const parent = textOf(one.members.parentId);
    if (parent === null) return one;
    const [found] = findEachIn(run, groupKind, known, [parent], false);
    if (typeof found === 'string') return { ...one, members: { ...one.members, parentId: found } };
    if (born.has(parent)) return { ...one, members: { ...one.members, parentId: new NewParent(parent) } };
    throw refusal(`${one.where}, parentId: ${found?.message ?? 'there is no such group.'}`, {
      hint: 'Give the id, the whole name, or the name of another group in the file.',
    });
  });
  return parentsFirst(referring, nameOf);
}

function parentsFirst(wanted: readonly FileRecord[], nameOf: (one: FileRecord) => string): readonly FileRecord[] {
  const ordered = new Set<FileRecord>();
  const visit = (one: FileRecord, below: readonly FileRecord[]) => {
    if (ordered.has(one)) return;
    if (below.includes(one)) {
      throw refusal(`${one.where}: "${nameOf(one)}" would be its own parent.`, {
        hint: 'Correct the parents in the file.',
      });
    }
    const { parentId } = one.members;
    const parent = parentId instanceof NewParent ? wanted.find((other) => nameOf(other) === parentId.name) : undefined;
    if (parent) visit(parent, [...below, one]);
    ordered.add(one);
  };
  for (const one of wanted) visit(one, []);
  return [...ordered];
}

export const defineApplyGroups: DefineCommand = (noun, open) =>
  defineApply(
    noun,
    open,
    {
      target: groupTarget,
      list: 'getGroups',
      input: { type: 'CreateGroupInput', printed: { type: 'Group', views: [groupView] } },
      refer: (wanted, known, context) => ({
        wanted: withParents(wanted, known, context),
        names: new Map(known.flatMap(({ id, name }) => (id && name ? [[id, name] as const] : []))),
      }),
    },
    `${examples(
      ['fleet groups apply groups.csv', 'the plan, a question, then the changes'],
      ['fleet groups apply groups.csv --dry-run', 'the plan only; exit code 10 when something differs'],
      ['fleet groups apply groups.csv --prune --yes', 'in a script; deletes the groups that are not in it'],
    )}\n\nA group is found by id, else by external id or whole name. A parent is an id or a name, also of a group\nthat the file creates. --prune leaves groups of others alone.`,
  );
