// Redraws a terminal on its alternate screen, so that the earlier output is restored afterwards.
import { columnsOf, type Io, terminalRows } from '../io/io.js';
import { unguarded } from '../io/terminal-guard.js';

const enter = '\u001b[?1049h\u001b[?7l\u001b[?25l';
const leave = '\u001b[?25h\u001b[?7h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[2K';
const eraseBelow = '\u001b[J';

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Replaces the content of the screen. The lines must fit. */
  draw(lines: readonly string[]): void;
  /** Restores the terminal and prints the last frame there. An interrupt does this at once. */
  close(): void;
}

/** Opens the screen. `onResize` is called when the terminal size has changed. */
export function openScreen(io: Io, onResize: () => void): Screen {
  const { signal } = io;
  const stdout = unguarded(io.stdout);
  let isOpen = true;
  let last: readonly string[] = [];
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    stdout.removeListener('resize', onResize);
    signal.removeEventListener('abort', close);
    stdout.write(`${leave}${last.map((line) => `${line}\r\n`).join('')}`);
  };
  // Not only at the end of the command, because a second Ctrl-C does not wait for that.
  signal.addEventListener('abort', close, { once: true });
  stdout.on('resize', onResize);
  stdout.write(enter);
  return {
    get columns() {
      return columnsOf(stdout);
    },
    get rows() {
      return terminalRows(stdout);
    },
    draw(lines) {
      last = lines;
      // One write, so that no half-drawn frame is visible.
      if (isOpen) stdout.write(`${home}${lines.map((line) => `${eraseLine}${line}`).join('\r\n')}${eraseBelow}`);
    },
    close,
  };
}
