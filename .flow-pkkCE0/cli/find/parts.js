import { Report } from "../context/report.js";
import { CliError } from "../errors/cli-error.js";
import { findId, findRecord } from "./record.js";
async function listOf(context, client, kind, text, read) {
  const id = await findId(context, client, kind, text, { substring: true });
  const own = new Report();
  const requireRecord = () => findRecord({ ...context, report: own }, client, kind, id, { substring: false, select: { id: true } });
  const parts = await read(id, { ...context, report: own }).catch(async (error) => {
    if (error instanceof CliError && error.code === "PROTOCOL") await requireRecord();
    throw error;
  });
  if (parts.length === 0) await requireRecord();
  context.report.add(own);
  return parts;
}
export {
  listOf
};
