// A connection to nobody, for a request that is sent before the first real one. Whatever runs for the first time is slow: JavaScript and
// WebAssembly are compiled while they run. A turn is short, and others may wait for it.
import { Duplex } from 'node:stream';

const ANSWER = ['HTTP/1.1 200 OK', 'content-type: application/json', 'content-length: 11', '', '{"data":{}}'].join(
  '\r\n',
);

/** Its other end takes one request, and answers it with an empty result. */
export function rehearsalConnection(): Duplex {
  let isAnswered = false;
  const connection = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      done();
      if (isAnswered) return;
      isAnswered = true;
      // A real answer does not come while the request is written.
      setImmediate(() => connection.push(ANSWER));
    },
  });
  return connection;
}
