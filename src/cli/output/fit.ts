// Decides how wide each column of a table is, and which columns a narrow terminal has to do without.

export interface Cell {
  /** Width of the widest text of the column. */
  readonly natural: number;
  /** Narrowest useful width; equal to `natural` for what is never shortened. */
  readonly min: number;
  /** Highest goes first when there is no room; 0 always stays. */
  readonly rank: number;
}

/**
 * Widths in the order of the columns; null for a column that is left out. The least important columns go first, until the
 * others fit at their narrowest; then the widest columns give way first.
 */
export function fitWidths(
  columns: readonly Cell[],
  width: number | undefined,
  gap: number,
): readonly (number | null)[] {
  if (width === undefined) return columns.map((column) => column.natural);
  const kept = columns.map((column) => ({ ...column, width: Math.min(column.min, column.natural), kept: true }));
  const total = () => {
    const present = kept.filter((column) => column.kept);
    return present.reduce((sum, column) => sum + column.width, 0) + gap * Math.max(0, present.length - 1);
  };
  const byRank = [...kept].sort((a, b) => b.rank - a.rank);
  for (const column of byRank) {
    if (total() <= width || column.rank === 0) break;
    column.kept = false;
  }
  // Spread what is left over the kept columns, a character at a time, to the one that is narrowest so far.
  for (let spare = width - total(); spare > 0; spare--) {
    let poorest: (typeof kept)[number] | undefined;
    for (const column of kept) {
      if (!column.kept || column.width >= column.natural) continue;
      if (!poorest || column.width < poorest.width) poorest = column;
    }
    if (!poorest) break;
    poorest.width++;
  }
  return kept.map((column) => (column.kept ? column.width : null));
}
