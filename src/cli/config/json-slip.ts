// Finds the slip in a JSON text. The messages of JSON.parse do not always say where it is.

export interface Slip {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where the first character is that cannot be there; null when the text is JSON. */
export function jsonSlip(text: string): Slip | null {
  const at = new Scanner(text).firstSlip();
  if (at === null) return null;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Stops at the first slip, which is then at `#at`. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  firstSlip(): number | null {
    return this.#value() && this.#atEnd() ? null : this.#at;
  }

  #atEnd(): boolean {
    this.#match(/[ \t\r\n]*/y);
    return this.#at === this.#text.length;
  }

  #value(): boolean {
    this.#match(/[ \t\r\n]*/y);
    if (this.#match(/\{/y))
      return this.#members('}', () => this.#string() && this.#match(/[ \t\r\n]*:/y) && this.#value());
    if (this.#match(/\[/y)) return this.#members(']', () => this.#value());
    if (this.#text[this.#at] === '"') return this.#string();
    return this.#match(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  }

  #members(end: '}' | ']', member: () => boolean): boolean {
    const closing = end === '}' ? /[ \t\r\n]*\}/y : /[ \t\r\n]*\]/y;
    if (this.#match(closing)) return true;
    for (;;) {
      this.#match(/[ \t\r\n]*/y);
      if (!member()) return false;
      if (this.#match(closing)) return true;
      if (!this.#match(/[ \t\r\n]*,/y)) {
        this.#match(/[ \t\r\n]*/y);
        return false;
      }
    }
  }

  #string(): boolean {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
    return this.#match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
}
