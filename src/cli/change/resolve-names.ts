// Turns the names in changes into ids. The list of each kind is requested once for all lines, together with the others, and not at all
// when there are only ids.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { ChangeSpec, Draft, PlannedChange } from './plan.js';

/** A name that cannot be resolved is a problem only of its own line. */
export async function resolveChanges(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: ChangeSpec,
  drafts: readonly Draft[],
): Promise<readonly PlannedChange[]> {
  const searches = spec.references.flatMap(({ name, into, resolve }) => {
    const holders = drafts.map((draft) => ({ draft, holder: into === 'variables' ? draft.variables : draft.input }));
    const names = [...new Set(holders.flatMap(({ holder }) => textsIn(holder[name])))];
    return names.every(looksLikeId) ? [] : [{ name, holders, names, resolve }];
  });
  const results = await Promise.all(searches.map(async ({ names, resolve }) => resolve(context, await open(), names)));
  const problems = new Map<Draft, CliError>();
  for (const [index, { name, holders, names }] of searches.entries()) {
    const found = results[index] ?? [];
    const ids = new Map(names.map((reference, position) => [reference, found[position]]));
    for (const { draft, holder } of holders) {
      const value = holder[name];
      const resolved = textsIn(value).map((text) => ids.get(text));
      const problem = resolved.find((id) => id instanceof CliError);
      if (problem && !problems.has(draft)) problems.set(draft, problem);
      if (Array.isArray(value)) holder[name] = resolved;
      else if (typeof value === 'string') holder[name] = resolved[0];
    }
  }
  return drafts.map((draft) => ({
    line: draft.line,
    source: draft.source,
    variables: spec.input ? { ...draft.variables, [spec.input.variable]: draft.input } : draft.variables,
    problem: problems.get(draft) ?? null,
  }));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}
