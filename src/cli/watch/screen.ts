// A terminal that is drawn anew in place: another screen than the one with the commands before it, so that those are back when it
// is over, with the cursor hidden and long lines cut by the terminal.
import { columnsOf, type Io, rowsOf } from '../run/io.js';

const enter = '\u001b[?1049h\u001b[?7l\u001b[?25l';
const leave = '\u001b[?25h\u001b[?7h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[2K';
const eraseBelow = '\u001b[J';

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Lines that fit; what stood there before is gone. */
  draw(lines: readonly string[]): void;
  /** Gives the terminal back as it was. Also done at once when the command is interrupted. */
  close(): void;
}

/** `onResize` is called when there is another size to draw for. */
export function openScreen({ stdout, signal }: Io, onResize: () => void): Screen {
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    stdout.removeListener('resize', onResize);
    signal.removeEventListener('abort', close);
    stdout.write(leave);
  };
  // Not left to the end of the command: a second Ctrl-C does not wait for that.
  signal.addEventListener('abort', close, { once: true });
  stdout.on('resize', onResize);
  stdout.write(enter);
  return {
    get columns() {
      return columnsOf(stdout);
    },
    get rows() {
      return rowsOf(stdout);
    },
    draw(lines) {
      // In one piece, so that nobody sees half of it.
      if (isOpen) stdout.write(`${home}${lines.map((line) => `${eraseLine}${line}`).join('\r\n')}${eraseBelow}`);
    },
    close,
  };
}
