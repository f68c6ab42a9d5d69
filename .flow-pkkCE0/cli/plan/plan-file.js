import { didYouMean } from "../../core/suggestions.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { firstOf, unusable } from "../errors/unusable.js";
import { NamedRows } from "../find/match.js";
import { looksLikeId } from "../parse/user-selector.js";
import { NewRecord } from "../records/new-record.js";
import {
  isSameIn,
  recordId,
  recordName,
  textIn
} from "../records/record-kind.js";
import { knownRecord, planChange, planCreation, planDeletion, presentMembers } from "./plan-record.js";
function planRecords(kind, wanted, known, { prune, names }) {
  const { noun } = kind;
  const problems = [];
  const respelled = [];
  const taken = /* @__PURE__ */ new Map();
  const born = /* @__PURE__ */ new Map();
  const [knownByName, bornByName] = [new NamedRows(kind, known), new NamedRows(kind, [])];
  const rows = [];
  const refuse = (where, problem, isOf) => {
    problems.push({ text: `${where}: ${problem}`, isOf });
    return [];
  };
  function planNew(one) {
    const { line, source, where, members, creates } = one;
    const [first] = kind.texts;
    const name = first ? textIn(first, members) : null;
    if (kind.create === null)
      return refuse(where, missing(kind, one.id ?? recordName(kind, members) ?? "", known), "identity");
    if (name === null) return refuse(where, `a new ${noun} needs a ${first?.noun ?? "name"}`, "record");
    const lacking = kind.lacks?.(members) ?? null;
    if (lacking !== null) return refuse(where, lacking, "record");
    const twin = matchByTexts(kind, members, bornByName);
    const other = twin !== null && typeof twin === "object" ? born.get(twin) : void 0;
    const others = other ? otherFields(kind, one, other, {}) : [];
    if (other && others.length === 0) return [];
    if (twin !== null) return refuse(where, twice(name, other, others), "identity");
    born.set(members, one);
    bornByName.add(members);
    return [{ ...planCreation(kind, members, names, { creates }), line, source }];
  }
  function planKnown(one, row, isById) {
    const { line, source, where } = one;
    const id = recordId(row) ?? "";
    const name = recordName(kind, row) ?? recordName(kind, one.members) ?? id;
    const named = isById ? one.members : withOwnSpelling(kind, one.members, row);
    const members = withOwnForm(named, row);
    const earlier = taken.get(row);
    if (earlier) {
      const others = otherFields(kind, { ...one, members }, earlier, presentMembers(row, kind));
      return others.length === 0 ? [] : refuse(where, twice(name, earlier, others), isById ? "repeat" : "identity");
    }
    taken.set(row, { ...one, members });
    if (named !== one.members) respelled.push({ own: name, inFile: recordName(kind, one.members) ?? "" });
    return [{ ...planChange(kind, id, members, { name, row }, names), line, source }];
  }
  const steps = wanted.flatMap((one) => {
    const found = matchRecord(kind, one, known, knownByName);
    rows.push(typeof found === "string" ? null : found?.row ?? null);
    if (typeof found === "string") return refuse(one.where, found, "identity");
    return found === null ? planNew(one) : planKnown(one, found.row, found.isById);
  });
  if (problems.length > 0) throw refused(kind, problems, wanted.length);
  const absent = kind.remove === null ? [] : known.filter((row) => recordId(row) && !taken.has(row) && !kind.spared?.(row));
  const surplus = prune ? absent : [];
  const needed = neededOf(kind, surplus, [
    ...wanted.map(({ where, members }, index) => ({ where, record: { ...rows[index], ...members } })),
    ...known.filter((row) => !taken.has(row) && !surplus.includes(row)).map((record) => ({ where: null, record }))
  ]);
  if (needed.length > 0) {
    const linked = needed.map((text) => ({ text, isOf: "record" }));
    throw refused(kind, linked, needed.length, "Add it to the file, or leave out --prune.");
  }
  const deletions = childrenFirst(kind, surplus).map((row) => knownRecord(kind, row)).map((one) => planDeletion(kind, one.id, one, names));
  const ordered = parentsFirst(kind, steps, known);
  return { steps: [...ordered, ...deletions], notInFile: absent.length - surplus.length, respelled };
}
function missing(kind, named, known) {
  const near = didYouMean(
    named,
    known.flatMap((row) => recordName(kind, row) ?? [])
  );
  return `there is no ${kind.noun}${named === "" ? "" : ` "${named}"`}${near === void 0 ? "" : `. ${near}`}`;
}
function withOwnSpelling(kind, members, row) {
  const others = kind.texts.filter((text) => {
    const [given, own] = [textIn(text, members), textIn(text, row)];
    return given !== null && own !== null && given !== own && isSameIn(kind, text, given, own);
  });
  if (others.length === 0) return members;
  const kept = new Set(others.flatMap((text) => text.members));
  return Object.fromEntries(Object.entries(members).filter(([member]) => !kept.has(member)));
}
function withOwnForm(members, row) {
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => {
      const own = Reflect.get(row, member);
      return typeof value !== "string" || typeof own !== "string" || value.normalize("NFC") !== own.normalize("NFC");
    })
  );
}
function parentMember({ noun, relations = {} }) {
  return Object.entries(relations).find(([, relation]) => relation.kind().noun === noun)?.[0];
}
function neededOf(kind, surplus, staying) {
  const parent = parentMember(kind);
  if (parent === void 0) return [];
  const doomed = new Map(surplus.map((row) => [recordId(row), recordName(kind, row)]));
  return staying.flatMap(({ where, record }) => {
    const above = Reflect.get(record, parent);
    const name = typeof above === "string" ? doomed.get(above) : void 0;
    if (name === void 0) return [];
    const from = where === null ? "" : `${where}: `;
    return [
      `${from}"${recordName(kind, record)}" is below "${name}", which is not in the file: --prune would delete it`
    ];
  });
}
function parentsFirst(kind, steps, known) {
  const parent = parentMember(kind);
  if (parent === void 0) return steps;
  const above = new Map(known.map((row) => [recordId(row), Reflect.get(row, parent)]));
  const stepNode = ({ creates, record }) => creates ?? record.id;
  const movesTo = ({ record }) => record.changes.find(({ field }) => field === parent)?.after ?? null;
  const isMove = ({ record }) => record.changes.some(({ field }) => field === parent);
  const moving = new Set(steps.filter(isMove).map(stepNode));
  const blockerOf = (step) => {
    const target = movesTo(step);
    if (target instanceof NewRecord && !above.has(target)) return target;
    if (step.creates) return null;
    const path = /* @__PURE__ */ new Set();
    for (let at = target; at !== null && at !== void 0 && !path.has(at); at = above.get(at)) {
      if (at === stepNode(step)) return [...path].find((one) => moving.has(one)) ?? at;
      path.add(at);
    }
    return null;
  };
  const ordered = [];
  const waiting = /* @__PURE__ */ new Map();
  const order = (next) => {
    const work = [next];
    for (const step of work) {
      const blocker = blockerOf(step);
      const node = stepNode(step);
      if (blocker !== null) {
        waiting.set(blocker, [...waiting.get(blocker) ?? [], step]);
        continue;
      }
      if (isMove(step) || step.creates) above.set(node, movesTo(step));
      moving.delete(node);
      ordered.push(step);
      work.push(...waiting.get(node) ?? []);
      waiting.delete(node);
    }
  };
  for (const step of steps) order(step);
  for (let count = -1; waiting.size > 0; ) {
    const rest = [...waiting.values()].flat();
    const [first] = rest;
    if (first && ordered.length === count) {
      throw refusal(`line ${first.line}: "${first.record.name}" would be its own parent.`, {
        hint: "Correct the parents in the file."
      });
    }
    count = ordered.length;
    waiting.clear();
    for (const step of rest) order(step);
  }
  return ordered;
}
function childrenFirst(kind, rows) {
  const parent = parentMember(kind);
  if (parent === void 0) return rows;
  const byId = new Map(rows.map((row) => [recordId(row), row]));
  const depthOf = (row, seen = []) => {
    const above = Reflect.get(row, parent);
    const holder = typeof above === "string" ? byId.get(above) : void 0;
    return holder === void 0 || seen.includes(holder) ? 0 : 1 + depthOf(holder, [...seen, row]);
  };
  const depths = new Map(rows.map((row) => [row, depthOf(row)]));
  return [...rows].sort((a, b) => (depths.get(b) ?? 0) - (depths.get(a) ?? 0));
}
function matchRecord(kind, { id, members }, known, knownByName) {
  if (id !== null) {
    const byId = looksLikeId(id) ? known.find((row2) => recordId(row2) === id) : void 0;
    if (byId) return { row: byId, isById: true };
    const named = looksLikeId(id) ? [] : knownByName.matches(id);
    const [only] = named;
    if (only && named.length === 1) return { row: only, isById: true };
    if (only) return ambiguous(kind, id, named.length);
    if (!looksLikeId(id)) return missing(kind, id, known);
  }
  const row = matchByTexts(kind, members, knownByName);
  return row === null || typeof row === "string" ? row : { row, isById: false };
}
function matchByTexts(kind, members, known) {
  const { noun, texts } = kind;
  const hasFixed = texts.some(({ isFixed }) => isFixed === true);
  let pool = null;
  let last = null;
  const missed = [];
  for (const text of hasFixed ? [...texts].reverse() : texts) {
    const value = textIn(text, members);
    if (value === null) continue;
    const earlier = pool;
    const same = known.matches(value, [text]).filter((row) => earlier === null || earlier.includes(row));
    if (same.length === 0) {
      if (hasFixed) missed.push(text);
      continue;
    }
    const isOther = (row) => missed.some((one) => one.isFixed === true && textIn(one, row) !== null);
    const rest = same.filter((row) => !isOther(row));
    const [only] = rest;
    const isName = text === texts[0];
    const [first] = missed;
    if (first && !isName && only === void 0)
      return `its ${text.noun} is that of a ${noun} with another ${first.noun}`;
    if (only === void 0) continue;
    if (first && isName) {
      const has = textIn(first, only) === null ? "has none" : "has another";
      return `no ${noun} has its ${first.noun}, and "${value}" ${has}: it is not clear whether they are the same`;
    }
    if (rest.length === 1) return only;
    pool = rest;
    last = value;
  }
  return last === null ? null : ambiguous(kind, last, pool?.length ?? 0);
}
function otherFields(kind, one, other, present) {
  const members = withOwnSpelling(kind, one.members, other.members);
  const respelled = Object.keys(one.members).filter((member) => !Object.hasOwn(members, member));
  const names = /* @__PURE__ */ new Set([...Object.keys(members), ...Object.keys(other.members)]);
  const saidBy = (line, name) => JSON.stringify(name in line ? line[name] : present[name]);
  return [...names].filter(
    (name) => !respelled.includes(name) && saidBy(members, name) !== saidBy(other.members, name)
  );
}
function twice(name, earlier, others) {
  if (!earlier) return `"${name}" is in the file already`;
  return `"${name}" is in the file already, in ${earlier.where}, with another ${others.join(", ")}`;
}
function ambiguous({ plural }, text, count) {
  return `there are ${count} ${plural} with the name "${text}"`;
}
function refused({ plural, listCommand, create }, problems, count, ownHint) {
  const names = create === null ? `\`${listCommand} -o csv\` prints all of them with their ids. The service creates and deletes no ${plural}, so neither does a file.` : `An id tells records with the same name apart: \`${listCommand} -o csv\` prints them.`;
  const has = (what) => problems.some(({ isOf }) => isOf === what);
  const repeat = has("repeat") ? "Put what both lines say into one." : void 0;
  const more = { undone: "changed", hint: ownHint ?? (has("identity") ? names : repeat) };
  const [only] = problems;
  if (only && problems.length === 1) return unusable("file", only.text, more);
  return new CliError("USAGE", `${problems.length} of ${count} ${plural} cannot be used.`, {
    ...more,
    details: firstOf(problems.map((problem) => problem.text))
  });
}
export {
  childrenFirst,
  matchRecord,
  planRecords
};
