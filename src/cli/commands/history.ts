// `fleet history`: lists the commands of this machine that changed something, or shows one in full.

import { configFolder } from '../../core/config-folder.js';
import { type Context, serviceNow } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { formatOf, printRecord, printRows } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import {
  entryOutcome,
  type JournalEntry,
  type JournaledRecord,
  type UndoneRecords,
  undoneBy,
} from '../journal/entry.js';
import { journalFolder, readJournal } from '../journal/journal-folder.js';
import { readTime, timeHelp } from '../parse/time.js';
import { wholeBetween } from '../parse/whole-number.js';
import { changesText, signOf } from '../plan/record-change.js';
import { hasPart, isSameText } from '../records/names.js';
import { listShape } from '../shape/list-shape.js';
import { type HistoryRow, historyView } from '../views/history.js';

interface HistoryFlags {
  readonly record?: string;
  readonly since?: string;
  readonly until?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun
    .description('List the changes that `fleet` made from this machine, the latest first. Nothing is sent.')
    .option('--record <text>', 'only commands that changed a record with this id, or with this text in its name')
    .option('--since <time>', 'only commands since this time')
    .option('--until <time>', 'only commands before this time')
    .addHelpText(
      'after',
      `${examples(
        ['fleet history', 'the latest first'],
        ['fleet history --record "Truck 07" --since yesterday', ''],
        ['fleet history --user anna --filter outcome=unknown', 'of one login or user'],
        ['fleet history get 12', 'one command with all that it changed'],
        ['fleet undo 12', 'undo it'],
      )}

- The journal has the last 1000 commands, at most 64 MB. It is in the folder of the configuration,
  and only its owner can read it.
- It has no passwords, access tokens, values of driver tokens, or changes with --demo.
- FLEET_JOURNAL=off in the environment turns the journal off.${timeHelp}`,
    )
    .action((flags: HistoryFlags) => list(open(), flags));
  noun
    .command('get')
    .description('show a command with all that it changed')
    .argument('<number>', 'its number in `fleet history`', wholeBetween(1, Number.MAX_SAFE_INTEGER))
    .addHelpText(
      'after',
      examples(['fleet history get 12', ''], ['fleet history get 12 -o json', 'old and new values as data']),
    )
    .action((number: number) => get(open(), number));
};

async function list(context: Context, { record, since, until }: HistoryFlags): Promise<void> {
  const shape = listShape<HistoryRow>(context, historyView, 'view');
  const [from, to] = [timeOf(context, since, '--since'), timeOf(context, until, '--until')];
  const { entries } = journalOf(context);
  const undone = undoneBy(entries);
  const rows = entries
    .filter((entry) => record === undefined || entry.steps.some(({ records }) => records.some(matchesRecord(record))))
    .filter(({ at }) => (from === null || Date.parse(at) >= from) && (to === null || Date.parse(at) < to))
    .filter((entry) => isBy(entry, context.globals.user))
    .map((entry) => rowOf(entry, undone))
    .reverse();
  await printRows(context, shape.rows(rows), shape.view, 'Nothing was changed from this machine.');
}

async function get(context: Context, number: number): Promise<void> {
  const { entries } = journalOf(context);
  const entry = entries.find(({ n }) => n === number);
  if (!entry) {
    throw new CliError('NOT_FOUND', `There is no #${number} in the journal of this machine.`, {
      hint: '`fleet history` lists its entries.',
    });
  }
  const row = rowOf(entry, undoneBy(entries));
  const { forPeople, wholeValues } = formatOf(context);
  if (forPeople || !wholeValues) return printRecord(context, row, historyView);
  const { lines: _lines, records: _records, changes: _changes, ...rest } = row;
  await printRecord(context, { ...rest, steps: entry.steps }, { columns: [], fields: historyView.fields });
}

/** Reads the journal and warns about entries that cannot be read. */
function journalOf(context: Context): { readonly entries: readonly JournalEntry[] } {
  const folder = journalFolder(configFolder(context.io.env));
  const { entries, unreadable } = readJournal(folder);
  const damaged = entries.filter(({ isDamaged }) => isDamaged).map(({ n }) => n);
  if (damaged.length > 0) {
    context.report.warn(
      `Lines of ${numbersText(damaged)} in ${folder} are damaged and were skipped: the process was killed while it wrote them.`,
    );
  }
  if (unreadable.length > 0) context.report.warn(`${numbersText(unreadable)} in ${folder} cannot be read.`);
  return { entries };
}

function numbersText(numbers: readonly number[]): string {
  return numbers.map((n) => `#${n}`).join(', ');
}

function timeOf(context: Context, text: string | undefined, flag: string): number | null {
  return text === undefined ? null : readTime(context, text, flag).at(serviceNow(context));
}

function matchesRecord(text: string): (record: JournaledRecord) => boolean {
  return ({ id, name }) => id === text || hasPart(name, text, 'name');
}

/** True when `name` (of --user) is the login or the user of the entry. */
function isBy({ login, user }: JournalEntry, name: string | undefined): boolean {
  if (name === undefined) return true;
  const texts = [login, user?.userId, user?.userName, user?.fleetName, user?.fleetId && `fleet:${user.fleetId}`];
  return texts.some((text) => typeof text === 'string' && isSameText(text, name, 'name'));
}

function rowOf(entry: JournalEntry, undone: ReadonlyMap<number, UndoneRecords>): HistoryRow {
  const { n, at, login, user, profile, baseUrl, command, undoes, steps } = entry;
  const changed = steps.flatMap(({ records, outcome }) => records.map((record) => ({ record, outcome })));
  const names = [...new Set(changed.map(({ record }) => record.name))];
  const [first = '', ...others] = names;
  const outcome = entryOutcome(entry);
  const undo = undone.get(n);
  return {
    n,
    at,
    login,
    userId: user?.userId ?? null,
    userName: user?.userName ?? null,
    fleetName: user?.fleetName ?? null,
    profile,
    baseUrl,
    command,
    records: others.length === 0 ? first : `${first} and ${others.length} more`,
    changes: changed.length,
    outcome,
    undoes,
    undoneBy: undo?.isWhole ? undo.by : null,
    partlyUndoneBy: undo && !undo.isWhole ? undo.by : null,
    lines: changed.map(({ record, outcome: own }) => lineOf(record, own === outcome ? null : own)),
  };
}

/** `outcome` is null when it equals that of the whole command. */
function lineOf(record: JournaledRecord, outcome: string | null): string {
  const changes = record.changes.map((change) => ({ before: undefined, after: undefined, ...change }));
  const text = changesText({ ...record, changes: changes.filter(({ isSecret }) => !isSecret) });
  const secret = changes.flatMap(({ field, isSecret }) => (isSecret ? [`${field} (not kept)`] : []));
  const what = [text, ...secret].filter((part) => part !== '').join(', ');
  return `${signOf(record)} ${record.name}${what === '' ? '' : `: ${what}`}${outcome === null ? '' : ` (${outcome})`}`;
}
