// Parses a long answer in pieces and yields to the event loop in between: JSON.parse of 100 MiB
// would block it for seconds. Rows of its lists are parsed in batches, like those of a stream.
// Values outside the lists of `data`, such as a report, are parsed at once.
import { parseExactly } from '../core/json.js';
import { turnOfEventLoop } from '../core/real-time.js';
import { parseBatch } from './row-batch.js';
import { RowScanner } from './row-scanner.js';

/**
 * Longer texts are parsed in pieces. JSON.parse blocks the event loop for about 10 ms per MiB of
 * rows, up to seven times longer with tiny objects. Pieces take 50 % longer in total, so ordinary
 * answers are parsed at once.
 */
export const LONG_CHARACTERS = 1024 * 1024;
/** Characters between two yields; they take a few milliseconds to parse. */
const PIECE_CHARACTERS = 256 * 1024;

/** Parses as JSON.parse, if `data` has no duplicate members. Rejects with SyntaxError. */
export async function parseLongAnswer(text: string, pieceCharacters = PIECE_CHARACTERS): Promise<unknown> {
  const scanner = new RowScanner(null);
  const lists = new Map<string, unknown[]>();
  for (const piece of piecesOf(text, pieceCharacters)) {
    scanner.feed(Buffer.from(piece));
    for (const [name, batches] of scanner.takeLists()) {
      const rows = lists.get(name) ?? [];
      lists.set(name, rows);
      for (const batch of batches) for (const row of parseBatch(batch)) rows.push(row);
    }
    await turnOfEventLoop();
  }
  const answer = parseExactly(scanner.end().rest);
  const data: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : null;
  if (typeof data !== 'object' || data === null) return answer;
  for (const [name, value] of lists) {
    // An assignment would set the prototype for a list named `__proto__`.
    if (Object.hasOwn(data, name)) Object.defineProperty(data, name, { value });
  }
  return answer;
}

/** Splits the text; surrogate pairs stay together. */
function* piecesOf(text: string, length: number): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    let to = from + length;
    if (isHighSurrogate(text.charCodeAt(to - 1))) to++;
    yield text.slice(from, to);
    from = to;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
