import { defaultTree, hasPath, joinTrees, pick, treeOf } from "../../contract/selection/tree.js";
import { serviceNow } from "../context/context.js";
import { formatOf } from "../context/print.js";
import { CliError } from "../errors/cli-error.js";
import { valueAt } from "../output/field-path.js";
import { headingOfField } from "../output/headings.js";
import { parseTime, refuseSkippedHour } from "../parse/time.js";
import { momentIn } from "./compare.js";
import { canBeDeleted, isMarkedDeleted, withDeletedMark } from "./deleted.js";
import { hasField, leafTypeOf, readField, splitNames } from "./fields.js";
import { parseFilter } from "./filter.js";
import { mapViewFor } from "./map-view.js";
import { parseSort, sorted } from "./sort.js";
import { viewOfFields } from "./view-of-fields.js";
function listShape(context, view, of, deleted) {
  return shapeOf(context, view, of, deleted);
}
function recordShape(context, view, of) {
  const { filter = [], sort, limit } = context.globals;
  const flag = filter.length > 0 ? "--filter" : sort !== void 0 ? "--sort" : limit !== void 0 ? "--limit" : null;
  if (flag === null) return shapeOf(context, view, of);
  throw new CliError("USAGE", `${flag} is only for lists; this command shows one record.`, {
    hint: `Leave out ${flag}.`
  });
}
function shapeOf(context, view, of, deleted) {
  const { globals } = context;
  const hasDeleted = of !== "view" && canBeDeleted(of.returns.type);
  const added = new Map(Object.entries(view.added ?? {}));
  const source = fieldSource(view, of);
  const computed = (name) => view.computed && Object.hasOwn(view.computed, name) ? view.computed[name] : void 0;
  const readName = (name, flag) => {
    if (added.has(name)) return [name];
    const column = computed(name);
    if (column && !hasField(name, source)) throw notShown(name, column, flag);
    return readField(name, alsoNaming(source, view, flag), flag);
  };
  const paths = globals.fields === void 0 ? null : [...new Set(splitNames(globals.fields, "--fields").flatMap((name) => readName(name, "--fields")))];
  const readFor = (path, flag) => computed(path)?.needs ?? readName(path, flag);
  const fieldOf = (path) => added.has(path) || computed(path) ? path : fieldOfHeading(path, view, source);
  const filters = (globals.filter ?? []).map((text) => parseFilter(text, (path) => filterField(context, view, source, fieldOf(path)))).map((filter) => ({ ...filter, path: fieldOf(filter.path) }));
  const keys = (globals.sort === void 0 ? [] : parseSort(globals.sort)).map((key) => ({
    ...key,
    path: fieldOf(key.path)
  }));
  const leavesOut = hasDeleted && deleted === false && !filters.some(({ path }) => path === "isDeleted");
  const readPaths = [
    ...leavesOut ? ["isDeleted"] : [],
    ...filters.flatMap(({ path }) => readFor(path, "--filter")),
    ...keys.flatMap(({ path }) => readFor(path, "--sort"))
  ];
  const readValue = (row, path) => computed(path)?.value(row, serviceNow(context)) ?? valueAt(row, path);
  const sortValue = (row, path) => {
    const known = computed(path)?.values ?? (view.values && Object.hasOwn(view.values, path) ? view.values[path] : null);
    const value = readValue(row, path);
    return known && typeof value === "string" && known.includes(value) ? known.indexOf(value) : value;
  };
  const map = mapViewFor(context, view);
  const needed = (names) => names.flatMap((name) => added.get(name) ?? [name]);
  const shown = map || view.chart !== void 0 && formatOf(context).chart || paths === null ? null : treeOf(paths);
  const mapPaths = map ? [...map.position, ...map.needs] : [];
  const base = map?.isTrack ? treeOf(mapPaths) : paths === null ? null : treeOf(needed(paths));
  const defaults = paths === null ? view.fields.flatMap((name) => added.get(name) ?? []) : [];
  const cut = { isCut: false };
  const timed = {
    ...view,
    times: new Map([...timesOf(paths ?? view.fields, source), ...view.times ?? []]),
    total: view.total && (view.total.isOfAllRows && filters.length > 0 ? void 0 : uncut(view.total, cut))
  };
  return {
    options: of === "view" ? {} : selectFor(of, base, [...needed(readPaths), ...defaults, ...mapPaths]),
    view: keepingColumns(
      paths !== null ? viewOfFields(timed, paths) : hasDeleted ? withDeletedMark(timed, deleted === true) : timed,
      [...filters, ...keys].map(({ path }) => path)
    ),
    rows: (rows, onShown = () => void 0) => shaped(context, rows, { leavesOut, filters, keys, shown, sortValue, cut, onShown }),
    record: (row) => onlyShown(row, shown)
  };
}
function fieldOfHeading(name, { columns }, source) {
  if (hasField(name, source)) return name;
  const [column, ...others] = columns.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  const [field, ...rest] = column?.shows ?? [];
  if (field === void 0 || others.length + rest.length > 0) return name;
  const type = "type" in source ? leafTypeOf(field, source.type) : null;
  const isPlain = type === null ? headingOfField(field).unit !== null || kindOf(type, field) === "time" : type !== "UUID";
  return isPlain && hasField(field, source) ? field : name;
}
function timesOf(paths, source) {
  const times = paths.filter(
    (path) => kindOf("type" in source ? leafTypeOf(path, source.type) : null, path) === "time"
  );
  return new Map(times.map((path) => [path, (row) => momentIn(valueAt(row, path))]));
}
function notShown(name, { needs, shows = needs }, flag) {
  const [only, ...others] = shows;
  const fields = others.length === 0 ? `the field that it shows: ${only}` : `the fields that it follows from: ${shows.join(", ")}`;
  return new CliError("USAGE", `${flag}: "${name}" is a column of the table, and no field.`, {
    hint: `Name ${fields}. --filter and --sort know ${name}.`
  });
}
function fieldSource(view, of) {
  return of === "view" ? { names: [.../* @__PURE__ */ new Set([...view.fields, ...Object.keys(view.added ?? {})])] } : { type: of.returns.type };
}
const columnFlags = /* @__PURE__ */ new Set(["--filter", "--sort"]);
function alsoNaming(source, { computed, added }, flag) {
  if ("names" in source) return source;
  const columns = columnFlags.has(flag) ? Object.keys(computed ?? {}) : [];
  return { ...source, also: [...columns, ...Object.keys(added ?? {})] };
}
function filterField(run, view, source, path) {
  const momentOf = (text) => {
    const now = serviceNow(run);
    refuseSkippedHour(text, now, run.zone.name, "--filter");
    return parseTime(text, now, run.zone.name);
  };
  const column = view.computed && Object.hasOwn(view.computed, path) ? view.computed[path] : void 0;
  if (column) {
    const readValue2 = (row) => column.value(row, serviceNow(run));
    return { kind: column.kind, values: column.values, readValue: readValue2, momentOf };
  }
  const parts = Object.hasOwn(view.added ?? {}, path) ? [path] : readField(path, alsoNaming(source, view, "--filter"), "--filter");
  if (parts[0] !== path) {
    return { kind: "record", parts, values: null, readValue: (row) => valueAt(row, path), momentOf };
  }
  const type = "type" in source ? leafTypeOf(path, source.type) : null;
  const values = view.values && Object.hasOwn(view.values, path) ? view.values[path] : void 0;
  const kind = view.times?.has(path) ? "time" : kindOf(type, path);
  const hasNames = view.nameLists?.includes(path) === true;
  const readValue = (row) => hasNames ? namesIn(valueAt(row, path)) : valueAt(row, path);
  return { kind, values: values ?? null, readValue, momentOf };
}
function namesIn(value) {
  if (typeof value !== "string") return value;
  const parts = value.split(", ");
  return parts.flatMap((_, from) => parts.slice(from).map((_2, more) => parts.slice(from, from + more + 1).join(", ")));
}
function kindOf(type, path) {
  if (type === "Boolean") return "boolean";
  if (type === "Int" || type === "Float" || type === "Long") return "number";
  return type === "DateTime" || type === "Timestamp" || type === null && /(At|[tT]imestamp)$/.test(path) ? "time" : "text";
}
function selectFor(operation, shown, readPaths) {
  const base = shown ?? defaultTree(operation);
  const missing = readPaths.filter((path) => !hasPath(base, path));
  if (shown === null && missing.length === 0) return {};
  return { select: joinTrees(base, treeOf(missing)) };
}
function uncut(rule, cut) {
  return {
    ...rule,
    begin() {
      const total = rule.begin();
      return { take: (row) => total.take(row), row: () => cut.isCut ? null : total.row() };
    }
  };
}
async function* shaped(run, source, { leavesOut, filters, keys, shown, sortValue, cut, onShown }) {
  const limit = run.globals.limit ?? Number.POSITIVE_INFINITY;
  let deleted = 0;
  const passes = (row) => {
    if (!filters.every((filter) => filter.passes(row))) return false;
    if (!leavesOut || !isMarkedDeleted(row)) return true;
    deleted++;
    return false;
  };
  let printed = 0;
  let total = 0;
  if (keys.length > 0) {
    const rows = [];
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
        const few = limit === 1 ? "row is" : `${limit} rows are`;
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
      `${deleted} deleted ${deleted === 1 ? "record is" : "records are"} left out. --deleted shows them.`
    );
  }
}
function onlyShown(row, shown) {
  return shown === null ? row : pick(row, shown);
}
const KEPT_RANK = 0.5;
function keepingColumns(view, paths) {
  if (paths.length === 0) return view;
  const columns = view.columns.map(
    (column) => paths.some((path) => isAbout(column, path)) ? { ...column, rank: Math.min(column.rank, KEPT_RANK) } : column
  );
  return { ...view, columns };
}
function isAbout({ title, shows = [] }, path) {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return title === path || title.toLowerCase() === name.toLowerCase() || shows.some((field) => path === field || path.startsWith(`${field}.`));
}
export {
  listShape,
  recordShape
};
