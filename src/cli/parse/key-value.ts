// Splits `key=value` at the first equals sign; the value may contain more of them.

/** Returns null without a key or an equals sign. */
export function parseKeyValue(text: string): { readonly key: string; readonly value: string } | null {
  const at = text.indexOf('=');
  if (at < 1) return null;
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
