// Runs one command line, from its words to its exit code. Neither this file nor the ones it imports use the process.

import type { Context, GlobalFlags } from '../context/context.js';
import { failureOf } from '../errors/exit-codes.js';
import { incomplete } from '../errors/partial-result.js';
import type { Io } from '../io/io.js';
import { clockOf } from './clock.js';
import { wantsJsonErrors } from './global-flags.js';
import { reportFailure, reportWarnings, withWarnings } from './print-failure.js';
import { createProgram } from './program.js';

/** `argv` is without the interpreter and the script. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  // `fleet help vehicles` is `fleet vehicles --help`.
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const json = wantsJsonErrors(words, io.env);
  const partialResults: Context['partialResults'] = [];
  const warnings: Context['warnings'] = [];
  const remarks: Context['remarks'] = [];
  const serviceClock: Context['serviceClock'] = { now: null };
  const cleanups: Context['cleanups'] = [];
  const program = createProgram(io, (parsed) => {
    const globals = parsed.opts<GlobalFlags>();
    const clock = clockOf(io, globals, words.includes('--watch'));
    return { io, clock, globals, partialResults, warnings, remarks, serviceClock, cleanups };
  });
  try {
    try {
      await program.parseAsync(words, { from: 'user' });
    } finally {
      for (const cleanUp of cleanups.splice(0)) await cleanUp();
    }
    if (partialResults[0]) throw incomplete(partialResults[0]);
    reportWarnings(warnings, io);
    return 0;
  } catch (error) {
    const failure = failureOf(error, io.signal.aborted, program.opts<GlobalFlags>().timeout);
    if (!json) reportWarnings(warnings, io);
    if (failure.exitCode !== 0) {
      // With JSON, stderr is a single line, so the warnings become part of the hint: they may be the reason of the failure.
      const reported = json ? withWarnings(failure, warnings) : failure;
      reportFailure(reported, io, { json, stack: words.includes('--verbose') });
    }
    return failure.exitCode;
  }
}
