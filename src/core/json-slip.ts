// Finds where a text stops being JSON. The messages of JSON.parse do not always say it, differ from engine to engine, and quote the text.

export interface JsonSlip {
  /** How many characters can be the beginning of JSON: the next one cannot be there. */
  readonly at: number;
  /** Nothing is wrong up to the end of the text, but the rest is missing. */
  readonly isCut: boolean;
}

/** Null when the text is JSON. However deep its values are nested, the stack does not grow. */
export function jsonSlip(text: string): JsonSlip | null {
  const at = new Scanner(text).scan();
  return at === null ? null : { at, isCut: at === text.length };
}

/** The line and the column of a character, both from 1. */
export function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPED_CHARACTER = /["\\/bfnrt]/y;
const HEX_DIGITS = /[0-9a-fA-F]{0,4}/y;
const DIGITS = /\d*/y;

const closings = { '{': '}', '[': ']' } as const;

/** Each method that reads a part of JSON returns whether it is complete. Otherwise `#at` is where it goes wrong. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): number | null {
    const open: ('{' | '[')[] = [];
    for (;;) {
      this.#space();
      const bracket = this.#text[this.#at];
      if (bracket === '{' || bracket === '[') {
        this.#at++;
        open.push(bracket);
        this.#space();
        // An empty one is closed below.
        if (this.#text[this.#at] !== closings[bracket]) {
          if (bracket === '{' && !this.#name()) return this.#at;
          continue;
        }
      } else if (!this.#scalar()) return this.#at;
      while (this.#closes(open.at(-1))) open.pop();
      const around = open.at(-1);
      if (around === undefined) return this.#at === this.#text.length ? null : this.#at;
      if (!this.#character(',') || (around === '{' && !this.#name())) return this.#at;
    }
  }

  #closes(bracket: '{' | '[' | undefined): boolean {
    this.#space();
    return bracket !== undefined && this.#character(closings[bracket]);
  }

  /** The name of a member, and the colon. */
  #name(): boolean {
    this.#space();
    if (!this.#string()) return false;
    this.#space();
    return this.#character(':');
  }

  #scalar(): boolean {
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case 't':
        return this.#word('true');
      case 'f':
        return this.#word('false');
      case 'n':
        return this.#word('null');
      default:
        return this.#number();
    }
  }

  #string(): boolean {
    if (!this.#character('"')) return false;
    for (;;) {
      this.#skip(PLAIN_CHARACTERS);
      if (this.#character('"')) return true;
      if (!this.#character('\\')) return false;
      const isComplete = this.#character('u') ? this.#skip(HEX_DIGITS) === 4 : this.#skip(ESCAPED_CHARACTER) === 1;
      if (!isComplete) return false;
    }
  }

  #word(word: string): boolean {
    for (const letter of word) if (!this.#character(letter)) return false;
    return true;
  }

  #number(): boolean {
    this.#character('-');
    if (!this.#character('0') && this.#skip(DIGITS) === 0) return false;
    if (this.#character('.') && this.#skip(DIGITS) === 0) return false;
    if (!this.#character('e') && !this.#character('E')) return true;
    if (!this.#character('+')) this.#character('-');
    return this.#skip(DIGITS) > 0;
  }

  #space(): void {
    for (let code = this.#code(); code === 32 || code === 10 || code === 13 || code === 9; code = this.#code())
      this.#at++;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** Skips one character if it is this one. */
  #character(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Skips what the pattern matches, and returns how many characters that is. */
  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const from = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at - from;
  }
}
