// Completes the field names of --fields, --sort and --filter, one step of a path at a time.
import { contractFields } from '../../contract/selection/fields.js';
import type { FieldSource } from '../shape/fields.js';
import type { Candidate } from './candidate.js';

export type FieldFlag = '--fields' | '--sort' | '--filter';

/** Returns complete values: `id,na` can become `id,name`. `typed` is the value so far. */
export function fieldCandidates(flag: FieldFlag, typed: string, source: FieldSource): readonly Candidate[] {
  const comma = flag === '--filter' ? -1 : typed.lastIndexOf(',');
  const before = typed.slice(0, comma + 1);
  const direction = flag === '--sort' && typed.charAt(comma + 1) === '-' ? '-' : '';
  const path = typed.slice(comma + 1 + direction.length);
  const used = new Set(before.split(',').map((name) => name.replace(/^-/, '')));
  return namesAt(path, source)
    .filter(({ value }) => !used.has(value))
    .map(({ value, about }) => {
      const isRecord = value.endsWith('.');
      return { value: `${before}${direction}${value}${flag === '--filter' && !isRecord ? '=' : ''}`, about };
    });
}

/** Returns the names at the last step of a path. Names of records end in a dot. */
function namesAt(path: string, source: FieldSource): readonly Candidate[] {
  if ('names' in source) return source.names.map((value) => ({ value, about: '' }));
  const steps = path.split('.').slice(0, -1);
  let type = source.type;
  for (const step of steps) {
    const field = contractFields(type).get(step);
    if (!field || field.leaf) return [];
    type = field.type;
  }
  const prefix = steps.map((step) => `${step}.`).join('');
  return [...contractFields(type)].map(([name, field]) => ({
    value: `${prefix}${name}${field.leaf ? '' : '.'}`,
    about: field.list ? `list of ${field.type}` : field.type,
  }));
}
