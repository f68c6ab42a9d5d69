// The table that --watch shows on a terminal: drawn for every answer, for every outage, and when the window changes its size.
import { type Context, printRows, serviceNow } from '../run/context.js';
import { columnsOf, write } from '../run/io.js';
import { fitFrame, printed, type Size } from './frame.js';
import type { Answered, Outage } from './poll.js';
import { openScreen } from './screen.js';
import type { Watched } from './watch.js';
import { backText, outageText, spanText, timeOfDay } from './words.js';

export async function watchTable<Answer, Row>(
  context: Context,
  everyMs: number,
  events: AsyncIterable<Answered<Answer> | Outage>,
  watched: Watched<Answer, Row>,
): Promise<void> {
  const board = new Board(context, everyMs, watched);
  if (!canRedraw(context)) {
    const size = { columns: columnsOf(context.io.stdout), rows: Number.POSITIVE_INFINITY };
    for await (const event of events)
      await write(context.io.stdout, `${(await board.after(event, size)).join('\n')}\n\n`);
    return;
  }
  // What a picture fails with is thrown with the next one.
  const redraw = () => void draw().catch(() => undefined);
  const screen = openScreen(context.io, redraw);
  // One after the other, so that the last picture is the newest one.
  let drawing: Promise<void> = Promise.resolve();
  const draw = (event?: Answered<Answer> | Outage) => {
    drawing = drawing.then(async () => screen.draw(await board.after(event ?? null, screen)));
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

/** What --verbose says would run through the picture. */
function canRedraw({ io, globals }: Context): boolean {
  return io.env.TERM !== 'dumb' && !(globals.verbose === true && io.stderr.isTTY === true);
}

class Board<Answer, Row> {
  readonly #context: Context;
  readonly #watched: Watched<Answer, Row>;
  readonly #title: string;
  #last: Answered<Answer> | null = null;
  #outage: Outage | null = null;

  constructor(context: Context, everyMs: number, watched: Watched<Answer, Row>) {
    this.#context = context;
    this.#watched = watched;
    this.#title = `${watched.title}, every ${spanText(everyMs)}; Ctrl-C ends it`;
  }

  /** The lines to show. During an outage what is known grows older, and is shown as that. */
  async after(event: Answered<Answer> | Outage | null, size: Size): Promise<readonly string[]> {
    if (event?.kind === 'outage') this.#outage = event;
    else if (event !== null) {
      this.#last = event;
      this.#outage = null;
    }
    const last = this.#last;
    if (last === null) return fitFrame(size, [this.#title, this.#state()], [], []);
    const at = serviceNow(this.#context);
    const rows = this.#watched.rows(last.answer, at);
    const { data, notes } = await printed(this.#context, size.columns, (on) => {
      const shape = this.#watched.shape(on);
      return printRows(on, shape.rows(rows), shape.view, this.#watched.empty);
    });
    const heading = [`${timeOfDay(last.at)}  ${this.#watched.summary(rows, at)}`, this.#title];
    const state = this.#state();
    if (state !== '') heading.push(state);
    return fitFrame(size, [...heading, ''], data, [...last.complaints.map((text) => `! ${text}`), ...notes]);
  }

  #state(): string {
    if (this.#outage !== null) return outageText(this.#outage);
    if (this.#last === null) return 'waiting for the first answer';
    return this.#last.outageMs === null ? '' : backText(this.#last.outageMs);
  }
}
