// Parses a long answer in pieces, between which the event loop gets its turn: JSON.parse of 100 MiB would hold it up for seconds. The rows of
// its lists are parsed batch by batch, as those of a stream. What is in no list of `data`, such as a report, is parsed at once.
import { parseExactly } from '../core/json.js';
import { turnOfEventLoop } from '../core/real-time.js';
import { parseBatch } from './row-batch.js';
import { RowScanner } from './row-scanner.js';

/**
 * A longer text is better parsed in pieces: JSON.parse holds up the event loop for about 10 ms per mebibyte of rows, and up to seven times as
 * long where objects are tiny. Pieces take half as long again, so answers of ordinary size are parsed at once.
 */
export const LONG_CHARACTERS = 1024 * 1024;
/** After this many characters the event loop gets its turn: parsing them takes a few milliseconds. */
const PIECE_CHARACTERS = 256 * 1024;

/** The same value as of JSON.parse, if no member of `data` comes twice. Rejects with SyntaxError. */
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
    // An assignment would set the prototype, if the list has that name.
    if (Object.hasOwn(data, name)) Object.defineProperty(data, name, { value });
  }
  return answer;
}

/** The text in pieces. The two halves of a character stay together. */
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
