import { CliError, refusal } from "../errors/cli-error.js";
import { firstOf } from "../errors/unusable.js";
import { checkInput } from "../input/check-input.js";
import { loadInput } from "../input/load-input.js";
import { membersOf } from "../records/input-members.js";
import { readCustomFields } from "./custom-field.js";
async function loadWanted(run, file, flags, wanted) {
  const input = await loadInput(run, file, flags, wantedColumns(wanted));
  return { wanted: wantedOf(run, input, wanted), table: input.table };
}
function wantedColumns({ kind, columns, more = [] }) {
  const id = { name: "id", into: "variables" };
  return {
    references: [id],
    input: inputOf(kind),
    printed: { type: kind.type, views: [kind.view] },
    columns: { ...relatedColumns(kind), ...columns },
    more: [...relationsApart(kind), ...labelsOf(kind).map(([, label]) => ({ name: label, type: "UUID" })), ...more],
    ...kind.field === void 0 ? {} : { open: FIELDS }
  };
}
const FIELDS = "customFields";
function inputOf(kind) {
  return "update" in kind ? kind.create ?? kind.update : kind.create;
}
function relationsApart(kind) {
  const known = new Set(membersOf(inputOf(kind).type).map(({ name }) => name));
  return Object.entries(kind.relations ?? {}).filter(([name]) => !known.has(name)).map(([name, { list }]) => ({ name, type: list ? "[UUID!]" : "UUID" }));
}
function relatedColumns(kind) {
  return Object.fromEntries(
    Object.entries(kind.relations ?? {}).flatMap(([member, { holder, list, label, kind: related }]) => {
      if (label !== void 0) return [];
      const other = related();
      const word = list ? other.plural : other.placeholder;
      return [
        ...holder === null ? [] : [[`${holder}.name`, member]],
        ...other.noun === kind.noun ? [] : [[word, member]]
      ];
    })
  );
}
function labelsOf({ relations = {} }) {
  return Object.entries(relations).flatMap(([member, { label }]) => label === void 0 ? [] : [[member, label]]);
}
function wantedOf(run, { lines, lineNumbers, problems }, { kind, read = (members) => members }) {
  const { type } = inputOf(kind);
  const known = new Set(membersOf(type).map(({ name }) => name));
  const apart = new Set([...Object.keys(kind.relations ?? {}), FIELDS].filter((name) => !known.has(name)));
  const numbered = lines.map((source, index) => ({ source, index, line: lineNumbers?.[index] ?? index + 1 }));
  return mapAll(numbered, ({ source, index, line }) => {
    const wrong = problems?.get(index);
    if (wrong) throw unreadable(line, wrong);
    const where = `line ${line}`;
    if (typeof source === "string") {
      throw refusal(`${where}: a text says nothing of a record.`, {
        hint: "Give an object with the names that `list -o json` prints."
      });
    }
    const { id, ...said } = source;
    if (id !== void 0 && id !== null && typeof id !== "string") {
      throw refusal(`${where}: the id is not a text.`);
    }
    const prefix = `${where}: `;
    const { members: named, labels } = takeLabels(kind, said, prefix);
    const given = read(named, prefix);
    const hasFields = kind.field !== void 0 && given[FIELDS] !== void 0;
    const members = hasFields ? { ...given, [FIELDS]: readCustomFields(given[FIELDS], prefix) } : given;
    refuseMoves(kind, members, prefix);
    const ofType = Object.fromEntries(Object.entries(members).filter(([name]) => !apart.has(name)));
    checkInput(run, type, ofType, prefix);
    return { line, source, where, id: id || null, members, labels };
  });
}
function refuseMoves({ relations = {} }, members, where) {
  const move = ["addGroupIds", "removeGroupIds"].find((name) => members[name] !== void 0);
  if (move === void 0 || !Object.hasOwn(relations, "groupIds")) return;
  throw refusal(`${where}"${move}" is no member of a file.`, {
    hint: 'Give all groups as "groupIds", or use `groups --add --remove` of the noun.'
  });
}
function takeLabels(kind, given, where) {
  const members = { ...given };
  const labels = {};
  for (const [member, label] of labelsOf(kind)) {
    const { [label]: name, [member]: id } = members;
    delete members[label];
    if (isNothing(name) && isNothing(id)) {
      throw refusal(`${where}<${label}> is missing.`, { hint: `Give it in the line, as "${label}".` });
    }
    if (isNothing(id)) members[member] = name;
    else if (typeof name === "string" && name !== "") labels[member] = name;
  }
  return { members, labels };
}
function isNothing(value) {
  return value === void 0 || value === null || value === "";
}
function unreadable(line, wrong) {
  return refusal(`line ${line}, ${wrong.join("; ")}.`, {
    hint: "An empty cell is not given, and null clears a member."
  });
}
function mapAll(items, map) {
  const results = [];
  const problems = [];
  for (const item of items) {
    try {
      results.push(map(item));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      problems.push(error);
    }
  }
  const [first] = problems;
  if (first === void 0) return results;
  throw problems.length === 1 ? first : combined(problems, items.length, first);
}
function combined(problems, count, { hint }) {
  return refusal(`${problems.length} of ${count} lines cannot be used.`, {
    details: firstOf(problems.map(({ problem }) => problem)),
    hint
  });
}
export {
  loadWanted,
  mapAll,
  wantedColumns,
  wantedOf
};
