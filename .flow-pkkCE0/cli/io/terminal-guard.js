import { escapeControls } from "./plain-text.js";
const own = /(\n|\t|\u001b\[(?:\d{1,2}|38;5;\d{1,3}|38;2(?:;\d{1,3}){3})m)/;
const originals = /* @__PURE__ */ new WeakMap();
function guardTerminal(stream) {
  if (stream.isTTY !== true) return stream;
  const write = (text) => stream.write(safeForTerminal(text));
  const guarded = new Proxy(stream, {
    get(target, name) {
      if (name === "write") return write;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    }
  });
  originals.set(guarded, stream);
  return guarded;
}
function unguarded(stream) {
  return originals.get(stream) ?? stream;
}
function guardTerminals(io) {
  let stdout = null;
  let stderr = null;
  return {
    get stdin() {
      return io.stdin;
    },
    get stdout() {
      stdout ??= guardTerminal(io.stdout);
      return stdout;
    },
    get stderr() {
      stderr ??= guardTerminal(io.stderr);
      return stderr;
    },
    env: io.env,
    signal: io.signal,
    unfinished: io.unfinished,
    packages: io.packages,
    fetch: io.fetch,
    clock: io.clock,
    sleep: io.sleep,
    pagers: io.pagers,
    startPager: io.startPager,
    onProgress: io.onProgress,
    onTable: io.onTable
  };
}
function safeForTerminal(text) {
  return text.split(own).map((part, index) => index % 2 === 1 ? part : escapeControls(part)).join("");
}
export {
  guardTerminal,
  guardTerminals,
  safeForTerminal,
  unguarded
};
