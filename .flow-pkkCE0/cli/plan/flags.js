import { InvalidArgumentError, Option } from "commander";
import { inputFormats } from "../input/input-format.js";
import { wholeBetween } from "../parse/whole-number.js";
const yesFlag = [
  "-y, --yes",
  "do not ask; required without a terminal to delete or end something, or to change several records"
];
function addChangeFlags(command, { input = true, several = false } = {}) {
  if (input)
    command.option("--input <file>", "the change as one JSON object (- for stdin); flags win over its members");
  command.option("--dry-run", "print what would change, old and new values; exit code 10 when something would");
  command.option(...yesFlag);
  if (several) addMaxFailures(command);
}
function addMaxFailures(command) {
  command.option(
    "--max-failures <count>",
    "stop after this many failures in a row (default: 5); none never stops",
    maxFailures
  );
}
function maxFailures(text) {
  if (text === "none") return text;
  try {
    return wholeBetween(1, Number.MAX_SAFE_INTEGER)(text);
  } catch {
    throw new InvalidArgumentError("Write a whole number from 1, or none to send all changes.");
  }
}
function addInputFormat(command) {
  command.addOption(
    new Option("--input-format <format>", "its format; default: by the name of the file, else json").choices(
      inputFormats
    )
  );
  command.option("--ignore-columns", "leave out columns of a table that no list prints and no change takes");
}
function addApplyFlags(command, prune) {
  addInputFormat(command);
  if (prune !== null) command.option("--prune", `${prune}; with --dry-run it only reports them`);
  command.option("--dry-run", "print the plan and change nothing; exit code 10 when something differs").option(...yesFlag).option("--failed <file>", "write the lines of the file that were not done to this file");
  addMaxFailures(command);
}
const planHelp = "Plan: + created, ~ changed, - deleted, = kept as it is. What the file does not say of a record stays\nunchanged. Run again, the command changes nothing.";
function leftAlone({ yes, dryRun }, count, { noun, plural }, verb = "delete") {
  if (count === 0 || yes && !dryRun) return [];
  const [what, them] = count === 1 ? [`1 ${noun} of the service is`, "it"] : [`${count} ${plural} of the service are`, "them"];
  return [`${what} not in the file; --prune would ${verb} ${them}.`];
}
export {
  addApplyFlags,
  addChangeFlags,
  addMaxFailures,
  leftAlone,
  planHelp,
  yesFlag
};
