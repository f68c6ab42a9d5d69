import { joinTrees } from "../../contract/selection/tree.js";
import { FleetError } from "../../core/errors.js";
import { Report } from "../context/report.js";
import { CliError } from "../errors/cli-error.js";
import { notFound } from "../find/match.js";
import { findEachRecord } from "../find/record.js";
import { looksLikeId } from "../parse/user-selector.js";
import { knownRecord } from "./plan-record.js";
async function lookUp(context, client, kind, texts, select) {
  const areIds = texts.every(looksLikeId);
  const own = new Report();
  const run = areIds ? { ...context, report: own } : context;
  try {
    const { ids, rows, isWhole } = await findEachRecord(run, client, kind, texts, joinTrees(kind.identity, select));
    const records = rows.map((row) => knownRecord(kind, row)).filter(({ id }) => id !== "");
    return { ids, records: new Map(records.map((one) => [one.id, one])), isWhole };
  } catch (error) {
    if (!areIds || context.io.signal.aborted || !isOfService(error)) throw error;
    return { ids: texts, records: /* @__PURE__ */ new Map(), isWhole: false };
  }
}
function isOfService(error) {
  return (error instanceof CliError || FleetError.is(error)) && ["GRAPHQL", "PROTOCOL", "NOT_FOUND"].includes(error.code);
}
function otherRecord(id, named, { name, label = name }) {
  if (named === id) return void 0;
  const isOneOfThem = named instanceof CliError && named.choices?.some((choice) => choice.id === id);
  if (isOneOfThem === true && named instanceof CliError && named.code === "AMBIGUOUS_NAME") return void 0;
  if (named instanceof CliError) return named;
  return new CliError("USAGE", `"${label}" and "${name}" are two different ${label}s.`, {
    hint: "Correct one of them, or leave its cell empty."
  });
}
function noSuchId({ noun, listCommand }, id) {
  return notFound({ listCommand }, `There is no ${noun} with the id ${id}.`);
}
export {
  lookUp,
  noSuchId,
  otherRecord
};
