// Lines about one record: what says the same again is sent once, and what contradicts an earlier line is refused before anything is sent.
import { isObject } from '../../core/json.js';
import { firstOf, unusable } from '../errors/unusable.js';
import { type ChangeSpec, type ResolvedChange, subjectId } from './change-spec.js';

/** @throws CliError USAGE that names both lines of each contradiction */
export function withoutRepeats(spec: ChangeSpec, changes: readonly ResolvedChange[]): readonly ResolvedChange[] {
  if (!spec.sets) return changes;
  /** The first line that sets a member of a record, by both. */
  const first = new Map<string, { readonly line: number; readonly value: string }>();
  const problems: string[] = [];
  const kept = changes.filter((change) => {
    const id = change.problem ? null : subjectId(spec, change.variables);
    if (id === null) return true;
    const members = membersOf(spec, change);
    const before = members.map(({ name, value }) => ({ name, value, earlier: first.get(`${id} ${name}`) }));
    for (const { name, value, earlier } of before) {
      if (earlier === undefined) first.set(`${id} ${name}`, { line: change.line, value });
      else if (earlier.value !== value)
        problems.push(`line ${change.line}: line ${earlier.line} has another ${name} for this record`);
    }
    // Without members, as for a deletion, the record itself is the repeat.
    const isDeletion = members.length === 0;
    const isRepeat = isDeletion ? first.has(id) : before.every(({ earlier }) => earlier !== undefined);
    if (isDeletion) first.set(id, { line: change.line, value: '' });
    return !isRepeat;
  });
  if (problems.length === 0) return kept;
  const count =
    problems.length === 1 ? 'two lines contradict each other' : `${problems.length} lines contradict others`;
  throw unusable('input', count, {
    undone: 'changed',
    details: firstOf(problems),
    hint: 'Leave one of the two lines.',
  });
}

/** What a line sets. The value of a custom field is that of its name. */
function membersOf(
  spec: ChangeSpec,
  { variables }: ResolvedChange,
): readonly { readonly name: string; readonly value: string }[] {
  const input = spec.input ? variables[spec.input.variable] : variables;
  const members = isObject(input) ? Object.entries(input) : [];
  if (spec.input?.type === 'CustomFieldInput') {
    const { name, value } = Object.fromEntries(members);
    return [{ name: String(name), value: JSON.stringify(value) }];
  }
  const subject = spec.references.find(({ requiredAs }) => requiredAs !== null)?.name;
  return members.flatMap(([name, value]) => (name === subject ? [] : [{ name, value: JSON.stringify(value) }]));
}
