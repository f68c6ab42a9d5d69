// Turns the names in changes into ids. Each kind's list is looked at once, however many lines there are; ids alone ask nothing.
import type { FleetClient } from '../../index.js';
import { CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { Context } from '../run/context.js';
import type { ChangeSpec, Draft, PlannedChange } from './plan.js';

/** A name that cannot be resolved is a problem of its own line only. */
export async function resolveChanges(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: ChangeSpec,
  drafts: readonly Draft[],
): Promise<readonly PlannedChange[]> {
  const problems = new Map<Draft, CliError>();
  for (const { name, into, resolve } of spec.references) {
    const holders = drafts.map((draft) => ({ draft, holder: into === 'variables' ? draft.variables : draft.input }));
    const wanted = [...new Set(holders.flatMap(({ holder }) => textsIn(holder[name])))];
    if (wanted.every(looksLikeId)) continue;
    const found = await resolve(context, await open(), wanted);
    const ids = new Map(wanted.map((said, place) => [said, found[place]]));
    for (const { draft, holder } of holders) {
      const value = holder[name];
      const resolved = textsIn(value).map((said) => ids.get(said));
      const problem = resolved.find((id) => id instanceof CliError);
      if (problem && !problems.has(draft)) problems.set(draft, problem);
      if (Array.isArray(value)) holder[name] = resolved;
      else if (typeof value === 'string') holder[name] = resolved[0];
    }
  }
  return drafts.map((draft) => ({
    line: draft.line,
    given: draft.given,
    variables: spec.input ? { ...draft.variables, [spec.input.variable]: draft.input } : draft.variables,
    problem: problems.get(draft) ?? null,
  }));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}
