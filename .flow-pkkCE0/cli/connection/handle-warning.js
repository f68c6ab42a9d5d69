import { configFolder } from "../../core/config-folder.js";
import { note } from "../context/context.js";
import { isOfMissing, partialResultOf } from "../errors/partial-result.js";
function handleWarning(run, warning) {
  if (warning.code === "SHARED_LOGIN") {
    if (run.globals.verbose) note(run, "! another program uses this login: waiting for its requests to end");
    return;
  }
  if (warning.code === "SHARED_LOGIN_ENDED") return;
  if (warning.code === "MERGING_STOPPED" || warning.code === "MERGING_RESUMED") {
    if (run.globals.verbose)
      note(run, "! the service refuses several queries in one document: they are sent in smaller ones");
    return;
  }
  if (isOfMissing(warning)) run.report.partial(partialResultOf(warning));
  else run.report.warn(warning.code === "SESSION_STORE" ? sessionStoreWarning(run) : warning.message);
}
function sessionStoreWarning({ globals, io }) {
  const check = globals.redis ?? io.env.FLEET_REDIS_URL ? "Check that Redis can be reached" : `Check that you have write access to ${configFolder(io.env)}, or set FLEET_CONFIG_DIR to a folder of your own`;
  return `The stored sessions could not be read or written. ${check}.`;
}
export {
  handleWarning
};
