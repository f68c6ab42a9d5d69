// Joins run() to the process: streams, signals, a reader that goes away, and the exit code. Nothing is loaded or opened here before it
// is needed: how soon a command answers is decided here.
import type { Io } from './io.js';
import { writtenHelp } from './prebuilt-help.js';
import { version } from './version.js';

/** How long an interrupted command may take to leave things tidy. */
const graceMs = 1_000;

export async function main(process: NodeJS.Process): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `fleet vehicles list | head -1` is no failure. A command that listens itself has more to do than to print.
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
  const help = writtenHelp(words, process.stdout.columns);
  if (help !== null) {
    process.stdout.write(help);
    return;
  }

  const interrupt = new AbortController();
  const onSignal = () => {
    // A second signal, or a command that does not come to its end, is not argued with.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    // By then the command may have come to its end, and something it began may still hold the process.
    setTimeout(() => process.exit(process.exitCode ?? 130), graceMs).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);

  const { run } = await import('./run.js');
  process.exitCode = await run(words, ioOf(process, interrupt.signal));
  process.removeListener('SIGINT', onSignal);
  process.removeListener('SIGTERM', onSignal);
}

/** The process's own streams, each opened when a command first looks at it. */
function ioOf(process: NodeJS.Process, signal: AbortSignal): Io {
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
  };
}
