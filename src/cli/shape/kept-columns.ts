// Keeps the columns that --filter and --sort are about on a narrow terminal: the question is about them.
import type { View, ViewColumn } from '../output/view.js';

/** After the columns that are always shown, and before all others. */
const KEPT_RANK = 0.5;

/** `paths` are what --filter and --sort name. */
export function keepingColumns<Row>(view: View<Row>, paths: readonly string[]): View<Row> {
  if (paths.length === 0) return view;
  const columns = view.columns.map((column) =>
    paths.some((path) => isAbout(column, path)) ? { ...column, rank: Math.min(column.rank, KEPT_RANK) } : column,
  );
  return { ...view, columns };
}

function isAbout<Row>({ title, shows = [] }: ViewColumn<Row>, path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return (
    title === path ||
    title.toLowerCase() === name.toLowerCase() ||
    shows.some((field) => path === field || path.startsWith(`${field}.`))
  );
}
