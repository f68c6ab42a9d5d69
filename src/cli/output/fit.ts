// Computes the column widths of a table, and which columns are left out on a narrow terminal.

export interface ColumnWidth {
  /** The width of the widest text in the column. */
  readonly natural: number;
  /** The narrowest useful width; equal to `natural` for a column that is never shortened. */
  readonly min: number;
  /** The column with the highest rank is left out first; rank 0 always stays. */
  readonly rank: number;
}

/**
 * Returns the widths in the order of the columns, and null for a column that is left out. Columns are left out until the others fit at
 * their narrowest width; the remaining space goes to the columns that need it, the narrowest first.
 */
export function fitWidths(
  columns: readonly ColumnWidth[],
  width: number | undefined,
  gap: number,
): readonly (number | null)[] {
  if (width === undefined) return columns.map((column) => column.natural);
  const sized = columns.map((column) => ({ ...column, width: Math.min(column.min, column.natural), isShown: true }));
  const total = () => {
    const shown = sized.filter((column) => column.isShown);
    return shown.reduce((sum, column) => sum + column.width, 0) + gap * Math.max(0, shown.length - 1);
  };
  const byRank = [...sized].sort((a, b) => b.rank - a.rank);
  for (const column of byRank) {
    if (total() <= width || column.rank === 0) break;
    column.isShown = false;
  }
  // One character at a time goes to the narrowest column that is still shortened.
  for (let spare = width - total(); spare > 0; spare--) {
    let narrowest: (typeof sized)[number] | undefined;
    for (const column of sized) {
      if (!column.isShown || column.width >= column.natural) continue;
      if (!narrowest || column.width < narrowest.width) narrowest = column;
    }
    if (!narrowest) break;
    narrowest.width++;
  }
  return sized.map((column) => (column.isShown ? column.width : null));
}
