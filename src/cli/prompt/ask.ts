// Prompts the user on stderr, because stdout carries only data; a secret is read without echo.
import { Writable } from 'node:stream';
import { canAsk, cannotAskReason, type Run } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { plainText } from '../io/plain-text.js';
import { unguarded } from '../io/terminal-guard.js';

/** Returns the trimmed answer; empty when the user only pressed Enter. */
export async function ask(run: Run, question: string): Promise<string> {
  try {
    return (await readAnswer(run, plainText(question), unguarded(run.io.stderr))).trim();
  } catch (error) {
    // Enter was not pressed, so the cursor is still in the line of the prompt.
    run.io.stderr.write('\n');
    throw error;
  }
}

export async function askSecret(run: Run, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  run.io.stderr.write(plainText(question));
  try {
    return await readAnswer(run, '', nowhere);
  } finally {
    run.io.stderr.write('\n');
  }
}

export async function choose<T>(
  run: Run,
  question: string,
  options: readonly T[],
  text: (option: T) => string,
): Promise<T> {
  for (const [index, option] of options.entries()) {
    run.io.stderr.write(`  ${index + 1}  ${plainText(text(option))}\n`);
  }
  for (;;) {
    const answer = await ask(run, `${question} [1-${options.length}] `);
    const chosen = /^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined;
    if (chosen !== undefined) return chosen;
    run.io.stderr.write(`Type a number from 1 to ${options.length}.\n`);
  }
}

/** @throws CliError USAGE when no prompt is possible; `instead` is its hint */
export function requirePrompt(run: Run, what: string, instead: string): void {
  if (canAsk(run)) return;
  throw new CliError('USAGE', `${what} is needed, and ${cannotAskReason(run)}.`, { hint: instead });
}

async function readAnswer(run: Run, question: string, output: NodeJS.WritableStream): Promise<string> {
  const { stdin, signal } = run.io;
  // Loaded here because few commands prompt.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    const interrupted = () => reject(new CliError('ABORTED', 'Interrupted.'));
    signal.addEventListener('abort', interrupted, { once: true });
    // In raw mode Ctrl-C is a key and not a signal; Ctrl-D closes the input.
    lines.once('SIGINT', interrupted);
    lines.once('close', interrupted);
    lines.question(question, resolve);
  }).finally(() => {
    lines.close();
    stdin.pause();
  });
}
