// One bar of a chart or a table, as characters.

/** Eighths of a cell. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** `share` of `cells`; what is more than nothing is visible. */
export function barOf(share: number, cells: number, ascii: boolean): string {
  if (share <= 0) return '';
  if (ascii) return '#'.repeat(Math.max(1, Math.round(share * cells)));
  const parts = Math.max(1, Math.round(share * cells * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
