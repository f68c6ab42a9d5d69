// Draws one bar of a chart or a table as characters.

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Returns a bar of `share` times `cells`. A share above 0 is always visible. */
export function barOf(share: number, cells: number, ascii: boolean): string {
  if (share <= 0) return '';
  if (ascii) return '#'.repeat(Math.max(1, Math.round(share * cells)));
  const parts = Math.max(1, Math.round(share * cells * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}
