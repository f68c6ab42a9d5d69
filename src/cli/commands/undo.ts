// `fleet undo`: restores the records to their state before a command of the journal.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import { configFolder } from '../../core/config-folder.js';
import type { FleetClient } from '../../index.js';
import { acquireFreeLease, type Lease } from '../../locks/lease.js';
import { connect } from '../connection/connect.js';
import { type Context, canAsk, cannotAskReason, note } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { firstOf } from '../errors/unusable.js';
import { printOrDefer } from '../input/load-input.js';
import {
  changedKeys,
  entryOutcome,
  type JournalEntry,
  type JournalStep,
  recordKey,
  restoredIds,
  undoneBy,
} from '../journal/entry.js';
import { journalFolder, readJournal } from '../journal/journal-folder.js';
import { wholeBetween } from '../parse/whole-number.js';
import { carryOut } from '../plan/carry-out.js';
import { addMaxFailures, yesFlag } from '../plan/flags.js';
import type { MaxFailures, PlanStep } from '../plan/plan.js';
import { assignmentKind } from '../records/driver-assignment.js';
import { pairKey } from './drivers/effects.js';
import { keysOfNamed, stepsWith, withPartners } from './undo/choose-records.js';
import { type Conflict, planRecordUndo } from './undo/plan-undo.js';
import { readPresent } from './undo/present-state.js';
import { planAssignmentUndo } from './undo/undo-assignments.js';

interface UndoFlags {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly force?: true;
  readonly skipChanged?: true;
  readonly maxFailures?: MaxFailures;
}

