import { errorCode } from "../../core/error-code.js";
import { CliError } from "./cli-error.js";
import { sentence } from "./sentence.js";
const MAX_PROBLEMS_SHOWN = 10;
function firstOf(texts) {
  const more = texts.length - MAX_PROBLEMS_SHOWN;
  return more > 0 ? [...texts.slice(0, MAX_PROBLEMS_SHOWN), `and ${more} more`] : texts;
}
function unusable(what, reason, more = {}) {
  return new CliError("USAGE", sentence(`The ${what} cannot be used: ${reason}`), more);
}
function refusedFile(file, verb, error) {
  return new CliError("USAGE", `The ${file} cannot be ${verb} (${errorCode(error) ?? "unknown reason"}).`, {
    cause: error
  });
}
export {
  firstOf,
  refusedFile,
  unusable
};
