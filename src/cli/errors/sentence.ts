// Ends a text with a full stop unless it has one.

export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
