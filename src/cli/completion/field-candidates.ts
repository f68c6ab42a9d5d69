// The field names that could stand at the end of --fields, --sort or --filter: one step of a dotted path at a time.
import { fieldsOf } from '../../contract/selection/fields.js';
import type { FieldSource } from '../shape/fields.js';
import type { Candidate } from './complete.js';

export type FieldFlag = '--fields' | '--sort' | '--filter';

/** `typed`: the value as far as it is there. Whole values come back: `id,na` can become `id,name`. */
export function fieldCandidates(flag: FieldFlag, typed: string, source: FieldSource): readonly Candidate[] {
  const comma = flag === '--filter' ? -1 : typed.lastIndexOf(',');
  const before = typed.slice(0, comma + 1);
  const turned = flag === '--sort' && typed.charAt(comma + 1) === '-' ? '-' : '';
  const written = typed.slice(comma + 1 + turned.length);
  const named = new Set(before.split(',').map((name) => name.replace(/^-/, '')));
  return namesAt(written, source)
    .filter(({ value }) => !named.has(value))
    .map(({ value, about }) => {
      const isRecord = value.endsWith('.');
      return { value: `${before}${turned}${value}${flag === '--filter' && !isRecord ? '=' : ''}`, about };
    });
}

/** The names at the last step of a path; those of records end in a dot. */
function namesAt(written: string, source: FieldSource): readonly Candidate[] {
  if ('names' in source) return source.names.map((value) => ({ value, about: '' }));
  const steps = written.split('.').slice(0, -1);
  let type = source.type;
  for (const step of steps) {
    const field = fieldsOf(type).get(step);
    if (!field || field.leaf) return [];
    type = field.type;
  }
  const prefix = steps.map((step) => `${step}.`).join('');
  return [...fieldsOf(type)].map(([name, field]) => ({
    value: `${prefix}${name}${field.leaf ? '' : '.'}`,
    about: field.list ? `list of ${field.type}` : field.type,
  }));
}
