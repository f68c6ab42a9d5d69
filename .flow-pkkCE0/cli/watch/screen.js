import { columnsOf, terminalRows } from "../io/io.js";
import { unguarded } from "../io/terminal-guard.js";
const enter = "\x1B[?1049h\x1B[?7l\x1B[?25l";
const leave = "\x1B[?25h\x1B[?7h\x1B[?1049l";
const home = "\x1B[H";
const eraseLine = "\x1B[2K";
const eraseBelow = "\x1B[J";
function openScreen(io, onResize) {
  const { signal } = io;
  const stdout = unguarded(io.stdout);
  let isOpen = true;
  let last = [];
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    stdout.removeListener("resize", onResize);
    signal.removeEventListener("abort", close);
    stdout.write(`${leave}${last.map((line) => `${line}\r
`).join("")}`);
  };
  signal.addEventListener("abort", close, { once: true });
  stdout.on("resize", onResize);
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
      if (isOpen) stdout.write(`${home}${lines.map((line) => `${eraseLine}${line}`).join("\r\n")}${eraseBelow}`);
    },
    close
  };
}
export {
  openScreen
};
