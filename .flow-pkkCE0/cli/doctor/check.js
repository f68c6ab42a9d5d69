import { FleetError, HttpError } from "../../core/errors.js";
import { CliError } from "../errors/cli-error.js";
import { commandFailureOf } from "../errors/exit-codes.js";
const ok = (detail) => ({ status: "ok", detail });
const skipped = (detail) => ({ status: "skipped", detail });
const warning = (detail, next) => ({ status: "warn", detail, next });
const failed = (code, detail, next) => ({
  status: "fail",
  detail,
  next,
  code
});
function findingOf(error, timeoutMs) {
  const { message, details, hint, choices, error: told } = commandFailureOf(error, false, timeoutMs);
  const code = told instanceof CliError || told instanceof FleetError ? told.code : "UNEXPECTED";
  const choiceTexts = choices?.map((choice) => Object.values(choice).filter(Boolean).join(" \xB7 ")) ?? [];
  const detail = [
    message,
    ...details,
    ...choiceTexts.length > 0 ? [`They are: ${choiceTexts.join("; ")}.`] : []
  ].join(" ");
  const httpStatus = error instanceof HttpError ? error.status : void 0;
  return { status: "fail", detail, next: hint ?? void 0, code, httpStatus };
}
export {
  failed,
  findingOf,
  ok,
  skipped,
  warning
};
