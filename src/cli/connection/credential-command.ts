// Runs the command that prints the credentials of a login. Its output is never printed or logged.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as realSleep } from 'node:timers/promises';
import { durationText } from '../../core/durations.js';
import { type CredentialSource, sourceText } from '../config/credential-source.js';
import type { ServiceRun } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { childEnv } from '../io/child-env.js';

/** Time limit of the command, unless --timeout is set. */
const COMMAND_MS = 30_000;

/** A password is never longer. */
const MAX_BYTES = 65_536;

/** Returns the stdout of the command. stderr is discarded: scripts print commands there. */
export async function outputOfCommand(
  { io, globals, service }: ServiceRun,
  source: CredentialSource & { readonly kind: 'command' },
): Promise<Buffer> {
  const child = spawn(source.command, {
    shell: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: childEnv(io.env),
    windowsHide: true,
  });
  const over = new AbortController();
  const stop = () => {
    over.abort();
    child.kill();
    // A child of the shell may keep it open.
    child.stdout.destroy();
  };
  service.onEnd(async () => stop());
  io.signal.addEventListener('abort', stop, { once: true });
  const limitMs = globals.timeout ?? COMMAND_MS;
  const sleep = io.sleep ?? ((ms: number, signal: AbortSignal) => realSleep(ms, undefined, { signal }));
  const tooLate = sleep(limitMs, over.signal).then(
    () => failed(source, `did not end within ${durationText(limitMs)}`),
    () => failed(source, 'was interrupted'),
  );
  try {
    const result = await Promise.race([resultOf(child, source), tooLate]);
    if (result instanceof CliError) throw result;
    return result;
  } finally {
    io.signal.removeEventListener('abort', stop);
    stop();
  }
}

function resultOf(
  child: ChildProcessByStdio<null, Readable, null>,
  source: CredentialSource,
): Promise<Buffer | CliError> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) resolve(failed(source, `printed more than ${MAX_BYTES / 1024} KiB`));
      else chunks.push(chunk);
    });
    child.once('error', () => resolve(failed(source, 'could not be started')));
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(chunks));
      else resolve(failed(source, code === null ? 'was ended' : `ended with exit code ${code}`));
    });
  });
}

function failed(source: CredentialSource, problem: string): CliError {
  return new CliError('AUTHENTICATION', `The command of ${sourceText(source)} ${problem}, so there is no password.`, {
    hint: 'Run the command yourself to see what it says; it gets no input and must print the password, or JSON with it.',
  });
}
