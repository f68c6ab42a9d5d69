// Runs one command line from its words to its exit code. Nothing here or below knows the process.

import { failureOf } from '../errors/exit-codes.js';
import { incomplete } from '../errors/partial-result.js';
import { reportFailure, reportWarnings, withWarnings } from '../errors/print-failure.js';
import { clockOf } from './clock.js';
import type { Context } from './context.js';
import { type Globals, wantsJsonErrors } from './global-flags.js';
import type { Io } from './io.js';
import { createProgram } from './program.js';

/** `argv` without the interpreter and the script. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  // `fleet help vehicles` is `fleet vehicles --help`.
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const json = wantsJsonErrors(words, io.env);
  const shortfalls: Context['partialResults'] = [];
  const warnings: Context['warnings'] = [];
  const remarks: Context['remarks'] = [];
  const service: Context['service'] = { now: null };
  const closing: Context['closing'] = [];
  const program = createProgram(io, (parsed) => {
    const globals = parsed.opts<Globals>();
    const clock = clockOf(io, globals, words.includes('--watch'));
    return { io, clock, globals, partialResults: shortfalls, warnings, remarks, service, closing };
  });
  try {
    try {
      await program.parseAsync(words, { from: 'user' });
    } finally {
      for (const close of closing.splice(0)) await close();
    }
    if (shortfalls[0]) throw incomplete(shortfalls[0]);
    reportWarnings(warnings, io);
    return 0;
  } catch (error) {
    const failure = failureOf(error, io.signal.aborted, program.opts<Globals>().timeout);
    if (!json) reportWarnings(warnings, io);
    if (failure.exitCode !== 0) {
      // In JSON stderr is one line: what was warned of may be the reason of the failure, so it goes with the advice.
      const told = json ? withWarnings(failure, warnings) : failure;
      reportFailure(told, io, { json, stack: words.includes('--verbose') });
    }
    return failure.exitCode;
  }
}
