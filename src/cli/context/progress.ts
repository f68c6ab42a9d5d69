// Shows the progress of a long command in one line on stderr, redrawn in place. Prints nothing when stderr is not a terminal, and nothing
// when stdout is a pipe: what reads it, such as less, may draw on the same terminal.

import { fstatSync } from 'node:fs';
import { columnsOf, type Io, type OutputStream } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { unguarded } from '../io/terminal-guard.js';
import { wrapFor } from '../io/wrap.js';
import { shorten } from '../output/table.js';
import type { Run } from './context.js';

const clearLine = '\r\u001b[2K';

export interface Progress {
  show(text: string): void;
  /** Erases the line. Call it before other output and at the end. */
  clear(): void;
}

export function progressOn(run: Run): Progress {
  const { onProgress } = run.io;
  if (onProgress !== undefined) return { show: (text) => onProgress(plainText(text)), clear: () => undefined };
  const stderr = unguarded(run.io.stderr);
  if (!canShow(run)) return { show: () => undefined, clear: () => undefined };
  let shown = false;
  return {
    show(text) {
      if (isPaged(run.io)) return;
      shown = true;
      stderr.write(`${clearLine}${shorten(plainText(text), columnsOf(stderr) - 1)}`);
    },
    clear() {
      if (shown && !isPaged(run.io)) stderr.write(clearLine);
      shown = false;
    },
  };
}

/** Prints a line that stays, in the place of one that shows progress; nothing where none is shown. */
export function noteInPlace(run: Run, text: string): void {
  const stderr = unguarded(run.io.stderr);
  if (canShow(run) && !isPaged(run.io)) stderr.write(`${clearLine}${wrapFor(stderr, plainText(text))}\n`);
}

function canShow({ io, globals }: Run): boolean {
  return io.stderr.isTTY === true && !globals.quiet && io.env.TERM !== 'dumb' && !isPipe(io.stdout);
}

/** While a pager owns the terminal, nothing else may write there. */
function isPaged({ pagers }: Io): boolean {
  return pagers !== undefined && pagers.size > 0;
}

/** A terminal, a file and /dev/null are none. */
function isPipe(stdout: OutputStream): boolean {
  if (stdout.isTTY === true) return false;
  const fd: unknown = Reflect.get(stdout, 'fd');
  if (typeof fd !== 'number') return false;
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket();
}
