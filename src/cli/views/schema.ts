// View of a check of the live schema: text with headings for people, a row per finding for
// programs.
import type { SchemaReport } from '../../check-schema.js';
import type { Colors } from '../io/colors.js';
import type { View } from '../output/view.js';

interface SchemaFinding {
  readonly about: 'operation' | 'assumption' | 'change';
  readonly where: string;
  readonly status: string;
  readonly detail: string | null;
}

export function findingsOf({ operations, assumptions, changes }: SchemaReport): readonly SchemaFinding[] {
  return [
    ...operations.map(({ operation, status, reasons }) => ({
      about: 'operation' as const,
      where: operation,
      status,
      detail: reasons.join(' ') || null,
    })),
    ...assumptions.map(({ where, status, detail }) => ({ about: 'assumption' as const, where, status, detail })),
    ...changes.map(({ where, kind, what }) => ({ about: 'change' as const, where, status: kind, detail: what })),
  ];
}

export const findingView: View<SchemaFinding> = {
  columns: [],
  fields: ['about', 'where', 'status', 'detail'],
};

/** Returns the report as lines: expected results are counted, the others are listed. */
export function reportLines(report: SchemaReport, colors: Colors): readonly string[] {
  const { source, operations, assumptions, changes } = report;
  const count = <Status extends string>(list: readonly { readonly status: Status }[], status: Status) =>
    list.filter((entry) => entry.status === status).length;
  const lines = [
    source === 'introspection'
      ? 'The service described its schema.'
      : 'The service does not describe its schema, so every operation was tried.',
    '',
    colors.bold(`Operations: ${count(operations, 'works')} of ${operations.length} work`),
  ];
  for (const { operation, status, reasons } of operations) {
    if (status === 'works') continue;
    lines.push(`  ${colors.red(status === 'breaks' ? 'breaks ' : 'unknown')}  ${operation}`);
    for (const reason of reasons) lines.push(`           ${reason}`);
  }
  const refuted = count(assumptions, 'refuted');
  const unknown = count(assumptions, 'unknown');
  lines.push(
    '',
    colors.bold(
      `Assumptions: ${count(assumptions, 'confirmed')} confirmed, ${refuted} refuted, ${unknown} unknown, of ${assumptions.length}`,
    ),
  );
  for (const { where, status, detail } of assumptions) {
    if (status === 'refuted') lines.push(`  ${colors.yellow('refuted')}  ${where}: ${detail ?? ''}`);
  }
  lines.push('', colors.bold(source === 'probing' ? 'Changes: unknown' : `Changes: ${changes.length || 'none'}`));
  for (const { kind, where, what, operations: users } of changes) {
    const used = users.length === 0 ? '' : ` (${users.length > 3 ? `${users.length} operations` : users.join(', ')})`;
    lines.push(`  ${kind === 'added' ? colors.green('added  ') : colors.red(kind)}  ${where}: ${what}${used}`);
  }
  return lines;
}
