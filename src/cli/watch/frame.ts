// One picture of the rows as they are: what the command would print without --watch, under a heading, cut to the height.
import { Readable, Writable } from 'node:stream';
import { plainText } from '../output/plain-text.js';
import { shorten } from '../output/table.js';
import type { Context } from '../run/context.js';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Everything that a command prints on a terminal of this width, as lines. */
export async function printed(
  context: Context,
  columns: number,
  print: (context: Context) => Promise<void>,
): Promise<{ readonly data: readonly string[]; readonly notes: readonly string[] }> {
  const { globals } = context;
  // Not a copy with `...`: the process's streams are opened when somebody looks at them.
  const { env, signal, clock } = context.io;
  const stdout = new Paper(columns);
  const stderr = new Paper(columns);
  await print({
    ...context,
    globals: { ...globals, output: 'table' },
    io: { stdin: Readable.from([]), stdout, stderr, env, signal, clock },
  });
  return { data: stdout.lines(), notes: stderr.lines() };
}

/** `heading` is always there, then `notes`; of `data`, whose first line is its own heading, as much as there is room for. */
export function fitFrame(
  { columns, rows }: Size,
  heading: readonly string[],
  data: readonly string[],
  notes: readonly string[],
): readonly string[] {
  const cut = (lines: readonly string[]) => lines.map((line) => shorten(plainText(line), columns));
  const around = heading.length + notes.length + (notes.length > 0 ? 1 : 0);
  const room = Math.max(0, rows - around);
  const below = notes.length > 0 ? ['', ...cut(notes)] : [];
  if (data.length <= room) return [...cut(heading), ...data, ...below].slice(0, rows);
  const kept = data.slice(0, Math.max(1, room - 1));
  const more = `${data.length - kept.length} more rows; a taller window or --filter shows them.`;
  return [...cut(heading), ...kept, ...cut([more]), ...below].slice(0, rows);
}

class Paper extends Writable {
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
