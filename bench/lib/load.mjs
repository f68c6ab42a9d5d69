// @ts-check
// The load generator: one plain socket per user, which sends its request again as soon as the answer is complete. It does very little work,
// so that the server is measured and not the client. Both servers of a comparison get the same load.
import { connect } from 'node:net';

/**
 * @param {string} path
 * @param {Readonly<Record<string, string>>} headers
 * @param {string} body
 */
export function requestBytes(path, headers, body) {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/**
 * Sends for so long and counts the answers.
 * @param {number} port
 * @param {readonly Buffer[]} requests one per connection
 * @param {number} milliseconds
 * @returns {Promise<{ answers: number, seconds: number }>}
 */
export async function load(port, requests, milliseconds) {
  const connections = await Promise.all(requests.map((bytes) => open(port, bytes)));
  const begun = performance.now();
  let over = false;
  setTimeout(() => {
    over = true;
  }, milliseconds);
  const counts = await Promise.all(connections.map((connection) => connection.run(() => over)));
  const seconds = (performance.now() - begun) / 1000;
  return { answers: counts.reduce((sum, count) => sum + count, 0), seconds };
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * @param {number} port
 * @param {Buffer} bytes
 * @returns {Promise<{ run: (isOver: () => boolean) => Promise<number> }>}
 */
function open(port, bytes) {
  return new Promise((ready, fail) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', fail);
    socket.on('connect', () => ready({ run }));

    /** @param {() => boolean} isOver @returns {Promise<number>} */
    const run = (isOver) =>
      new Promise((resolve, reject) => {
        let answers = 0;
        // Bytes of the answer that are still to come; below zero while its head is not complete.
        let left = -1;
        let head = Buffer.alloc(0);
        socket.on('error', reject);
        socket.on('data', (chunk) => {
          if (left < 0) {
            head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
            const end = head.indexOf(headEnd);
            if (end < 0) return;
            const text = head.toString('latin1', 0, end).toLowerCase();
            const at = text.indexOf('content-length: ');
            if (!text.startsWith('http/1.1 200 ') || at < 0) {
              socket.destroy();
              reject(new Error(`the load met another answer than it should: ${text.split('\r\n', 1)}`));
              return;
            }
            left = Number.parseInt(text.slice(at + 16, at + 28), 10) - (head.length - end - headEnd.length);
            head = Buffer.alloc(0);
          } else left -= chunk.length;
          if (left > 0) return;
          left = -1;
          answers += 1;
          if (isOver()) {
            socket.destroy();
            resolve(answers);
          } else socket.write(bytes);
        });
        socket.write(bytes);
      });
  });
}
