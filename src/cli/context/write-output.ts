// Writes the output of a command: through a pager if it is longer than the terminal, else directly.
import { columnsOf, type Io, terminalRows, write, writeAll } from '../io/io.js';
import type { Pager } from '../io/pager.js';
import { safeForTerminal, unguarded } from '../io/terminal-guard.js';
import type { Output } from '../output/format.js';
import type { ReportingRun, Run } from './context.js';

type Texts = Iterable<Output> | AsyncIterable<Output>;

export async function writeOutput(run: ReportingRun, texts: Texts): Promise<void> {
  const command = await pagerFor(run);
  if (command === null) return writeAll(run.io.stdout, texts);
  const iterator = Symbol.asyncIterator in texts ? texts[Symbol.asyncIterator]() : texts[Symbol.iterator]();
  try {
    const { text, isComplete } = await firstScreen(run.io, iterator);
    if (isComplete) return await write(run.io.stdout, text);
    await writePaged(run, command, text, iterator);
  } finally {
    await iterator.return?.();
  }
}

/** Returns the command line of the pager; null when the output is not paged. */
async function pagerFor({ io, globals }: Run): Promise<string | null> {
  if (io.pagers === undefined || io.stdout.isTTY !== true || !globals.pager) return null;
  const { pagerCommand } = await import('../io/pager.js');
  return pagerCommand(io.env);
}

type Source = Iterator<Output> | AsyncIterator<Output>;

/** Reads until the text is longer than the screen, or complete. */
async function firstScreen(io: Io, source: Source): Promise<{ readonly text: string; readonly isComplete: boolean }> {
  // One line for the shell prompt.
  const room = terminalRows(io.stdout) - 1;
  const columns = columnsOf(io.stdout);
  let text = '';
  let lines = 0;
  try {
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return { text, isComplete: true };
      const shown = asText(value);
      text += shown;
      lines += linesOf(shown, columns);
      if (lines > room) return { text, isComplete: false };
    }
  } catch (error) {
    // Prints the text before the failure.
    await write(io.stdout, text);
    throw error;
  }
}

async function writePaged(run: ReportingRun, command: string, first: string, rest: Source): Promise<void> {
  const { io, report } = run;
  // Clears the progress line, which would remain behind the pager.
  if (io.stderr.isTTY === true) unguarded(io.stderr).write('\r\u001b[2K');
  const pager = io.startPager?.(command) ?? (await import('../io/pager.js')).startPager(command, io.env);
  // The user may leave the pager at any time; the next write finds the stream closed.
  pager.input.on('error', () => undefined);
  io.pagers?.add(pager);
  report.paged();
  try {
    await writeAll(pager.input, guarded(first, rest));
  } finally {
    await close(pager);
    io.pagers?.delete(pager);
  }
}

async function* guarded(first: string, rest: Source): AsyncIterable<string> {
  yield safeForTerminal(first);
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield safeForTerminal(asText(value));
  }
}

/** Binary formats are refused on a terminal, so a pager never gets bytes. */
function asText(output: Output): string {
  return typeof output === 'string' ? output : '';
}

/** Waits until the pager is closed, also after Ctrl-C, because it owns the terminal. */
async function close({ input, closed }: Pager): Promise<void> {
  input.end();
  await closed;
}

function linesOf(text: string, columns: number): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
  const plain = text.replace(/\u001b\[\d{1,2}m/g, '');
  const lines = plain.split('\n').slice(0, plain.endsWith('\n') ? -1 : undefined);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
