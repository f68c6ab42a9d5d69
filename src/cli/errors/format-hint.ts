// Writes hints: puts typed words into suggested commands, and joins their names.

/** Returns true for a word that a shell leaves unchanged in quotes, and that is no flag. */
export function isPlain(word: string): boolean {
  return /^(?!-(?!\d))[\p{L}\p{N} .,@:+_-]+$/u.test(word);
}

/** Returns a text with the words in place of `…`; without plain words, `…` stays only in quotes. */
export function withWords(lead: string, words: readonly string[]): string {
  const isQuoted = /"[^" ]*…"/.test(lead);
  if (words.length === 0 || !words.every(isPlain)) return isQuoted ? lead : lead.replace(/ ?…/, '');
  return lead.replace('…', words.map((word) => (word.includes(' ') && !isQuoted ? `"${word}"` : word)).join(' '));
}

export function formatSuggestion(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  return `Did you mean ${joinNames(
    names.map((name) => (name.includes(' ') ? `\`${name}\`` : name)),
    'or',
  )}?`;
}

export function joinNames(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
