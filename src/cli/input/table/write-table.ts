// Writes changes as a table that can be read again: for the file of --failed when the changes came from a table.
import { csvCell } from '../../output/csv.js';
import { cellText } from '../../output/field-path.js';
import { tsvCell } from '../../output/tsv.js';
import type { InputLine, TableFormat } from '../read-input.js';

/** A column for each member; nested objects and lists are JSON. */
export function tableText(lines: readonly InputLine[], format: TableFormat): string {
  const objects = lines.filter((line) => typeof line !== 'string');
  const columns = [...new Set(objects.flatMap((line) => Object.keys(line)))];
  if (columns.length === 0) return '';
  const rows = objects.map((line) => columns.map((column) => textOf(line[column])));
  return format === 'csv'
    ? [columns.map((cell) => csvCell(cell)), ...rows.map((row) => row.map(csvOf))]
        .map((row) => `${row.join(',')}\n`)
        .join('')
    : [columns, ...rows.map((row) => row.map((cell) => tsvCell(cell ?? 'null')))]
        .map((row) => `${row.join('\t')}\n`)
        .join('');
}

/** Null for null, which is written without quotes. */
function textOf(value: unknown): string | null {
  if (value === null) return null;
  if (value === undefined) return '';
  // A name may contain the separator of lists.
  return Array.isArray(value) ? JSON.stringify(value) : cellText(value);
}

function csvOf(cell: string | null): string {
  if (cell === null) return 'null';
  return csvCell(cell);
}
