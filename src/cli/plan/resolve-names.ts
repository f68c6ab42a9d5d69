// Resolves the names in changes to ids, and reads the changed records, in one request.
import type { SelectionTree } from '../../contract/selection/tree.js';
import { textsIn } from '../../core/json.js';
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { CliError } from '../errors/cli-error.js';
import { type ChangeSpec, type Draft, type Present, type ResolvedChange, subjectOf } from './change-spec.js';
import { lookUp, noSuchId, otherRecord } from './lookup.js';
import { type CurrentRecord, selectionFor, wholeSelection } from './plan-record.js';

export interface Resolved {
  readonly changes: readonly ResolvedChange[];
  readonly present: Present;
}

/** Resolves names and reads the current records. An error concerns only its own line. */
export async function resolveChanges(
  context: Context,
  open: () => Promise<FleetClient>,
  spec: ChangeSpec,
  drafts: readonly Draft[],
): Promise<Resolved> {
  const subject = subjectOf(spec);
  const select = presentSelection(spec, drafts);
  const searches = spec.references.flatMap(({ name, label, into, kind }) => {
    const holders = drafts.map((draft) => ({ draft, holder: into === 'variables' ? draft.variables : draft.input }));
    const names = [
      ...new Set(holders.flatMap(({ draft, holder }) => [...textsIn(holder[name]), ...textsIn(draft.labels[name])])),
    ];
    const isSubject = name === subject?.name;
    return names.length === 0 ? [] : [{ name, label, holders, names, kind, isSubject }];
  });
  const results = await Promise.all(
    searches.map(async ({ names, kind, isSubject }) =>
      lookUp(context, await open(), kind, names, isSubject ? select : {}),
    ),
  );
  const problems = new Map<Draft, CliError>();
  const records = new Map<string, CurrentRecord>();
  const all = new Map<string, string>();
  for (const [index, { name, label, holders, names, kind, isSubject }] of searches.entries()) {
    const found = results[index];
    if (found === undefined) continue;
    for (const [id, record] of found.records) {
      all.set(id, record.name);
      if (isSubject) records.set(id, record);
    }
    const ids = new Map(names.map((reference, position) => [reference, found.ids[position]]));
    const isMissing = (id: unknown) => isSubject && found.isWhole && typeof id === 'string' && !found.records.has(id);
    for (const { draft, holder } of holders) {
      const value = holder[name];
      const resolved = textsIn(value).map((text) => ids.get(text));
      const labelText = draft.labels[name];
      const problem =
        resolved.find((id) => id instanceof CliError) ??
        (labelText === undefined ? undefined : otherRecord(resolved[0], ids.get(labelText), { name, label })) ??
        resolved.flatMap((id) => (isMissing(id) ? noSuchId(kind, String(id)) : []))[0];
      if (problem && !problems.has(draft)) problems.set(draft, problem);
      if (Array.isArray(value)) holder[name] = resolved;
      else if (typeof value === 'string') holder[name] = resolved[0];
    }
  }
  const present = { records, names: all };
  const changes = drafts.map((draft) => ({
    variables: spec.input ? { ...draft.variables, [spec.input.variable]: draft.input } : draft.variables,
    problem: problems.get(draft) ?? spec.contradiction?.({ ...draft.variables, ...draft.input }, present) ?? null,
  }));
  return { changes, present };
}

function presentSelection({ subject }: ChangeSpec, drafts: readonly Draft[]): SelectionTree {
  const { kind, action, desiredMembers = (members) => members } = subject;
  if (!('idVariable' in kind) || action === 'create') return {};
  if (action === 'delete') return wholeSelection(kind.type);
  return selectionFor(
    kind,
    new Set(drafts.flatMap(({ input, variables }) => Object.keys(desiredMembers({ ...variables, ...input })))),
  );
}
