// Applies --fields, --filter, --sort and --limit: decides what to request, and which rows to show.
// Mistakes are reported before anything is sent.
import { defaultTree, hasPath, joinTrees, pick, type SelectionTree, treeOf } from '../../contract/selection/tree.js';
import type { Operation } from '../../core/operation.js';
import { type Context, type ReportingRun, type ServiceRun, serviceNow } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { CliError } from '../errors/cli-error.js';
import { valueAt } from '../output/field-path.js';
import { headingOfField } from '../output/headings.js';
import type { Computed, TotalRule, View, ViewColumn } from '../output/view.js';
import { parseTime, refuseSkippedHour } from '../parse/time.js';
import { compareForSort, momentIn } from './compare.js';
import { canBeDeleted, isMarkedDeleted, withDeletedMark } from './deleted.js';
import { type FieldSource, hasField, leafTypeOf, readField, splitNames } from './fields.js';
import { type Filter, type FilterField, parseFilter } from './filter.js';
import { mapViewFor } from './map-view.js';
import { viewOfFields } from './view-of-fields.js';

export interface ListShape<Row> {
  /** Options for the call: the selection, unless it is the default. */
  readonly options: { readonly select?: SelectionTree };
  readonly view: View<Row>;
  /**
   * Filters, sorts and limits the rows, as they arrive unless --sort is set, and keeps the
   * requested fields. `onShown` gets each shown row with all its fields.
   */
  rows(rows: Iterable<Row> | AsyncIterable<Row>, onShown?: (row: Row) => void): AsyncIterable<Row>;
  record(row: Row): Row;
}

/** The source of the rows: an operation, or a view whose rows are not records of the contract. */
type RowsOf = Pick<Operation, 'name' | 'returns' | 'selection'> | 'view';

/** Returns the shape of a list. `deleted`: show deleted records; undefined if it has none. */
export function listShape<Row>(context: Context, view: View<Row>, of: RowsOf, deleted?: boolean): ListShape<Row> {
  return shapeOf(context, view, of, deleted);
}

/** Returns the shape of one record, which cannot be filtered, sorted or limited. */
export function recordShape<Row>(context: Context, view: View<Row>, of: RowsOf): ListShape<Row> {
  const { filter = [], sort, limit } = context.globals;
  const flag = filter.length > 0 ? '--filter' : sort !== undefined ? '--sort' : limit !== undefined ? '--limit' : null;
  if (flag === null) return shapeOf(context, view, of);
  throw new CliError('USAGE', `${flag} is only for lists; this command shows one record.`, {
    hint: `Leave out ${flag}.`,
  });
}

function shapeOf<Row>(context: Context, view: View<Row>, of: RowsOf, deleted?: boolean): ListShape<Row> {
  const { globals } = context;
  const hasDeleted = of !== 'view' && canBeDeleted(of.returns.type);
  const names = new RowNames(context, view, of);
  const paths = globals.fields === undefined ? null : names.readFields(globals.fields);
  const filters = (globals.filter ?? [])
    .map((text) => parseFilter(text, (name, value) => filterField(context, view, names, name, value)))
    .map((filter) => ({ ...filter, path: names.fieldOf(filter.path) }));
  const keys = (globals.sort === undefined ? [] : parseSort(globals.sort)).map((key) => ({
    ...key,
    path: names.fieldOf(key.path),
  }));
  // A filter on `isDeleted` asks for deleted records.
  const leavesOut = hasDeleted && deleted === false && !filters.some(({ path }) => path === 'isDeleted');
  const readPaths = [
    ...(leavesOut ? ['isDeleted'] : []),
    ...filters.flatMap(({ path }) => names.readFor(path, '--filter')),
    ...keys.flatMap(({ path }) => names.readFor(path, '--sort')),
  ];
  const map = mapViewFor(context, view);
  // Maps and charts pick the fields from the row itself; a track needs only the position.
  const shown = map || (view.chart !== undefined && formatOf(context).chart) || paths === null ? null : treeOf(paths);
  const mapPaths = map ? [...map.position, ...map.needs] : [];
  const base = map?.isTrack ? treeOf(mapPaths) : paths === null ? null : treeOf(names.needed(paths));
  const defaults = paths === null ? names.neededByDefault : [];
  const cut = { isCut: false };
  const timed = {
    ...view,
    times: new Map([...timesOf(paths ?? view.fields, names.source), ...(view.times ?? [])]),
    total: view.total && (view.total.isOfAllRows && filters.length > 0 ? undefined : totalUnlessCut(view.total, cut)),
  };
  return {
    options: of === 'view' ? {} : selectFor(of, base, [...names.needed(readPaths), ...defaults, ...mapPaths]),
    view: raiseNamedColumns(
      paths !== null ? viewOfFields(timed, paths) : hasDeleted ? withDeletedMark(timed, deleted === true) : timed,
      [...filters, ...keys].map(({ path }) => path),
    ),
    rows: (rows, onShown = () => undefined) =>
      shapeRows(context, rows, { leavesOut, filters, keys, shown, sortValue: names.sortValue, cut, onShown }),
    record: (row) => onlyShown(row, shown),
  };
}

