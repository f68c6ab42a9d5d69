import { joinTrees, pick } from "../../contract/selection/tree.js";
import { allowPartial, partialAnswerOf } from "../connection/allow-partial.js";
import { call } from "../connection/call.js";
import { CliError } from "../errors/cli-error.js";
import { isNotFound } from "../errors/exit-codes.js";
import { looksLikeId } from "../parse/user-selector.js";
import { recordId, rowsIn } from "../records/record-kind.js";
import { findEachIn, notFound, requireId, requireIds, singleMatch } from "./match.js";
async function findRecord(run, client, kind, name, { substring, select }) {
  const query = requireName(kind, name);
  if (looksLikeId(query) && kind.byId !== null) return readById(run, client, kind, query, select);
  const { byId } = kind;
  if (byId !== null) {
    const named = singleMatch(run, kind, await listAll(run, client, kind, kind.identity), query, substring);
    return readById(run, client, kind, requireId(kind, named), select);
  }
  const rows = await listAll(run, client, kind, select ? joinTrees(select, kind.identity) : void 0);
  const row = singleMatch(run, kind, rows, query, substring);
  return select ? pick(row, select) : row;
}
async function findRecords(run, client, kind, names, { select }) {
  const queries = names.map((name) => requireName(kind, name));
  const rows = await listAll(run, client, kind, select ? joinTrees(select, kind.identity) : void 0);
  if (queries.length === 0) return rows;
  const byId = new Map(rows.map((row) => [recordId(row), row]));
  const ids = new Set(requireIds(findEachIn(run, kind, rows, queries, true)));
  return [...ids].map((id) => {
    const row = byId.get(id);
    if (row !== void 0) return row;
    throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
  });
}
async function findId(run, client, kind, name, { substring }) {
  const query = requireName(kind, name);
  if (looksLikeId(query)) return query;
  const rows = await listAll(run, client, kind, kind.identity);
  return requireId(kind, singleMatch(run, kind, rows, query, substring));
}
async function findEach(run, client, kind, names, { substring }) {
  const queries = names.map((name) => name.trim());
  if (queries.every(looksLikeId)) return queries;
  const rows = await listAll(run, client, kind, kind.identity);
  return findEachIn(run, kind, rows, queries, substring);
}
const MAX_READ_BY_ID = 50;
async function findEachRecord(run, client, kind, names, select) {
  const queries = names.map((name) => name.trim());
  if (kind.byId !== null && queries.every(looksLikeId) && queries.length <= MAX_READ_BY_ID) {
    const read = queries.map((id) => readById(run, client, kind, id, select).catch(orNull));
    return { ids: queries, rows: (await Promise.all(read)).filter((row) => row !== null), isWhole: true };
  }
  const { value, isWhole } = await partialAnswerOf(
    run,
    (options) => call(client, kind.list, {}, { ...options, select: kind.within ? kind.identity : select })
  );
  const rows = rowsIn(kind, value);
  return { ids: findEachIn(run, kind, rows, queries, false), rows, isWhole };
}
function orNull(error) {
  if (isNotFound(error)) return null;
  throw error;
}
async function findIds(run, client, kind, names) {
  return requireIds(await findEach(run, client, kind, names, { substring: true }));
}
async function listAll(run, client, kind, select) {
  return rowsIn(kind, await allowPartial(run, (options) => call(client, kind.list, {}, { ...options, select })));
}
async function readById(run, client, kind, id, select) {
  const { byId } = kind;
  try {
    const row = byId === null ? null : (
      // An operation by id has one variable, id.
      await allowPartial(run, (options) => call(client, byId, { id }, { ...options, select }))
    );
    if (row !== null) return row;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  throw notFound(kind, `There is no ${kind.noun} with the id ${id}.`);
}
function requireName(kind, text) {
  const name = text.trim();
  if (name !== "") return name;
  throw new CliError("USAGE", `The name of the ${kind.noun} is empty.`, { hint: "Give an id or a name." });
}
export {
  findEachRecord,
  findId,
  findIds,
  findRecord,
  findRecords
};
