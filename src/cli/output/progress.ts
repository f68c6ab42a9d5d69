// A line on stderr that says how far a long command is, redrawn in place. Only on a terminal; elsewhere it says nothing.
import type { Context } from '../run/context.js';
import { columnsOf } from '../run/io.js';
import { plainText } from './plain-text.js';
import { shorten } from './table.js';

const clearLine = '\r\u001b[2K';

export interface Progress {
  say(text: string): void;
  /** Takes the line away, before anything else is written and at the end. */
  clear(): void;
}

export function progressOn(context: Context): Progress {
  const { stderr, env } = context.io;
  if (stderr.isTTY !== true || env.TERM === 'dumb') return { say: () => undefined, clear: () => undefined };
  let shown = false;
  return {
    say(text) {
      shown = true;
      stderr.write(`${clearLine}${shorten(plainText(text), columnsOf(stderr) - 1)}`);
    },
    clear() {
      if (shown) stderr.write(clearLine);
      shown = false;
    },
  };
}
