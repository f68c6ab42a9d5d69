import { Readable, Writable } from "node:stream";
import { plainText } from "../io/plain-text.js";
import { shorten } from "../output/table.js";
async function captureOutput(context, columns, print) {
  const { globals } = context;
  const { env, signal, clock } = context.io;
  const stdout = new CapturedTerminal(columns);
  const stderr = new CapturedTerminal(columns);
  await print({
    ...context,
    globals: { ...globals, output: "table" },
    io: { stdin: Readable.from([]), stdout, stderr, env, signal, clock }
  });
  return { data: stdout.lines(), notes: stderr.lines() };
}
function fitFrame({ columns, rows }, heading, data, notes) {
  const cut = (lines) => lines.map((line) => shorten(plainText(line), columns));
  const reserved = heading.length + notes.length + (notes.length > 0 ? 1 : 0);
  const room = Math.max(0, rows - reserved);
  const below = notes.length > 0 ? ["", ...cut(notes)] : [];
  if (data.length <= room) return [...cut(heading), ...data, ...below].slice(0, rows);
  const visible = data.slice(0, Math.max(1, room - 1));
  const more = `${data.length - visible.length} more rows; use a taller window or --filter to see them.`;
  return [...cut(heading), ...visible, ...cut([more]), ...below].slice(0, rows);
}
class CapturedTerminal extends Writable {
  isTTY = true;
  columns;
  #text = "";
  constructor(columns) {
    super();
    this.columns = columns;
  }
  _write(chunk, _encoding, done) {
    this.#text += chunk.toString("utf8");
    done();
  }
  lines() {
    return this.#text.split("\n").slice(0, -1);
  }
}
export {
  captureOutput,
  fitFrame
};
