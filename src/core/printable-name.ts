/** Returns a name for messages. A key may be a secret, so only plain names are repeated. */
export function printableName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : '(a key that is not a name)';
}
