// Names of options, variables and fields as messages repeat them.

/** A key may be any text in JavaScript, a secret among them; only what looks like a name is repeated. */
export function printableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : '(a key that is not a name)';
}
