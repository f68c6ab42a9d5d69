// Applies --fields, --filter, --sort and --limit to a list or a record: decides what to request, which rows are shown and in which
// order, and how. Mistakes in the flags are reported before anything is sent.
import { defaultTree, hasPath, joinTrees, pick, type SelectionTree, treeOf } from '../../contract/selection/tree.js';
import type { Operation } from '../../core/operation.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import type { View } from '../output/view.js';
import { type FieldSource, readField, splitNames } from './fields.js';
import { type Filter, parseFilter } from './filter.js';
import { mapViewFor } from './map-view.js';
import { parseSort, type SortKey, sorted } from './sort.js';
import { viewOfFields } from './view-of-fields.js';

export interface Shape<Row> {
  /** Options for the call: the selection, unless it is the default one. */
  readonly options: { readonly select?: SelectionTree };
  readonly view: View<Row>;
  /** Filters, sorts and limits the rows, and keeps only the requested fields. Without --sort, rows are passed on as they arrive. */
  rows(rows: Iterable<Row> | AsyncIterable<Row>): AsyncIterable<Row>;
  /** Keeps only the requested fields. */
  record(row: Row): Row;
}

/** Where the rows come from: an operation, or a view whose rows are not records of the contract. */
export type RowsOf = Pick<Operation, 'name' | 'returns' | 'selection'> | 'view';

/** For a command that prints a list. */
export function listShape<Row>(context: Context, view: View<Row>, of: RowsOf): Shape<Row> {
  return shapeOf(context, view, of);
}

/** For a command that prints one record, which cannot be filtered, sorted or limited. */
export function recordShape<Row>(context: Context, view: View<Row>, of: RowsOf): Shape<Row> {
  const { filter = [], sort, limit } = context.globals;
  const flag = filter.length > 0 ? '--filter' : sort !== undefined ? '--sort' : limit !== undefined ? '--limit' : null;
  if (flag === null) return shapeOf(context, view, of);
  throw new CliError('USAGE', `${flag} is only for lists; this command shows one record.`, {
    hint: `Leave out ${flag}.`,
  });
}

function shapeOf<Row>(context: Context, view: View<Row>, of: RowsOf): Shape<Row> {
  const { globals } = context;
  const source: FieldSource = of === 'view' ? { names: view.fields } : { type: of.returns.type };
  const paths =
    globals.fields === undefined
      ? null
      : [...new Set(splitNames(globals.fields, '--fields').flatMap((name) => readField(name, source, '--fields')))];
  const filters = (globals.filter ?? []).map(parseFilter);
  const keys = globals.sort === undefined ? [] : parseSort(globals.sort);
  const readPaths = [
    ...filters.flatMap(({ path }) => readField(path, source, '--filter')),
    ...keys.flatMap(({ path }) => readField(path, source, '--sort')),
  ];
  const map = mapViewFor(context, view);
  const requested = paths === null ? null : treeOf(paths);
  // A map format picks the fields from the row itself; a track needs only the position.
  const shown = map ? null : requested;
  const mapPaths = map ? [...map.position, ...map.needs] : [];
  const base = map?.isTrack ? treeOf(mapPaths) : requested;
  return {
    options: of === 'view' ? {} : selectFor(of, base, [...readPaths, ...mapPaths]),
    view: paths === null ? view : viewOfFields(view, paths),
    rows: (rows) => shaped(context, rows, { filters, keys, shown }),
    record: (row) => onlyShown(row, shown),
  };
}

/** Also requests the fields that only filters, sorting or maps read. */
function selectFor(
  operation: Pick<Operation, 'selection'>,
  shown: SelectionTree | null,
  readPaths: readonly string[],
): { readonly select?: SelectionTree } {
  const base = shown ?? defaultTree(operation);
  const missing = readPaths.filter((path) => !hasPath(base, path));
  if (shown === null && missing.length === 0) return {};
  return { select: joinTrees(base, treeOf(missing)) };
}

interface Rules {
  readonly filters: readonly Filter[];
  readonly keys: readonly SortKey[];
  readonly shown: SelectionTree | null;
}

async function* shaped<Row>(
  context: Context,
  source: Iterable<Row> | AsyncIterable<Row>,
  { filters, keys, shown }: Rules,
): AsyncIterable<Row> {
  const limit = context.globals.limit ?? Number.POSITIVE_INFINITY;
  const passes = (row: Row) => filters.every((filter) => filter.passes(row));
  let printed = 0;
  let total = 0;
  if (keys.length > 0) {
    const rows: Row[] = [];
    for await (const row of source) if (passes(row)) rows.push(row);
    total = rows.length;
    for (const row of sorted(rows, keys).slice(0, limit)) yield onlyShown(row, shown);
  } else {
    const isComplete = Array.isArray(source);
    for await (const row of source) {
      if (!passes(row)) continue;
      total++;
      if (printed < limit) {
        printed++;
        yield onlyShown(row, shown);
      } else if (!isComplete) break;
    }
    // While rows still arrive, their total is not known.
    if (!isComplete) {
      if (total > limit) context.remarks.push(`Only the first ${limit} rows are shown; there are more.`);
      return;
    }
  }
  if (total > limit) context.remarks.push(`Only the first ${limit} of ${total} rows are shown.`);
}

/** Removes the fields that only filters or sorting read. */
function onlyShown<Row>(row: Row, shown: SelectionTree | null): Row {
  // Views and formats expect that any field of a row may be missing.
  return shown === null ? row : (pick(row, shown) as Row);
}