export const define: DefineCommand = (noun, open) => {
  addMaxFailures(noun);
  noun
    .description(
      'Restore the records to their state before a command of `fleet history`: a plan, a question, then the changes.',
    )
    .argument(
      '[number]',
      'its number in `fleet history`; required without a terminal; default: the last command that is not undone',
      wholeBetween(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--dry-run', 'print the plan and change nothing')
    .option(...yesFlag)
    .argument('[record...]', 'only these records: whole names or ids, as `fleet history get` shows them')
    .option('--force', 'also where somebody has changed the records since')
    .addOption(
      new Option('--skip-changed', 'leave the records that somebody has changed since, and undo the rest').conflicts(
        'force',
      ),
    )
    .addHelpText(
      'after',
      `${examples(
        ['fleet history', 'the numbers'],
        ['fleet undo 12 --dry-run', 'the plan only'],
        ['fleet undo 12', 'the plan, a question, then the changes'],
        ['fleet undo 12 --yes', 'in a script'],
        ['fleet undo 12 "Van 01" "Van 02"', 'only these records'],
        ['fleet undo 12 --skip-changed', 'all records but those that somebody has changed since'],
        ['fleet undo', 'the last command that is not undone, on a terminal'],
      )}

- Each record is read first. If one has changed since the command, nothing is sent. --skip-changed
  undoes the others, --force undoes all.
- Without records, undo continues an earlier undo that is incomplete. Assignments of one change are
  undone together.
- Failed changes are not undone. For an unknown outcome the record is read.
- An undo is in the journal too. Undo it to make the change again.
- Deleted records come back with new ids. The plan names everything else that does not come back.
- With --dry-run the exit code is 10 when there is something to undo.`,
    )
    .action((number: number | undefined, records: readonly string[], flags: UndoFlags) =>
      undo(open(), { number, records }, flags),
    );
};

interface Target {
  readonly number: number | undefined;
  /** Empty for all records of the entry. */
  readonly records: readonly string[];
}

async function undo(context: Context, target: Target, flags: UndoFlags): Promise<void> {
  if (target.number === undefined && !canAsk(context)) throw numberMissing(context);
  const lease = flags.dryRun ? null : await undoLease(context);
  try {
    await undoEntry(context, target, flags);
  } finally {
    lease?.release();
  }
}

/** A script needs a number: the last command may not be the one that failed. */
function numberMissing(context: Context): CliError {
  const last = lastOf(readJournal(journalFolder(configFolder(context.io.env))).entries, () => true);
  const example = last ? `The last one is #${last.n}, ${last.command}: \`fleet undo ${last.n}\`. ` : '';
  return refusal(`The number of the command is missing, and ${cannotAskReason(context)}.`, {
    hint: `${example}\`fleet history\` lists all.`,
  });
}

/** Acquires the undo lock, so that no record is created twice. Null without a journal. */
async function undoLease(context: Context): Promise<Lease | null> {
  const folder = journalFolder(configFolder(context.io.env));
  if (!existsSync(folder)) return null;
  const lease = await acquireFreeLease(join(folder, 'undo.lock'), {
    signal: context.io.signal,
    onWait: () => note(context, 'Another `fleet undo` may still run. This one waits up to 35 s to see if it does.'),
  });
  if (lease !== null) return lease;
  throw new CliError('IN_USE', 'Another `fleet undo` is running on this machine.', {
    undone: 'changed',
    hint: 'Wait until it has ended; `fleet history` then shows what it did.',
  });
}

async function undoEntry(context: Context, { number, records }: Target, flags: UndoFlags): Promise<void> {
  const { entries } = readJournal(journalFolder(configFolder(context.io.env)));
  const numbered = number === undefined ? null : entryWith(entries, number);
  const client = await connect(context);
  const entry = numbered ?? lastOf(entries, (one) => isSameAccount(context, one)) ?? nothingToUndo();
  requireSameAccount(context, entry);
  const { n } = entry;
  const undone = undoneBy(entries).get(n);
  if (undone?.isWhole) {
    throw refusal(`#${n} has been undone by #${undone.by}.`, {
      hint: `\`fleet undo ${undone.by}\` makes the change again.`,
    });
  }
  const ids = restoredIds(entries);
  const own = { ...entry, steps: withPresentIds(entry.steps, ids) };
  const all = changedKeys(own, ids);
  const chosen = records.length > 0 ? keysOfNamed(own, ids, records) : all;
  let keys = new Set([...chosen].filter((key) => !undone?.keys.has(key)));
  if (undone && keys.size === 0) return note(context, `Nothing to do: #${undone.by} has undone this already.`);
  const unfinished = entries
    .filter((one) => one.undoes === n && entryOutcome(one) !== 'done')
    .flatMap((one) => withPresentIds(one.steps, ids));
  let plan = await planUndo(context, client, stepsWith(own, ids, keys), unfinished);
  const skipped: Conflict[] = [];
  while (flags.skipChanged && plan.conflicts.length > 0) {
    skipped.push(...plan.conflicts);
    const changed = new Set(plan.conflicts.map(({ record, step }) => recordKey(record, step, ids)));
    const left = withPartners(own, ids, changed);
    keys = new Set([...keys].filter((key) => !left.has(key)));
    // The plan of the remaining records may change.
    plan = await planUndo(context, client, stepsWith(own, ids, keys), unfinished);
  }
  const { steps, conflicts, losses, check } = plan;
  if (conflicts.length > 0 && !flags.force) {
    throw changedSince(n, lastConflictingEntry(context, entry, entries), conflicts);
  }
  const left = [...new Set(skipped.map(({ text }) => `${text} It stays as it is.`))];
  const lost = [...new Set(losses)];
  if (steps.every(({ record }) => record.action === 'keep') && lost.length > 0) {
    throw new CliError('USAGE', `#${n} cannot be undone: ${entry.command}.`, {
      undone: 'changed',
      details: firstOf(lost),
    });
  }
  if (steps.length === 0) {
    for (const line of left) printOrDefer(context, line);
    return note(context, `Nothing to do: #${n} changed nothing${left.length > 0 ? ' else' : ''}.`);
  }
  const isPart = keys.size < all.size;
  const what = isPart ? `${keys.size} of the ${all.size} records of #${n}` : `#${n}`;
  const remarks = [`Undoes ${what}: ${entry.command}`, ...left, ...lost];
  const undoing = { undoes: n, part: isPart ? [...keys] : undefined };
  await carryOut(context, async () => client, { steps, remarks, undoing, check }, flags);
}

/** `last`: the later entry of this machine that changed the records; null for another author. */
function changedSince(n: number, last: number | null, conflicts: readonly Conflict[]): CliError {
  const before = last === null ? '' : `Undo that first: \`fleet undo ${last}\`. Or: `;
  return new CliError('USAGE', `${last === null ? 'Somebody' : `Your #${last}`} has changed the records since #${n}.`, {
    undone: 'changed',
    details: firstOf([...new Set(conflicts.map(({ text }) => text))]),
    hint: `${before}\`fleet undo ${n} --force\` undoes it all the same, and --skip-changed leaves these records; add --dry-run to see the plan.`,
  });
}

/** Returns the number of the last later entry that changed the same records, else null. */
function lastConflictingEntry(context: Context, entry: JournalEntry, entries: readonly JournalEntry[]): number | null {
  const idsOf = ({ steps }: JournalEntry) =>
    steps.flatMap(({ id, outcome, records }) =>
      outcome === 'failed' ? [] : [id, ...records.map((record) => record.id)].filter((one) => typeof one === 'string'),
    );
  const ids = new Set(idsOf(entry));
  const undone = undoneBy(entries);
  const later = entries.filter(
    (one) =>
      one.n > entry.n &&
      !undone.get(one.n)?.isWhole &&
      // A later undo of this entry or of a newer one is not a conflict.
      (one.undoes === null || one.undoes < entry.n) &&
      isSameAccount(context, one) &&
      idsOf(one).some((id) => ids.has(id)),
  );
  return later.at(-1)?.n ?? null;
}

/** Replaces the former ids of restored records by their present ids. */
function withPresentIds(steps: readonly JournalStep[], ids: ReadonlyMap<string, string>): readonly JournalStep[] {
  if (ids.size === 0) return steps;
  return JSON.parse(JSON.stringify(steps), (key, value: unknown) =>
    typeof value === 'string' && key !== 'formerId' ? (ids.get(value) ?? value) : value,
  ) as readonly JournalStep[];
}

async function planUndo(
  context: Context,
  client: FleetClient,
  steps: readonly JournalStep[],
  unfinished: readonly JournalStep[],
) {
  const others = steps.map((step) => ({
    ...step,
    records: step.records.filter(({ kind }) => kind !== assignmentKind.noun),
  }));
  const present = await readPresent(context, client, others);
  const retried = new Set(
    unfinished.flatMap(({ records }) => records.flatMap(({ pair }) => (pair ? pairKey(pair) : []))),
  );
  const assignments = await planAssignmentUndo(context, client, steps, { present, retried });
  const records = planRecordUndo(others, present, unfinished);
  const isDeletion = ({ record }: PlanStep) => record.action === 'delete';
  return {
    // Assignments need an existing driver: after creations, before deletions.
    steps: [
      ...records.steps.filter((step) => !isDeletion(step)),
      ...(assignments?.steps ?? []),
      ...records.steps.filter(isDeletion),
    ],
    conflicts: [...records.conflicts, ...(assignments?.conflicts ?? [])],
    losses: [...records.losses, ...(assignments?.losses ?? [])],
    check: assignments && assignments.steps.length > 0 ? assignments.check : undefined,
  };
}

function entryWith(entries: readonly JournalEntry[], number: number): JournalEntry {
  const entry = entries.find(({ n }) => n === number);
  if (entry) return entry;
  throw new CliError('NOT_FOUND', `There is no #${number} in the journal of this machine.`, {
    undone: 'changed',
    hint: '`fleet history` lists its entries.',
  });
}

/** Returns the last entry that can be undone. Undos are excluded: a repeat goes further back. */
function lastOf(
  entries: readonly JournalEntry[],
  isEligible: (entry: JournalEntry) => boolean,
): JournalEntry | undefined {
  const undone = undoneBy(entries);
  return entries.findLast(
    (entry) =>
      entry.undoes === null &&
      !undone.get(entry.n)?.isWhole &&
      entryOutcome(entry) !== 'failed' &&
      isEligible(entry) &&
      // A document of `fleet api` has no inverse.
      entry.steps.some(({ records }) => records.some(({ kind }) => kind !== 'operation')),
  );
}

function nothingToUndo(): never {
  throw new CliError('NOT_FOUND', 'The journal of this machine has nothing to undo for this service and user.', {
    undone: 'changed',
    hint: '`fleet history` lists its entries.',
  });
}

function isSameAccount({ service: { author } }: Context, { baseUrl, user }: JournalEntry): boolean {
  const isUser = !user || !author?.user || user.userId === null || user.userId === author.user.userId;
  return author?.baseUrl === baseUrl && isUser;
}

/** Refuses an entry of another service or user. */
function requireSameAccount(context: Context, entry: JournalEntry): void {
  if (isSameAccount(context, entry)) return;
  const { n, baseUrl, login, user, profile } = entry;
  const isOtherService = context.service.author?.baseUrl !== baseUrl;
  const who = isOtherService
    ? `${login ?? 'nobody'} at ${baseUrl ?? 'no service'}`
    : `the user ${user?.userName ?? user?.userId}`;
  throw refusal(`#${n} was made by ${who}, and this command acts for another one.`, {
    hint: isOtherService ? `Add --profile ${profile}.` : `Add --user ${user?.userId}.`,
  });
}
