// A step of a plan that makes the records of the service those of a file, and how plans and their outcome are shown.
import type { OperationName } from '../../generated/operation-table.js';
import type { FieldChange } from '../../sync/compare-records.js';
import type { InputLine } from '../change/read-input.js';
import type { LineResult } from '../change/send-many.js';
import type { View } from '../output/view.js';

export type Action = 'create' | 'change' | 'keep' | 'delete';

export interface Request {
  readonly operation: OperationName;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it may be sent again when no answer arrived. */
  readonly idempotent: boolean;
}

export interface ApplyStep {
  readonly action: Action;
  readonly name: string;
  /** Null for a record that is to be created. */
  readonly id: string | null;
  /** Where the file says so; null for a deletion. */
  readonly line: number | null;
  readonly source: InputLine | null;
  readonly changes: readonly FieldChange[];
  /** What is sent, one after the other. `created` holds the ids of the records that earlier steps have created, by their names. */
  readonly requests: (created: ReadonlyMap<string, string>) => readonly Request[];
}

/** A step as it is printed: planned, or with its outcome. */
export interface StepRow {
  readonly action: Action;
  readonly name: string;
  readonly id: string | null;
  readonly line: number | null;
  readonly changes: readonly FieldChange[];
  /** The changes in words, where fields and values do not say it. */
  readonly told?: string;
  readonly status: LineResult['status'] | 'planned';
  readonly error: LineResult['error'];
}

const signs: Readonly<Record<Action, string>> = { create: '+', change: '~', keep: '=', delete: '-' };

export const stepView: View<StepRow> = {
  columns: [
    { title: '', text: ({ action }) => signs[action], rank: 0 },
    { title: 'NAME', text: ({ name }) => name, min: 10, rank: 0 },
    { title: 'CHANGES', text: changesText, min: 20, rank: 1 },
    {
      title: 'STATUS',
      text: ({ status }) => (status === 'planned' ? '' : status),
      paint: (text, { status }, { colors }) => (status === 'done' ? colors.green(text) : colors.red(text)),
      rank: 0,
    },
    { title: 'ERROR', text: ({ error }) => error?.message ?? '', min: 20, rank: 1 },
    { title: 'ID', text: ({ id }) => id ?? '', namedBy: ({ name }) => name, rank: 2 },
  ],
  fields: ['action', 'name', 'id', 'line', 'changes', 'status', 'error.code', 'error.message'],
};

/** A step without an outcome. */
export function plannedRow({ action, name, id, line, changes }: ApplyStep): StepRow {
  return { action, name, id, line, changes, status: 'planned', error: null };
}

/** `~ Anna Tamm: phone +372 1 → +372 2` */
export function stepLine(row: StepRow): string {
  const changes = changesText(row);
  return `${signs[row.action]} ${row.name}${changes === '' ? '' : `: ${changes}`}`;
}

/** `+ 2 ~ 3 - 1 = 13` */
export function summaryOf(steps: readonly Pick<StepRow, 'action'>[]): string {
  const actions = ['create', 'change', 'delete', 'keep'] as const;
  const counts = actions.map(
    (action) => [signs[action], steps.filter((step) => step.action === action).length] as const,
  );
  return counts.flatMap(([sign, count]) => (count > 0 ? `${sign} ${count}` : [])).join(' ');
}

/** Only what changes is told field by field; what a new record has stands in the file. */
function changesText({ action, changes, told }: Pick<StepRow, 'action' | 'changes' | 'told'>): string {
  if (told !== undefined) return told;
  if (action !== 'change') return '';
  return changes
    .map(({ field, before, after }) =>
      isLong(before) || isLong(after) ? field : `${field} ${valueText(before)} → ${valueText(after)}`,
    )
    .join(', ');
}

/** A shape on the map: nobody can compare its corners. */
function isLong(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}
