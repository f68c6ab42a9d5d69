// Computes the column widths of a table, and omits columns on a narrow terminal.

interface ColumnWidth {
  readonly natural: number;
  /** Narrowest useful width; `natural` for columns never shortened. */
  readonly min: number;
  /** The highest rank is omitted first; rank 0 always stays. */
  readonly rank: number;
  /** Shown only where it shortens no column of a lower rank. */
  readonly isExtra?: true | undefined;
}

/**
 * Returns the widths of the columns; null for an omitted one. Columns are omitted until the others
 * fit at their narrowest width; spare space goes to the narrowest first.
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
  for (const extra of sized.filter(({ isExtra }) => isExtra)) {
    const others = sized.filter(({ rank }) => rank < extra.rank);
    const needed = others.reduce((sum, { natural }) => sum + natural + gap, extra.width);
    extra.isShown = needed <= width;
  }
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
