// The table of --watch on a terminal, redrawn after each answer, outage and resize.

import { durationText } from '../../core/durations.js';
import { type Context, type Run, serviceNow } from '../context/context.js';
import { printRows } from '../context/print.js';
import { columnsOf, write } from '../io/io.js';
import { localTimeOfDay } from '../time/local-time.js';
import { captureOutput, fitFrame, type Size } from './frame.js';
import { outageText, recoveryText } from './messages.js';
import type { AnswerEvent, OutageNotice } from './poll.js';
import { openScreen } from './screen.js';
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
