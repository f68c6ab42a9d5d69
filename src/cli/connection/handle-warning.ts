// Handles warnings of the SDK for a command.
import { configFolder } from '../../core/config-folder.js';
import type { Warning } from '../../core/hooks.js';
import { note, type ReportingRun, type Run } from '../context/context.js';
import { isOfMissing, partialResultOf } from '../errors/partial-result.js';

/** Prints a warning. An incomplete answer also ends the command with exit code 6. */
export function handleWarning(run: ReportingRun, warning: Warning): void {
  if (warning.code === 'SHARED_LOGIN') {
    // The SDK handles the shared login; --verbose explains the wait.
    if (run.globals.verbose) note(run, '! another program uses this login: waiting for its requests to end');
    return;
  }
  if (warning.code === 'SHARED_LOGIN_ENDED') return;
  if (warning.code === 'MERGING_STOPPED' || warning.code === 'MERGING_RESUMED') {
    // Merging adapts by itself and does not change the answers.
    if (run.globals.verbose)
      note(run, '! the service refuses several queries in one document: they are sent in smaller ones');
    return;
  }
  if (isOfMissing(warning)) run.report.partial(partialResultOf(warning));
  else run.report.warn(warning.code === 'SESSION_STORE' ? sessionStoreWarning(run) : warning.message);
}

/** Returns a text without the SDK option that commands do not have. */
function sessionStoreWarning({ globals, io }: Run): string {
  const check =
    (globals.redis ?? io.env.FLEET_REDIS_URL)
      ? 'Check that Redis can be reached'
      : `Check that you have write access to ${configFolder(io.env)}, or set FLEET_CONFIG_DIR to a folder of your own`;
  return `The stored sessions could not be read or written. ${check}.`;
}