/** The names that flags accept: fields of the rows, added fields, and columns of the table. */
class RowNames<Row> {
  readonly source: FieldSource;
  readonly #context: Context;
  readonly #view: View<Row>;
  readonly #added: ReadonlyMap<string, readonly string[]>;

  constructor(context: Context, view: View<Row>, of: RowsOf) {
    this.source = fieldSource(view, of);
    this.#context = context;
    this.#view = view;
    this.#added = new Map(Object.entries(view.added ?? {}));
  }

  /** Returns the paths of --fields. */
  readFields(fields: string): readonly string[] {
    return [...new Set(splitNames(fields, '--fields').flatMap((name) => this.#read(name, '--fields')))];
  }

  /** Returns the paths that a filter or a sort key reads. */
  readFor(path: string, flag: string): readonly string[] {
    return this.#computed(path)?.needs ?? this.#read(path, flag);
  }

  fieldOf(path: string): string {
    return this.#added.has(path) || this.#computed(path) ? path : fieldOfHeading(path, this.#view, this.source);
  }

  /** Replaces added fields by the paths that they need. */
  needed(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => this.#added.get(name) ?? [name]);
  }

  /** The paths that the added fields of the table need. */
  get neededByDefault(): readonly string[] {
    return this.#view.fields.flatMap((name) => this.#added.get(name) ?? []);
  }

  readonly sortValue = (row: Row, path: string): unknown => {
    const { values = {} } = this.#view;
    const computed = this.#computed(path);
    const knownValues = computed?.values ?? (Object.hasOwn(values, path) ? values[path] : null);
    const value = computed?.value(row, serviceNow(this.#context)) ?? valueAt(row, path);
    // Known values have their own order: moving, idling, stopped.
    return knownValues && typeof value === 'string' && knownValues.includes(value) ? knownValues.indexOf(value) : value;
  };

  #computed(name: string): Computed<Row> | undefined {
    const { computed = {} } = this.#view;
    return Object.hasOwn(computed, name) ? computed[name] : undefined;
  }

  #read(name: string, flag: string): readonly string[] {
    if (this.#added.has(name)) return [name];
    const column = this.#computed(name);
    // A record may have a field with the name of a column.
    if (column && !hasField(name, this.source)) throw notShown(name, column, flag);
    return readField(name, withColumnNames(this.source, this.#view, flag), flag);
  }
}

/**
 * Returns the field for a heading of the table, such as `topSpeedKmh` for `top`, if the column
 * shows its value unchanged. For others the hint names the field.
 */
function fieldOfHeading<Row>(name: string, { columns }: View<Row>, source: FieldSource): string {
  if (hasField(name, source)) return name;
  const [column, ...others] = columns.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  const [field, ...rest] = column?.shows ?? [];
  if (field === undefined || others.length + rest.length > 0) return name;
  const type = 'type' in source ? leafTypeOf(field, source.type) : null;
  // A unit or a time means that the value itself is shown; ids are shown as names.
  const isPlain =
    type === null ? headingOfField(field).unit !== null || kindOf(type, field) === 'time' : type !== 'UUID';
  return isPlain && hasField(field, source) ? field : name;
}

/** Returns functions that read the times of a row, by field. */
function timesOf(paths: readonly string[], source: FieldSource): NonNullable<View<unknown>['times']> {
  const times = paths.filter(
    (path) => kindOf('type' in source ? leafTypeOf(path, source.type) : null, path) === 'time',
  );
  return new Map(times.map((path) => [path, (row: unknown) => momentIn(valueAt(row, path))]));
}

function notShown<Row>(name: string, { needs, shows = needs }: Computed<Row>, flag: string): CliError {
  const [only, ...others] = shows;
  const fields =
    others.length === 0
      ? `the field that it shows: ${only}`
      : `the fields that it is computed from: ${shows.join(', ')}`;
  return new CliError('USAGE', `${flag}: "${name}" is a column of the table, not a field.`, {
    hint: `Name ${fields}. --filter and --sort accept ${name}.`,
  });
}

function fieldSource<Row>(view: View<Row>, of: RowsOf): FieldSource {
  return of === 'view'
    ? { names: [...new Set([...view.fields, ...Object.keys(view.added ?? {})])] }
    : { type: of.returns.type };
}

const columnFlags: ReadonlySet<string> = new Set(['--filter', '--sort']);

/** Adds the names of table columns, and of fields that the command adds, to the source. */
function withColumnNames<Row>(source: FieldSource, { computed, added }: View<Row>, flag: string): FieldSource {
  if ('names' in source) return source;
  const columns = columnFlags.has(flag) ? Object.keys(computed ?? {}) : [];
  return { ...source, also: [...columns, ...Object.keys(added ?? {})] };
}

function filterField<R>(run: ServiceRun, view: View<R>, names: RowNames<R>, name: string, value: string): FilterField {
  const { source } = names;
  const path = names.fieldOf(name);
  const momentOf = (text: string) => {
    const now = serviceNow(run);
    refuseSkippedHour(text, now, run.zone.name, '--filter');
    return parseTime(text, now, run.zone.name);
  };
  const column = view.computed && Object.hasOwn(view.computed, path) ? view.computed[path] : undefined;
  if (column) {
    // The rows of the view are the rows of the filter.
    const readValue = (row: unknown) => column.value(row as R, serviceNow(run));
    return { kind: column.kind, values: column.values, readValue, momentOf };
  }
  const parts = Object.hasOwn(view.added ?? {}, path)
    ? [path]
    : readField(path, withColumnNames(source, view, '--filter'), '--filter', value);
  if (parts[0] !== path) {
    return { kind: 'record', parts, values: null, readValue: (row) => valueAt(row, path), momentOf };
  }
  const type = 'type' in source ? leafTypeOf(path, source.type) : null;
  const values = view.values && Object.hasOwn(view.values, path) ? view.values[path] : undefined;
  const kind = view.times?.has(path) ? 'time' : kindOf(type, path);
  const hasNames = view.nameLists?.includes(path) === true;
  const readValue = (row: unknown) => (hasNames ? namesIn(valueAt(row, path)) : valueAt(row, path));
  return { kind, values: values ?? null, readValue, momentOf };
}

/** Returns the text, and each run of its parts: a name may contain a comma. */
function namesIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parts = value.split(', ');
  return parts.flatMap((_, from) => parts.slice(from).map((_, more) => parts.slice(from, from + more + 1).join(', ')));
}

function kindOf(type: string | null, path: string): FilterField['kind'] {
  if (type === 'Boolean') return 'boolean';
  if (type === 'Int' || type === 'Float' || type === 'Long') return 'number';
  // Rows that are not records of the contract mark their times by name.
  return type === 'DateTime' || type === 'Timestamp' || (type === null && /(At|[tT]imestamp)$/.test(path))
    ? 'time'
    : 'text';
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

/** Returns a rule without a total when --limit omits rows. */
function totalUnlessCut<Row>(rule: TotalRule<Row>, cut: { readonly isCut: boolean }): TotalRule<Row> {
  return {
    ...rule,
    begin() {
      const total = rule.begin();
      return { take: (row) => total.take(row), row: () => (cut.isCut ? null : total.row()) };
    },
  };
}

interface Rules<Row> {
  readonly sortValue: (row: Row, path: string) => unknown;
  readonly leavesOut: boolean;
  readonly filters: readonly Filter[];
  readonly keys: readonly SortKey[];
  readonly shown: SelectionTree | null;
  readonly cut: { isCut: boolean };
  readonly onShown: (row: Row) => void;
}

async function* shapeRows<Row>(
  run: ReportingRun,
  source: Iterable<Row> | AsyncIterable<Row>,
  { leavesOut, filters, keys, shown, sortValue, cut, onShown }: Rules<Row>,
): AsyncIterable<Row> {
  const limit = run.globals.limit ?? Number.POSITIVE_INFINITY;
  let deleted = 0;
  const passes = (row: Row) => {
    if (!filters.every((filter) => filter.passes(row))) return false;
    if (!leavesOut || !isMarkedDeleted(row)) return true;
    deleted++;
    return false;
  };
  let printed = 0;
  let total = 0;
  if (keys.length > 0) {
    const rows: Row[] = [];
    for await (const row of source) if (passes(row)) rows.push(row);
    total = rows.length;
    cut.isCut = total > limit;
    for (const row of sorted(rows, keys, sortValue).slice(0, limit)) {
      onShown(row);
      yield onlyShown(row, shown);
    }
  } else {
    const isComplete = Array.isArray(source);
    for await (const row of source) {
      if (!passes(row)) continue;
      total++;
      cut.isCut = total > limit;
      if (printed < limit) {
        printed++;
        onShown(row);
        yield onlyShown(row, shown);
      } else if (!isComplete) {
        // The rest is not requested, so the total is unknown.
        const few = limit === 1 ? 'row is' : `${limit} rows are`;
        run.report.remark(`Only the first ${few} shown; there are more.`);
        return;
      }
    }
  }
  if (total > limit) {
    const few = limit === 1 ? `row of ${total} is` : `${limit} of ${total} rows are`;
    run.report.remark(`Only the first ${few} shown.`);
  }
  if (deleted > 0 && run.io.stdout.isTTY === true) {
    run.report.remark(
      `${deleted} deleted ${deleted === 1 ? 'record is' : 'records are'} left out. --deleted shows them.`,
    );
  }
}

function onlyShown<Row>(row: Row, shown: SelectionTree | null): Row {
  // Views and formats expect that any field of a row may be missing.
  return shown === null ? row : (pick(row, shown) as Row);
}

/** After the columns that are always shown, and before all others. */
const NAMED_COLUMN_RANK = 0.5;

/** Raises the rank of the columns that --filter and --sort name. */
function raiseNamedColumns<Row>(view: View<Row>, paths: readonly string[]): View<Row> {
  if (paths.length === 0) return view;
  const columns = view.columns.map((column) =>
    paths.some((path) => showsField(column, path))
      ? { ...column, rank: Math.min(column.rank, NAMED_COLUMN_RANK) }
      : column,
  );
  return { ...view, columns };
}

/** Returns true when a column has this name or shows this field. */
function showsField<Row>({ title, shows = [] }: ViewColumn<Row>, path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return (
    title === path ||
    title.toLowerCase() === name.toLowerCase() ||
    shows.some((field) => path === field || path.startsWith(`${field}.`))
  );
}

interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

export function parseSort(text: string): readonly SortKey[] {
  return splitNames(text, '--sort').map((name) => {
    const descending = name.startsWith('-') || name.endsWith(':desc');
    return { path: name.replace(/^[-+]/, '').replace(/:(asc|desc)$/, ''), descending };
  });
}

/** Returns sorted rows. Rows with equal keys keep their order. */
export function sorted<Row>(
  rows: readonly Row[],
  keys: readonly SortKey[],
  readValue: (row: Row, path: string) => unknown = valueAt,
): readonly Row[] {
  return [...rows].sort((a, b) => {
    for (const { path, descending } of keys) {
      const order = compareForSort(readValue(a, path), readValue(b, path), descending);
      if (order !== 0) return order;
    }
    return 0;
  });
}
