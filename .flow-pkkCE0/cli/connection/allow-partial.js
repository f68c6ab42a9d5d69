import { messageOf } from "../../core/error-messages.js";
import { FleetError } from "../../core/errors.js";
import { isEmptyData, isObject } from "../../core/json.js";
import { CliError } from "../errors/cli-error.js";
import { isOfMissing, partialResultOf } from "../errors/partial-result.js";
import { handleWarning } from "./handle-warning.js";
async function allowPartial(run, call) {
  return (await partialAnswerOf(run, call)).value;
}
async function partialAnswerOf(run, call) {
  const missing = missingOf(run);
  const value = await call({ partial: true, signal: run.io.signal, onWarning: missing.onWarning });
  missing.refuse();
  missing.report();
  return { value, isWhole: missing.part() === null };
}
function answerBeside(run, error) {
  if (!FleetError.is(error) || error.code !== "GRAPHQL" || !isObject(error.data) || isEmptyData(error.data))
    throw error;
  const { operation, serviceErrors: errors, message } = error;
  run.report.partial(partialResultOf({ code: "PARTIAL_DATA", ...operation && { operation }, errors, message }));
  return error.data;
}
async function wholeOf(run, call, undone) {
  const missing = missingOf(run);
  const value = await call({ partial: true, signal: run.io.signal, onWarning: missing.onWarning });
  missing.refuse();
  const part = missing.part();
  if (part !== null) {
    const { operation = "a request", messages: details } = part;
    throw new CliError("GRAPHQL", `The service answered ${operation} only in part.`, {
      undone,
      operation,
      details,
      hint: "Try again later."
    });
  }
  missing.report();
  return value;
}
function missingOf(run) {
  const warnings = [];
  const part = () => {
    const partial = warnings.find(isOfMissing);
    return partial === void 0 ? null : partialResultOf(partial);
  };
  return {
    part,
    onWarning: (warning) => {
      warnings.push(warning);
    },
    refuse() {
      const nullList = warnings.find(({ code }) => code === "NULL_LIST");
      if (nullList === void 0) return;
      const { operation } = nullList;
      throw new CliError("PROTOCOL", messageOf({ kind: "nullList" }, { operation }), { operation });
    },
    report() {
      for (const warning of warnings) handleWarning(run, warning);
    }
  };
}
export {
  allowPartial,
  answerBeside,
  missingOf,
  partialAnswerOf,
  wholeOf
};
