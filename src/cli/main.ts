// Joins run() to the process: streams, signals, a reader that goes away, and the exit code.
import { run } from './run.js';

/** How long an interrupted command may take to leave things tidy. */
const graceMs = 1_000;

export function main(process: NodeJS.Process): void {
  const interrupt = new AbortController();
  const onSignal = () => {
    // A second signal, or a command that does not come to its end, is not argued with.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
    setTimeout(() => process.exit(130), graceMs).unref();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `fleet vehicles list | head -1` is no failure. A command that listens itself has more to do than to print.
    if (error.code === 'EPIPE' && process.stdout.listenerCount('error') > 1) return;
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`error: The output could not be written: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on('error', () => undefined);

  void run(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signal: interrupt.signal,
  }).then((code) => {
    process.exitCode = code;
    process.removeListener('SIGINT', onSignal);
    process.removeListener('SIGTERM', onSignal);
  });
}
