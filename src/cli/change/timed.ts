// Puts times that go by now, such as `--from -1h`, into changes, and holds them to the contract.
import { everyOne, placeOf } from './draft-changes.js';
import type { ChangeSpec, Draft, PlannedChange } from './plan.js';

/** Before names are looked up, so that nothing is sent for changes that cannot be made. @throws CliError USAGE, of every such line. */
export function timedDrafts(
  { timed }: ChangeSpec,
  drafts: readonly Draft[],
  now: number,
  many: boolean,
): readonly Draft[] {
  if (!timed) return drafts;
  return everyOne(drafts, (draft) => ({ ...draft, input: timed.input(draft.input, now, placeOf(draft.line, many)) }));
}

/** Once more after the look-up, whose answer tells best what time the service has. */
export function timedChanges(
  { timed, input: holder }: ChangeSpec,
  changes: readonly PlannedChange[],
  now: number,
  many: boolean,
): readonly PlannedChange[] {
  if (!timed || !holder) return changes;
  return everyOne(changes, (change) => {
    const input: unknown = change.variables[holder.variable];
    if (typeof input !== 'object' || input === null) return change;
    const settled = timed.input({ ...input }, now, placeOf(change.line, many));
    return { ...change, variables: { ...change.variables, [holder.variable]: settled } };
  });
}
