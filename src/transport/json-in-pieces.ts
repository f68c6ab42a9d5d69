// Parses long JSON in pieces, between which the event loop gets its turn: JSON.parse of 100 MiB would hold it up for seconds. What is
// short within it is still parsed by JSON.parse.
import { setImmediate } from 'node:timers/promises';

/** So many characters are parsed at once: a few milliseconds. */
const PIECE_CHARACTERS = 256 * 1024;
/** A text with longer values below this depth is parsed at once: to look for the end of each of them would take too long. */
const MAX_DEPTH = 64;

/** The same value as of JSON.parse. Rejects with its SyntaxError. */
export async function parseInPieces(text: string, pieceCharacters = PIECE_CHARACTERS): Promise<unknown> {
  try {
    return await new PieceParser(text, pieceCharacters).parse();
  } catch {
    // It says what is wrong, as for short texts, or reads what is nested too deeply for pieces.
    const value: unknown = JSON.parse(text);
    return value;
  }
}

/** The text cannot be parsed in pieces. */
class NotInPieces extends Error {}

class PieceParser {
  readonly #text: string;
  readonly #piece: number;
  #at = 0;
  #pausedAt = 0;
  /** How deep the value is that is parsed now, among those that are long. */
  #depth = 0;

  constructor(text: string, piece: number) {
    this.#text = text;
    this.#piece = piece;
  }

  async parse(): Promise<unknown> {
    const value = await this.#value();
    if (this.#next() !== '') throw new NotInPieces();
    return value;
  }

  /** The value that begins here. A short one is parsed as a whole. */
  async #value(): Promise<unknown> {
    const first = this.#next();
    const end = this.#endOf(this.#at);
    if (end === null && (first === '{' || first === '[')) {
      if (this.#depth === MAX_DEPTH) throw new NotInPieces();
      this.#depth++;
      const value = await (first === '{' ? this.#object() : this.#array());
      this.#depth--;
      return value;
    }
    const start = this.#at;
    this.#at = end ?? this.#endOfString(start, Number.POSITIVE_INFINITY) ?? this.#text.length;
    await this.#pause();
    return parsed(this.#text.slice(start, this.#at));
  }

  async #object(): Promise<object> {
    const members: Record<string, unknown> = {};
    this.#at++;
    for (let sign = ','; sign === ','; sign = this.#take(',}')) {
      if (this.#next() !== '"') throw new NotInPieces();
      const end = this.#endOfString(this.#at, Number.POSITIVE_INFINITY) ?? this.#text.length;
      const name = String(parsed(this.#text.slice(this.#at, end)));
      this.#at = end;
      this.#take(':');
      const value = await this.#value();
      // An assignment would set the prototype.
      if (name === '__proto__') Object.defineProperty(members, name, { value, ...ORDINARY });
      else members[name] = value;
    }
    return members;
  }

  async #array(): Promise<unknown[]> {
    const items: unknown[] = [];
    this.#at++;
    /** The items from here to there have not been parsed yet. */
    let start = this.#at;
    let end = this.#at;
    const parseGroup = async () => {
      const group = parsed(`[${this.#text.slice(start, end)}]`);
      // It was put into brackets.
      for (const item of group as unknown[]) items.push(item);
      await this.#pause();
    };
    for (let sign = ','; sign === ','; sign = this.#take(',]')) {
      if (',]'.includes(this.#next())) throw new NotInPieces();
      const itemEnd = this.#endOf(this.#at);
      if (itemEnd === null) {
        if (end > start) await parseGroup();
        items.push(await this.#value());
      } else {
        if (end === start) start = this.#at;
        end = this.#at = itemEnd;
        if (end - start < this.#piece) continue;
        await parseGroup();
      }
      start = end = this.#at;
    }
    if (end > start) await parseGroup();
    return items;
  }

  /** The next character that is no white space; empty at the end. */
  #next(): string {
    while (' \n\r\t'.includes(this.#text.charAt(this.#at)) && this.#at < this.#text.length) this.#at++;
    return this.#text.charAt(this.#at);
  }

  /** Goes past the next character, which must be one of these. */
  #take(signs: string): string {
    const sign = this.#next();
    if (sign === '' || !signs.includes(sign)) throw new NotInPieces();
    this.#at++;
    return sign;
  }

  /** Where the value that begins here ends; null when it is long. */
  #endOf(start: number): number | null {
    const text = this.#text;
    const limit = start + this.#piece;
    let depth = 0;
    for (let at = start; at < limit; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE: {
          const end = this.#endOfString(at, limit);
          if (end === null) return null;
          at = end - 1;
          break;
        }
        case OPEN_BRACE:
        case OPEN_BRACKET:
          depth++;
          continue;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          depth--;
          // The end of what it is in: it was a number or a word.
          if (depth < 0) return at;
          break;
        case COMMA:
          if (depth === 0) return at;
          continue;
        default:
          if (at >= text.length) return at;
          continue;
      }
      if (depth === 0) return at + 1;
    }
    return null;
  }

  /** Past the closing quote; null when there is none before the limit. */
  #endOfString(start: number, limit: number): number | null {
    for (let at = this.#text.indexOf('"', start + 1); at >= 0 && at < limit; at = this.#text.indexOf('"', at + 1)) {
      let backslashes = 0;
      while (this.#text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
      if (backslashes % 2 === 0) return at + 1;
    }
    return null;
  }

  async #pause(): Promise<void> {
    if (this.#at - this.#pausedAt < this.#piece) return;
    this.#pausedAt = this.#at;
    await setImmediate();
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

const ORDINARY = { writable: true, enumerable: true, configurable: true };
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
