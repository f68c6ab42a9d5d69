import { fstatSync } from "node:fs";
import { columnsOf } from "../io/io.js";
import { plainText } from "../io/plain-text.js";
import { unguarded } from "../io/terminal-guard.js";
import { wrapFor } from "../io/wrap.js";
import { shorten } from "../output/table.js";
const clearLine = "\r\x1B[2K";
function progressOn(run) {
  const { onProgress } = run.io;
  if (onProgress !== void 0) return { show: (text) => onProgress(plainText(text)), clear: () => void 0 };
  const stderr = unguarded(run.io.stderr);
  if (!canShow(run)) return { show: () => void 0, clear: () => void 0 };
  let shown = false;
  return {
    show(text) {
      if (isPaged(run.io)) return;
      shown = true;
      stderr.write(`${clearLine}${shorten(plainText(text), columnsOf(stderr) - 1)}`);
    },
    clear() {
      if (shown && !isPaged(run.io)) stderr.write(clearLine);
      shown = false;
    }
  };
}
function noteInPlace(run, text) {
  const stderr = unguarded(run.io.stderr);
  if (canShow(run) && !isPaged(run.io)) stderr.write(`${clearLine}${wrapFor(stderr, plainText(text))}
`);
}
function canShow({ io, globals }) {
  return io.stderr.isTTY === true && !globals.quiet && io.env.TERM !== "dumb" && !isPipe(io.stdout);
}
function isPaged({ pagers }) {
  return pagers !== void 0 && pagers.size > 0;
}
function isPipe(stdout) {
  if (stdout.isTTY === true) return false;
  const fd = Reflect.get(stdout, "fd");
  if (typeof fd !== "number") return false;
  const kind = fstatSync(fd);
  return kind.isFIFO() || kind.isSocket();
}
export {
  noteInPlace,
  progressOn
};
