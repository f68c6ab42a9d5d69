// Finds the position of a JSON syntax error. JSON.parse messages do not always contain it, differ
// between engines, and quote the text.

export interface JsonSyntaxProblem {
  /** Offset of the first invalid character. */
  readonly at: number;
  /** True when the text is only incomplete. */
  readonly isCut: boolean;
}

/** Returns the first syntax error; null for valid JSON. Safe for deep nesting (no recursion). */
export function findJsonProblem(text: string): JsonSyntaxProblem | null {
  const at = new Scanner(text).scan();
  return at === null ? null : { at, isCut: at === text.length };
}

/** Returns the line and column of a character, both from 1. */
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

/** A JSON scanner. Its methods return false for an incomplete part, with `#at` at the error. */
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
        // An empty object or list is closed below.
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

  #character(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #skip(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    const from = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at - from;
  }
}
