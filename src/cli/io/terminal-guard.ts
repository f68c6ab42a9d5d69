// Escapes all text that is written to a terminal. Text of the service, a file or the environment
// cannot move the cursor, rewrite a prompt or hide characters.
import type { Io, OutputStream } from './io.js';
import { escapeControls } from './plain-text.js';

/** Line breaks, tabs of tsv, and the colours of picocolors and `paintSwatch`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours are made of
const allowedControls = /(\n|\t|\u001b\[(?:\d{1,2}|38;5;\d{1,3}|38;2(?:;\d{1,3}){3})m)/;

const originals = new WeakMap<OutputStream, OutputStream>();

/** Returns a stream that escapes text for a terminal. A file or pipe gets the exact text. */
export function guardTerminal(stream: OutputStream): OutputStream {
  if (stream.isTTY !== true) return stream;
  const write = (text: string): boolean => stream.write(safeForTerminal(text));
  const guarded: OutputStream = new Proxy(stream, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  originals.set(guarded, stream);
  return guarded;
}

/** Returns the terminal itself, for modules that move its cursor and escape text themselves. */
export function unguarded(stream: OutputStream): OutputStream {
  return originals.get(stream) ?? stream;
}

/** Returns the same streams, guarded. Each stream is still opened at its first use. */
export function guardTerminals(io: Io): Io {
  let stdout: OutputStream | null = null;
  let stderr: OutputStream | null = null;
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
    onTable: io.onTable,
  };
}

/** Escapes text that reaches a terminal indirectly, such as through a pager. */
export function safeForTerminal(text: string): string {
  return text
    .split(allowedControls)
    .map((part, index) => (index % 2 === 1 ? part : escapeControls(part)))
    .join('');
}
