// Shows the progress of a long command in one line on stderr, redrawn in place. Prints nothing when stderr is not a terminal.

import { columnsOf } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { shorten } from '../output/table.js';
import type { Context } from './context.js';

const clearLine = '\r\u001b[2K';

export interface Progress {
  show(text: string): void;
  /** Erases the line. Call it before other output and at the end. */
  clear(): void;
}

export function progressOn(context: Context): Progress {
  const { stderr, env } = context.io;
  if (stderr.isTTY !== true || env.TERM === 'dumb') return { show: () => undefined, clear: () => undefined };
  let shown = false;
  return {
    show(text) {
      shown = true;
      stderr.write(`${clearLine}${shorten(plainText(text), columnsOf(stderr) - 1)}`);
    },
    clear() {
      if (shown) stderr.write(clearLine);
      shown = false;
    },
  };
}
