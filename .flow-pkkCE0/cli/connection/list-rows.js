import { formatOf } from "../context/print.js";
import { allowPartial, missingOf } from "./allow-partial.js";
import { call } from "./call.js";
async function listRows(run, client, operation, { select }, isWanted = () => true) {
  if (printsRowByRow(run)) return arriving(run, client, operation, { select }, isWanted);
  const rows = await allowPartial(run, (options) => call(client, operation, {}, { ...options, select }));
  return rows.filter(isWanted);
}
function printsRowByRow(run) {
  const { forPeople, map } = formatOf(run);
  return !forPeople && map === null && run.globals.sort === void 0;
}
async function* arriving(run, client, operation, { select }, isWanted) {
  const missing = missingOf(run);
  const selection = select === void 0 ? {} : { select };
  const options = { partial: true, signal: run.io.signal, onWarning: missing.onWarning, ...selection };
  const stream = client.stream(operation, {}, options);
  let count = 0;
  try {
    for await (const row of stream) {
      count++;
      if (isWanted(row)) yield row;
    }
  } catch (error) {
    if (count > 0) run.report.warn(`The list is not complete: ${count} rows had arrived before the error.`);
    throw error;
  }
  missing.report();
}
export {
  listRows
};
