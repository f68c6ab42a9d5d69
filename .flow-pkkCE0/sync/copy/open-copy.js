import { statSync } from "node:fs";
import { CliError, refusal } from "fleet-telematics/kit/command";
import { runSql } from "./sql-process.js";
import { TripsOfCopy } from "./trips-of-copy.js";
const TIMEOUT_MS = 1e4;
const MEMORY_MB = 256;
const freshness = `SELECT min(complete_until) AS until,
  group_concat(part || ' until ' || complete_until, ', ') AS parts FROM sync_parts`;
async function openCopy({ io }, path) {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw refusal(`--copy ${path} is not a file.`, { hint: "Make a copy with `fleet sync fleet.db` first." });
  }
  let last = Promise.resolve();
  const query = async (statements, signal, mostRows = -1) => {
    const question = { path, statements, mostRows, memoryMb: MEMORY_MB };
    const found = last.then(() => runSql(question, { signal, timeoutMs: TIMEOUT_MS }));
    last = found.catch(() => void 0);
    return (await found).map(rowsOf);
  };
  try {
    await query([freshness], io.signal);
    return { query, freshness, trips: (context, client) => new TripsOfCopy(context, client, query) };
  } catch (error) {
    if (!(error instanceof CliError && error.code === "USAGE")) throw error;
    throw refusal(`--copy ${path} is not a copy of a fleet in SQLite.`, {
      details: [error.problem],
      hint: "Make one with `fleet sync fleet.db`."
    });
  }
}
function rowsOf({ columns, rows }) {
  return rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? null])));
}
export {
  openCopy
};
