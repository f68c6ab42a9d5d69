// Connects run() to the process: streams, signals, a closed pipe and the exit code. Everything is
// loaded on demand, because this file decides how fast a command starts.

import type { Io } from '../io/io.js';
import type { Pager } from '../io/pager.js';
import { prebuiltHelp } from './prebuilt-help.js';
import { version } from './version.js';

/** Time for an interrupted command to clean up before the process ends. */
const INTERRUPT_GRACE_MS = 1_000;

/** The exit codes of shells for these signals: 128 plus the signal number. */
const INTERRUPTED = 130;
const TERMINATED = 143;

export async function main(process: NodeJS.Process): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `fleet vehicles list | head -1` is no failure. A command with its own listener still has work
    // to do.
    if (error.code === 'EPIPE' && process.stdout.listenerCount('error') > 1) return;
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: The output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  const words = process.argv.slice(2);
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  const help = prebuiltHelp(words, process.stdout.columns);
  if (help !== null) {
    process.stdout.write(help);
    return;
  }

  const interrupt = new AbortController();
  const unfinished = new Set<Promise<unknown>>();
  const pagers = new Set<Pager>();
  let isTerminated = false;
  const onSignal = (signal: NodeJS.Signals) => {
    // Ctrl-C reaches the pager too; the command waits until the user quits it.
    if (signal === 'SIGINT' && pagers.size > 0) return interrupt.abort();
    // The second signal ends the process at once.
    const exitCode = signal === 'SIGTERM' ? TERMINATED : INTERRUPTED;
    if (interrupt.signal.aborted) process.exit(exitCode);
    if (signal === 'SIGTERM') isTerminated = true;
    interrupt.abort();
    // The command may have ended by then, while something it started keeps the process alive.
    const end = () => process.exit(process.exitCode ?? exitCode);
    const endWhenFinished = () => {
      if (unfinished.size === 0) return end();
      process.stderr.write(
        'Waiting for new tokens of the session, which must be stored. Interrupt again to end at once.\n',
      );
      void Promise.allSettled(unfinished).then(end);
    };
    setTimeout(endWhenFinished, INTERRUPT_GRACE_MS).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  // Node ends a process with an empty event loop, even when a promise is still pending.
  const onNothingLeft = () => {
    process.stderr.write('error: The command stopped before it was done. Please report this.\n');
    process.exitCode = 1;
  };
  process.once('beforeExit', onNothingLeft);
  const { run } = await import('./run.js');
  const exitCode = await run(words, ioOf(process, interrupt.signal, unfinished, pagers));
  process.exitCode = exitCode === INTERRUPTED && isTerminated ? TERMINATED : exitCode;
  process.removeListener('beforeExit', onNothingLeft);
  process.removeListener('SIGINT', onSignal);
  process.removeListener('SIGTERM', onSignal);
}

function ioOf(process: NodeJS.Process, signal: AbortSignal, unfinished: Set<Promise<unknown>>, pagers: Set<Pager>): Io {
  let isStderrOpen = false;
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      if (!isStderrOpen) process.stderr.on('error', () => undefined);
      isStderrOpen = true;
      return process.stderr;
    },
    env: process.env,
    signal,
    unfinished,
    pagers,
  };
}
