function fitWidths(columns, width, gap) {
  if (width === void 0) return columns.map((column) => column.natural);
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
  for (let spare = width - total(); spare > 0; spare--) {
    let narrowest;
    for (const column of sized) {
      if (!column.isShown || column.width >= column.natural) continue;
      if (!narrowest || column.width < narrowest.width) narrowest = column;
    }
    if (!narrowest) break;
    narrowest.width++;
  }
  return sized.map((column) => column.isShown ? column.width : null);
}
export {
  fitWidths
};
