import { plainText } from "../io/plain-text.js";
import { wrapFor } from "../io/wrap.js";
function canAsk(run) {
  return run.globals.input && run.io.stdin.isTTY === true && run.io.stderr.isTTY === true;
}
function cannotAskReason(run) {
  return run.globals.input ? "this is not a terminal" : "--no-input forbids prompts";
}
function now(run) {
  return run.clock.now();
}
function serviceNow(run) {
  return run.service.now() ?? now(run);
}
function note(run, line) {
  if (!run.globals.quiet) tell(run, line);
}
function tell(run, line) {
  run.io.stderr.write(`${wrapFor(run.io.stderr, plainText(line))}
`);
}
export {
  canAsk,
  cannotAskReason,
  note,
  now,
  serviceNow,
  tell
};
