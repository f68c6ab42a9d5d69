function jsonSlip(text) {
  const at = new Scanner(text).scan();
  return at === null ? null : { at, isCut: at === text.length };
}
function lineAndColumn(text, at) {
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPED_CHARACTER = /["\\/bfnrt]/y;
const HEX_DIGITS = /[0-9a-fA-F]{0,4}/y;
const DIGITS = /\d*/y;
const closings = { "{": "}", "[": "]" };
class Scanner {
  #text;
  #at = 0;
  constructor(text) {
    this.#text = text;
  }
  scan() {
    const open = [];
    for (; ; ) {
      this.#space();
      const bracket = this.#text[this.#at];
      if (bracket === "{" || bracket === "[") {
        this.#at++;
        open.push(bracket);
        this.#space();
        if (this.#text[this.#at] !== closings[bracket]) {
          if (bracket === "{" && !this.#name()) return this.#at;
          continue;
        }
      } else if (!this.#scalar()) return this.#at;
      while (this.#closes(open.at(-1))) open.pop();
      const around = open.at(-1);
      if (around === void 0) return this.#at === this.#text.length ? null : this.#at;
      if (!this.#character(",") || around === "{" && !this.#name()) return this.#at;
    }
  }
  #closes(bracket) {
    this.#space();
    return bracket !== void 0 && this.#character(closings[bracket]);
  }
  /** The name of a member, and the colon. */
  #name() {
    this.#space();
    if (!this.#string()) return false;
    this.#space();
    return this.#character(":");
  }
  #scalar() {
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case "t":
        return this.#word("true");
      case "f":
        return this.#word("false");
      case "n":
        return this.#word("null");
      default:
        return this.#number();
    }
  }
  #string() {
    if (!this.#character('"')) return false;
    for (; ; ) {
      this.#skip(PLAIN_CHARACTERS);
      if (this.#character('"')) return true;
      if (!this.#character("\\")) return false;
      const isComplete = this.#character("u") ? this.#skip(HEX_DIGITS) === 4 : this.#skip(ESCAPED_CHARACTER) === 1;
      if (!isComplete) return false;
    }
  }
  #word(word) {
    for (const letter of word) if (!this.#character(letter)) return false;
    return true;
  }
  #number() {
    this.#character("-");
    if (!this.#character("0") && this.#skip(DIGITS) === 0) return false;
    if (this.#character(".") && this.#skip(DIGITS) === 0) return false;
    if (!this.#character("e") && !this.#character("E")) return true;
    if (!this.#character("+")) this.#character("-");
    return this.#skip(DIGITS) > 0;
  }
  #space() {
    for (let code = this.#code(); code === 32 || code === 10 || code === 13 || code === 9; code = this.#code())
      this.#at++;
  }
  #code() {
    return this.#text.charCodeAt(this.#at);
  }
  /** Skips one character if it is this one. */
  #character(character) {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
  /** Skips what the pattern matches, and returns how many characters that is. */
  #skip(pattern) {
    pattern.lastIndex = this.#at;
    const from = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at - from;
  }
}
export {
  jsonSlip,
  lineAndColumn
};
