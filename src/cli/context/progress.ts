// Shows progress in one line on a stderr terminal, redrawn in place. Prints nothing if stdout is a
// pipe: its reader, such as less, may use the same terminal.

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

/** Prints a permanent line in the place of the progress; nothing where progress is not shown. */
export function noteInPlace(run: Run, text: string): void {
  const stderr = unguarded(run.io.stderr);
  if (canShow(run) && !isPaged(run.io)) stderr.write(`${clearLine}${wrapFor(stderr, plainText(text))}\n`);
}

function canShow({ io, globals }: Run): boolean {
  return io.stderr.isTTY === true && !globals.quiet && io.env.TERM !== 'dumb' && !isPipe(io.stdout);
}

/** True while a pager owns the terminal. */
function isPaged({ pagers }: Io): boolean {
  return pagers !== undefined && pagers.size > 0;
}

/** False for a terminal, a file and /dev/null. */
function isPipe(stdout: OutputStream): boolean {
  if (stdout.isTTY === true) return false;
  const fd: unknown = Reflect.get(stdout, 'fd');
  if (typeof fd !== 'number') return false;
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket();
}
