// Turns the names in changes into ids. The list of each kind is requested once for all lines, together with the others, and not at all
// when there are only ids.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { looksLikeId } from '../parse/user-selector.js';
import type { ChangeSpec, Draft, ResolvedChange } from './change-spec.js';

/** A name that cannot be resolved is a problem only of its own line. */
export async function resolveChanges(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: ChangeSpec,
  drafts: readonly Draft[],
): Promise<readonly ResolvedChange[]> {
  const searches = spec.references.flatMap(({ name, label, into, resolve }) => {
    const holders = drafts.map((draft) => ({ draft, holder: into === 'variables' ? draft.variables : draft.input }));
    const names = [
      ...new Set(holders.flatMap(({ draft, holder }) => [...textsIn(holder[name]), ...textsIn(draft.labels[name])])),
    ];
    return names.every(looksLikeId) ? [] : [{ name, label, holders, names, resolve }];
  });
  const results = await Promise.all(searches.map(async ({ names, resolve }) => resolve(context, await open(), names)));
  const problems = new Map<Draft, CliError>();
  for (const [index, { name, label, holders, names }] of searches.entries()) {
    const found = results[index] ?? [];
    const ids = new Map(names.map((reference, position) => [reference, found[position]]));
    for (const { draft, holder } of holders) {
      const value = holder[name];
      const resolved = textsIn(value).map((text) => ids.get(text));
      const beside = draft.labels[name];
      const problem =
        resolved.find((id) => id instanceof CliError) ??
        (beside === undefined ? undefined : otherRecord(resolved[0], ids.get(beside), { name, label }));
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

/** Why the name beside an id is not that of its record; an id tells records with the same name apart. */
function otherRecord(
  id: string | CliError | undefined,
  named: string | CliError | undefined,
  { name, label = name }: { readonly name: string; readonly label: string | undefined },
): CliError | undefined {
  if (named === id) return undefined;
  const isOneOfThem = named instanceof CliError && named.choices?.some((choice) => choice.id === id);
  if (isOneOfThem === true && named instanceof CliError && named.code === 'AMBIGUOUS_NAME') return undefined;
  if (named instanceof CliError) return named;
  return new CliError('USAGE', `"${label}" and "${name}" are two different ${label}s.`, {
    hint: 'Correct one of them, or leave its cell empty.',
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
}
