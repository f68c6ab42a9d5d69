// View of the entries of the journal.
import type { View } from '../output/view.js';
import { timeAndAge, timeColumn } from './humanize.js';

export interface HistoryRow {
  readonly n: number;
  readonly at: string;
  readonly login: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly fleetName: string | null;
  readonly profile: string;
  readonly baseUrl: string | null;
  readonly command: string;
  /** The changed records: `Truck 07`, or `Truck 07 and 3 more`. */
  readonly records: string;
  readonly changes: number;
  readonly outcome: string;
  readonly undoes: number | null;
  readonly undoneBy: number | null;
  /** Number of the latest undo that reverted some of the records. */
  readonly partlyUndoneBy: number | null;
  /** One line for each record, as in a plan. */
  readonly lines: readonly string[];
}

export const historyView: View<HistoryRow> = {
  columns: [
    { title: '#', text: ({ n }) => String(n), align: 'right', rank: 0 },
    { title: 'WHEN', ...timeColumn<HistoryRow>(({ at }) => at), rank: 1 },
    { title: 'WHO', text: whoText, min: 6, rank: 4 },
    { title: 'COMMAND', text: ({ command }) => command, min: 16, rank: 0 },
    { title: 'RECORDS', text: ({ records }) => records, min: 10, rank: 2 },
    {
      title: 'OUTCOME',
      text: outcomeText,
      paint: (text, { outcome, undoneBy }, { colors }) =>
        undoneBy !== null ? colors.dim(text) : outcome === 'done' ? colors.green(text) : colors.red(text),
      rank: 0,
    },
  ],
  details: [
    { title: 'Number', text: ({ n }) => String(n) },
    { title: 'When', text: ({ at }, options) => timeAndAge(at, options) },
    { title: 'Who', text: whoText },
    { title: 'Profile', text: ({ profile }) => profile },
    { title: 'Service', text: ({ baseUrl }) => baseUrl ?? '' },
    { title: 'Command', text: ({ command }) => command },
    { title: 'Undoes', text: ({ undoes }) => (undoes === null ? '' : `#${undoes}`) },
    { title: 'Outcome', text: outcomeText },
    { title: 'Changes', text: ({ lines }) => lines.join('; ') },
  ],
  fields: [
    'n',
    'at',
    'login',
    'userId',
    'userName',
    'fleetName',
    'profile',
    'baseUrl',
    'command',
    'records',
    'changes',
    'outcome',
    'undoes',
    'undoneBy',
    'partlyUndoneBy',
  ],
  values: { outcome: ['done', 'failed', 'partly', 'unknown'] },
};

function whoText({ login, userName, fleetName }: HistoryRow): string {
  return [login, userName, fleetName].filter((text) => text !== null).join(' · ');
}

function outcomeText({ outcome, undoneBy, partlyUndoneBy }: HistoryRow): string {
  if (partlyUndoneBy !== null) return `${outcome}, partly undone by #${partlyUndoneBy}`;
  return undoneBy === null ? outcome : `undone by #${undoneBy}`;
}
