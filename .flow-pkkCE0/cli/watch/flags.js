import { InvalidArgumentError } from "commander";
import { CliError, refusal } from "../errors/cli-error.js";
import { parseDuration } from "../parse/duration.js";
const WATCH_INTERVAL_MS = 3e4;
const MIN_WATCH_INTERVAL_MS = 1e3;
function addWatchFlags(command) {
  return command.option("--watch [pause]", "keep running: redraw the table on a terminal, print changes as NDJSON in a pipe", pause).option("--every <duration>", "with --watch, pause between two requests; at least 1s (default: 30s)", every);
}
function watchPause({ watch, every: ms }) {
  if (typeof watch === "number" && ms !== void 0 && watch !== ms) {
    throw refusal("--watch and --every name two pauses.", { hint: "Leave out one of them." });
  }
  if (watch !== void 0) return ms ?? (typeof watch === "number" ? watch : WATCH_INTERVAL_MS);
  if (ms === void 0) return null;
  throw new CliError("USAGE", "--every needs --watch.", { hint: "Add --watch, or leave out --every." });
}
function namesWith({ watch }, names) {
  return typeof watch === "string" ? [...names, watch] : names;
}
function refuseWordOfWatch({ watch }) {
  if (typeof watch !== "string") return;
  throw refusal(`--watch "${watch}" is not a pause.`, { hint: "Write it as 10s or 2m." });
}
function pause(text) {
  return /^\d+(ms|s|m|h)$/.test(text) ? every(text) : text;
}
function every(text) {
  const ms = duration(text);
  if (ms >= MIN_WATCH_INTERVAL_MS) return ms;
  throw new InvalidArgumentError("The minimum is 1s, because others use the service too.");
}
function duration(text) {
  const ms = parseDuration(text, "s");
  if (ms !== null && ms > 0) return ms;
  throw new InvalidArgumentError("Write it as 30s, 90m, 6h or 7d; a number without a unit is seconds.");
}
export {
  WATCH_INTERVAL_MS,
  addWatchFlags,
  duration,
  every,
  namesWith,
  refuseWordOfWatch,
  watchPause
};
