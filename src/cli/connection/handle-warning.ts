// What a command makes of the warnings of the SDK.
import { configFolder } from '../../core/config-folder.js';
import type { Warning } from '../../core/hooks.js';
import { note, type ReportingRun, type Run } from '../context/context.js';
import { isOfMissing, partialResultOf } from '../errors/partial-result.js';

/** An incomplete answer makes the command end with exit code 6; other warnings are only printed. */
export function handleWarning(run: ReportingRun, warning: Warning): void {
  if (warning.code === 'SHARED_LOGIN') {
    // Another program uses the same login. The SDK handles it; --verbose explains the wait.
    if (run.globals.verbose) note(run, '! another program uses this login: waiting for its requests to end');
    return;
  }
  if (warning.code === 'SHARED_LOGIN_ENDED') return;
  if (warning.code === 'MERGING_STOPPED' || warning.code === 'MERGING_RESUMED') {
    // The answers are the same. The client adapts by itself, and there is nothing for an operator to do.
    if (run.globals.verbose)
      note(run, '! the service refuses several queries in one document: they are sent in smaller ones');
    return;
  }
  if (isOfMissing(warning)) run.report.partial(partialResultOf(warning));
  else run.report.warn(warning.code === 'SESSION_STORE' ? sessionStoreWarning(run) : warning.message);
}

/** Replaces the SDK's text, which names an option that a command does not have. */
function sessionStoreWarning({ globals, io }: Run): string {
  const check =
    (globals.redis ?? io.env.FLEET_REDIS_URL)
      ? 'Check that Redis can be reached'
      : `Check that you have write access to ${configFolder(io.env)}, or set FLEET_CONFIG_DIR to a folder of your own`;
  return `The stored sessions could not be read or written. ${check}.`;
}
