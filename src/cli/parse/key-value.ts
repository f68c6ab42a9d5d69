// `key=value` as a pair. Only the first equals sign separates: a value may hold more of them.

/** Null when there is no key or no equals sign. */
export function parseKeyValue(text: string): { readonly key: string; readonly value: string } | null {
  const at = text.indexOf('=');
  if (at < 1) return null;
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}
