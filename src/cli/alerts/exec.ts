// Runs a command for each event. Its text is the user's own and goes to the shell as it was typed; the values of the event are in the
// environment and on stdin, so that no name of a vehicle is ever read as a part of a command.
import { type ChildProcess, spawn } from 'node:child_process';
import { isTimeLimit } from '../../core/deadline.js';
import type { Timers } from '../../core/ports.js';
import { withTimeLimit } from '../../core/time-limit.js';
import { childEnv } from '../io/child-env.js';
import type { OutputStream } from '../io/io.js';
import type { AlertEvent } from '../views/alert.js';
import type { DeliveryOutcome, Receiver } from './receiver.js';

/** A command that hangs must not hold up the events of its vehicle for ever. */
const LONGEST_MS = 5 * 60_000;
const ENDED = 'the watch has ended';

export interface ExecParts {
  readonly command: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command prints goes here: stdout has the events. */
  readonly output: OutputStream;
  readonly timers: Pick<Timers, 'after'>;
}

export function execReceiver({ command, env, output, timers }: ExecParts): Receiver {
  const inherited = childEnv(env);
  return {
    name: 'exec',
    label: '--exec',
    deliver: (event, signal) => withTimeLimit(signal, LONGEST_MS, (limited) => run(event, limited), timers),
  };

  function run(event: AlertEvent, signal: AbortSignal): Promise<DeliveryOutcome> {
    return new Promise((resolve) => {
      const failed = (reason: string) => resolve({ kind: 'failed', reason, isUnwell: false, retryAfterMs: null });
      if (signal.aborted) return failed(ENDED);
      const child = spawn(command, {
        shell: true,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...inherited, ...eventVariables(event) },
        // A group of its own, so that Ctrl-C lets it finish, and what it has started can be ended with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      const end = () => {
        endGroup(child);
        failed(isTimeLimit(signal.reason) ? 'it took longer than 5 minutes' : ENDED);
      };
      signal.addEventListener('abort', end, { once: true });
      // As text: what guards a terminal reads characters, and a character may come in two parts.
      child.stdout.setEncoding('utf8').pipe(output, { end: false });
      child.stderr.setEncoding('utf8').pipe(output, { end: false });
      // A command that does not read its input closes it.
      child.stdin.on('error', () => undefined);
      child.stdin.end(`${JSON.stringify(event)}\n`);
      child.once('error', ({ message }) => failed(`it could not be started: ${message}`));
      child.once('close', (code, by) => {
        signal.removeEventListener('abort', end);
        if (code === 0) return resolve({ kind: 'taken' });
        failed(code === null ? `it was ended by ${by}` : endText(code));
      });
    });
  }
}

/** The values as `FLEET_EVENT_…`. What an event does not have is empty. */
export function eventVariables(event: AlertEvent): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]: [string, string | number | null]) => [
      `FLEET_EVENT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      // No system takes a NUL in its environment.
      String(value ?? '').replaceAll('\0', ''),
    ]),
  );
}

/** A shell that cannot start a program has these exit codes. */
function endText(code: number): string {
  if (code === 127) return 'the shell finds no such program (exit code 127); check its name, or give its whole path';
  if (code === 126) return 'the shell may not run it (exit code 126); make it executable with chmod +x';
  return `its exit code is ${code}`;
}

function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') {
    child.kill();
    return;
  }
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has just ended.
  }
}
