// View of the results of `fleet doctor`.
import type { Colors } from '../io/colors.js';
import { wrap } from '../io/wrap.js';
import type { View } from '../output/view.js';

type CheckStatus = 'ok' | 'warn' | 'fail' | 'skipped';

export interface CheckRow {
  readonly check: string;
  readonly status: CheckStatus;
  readonly detail: string;
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
  fields: ['check', 'status', 'detail', 'next'],
};

function paint(text: string, { status }: CheckRow, colors: Colors): string {
  if (status === 'ok') return colors.green(text);
  if (status === 'warn') return colors.yellow(text);
  return status === 'fail' ? colors.red(text) : colors.dim(text);
}

const INDENT = 19;

/** Returns the lines of one check: status, name and detail, then the next step. */
export function checkLines(row: CheckRow, colors: Colors, width: number | undefined): readonly string[] {
  const room = width === undefined ? undefined : Math.max(20, width - INDENT);
  const margin = ' '.repeat(INDENT);
  const [first = '', ...rest] = wrap(row.detail, room);
  const head = `${paint(row.status.padEnd(7), row, colors)}  ${row.check.padEnd(8)}  ${first}`.trimEnd();
  const next = row.next === null ? [] : wrap(`next: ${row.next}`, room);
  return [head, ...[...rest, ...next].map((line) => `${margin}${line.replace(/^next:/, (word) => colors.dim(word))}`)];
}
