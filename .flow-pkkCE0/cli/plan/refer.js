import { isSameJson, textsIn } from "../../core/json.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { findEachIn, NamedRows } from "../find/match.js";
import { looksLikeId } from "../parse/user-selector.js";
import { NewRecord } from "../records/new-record.js";
import { recordId, recordName } from "../records/record-kind.js";
import { mapAll } from "./load-wanted.js";
import { lookUp, noSuchId, otherRecord } from "./lookup.js";
import { matchRecord } from "./plan-file.js";
import { relatedNames } from "./plan-record.js";
async function refer(context, client, kind, wanted, known) {
  const names = new Map(known.flatMap((row) => relatedNames(row, kind)));
  const found = /* @__PURE__ */ new Map();
  const created = /* @__PURE__ */ new Map();
  await Promise.all(
    Object.entries(kind.relations ?? {}).map(async ([member, relation]) => {
      const given = wanted.flatMap(({ members, labels }) => [
        ...textsIn(members[member]),
        ...textsIn(labels?.[member])
      ]);
      const texts = [...new Set(given)];
      const other = relation.kind();
      if (other.noun === kind.noun) {
        for (const row of known) names.set(recordId(row) ?? "", recordName(other, row) ?? "");
        const ids2 = idsOrNew(context, other, texts, wanted, known, created);
        for (const [index, text] of texts.entries()) found.set(`${member} ${text}`, ids2[index] ?? text);
        return;
      }
      const isKnown = (text) => looksLikeId(text) && (names.has(text) || relation.label !== void 0);
      if (texts.every(isKnown)) return;
      const { ids, records, isWhole } = await lookUp(context, client, other, texts, {});
      for (const [id, { name }] of records) names.set(id, name);
      for (const [index, text] of texts.entries()) {
        const isMissing = isWhole && looksLikeId(text) && !isKnown(text) && !records.has(text);
        found.set(`${member} ${text}`, isMissing ? noSuchId(other, text) : ids[index] ?? text);
      }
    })
  );
  const referring = mapAll(wanted, (one) => {
    const relations = Object.entries(kind.relations ?? {});
    const replaced = relations.flatMap(([member, { label }]) => {
      const value = one.members[member];
      const ids = textsIn(value).map((text) => {
        const id = found.get(`${member} ${text}`) ?? text;
        if (!(id instanceof CliError)) return id;
        throw refusal(`${one.where}, ${label ?? member}: ${id.problem}`, { hint: id.hint });
      });
      const beside = one.labels?.[member];
      const named = beside === void 0 ? ids[0] : found.get(`${member} ${beside}`) ?? beside;
      const isGone = named instanceof CliError && named.code === "NOT_FOUND" && !names.has(String(ids[0]));
      const other = isGone ? void 0 : otherRecord(ids[0], named, { name: member, label });
      if (other) throw refusal(`${one.where}: ${other.problem}`, { hint: other.hint });
      if (Array.isArray(value)) return [[member, ids]];
      return typeof value === "string" && value !== "" ? [[member, ids[0]]] : [];
    });
    const members = { ...one.members, ...Object.fromEntries(replaced) };
    return { ...one, members, creates: created.get(one) };
  });
  return { wanted: referring, names };
}
function idsOrNew(context, kind, texts, wanted, known, created) {
  const lines = new Map(wanted.map((one) => [one.members, one]));
  const inFile = new NamedRows(kind, [...lines.keys()]);
  const knownByName = new NamedRows(kind, known);
  const knownIds = new Set(known.map(recordId));
  const byFileId = new Map(wanted.flatMap((one) => one.id === null ? [] : [[one.id, one]]));
  return findEachIn(context, kind, known, texts, false).map((id, index) => {
    const text = texts[index] ?? "";
    if (typeof id === "string" && knownIds.has(id)) return id;
    const problem = id instanceof CliError ? id : noSuchId(kind, id);
    const [first, ...others] = problem.code === "NOT_FOUND" ? inFile.matches(text) : [];
    const line = byFileId.get(text) ?? (first && lines.get(first));
    if (line === void 0) {
      return refusal(problem.problem, {
        hint: `Give the id, the whole name, or the name of another ${kind.noun} in the file.`
      });
    }
    if (line.members === first && !others.every((other) => isSameJson(other, first))) {
      return refusal(`The file has ${others.length + 1} ${kind.plural} "${text}".`, {
        hint: "Give an id or another text that only one of them has."
      });
    }
    const match = matchRecord(kind, line, known, knownByName);
    if (match !== null && typeof match === "object") return recordId(match.row) ?? text;
    const own = created.get(line) ?? new NewRecord(recordName(kind, line.members) ?? text);
    created.set(line, own);
    return own;
  });
}
export {
  refer
};
