import { durationText } from "../../core/durations.js";
import { serviceNow } from "../context/context.js";
import { printRows } from "../context/print.js";
import { columnsOf, write } from "../io/io.js";
import { localTimeOfDay } from "../time/local-time.js";
import { captureOutput, fitFrame } from "./frame.js";
import { outageText, recoveryText } from "./messages.js";
import { openScreen } from "./screen.js";
async function watchTable(context, everyMs, events, source) {
  const table = new WatchTable(context, everyMs, source);
  if (!canRedraw(context)) {
    const size = { columns: columnsOf(context.io.stdout), rows: Number.POSITIVE_INFINITY };
    for await (const event of events) {
      await write(context.io.stdout, `${(await table.frameAfter(event, size)).join("\n")}

`);
    }
    return;
  }
  const redraw = () => void draw().catch(() => void 0);
  const screen = openScreen(context.io, redraw);
  let drawing = Promise.resolve();
  const draw = (event) => {
    drawing = drawing.then(async () => screen.draw(await table.frameAfter(event ?? null, screen)));
    return drawing;
  };
  try {
    redraw();
    for await (const event of events) await draw(event);
  } finally {
    await drawing.catch(() => void 0);
    screen.close();
  }
}
function canRedraw({ io, globals }) {
  return io.env.TERM !== "dumb" && !(globals.verbose === true && io.stderr.isTTY === true);
}
class WatchTable {
  #context;
  #source;
  #title;
  #latest = null;
  #outage = null;
  constructor(context, everyMs, source) {
    this.#context = context;
    this.#source = source;
    this.#title = `${source.title}, every ${durationText(everyMs)}; Ctrl-C to stop`;
  }
  /** The lines to show after an event, or after a resize. During an outage the latest rows stay, with their growing age. */
  async frameAfter(event, size) {
    if (event?.kind === "outage") this.#outage = event;
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
      this.#title
    ];
    const state = this.#state();
    if (state !== "") heading.push(state);
    return fitFrame(size, [...heading, ""], data, [...latest.warnings.map((text) => `! ${text}`), ...notes]);
  }
  #state() {
    if (this.#outage !== null) return outageText(this.#outage, this.#context.zone.name);
    if (this.#latest === null) return "waiting for the first answer";
    return this.#latest.outageMs === null ? "" : recoveryText(this.#latest.outageMs);
  }
}
export {
  watchTable
};
