// How what `fleet doctor` found is shown.
import type { Colors } from '../output/colors.js';
import type { View } from '../output/format.js';

export type CheckStatus = 'ok' | 'warn' | 'fail' | 'skipped';

export interface CheckRow {
  readonly check: string;
  readonly status: CheckStatus;
  readonly detail: string;
  /** What to do about it; null when there is nothing to do. */
  readonly next: string | null;
}

export const doctorView: View<CheckRow> = {
  columns: [
    { title: 'CHECK', text: ({ check }) => check, rank: 0 },
    {
      title: 'STATUS',
      text: ({ status }) => status,
      paint: (text, row, { colors }) => paint(text, row, colors),
      rank: 0,
    },
    { title: 'DETAIL', text: ({ detail }) => detail, min: 20, rank: 1 },
    { title: 'NEXT', text: ({ next }) => next ?? '', min: 20, rank: 2 },
  ],
  details: [],
  fields: ['check', 'status', 'detail', 'next'],
};

function paint(text: string, { status }: CheckRow, colors: Colors): string {
  if (status === 'ok') return colors.green(text);
  if (status === 'warn') return colors.yellow(text);
  return status === 'fail' ? colors.red(text) : colors.dim(text);
}

/** `ok       clock     within a second of the service's`, and below it what to do; nothing is shortened. */
export function checkLines(row: CheckRow, colors: Colors): readonly string[] {
  const line = `${paint(row.status.padEnd(7), row, colors)}  ${row.check.padEnd(8)}  ${row.detail}`.trimEnd();
  return row.next === null ? [line] : [line, `${' '.repeat(19)}${colors.dim('next:')} ${row.next}`];
}
