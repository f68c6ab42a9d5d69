// Ends a text as a sentence: some texts are whole sentences, and some are the end of one.

export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
