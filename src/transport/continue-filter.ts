// Takes `100 Continue` out of what a server sends. Some gateways send it although nobody asked for it; HTTP says to ignore it, and undici
// closes the connection instead.
import type { Socket } from 'node:net';

const BEGINNING = 'HTTP/1.1 100';
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
/** Where the first digit of the status is. */
const STATUS_AT = 9;
const DIGIT_ONE = 0x31;
const END = '\r\n\r\n';

/** The same socket, whose `read` skips them. */
export function withoutContinue<Stream extends Socket>(socket: Stream): Stream {
  const read: () => Buffer | null = socket.read.bind(socket);
  const { write } = socket;
  /** A response may begin: something was sent since the last byte that arrived. */
  let mayBegin = true;
  let held: Buffer | null = null;
  const next = (): Buffer | null => {
    for (;;) {
      const chunk = read();
      if (chunk === null || !mayBegin) return chunk;
      if (held === null && chunk.length > STATUS_AT && chunk[STATUS_AT] !== DIGIT_ONE) {
        // By far the most frequent case: an answer of another status.
        mayBegin = false;
        return chunk;
      }
      const bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
      held = null;
      const start = bytes.toString('latin1', 0, BEGINNING.length + 1);
      const end = CONTINUE.test(start) ? bytes.indexOf(END) : -1;
      if (end >= 0) {
        const rest = bytes.subarray(end + END.length);
        if (rest.length > 0) socket.unshift(rest);
      } else if (CONTINUE.test(start) || BEGINNING.startsWith(start)) {
        held = bytes;
      } else {
        mayBegin = false;
        return bytes;
      }
    }
  };
  return Object.assign(socket, {
    read: next,
    // The caller's own arguments are handed on.
    write: ((...args: Parameters<typeof write>) => {
      mayBegin = true;
      return write.apply(socket, args);
    }) as typeof write,
  });
}
