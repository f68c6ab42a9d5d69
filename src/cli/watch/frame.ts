// Builds one frame of --watch: a heading and the normal output, cut to the height of the terminal.
import { Readable, Writable } from 'node:stream';
import type { Context } from '../context/context.js';
import { plainText } from '../io/plain-text.js';
import { shorten } from '../output/table.js';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the lines that a command prints on a terminal of this width. */
export async function captureOutput(
  context: Context,
  columns: number,
  print: (context: Context) => Promise<void>,
): Promise<{ readonly data: readonly string[]; readonly notes: readonly string[] }> {
  const { globals } = context;
  // Not copied with `...`, because reading a stream of the process opens it.
  const { env, signal, clock } = context.io;
  const stdout = new CapturedTerminal(columns);
  const stderr = new CapturedTerminal(columns);
  await print({
    ...context,
    globals: { ...globals, output: 'table' },
    io: { stdin: Readable.from([]), stdout, stderr, env, signal, clock },
  });
  return { data: stdout.lines(), notes: stderr.lines() };
}

/** Returns all of `heading` and `notes`, and as much of `data` as fits between them. */
export function fitFrame(
  { columns, rows }: Size,
  heading: readonly string[],
  data: readonly string[],
  notes: readonly string[],
): readonly string[] {
  const cut = (lines: readonly string[]) => lines.map((line) => shorten(plainText(line), columns));
  const reserved = heading.length + notes.length + (notes.length > 0 ? 1 : 0);
  const room = Math.max(0, rows - reserved);
  const below = notes.length > 0 ? ['', ...cut(notes)] : [];
  if (data.length <= room) return [...cut(heading), ...data, ...below].slice(0, rows);
  const visible = data.slice(0, Math.max(1, room - 1));
  const more = `${data.length - visible.length} more rows; use a taller window or --filter to see them.`;
  return [...cut(heading), ...visible, ...cut([more]), ...below].slice(0, rows);
}

class CapturedTerminal extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  #text = '';

  constructor(columns: number) {
    super();
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#text += chunk.toString('utf8');
    done();
  }

  lines(): readonly string[] {
    return this.#text.split('\n').slice(0, -1);
  }
}
