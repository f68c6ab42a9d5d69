import { parseExactly } from "../core/json.js";
import { turnOfEventLoop } from "../core/real-time.js";
import { parseBatch } from "./row-batch.js";
import { RowScanner } from "./row-scanner.js";
const LONG_CHARACTERS = 1024 * 1024;
const PIECE_CHARACTERS = 256 * 1024;
async function parseLongAnswer(text, pieceCharacters = PIECE_CHARACTERS) {
  const scanner = new RowScanner(null);
  const lists = /* @__PURE__ */ new Map();
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
  const data = typeof answer === "object" && answer !== null ? Reflect.get(answer, "data") : null;
  if (typeof data !== "object" || data === null) return answer;
  for (const [name, value] of lists) {
    if (Object.hasOwn(data, name)) Object.defineProperty(data, name, { value });
  }
  return answer;
}
function* piecesOf(text, length) {
  for (let from = 0; from < text.length; ) {
    let to = from + length;
    if (isHighSurrogate(text.charCodeAt(to - 1))) to++;
    yield text.slice(from, to);
    from = to;
  }
}
function isHighSurrogate(code) {
  return code >= 55296 && code <= 56319;
}
export {
  LONG_CHARACTERS,
  parseLongAnswer
};
