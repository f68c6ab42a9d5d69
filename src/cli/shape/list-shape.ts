// What --fields, --filter, --sort and --limit make of a list or a record: the selection to ask for, the rows that stay and
// their order, and how they are shown. Slips in the flags are told before anything is sent.

import { defaultTree, hasPath, joinTrees, pick, type SelectionTree, treeOf } from '../../contract/selection/tree.js';
import type { Operation } from '../../core/operation.js';
import { CliError } from '../errors/cli-error.js';
import type { View } from '../output/format.js';
import type { Context } from '../run/context.js';
import { type FieldSource, readField, splitNames } from './fields.js';
import { type Filter, parseFilter } from './filter.js';
import { placeFor } from './place.js';
import { parseSort, type SortKey, sorted } from './sort.js';
import { viewOfFields } from './view-of-fields.js';

export interface Shape<Row> {
  /** For the call: the selection when it is not the default one. */
  readonly options: { readonly select?: SelectionTree };
  readonly view: View<Row>;
  /** Filters, sorts, limits, and leaves only the fields asked for. Rows come out as they come in, but for --sort. */
  rows(rows: Iterable<Row> | AsyncIterable<Row>): AsyncIterable<Row>;
  /** Only the fields asked for. */
  record(row: Row): Row;
}

/** What rows there are: those of an operation, or of a view whose rows are no records of the contract. */
export type RowsOf = Pick<Operation, 'name' | 'returns' | 'selection'> | 'view';

/** For a command that prints a list. */
export function listShape<Row>(context: Context, view: View<Row>, of: RowsOf): Shape<Row> {
  return shapeOf(context, view, of);
}

/** For a command that prints one record, of which there is nothing to filter, sort or limit. */
export function recordShape<Row>(context: Context, view: View<Row>, of: RowsOf): Shape<Row> {
  const { filter = [], sort, limit } = context.globals;
  const flag = filter.length > 0 ? '--filter' : sort !== undefined ? '--sort' : limit !== undefined ? '--limit' : null;
  if (flag === null) return shapeOf(context, view, of);
  throw new CliError('USAGE', `${flag} is for lists; this command shows one record.`, { hint: `Leave out ${flag}.` });
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
  const looked = [
    ...filters.flatMap(({ path }) => readField(path, source, '--filter')),
    ...keys.flatMap(({ path }) => readField(path, source, '--sort')),
  ];
  const place = placeFor(context, view);
  const asked = paths === null ? null : treeOf(paths);
  // A map takes out of a row what it shows; of a track that is the position alone.
  const shown = place ? null : asked;
  const mapped = place ? [...place.position, ...place.needs] : [];
  const base = place?.isTrack ? treeOf(mapped) : asked;
  return {
    options: of === 'view' ? {} : selectFor(of, base, [...looked, ...mapped]),
    view: paths === null ? view : viewOfFields(view, paths),
    rows: (rows) => shaped(context, rows, { filters, keys, shown }),
    record: (row) => onlyShown(row, shown),
  };
}

/** Fields that are only looked at are asked for too. */
function selectFor(
  operation: Pick<Operation, 'selection'>,
  shown: SelectionTree | null,
  looked: readonly string[],
): { readonly select?: SelectionTree } {
  const base = shown ?? defaultTree(operation);
  const missing = looked.filter((path) => !hasPath(base, path));
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
  let given = 0;
  let total = 0;
  if (keys.length > 0) {
    const rows: Row[] = [];
    for await (const row of source) if (passes(row)) rows.push(row);
    total = rows.length;
    for (const row of sorted(rows, keys).slice(0, limit)) yield onlyShown(row, shown);
  } else {
    const isWhole = Array.isArray(source);
    for await (const row of source) {
      if (!passes(row)) continue;
      total++;
      if (given < limit) {
        given++;
        yield onlyShown(row, shown);
      } else if (!isWhole) break;
    }
    // Of rows that still arrive nobody knows how many there would be.
    if (!isWhole) {
      if (total > limit) context.remarks.push(`Only the first ${limit} are shown; there are more.`);
      return;
    }
  }
  if (total > limit) context.remarks.push(`Only the first ${limit} of ${total} are shown.`);
}

/** A row without the fields that were asked for only to be looked at. */
function onlyShown<Row>(row: Row, shown: SelectionTree | null): Row {
  // Views and formats take every field of a row as one that may be missing.
  return shown === null ? row : (pick(row, shown) as Row);
}
