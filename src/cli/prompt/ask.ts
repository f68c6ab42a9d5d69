// Asks the person at the keyboard. Questions go to stderr, because stdout carries data only; a secret is read without echo.
import { Writable } from 'node:stream';
import { CliError } from '../errors/cli-error.js';
import { plainText } from '../output/plain-text.js';
import { type Context, canAsk } from '../run/context.js';

/** The answer, without the spaces around it; empty when only Enter was pressed. */
export async function ask(context: Context, question: string): Promise<string> {
  try {
    return (await readAnswer(context, question, context.io.stderr)).trim();
  } catch (error) {
    // Nobody pressed Enter, so the cursor still stands behind the question.
    context.io.stderr.write('\n');
    throw error;
  }
}

export async function askSecret(context: Context, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  context.io.stderr.write(question);
  try {
    return await readAnswer(context, '', nowhere);
  } finally {
    context.io.stderr.write('\n');
  }
}

/** Lets choose one of several by number. */
export async function choose<T>(
  context: Context,
  question: string,
  options: readonly T[],
  text: (option: T) => string,
): Promise<T> {
  for (const [index, option] of options.entries()) {
    context.io.stderr.write(`  ${index + 1}  ${plainText(text(option))}\n`);
  }
  for (;;) {
    const answer = await ask(context, `${question} [1-${options.length}] `);
    const chosen = /^\d+$/.test(answer) ? options[Number(answer) - 1] : undefined;
    if (chosen !== undefined) return chosen;
    context.io.stderr.write(`Type a number from 1 to ${options.length}.\n`);
  }
}

/** Fails with what to do instead when there is nobody to ask. */
export function requireAsking(context: Context, what: string, instead: string): void {
  if (canAsk(context)) return;
  const why = context.globals.input ? 'this is not a terminal' : '--no-input forbids to ask';
  throw new CliError('USAGE', `${what} is needed, and ${why}.`, { hint: instead });
}

async function readAnswer(context: Context, question: string, output: NodeJS.WritableStream): Promise<string> {
  const { stdin, signal } = context.io;
  // Few commands ask, and all of them would wait for it.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    const interrupted = () => reject(new CliError('ABORTED', 'Interrupted.'));
    signal.addEventListener('abort', interrupted, { once: true });
    // In raw mode Ctrl-C is a key, not a signal; Ctrl-D closes.
    lines.once('SIGINT', interrupted);
    lines.once('close', interrupted);
    lines.question(question, resolve);
  }).finally(() => {
    lines.close();
    stdin.pause();
  });
}
