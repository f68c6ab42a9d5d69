// Runs one command line from its words to its exit code. Nothing here or below knows the process.
import type { Context } from './context.js';
import { failureOf } from './exit-codes.js';
import { type Globals, wantsJsonErrors } from './globals.js';
import type { Io } from './io.js';
import { createProgram } from './program.js';
import { reportFailure } from './report.js';

/** `argv` without the interpreter and the script. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  // `fleet help vehicles` is `fleet vehicles --help`.
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
  const partial: Context['partial'] = [];
  const closing: Context['closing'] = [];
  const program = createProgram(io, (parsed) => ({ io, globals: parsed.opts<Globals>(), partial, closing }));
  try {
    try {
      await program.parseAsync(words, { from: 'user' });
    } finally {
      for (const close of closing.splice(0)) await close();
    }
    if (partial[0]) throw partial[0];
    return 0;
  } catch (error) {
    const failure = failureOf(error, io.signal.aborted);
    if (failure.exitCode !== 0) {
      reportFailure(failure, io, { json: wantsJsonErrors(words, io.env), stack: words.includes('--verbose') });
    }
    return failure.exitCode;
  }
}
