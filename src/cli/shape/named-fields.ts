// Checks which fields the user names, so that a command reads only what is needed.
import type { Run } from '../context/context.js';

export function isFieldNamed(
  { globals: { fields = '', filter = [], sort = '' } }: Run,
  names: readonly string[],
): boolean {
  const fieldNames = new Set([...fields.split(','), ...sort.split(',')].map((name) => name.trim().replace(/^-/, '')));
  for (const text of filter) fieldNames.add(/^[\w.]*/.exec(text.trim())?.[0] ?? '');
  return names.some((name) => fieldNames.has(name));
}
