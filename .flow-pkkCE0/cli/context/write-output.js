import { columnsOf, terminalRows, write, writeAll } from "../io/io.js";
import { safeForTerminal, unguarded } from "../io/terminal-guard.js";
async function writeOutput(run, texts) {
  const command = await pagerFor(run);
  if (command === null) return writeAll(run.io.stdout, texts);
  const iterator = Symbol.asyncIterator in texts ? texts[Symbol.asyncIterator]() : texts[Symbol.iterator]();
  try {
    const { text, isComplete } = await firstScreen(run.io, iterator);
    if (isComplete) return await write(run.io.stdout, text);
    await writePaged(run, command, text, iterator);
  } finally {
    await iterator.return?.();
  }
}
async function pagerFor({ io, globals }) {
  if (io.pagers === void 0 || io.stdout.isTTY !== true || !globals.pager) return null;
  const { pagerCommand } = await import("../io/pager.js");
  return pagerCommand(io.env);
}
async function firstScreen(io, source) {
  const room = terminalRows(io.stdout) - 1;
  const columns = columnsOf(io.stdout);
  let text = "";
  let lines = 0;
  try {
    for (; ; ) {
      const { done, value } = await source.next();
      if (done === true) return { text, isComplete: true };
      const shown = asText(value);
      text += shown;
      lines += linesOf(shown, columns);
      if (lines > room) return { text, isComplete: false };
    }
  } catch (error) {
    await write(io.stdout, text);
    throw error;
  }
}
async function writePaged(run, command, first, rest) {
  const { io, report } = run;
  if (io.stderr.isTTY === true) unguarded(io.stderr).write("\r\x1B[2K");
  const pager = io.startPager?.(command) ?? (await import("../io/pager.js")).startPager(command, io.env);
  pager.input.on("error", () => void 0);
  io.pagers?.add(pager);
  report.paged();
  try {
    await writeAll(pager.input, guarded(first, rest));
  } finally {
    await close(pager);
    io.pagers?.delete(pager);
  }
}
async function* guarded(first, rest) {
  yield safeForTerminal(first);
  for (; ; ) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield safeForTerminal(asText(value));
  }
}
function asText(output) {
  return typeof output === "string" ? output : "";
}
async function close({ input, closed }) {
  input.end();
  await closed;
}
function linesOf(text, columns) {
  const plain = text.replace(/\u001b\[\d{1,2}m/g, "");
  const lines = plain.split("\n").slice(0, plain.endsWith("\n") ? -1 : void 0);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
export {
  writeOutput
};
