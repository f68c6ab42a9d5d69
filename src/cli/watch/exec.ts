// Runs a shell command for each event, with values in the environment and on stdin only.

import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { isTimeLimit } from '../../core/deadline.js';
import { errorCode } from '../../core/error-code.js';
import type { Timers } from '../../core/ports.js';
import { withTimeLimit } from '../../core/time-limit.js';
import type { FleetEvent } from '../../telemetry/events/fleet-event.js';
import { childEnv, type Env } from '../io/child-env.js';
import type { OutputStream } from '../io/io.js';
import { withoutControls } from '../io/plain-text.js';
import type { DeliveryOutcome, Receiver } from './deliveries.js';

/** Time limit of a command, because the next events of its vehicle wait for it. */
const LONGEST_MS = 5 * 60_000;
const ENDED = 'the watch has ended';

/** Time between SIGTERM and SIGKILL, short at the end of a watch. */
const KILL_AFTER_MS = { hangs: 5_000, ends: 200 };

/** Time for the last output of a command that has exited. */
const OUTPUT_MS = 200;

export interface ExecParts {
  readonly command: string;
  readonly env: Env;
  /** For the output of the command: stdout has the events. */
  readonly output: OutputStream;
  readonly timers: Pick<Timers, 'after'>;
}

export function execReceiver(parts: ExecParts): Receiver {
  const inherited = childEnv(parts.env);
  return {
    name: 'exec',
    label: '--exec',
    async deliver(event, signal) {
      const env = { ...inherited, ...eventVariables(event) };
      try {
        return await withTimeLimit(signal, LONGEST_MS, (limited) => run(event, env, limited, parts), parts.timers);
      } catch (error) {
        // The environment of this event would be as long in a retry.
        if (errorCode(error) !== 'E2BIG') throw error;
        return { kind: 'refused', reason: 'its values are too long for the environment of a command (E2BIG)' };
      }
    },
  };
}

/** Runs the command, and returns its outcome when it has exited or was killed. */
function run(
  event: FleetEvent,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  { command, output, timers }: ExecParts,
): Promise<DeliveryOutcome> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve(failed(ENDED));
    const child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
      // An own process group: Ctrl-C lets the command finish, and a kill includes its children.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.on('error', reject);
    // A failed spawn has no streams.
    if (child.pid === undefined) return;
    const end = () => killGroup(child, signal, timers).then(resolve);
    signal.addEventListener('abort', end, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      // As text, because a character may be split between chunks.
      stream.setEncoding('utf8').on('data', (text: string) => void output.write(text));
    }
    // A command that ignores its input closes it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(`${JSON.stringify(event)}\n`);
    child.once('exit', (code, by) => {
      if (signal.aborted) return;
      signal.removeEventListener('abort', end);
      const outcome = outcomeOf(code, by);
      // A background child keeps the output open and continues to run.
      for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
      const cancel = timers.after(OUTPUT_MS, () => resolve(outcome));
      child.once('close', () => {
        cancel();
        resolve(outcome);
      });
    });
  });
}

/** Ends the process group, first politely, and returns the outcome with the reason. */
function killGroup(child: ChildProcess, signal: AbortSignal, timers: ExecParts['timers']): Promise<DeliveryOutcome> {
  const [reason, waitMs] = isTimeLimit(signal.reason)
    ? ['it took longer than 5 minutes', KILL_AFTER_MS.hangs]
    : [ENDED, KILL_AFTER_MS.ends];
  endGroup(child, 'SIGTERM');
  return new Promise((resolve) => {
    timers.after(waitMs, () => {
      endGroup(child, 'SIGKILL');
      resolve(failed(reason));
    });
  });
}

/** Returns the values as `FLEET_EVENT_…`; empty for missing values. */
export function eventVariables(event: FleetEvent): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]: [string, string | number | null]) => [
      `FLEET_EVENT_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      // A line break would add a header where a value is put into a mail.
      withoutControls(String(value ?? '')),
    ]),
  );
}

function failed(reason: string): DeliveryOutcome {
  return { kind: 'failed', reason, isReceiverDown: false, retryAfterMs: null };
}

function outcomeOf(code: number | null, by: NodeJS.Signals | null): DeliveryOutcome {
  if (code === 0) return { kind: 'taken' };
  return failed(code === null ? `it was ended by ${by}` : exitText(code));
}

/** Explains the exit codes of a shell that cannot start a program. */
function exitText(code: number): string {
  if (code === 127) return 'the shell finds no such program (exit code 127); check its name, or give its whole path';
  if (code === 126) return 'the shell may not run it (exit code 126); make it executable with chmod +x';
  return `its exit code is ${code}`;
}

function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // Already ended.
  }
}
