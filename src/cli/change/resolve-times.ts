// Fills times that are relative to now, such as `--from -1h`, into changes, and checks them against the contract.

import { isObject } from '../../core/json.js';
import type { ChangeSpec, Draft, ResolvedChange } from './change-spec.js';
import { linePrefix, mapAll } from './draft-changes.js';

/** Called before names are looked up, so that nothing is sent for invalid changes. @throws CliError USAGE that lists every such line */
export function resolveDraftTimes(
  { timed }: ChangeSpec,
  drafts: readonly Draft[],
  now: number,
  many: boolean,
): readonly Draft[] {
  if (!timed) return drafts;
  return mapAll(drafts, (draft) => ({ ...draft, input: timed.input(draft.input, now, linePrefix(draft.line, many)) }));
}

/** Called again after names are looked up, because that answer tells the time of the service. */
export function resolveChangeTimes(
  { timed, input: holder }: ChangeSpec,
  changes: readonly ResolvedChange[],
  now: number,
  many: boolean,
): readonly ResolvedChange[] {
  if (!timed || !holder) return changes;
  return mapAll(changes, (change) => {
    const input = change.variables[holder.variable];
    if (!isObject(input)) return change;
    const resolved = timed.input({ ...input }, now, linePrefix(change.line, many));
    return { ...change, variables: { ...change.variables, [holder.variable]: resolved } };
  });
}
