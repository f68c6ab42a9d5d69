// Checks which fields the user names, so that a command reads only what is needed.
import type { Run } from '../context/context.js';

export function isAsked({ globals: { fields = '', filter = [], sort = '' } }: Run, names: readonly string[]): boolean {
  const asked = new Set([...fields.split(','), ...sort.split(',')].map((name) => name.trim().replace(/^-/, '')));
  for (const text of filter) asked.add(/^[\w.]*/.exec(text.trim())?.[0] ?? '');
  return names.some((name) => asked.has(name));
}
