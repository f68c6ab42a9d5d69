// The table of --watch on a terminal, redrawn after each answer, outage and resize.
import { Readable, Writable } from 'node:stream';
import { durationText } from '../../core/durations.js';
import { type Context, type Run, serviceNow } from '../context/context.js';
import { printRows } from '../context/print.js';
import { columnsOf, type Io, terminalRows, write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { unguarded } from '../io/terminal-guard.js';
import { shorten } from '../output/table.js';
import { localTimeOfDay } from '../time/format-time.js';
import { outageText, recoveryText } from './messages.js';
import type { AnswerEvent, OutageNotice } from './poll.js';
import type { WatchSource } from './watch-source.js';

export async function watchTable<Answer, Row>(
  context: Context,
  everyMs: number,
  events: AsyncIterable<AnswerEvent<Answer> | OutageNotice>,
  source: WatchSource<Answer, Row>,
): Promise<void> {
  const table = new WatchTable(context, everyMs, source);
  if (!canRedraw(context)) {
    const size = { columns: columnsOf(context.io.stdout), rows: Number.POSITIVE_INFINITY };
    for await (const event of events) {
      await write(context.io.stdout, `${(await table.frameAfter(event, size)).join('\n')}\n\n`);
    }
    return;
  }
  // The error of a failed redraw is thrown by the next draw.
  const redraw = () => void draw().catch(() => undefined);
  const screen = openScreen(context.io, redraw);
  // Frames are drawn one after the other, so that the last one is the newest.
  let drawing: Promise<void> = Promise.resolve();
  const draw = (event?: AnswerEvent<Answer> | OutageNotice) => {
    drawing = drawing.then(async () => screen.draw(await table.frameAfter(event ?? null, screen)));
    return drawing;
  };
  try {
    redraw();
    for await (const event of events) await draw(event);
  } finally {
    await drawing.catch(() => undefined);
    screen.close();
  }
}

/** Returns false with --verbose on the same terminal: its lines would break the table. */
function canRedraw({ io, globals }: Run): boolean {
  return io.env.TERM !== 'dumb' && !(globals.verbose === true && io.stderr.isTTY === true);
}

class WatchTable<Answer, Row> {
  readonly #context: Context;
  readonly #source: WatchSource<Answer, Row>;
  readonly #title: string;
  #latest: AnswerEvent<Answer> | null = null;
  #outage: OutageNotice | null = null;

  constructor(context: Context, everyMs: number, source: WatchSource<Answer, Row>) {
    this.#context = context;
    this.#source = source;
    this.#title = `${source.title}, every ${durationText(everyMs)}; Ctrl-C to stop`;
  }

  /** Returns the lines after an event or a resize. In an outage the latest rows stay. */
  async frameAfter(event: AnswerEvent<Answer> | OutageNotice | null, size: Size): Promise<readonly string[]> {
    if (event?.kind === 'outage') this.#outage = event;
    else if (event !== null) {
      this.#latest = event;
      this.#outage = null;
    }
    const latest = this.#latest;
    if (latest === null) return fitFrame(size, [this.#title, this.#state()], [], []);
    const now = serviceNow(this.#context);
    const rows = this.#source.rows(latest.answer, now);
    const { data, notes } = await captureOutput(this.#context, size.columns, (captured) => {
      const shape = this.#source.shape(captured);
      const above = this.#source.above?.(rows, now);
      return printRows(captured, shape.rows(rows), { ...shape.view, above }, this.#source.emptyText);
    });
    const heading = [
      `${localTimeOfDay(latest.at, this.#context.zone.name)}  ${this.#source.summary(rows, now)}`,
      this.#title,
    ];
    const state = this.#state();
    if (state !== '') heading.push(state);
    return fitFrame(size, [...heading, ''], data, [...latest.warnings.map((text) => `! ${text}`), ...notes]);
  }

  #state(): string {
    if (this.#outage !== null) return outageText(this.#outage, this.#context.zone.name);
    if (this.#latest === null) return 'waiting for the first answer';
    return this.#latest.outageMs === null ? '' : recoveryText(this.#latest.outageMs);
  }
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Returns the lines that a command prints on a terminal of this width. */
async function captureOutput(
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
function fitFrame(
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

const enter = '\u001b[?1049h\u001b[?7l\u001b[?25l';
const leave = '\u001b[?25h\u001b[?7h\u001b[?1049l';
const home = '\u001b[H';
const eraseLine = '\u001b[2K';
const eraseBelow = '\u001b[J';

interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Replaces the content of the screen. The lines must fit. */
  draw(lines: readonly string[]): void;
  /** Restores the terminal and prints the last frame there. An interrupt does this at once. */
  close(): void;
}

/**
 * Opens the alternate screen of a terminal, so that the earlier output is restored afterwards.
 * `onResize` is called when the terminal size has changed.
 */
function openScreen(io: Io, onResize: () => void): Screen {
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
