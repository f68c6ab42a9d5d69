// What happens to a record, in a plan and in its outcome, and how people see it.
import type { FieldChange } from '../../sync/compare-records.js';
import type { PlanStep, StepResult } from '../change/plan.js';
import type { View } from '../output/view.js';

export type Action = 'create' | 'change' | 'keep' | 'delete';

export interface RecordStep extends PlanStep {
  readonly action: Action;
  readonly name: string;
  /** Where the file says so; null for a deletion. */
  readonly line: number | null;
  readonly changes: readonly FieldChange[];
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
  readonly status: StepResult['status'] | 'planned';
  readonly error: StepResult['error'];
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
export function plannedRow({ action, name, id, line, changes }: RecordStep): StepRow {
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
