// Asks before something is sent. Without a terminal, --yes is the answer.

import { canAsk, cannotAskReason, type Run, tell } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { yesOrNo } from '../parse/yes-or-no.js';
import { ask } from '../prompt/ask.js';
import type { RecordKind } from '../records/record-kind.js';
import type { Present } from './change-spec.js';
import type { PlanStep, Question, ShownPlan } from './plan.js';
import { planText, rowsOfSteps } from './print-plan.js';

/** @throws CliError ABORTED when the answer is no */
export async function confirm(run: Run, { lines, text, undone }: Question): Promise<void> {
  // A question without what it is about would be a blind one, so --quiet does not hide it.
  for (const line of lines) tell(run, `  ${line}`);
  const answer = await ask(run, `${text} [y/N] `);
  if (yesOrNo(answer) === true) return;
  throw new CliError('ABORTED', `Not confirmed; nothing was ${undone}.`);
}

/** What is to be confirmed. */
export interface Confirmable {
  readonly what: string;
  /** What to do when nobody can be asked. */
  readonly instead: string;
}

export const deletion: Confirmable = { what: 'A deletion', instead: 'Add --yes to delete without a prompt.' };

export const wholePlan: Confirmable = {
  what: 'The plan',
  instead: 'Add --yes, or look at the plan with --dry-run first.',
};

/** Called before anything is read or sent. @throws CliError USAGE when nobody can be asked */
export function requireConfirmable(
  run: Run,
  { yes, dryRun }: { readonly yes?: true | undefined; readonly dryRun?: true | undefined },
  { what, instead }: Confirmable,
): void {
  if (yes || dryRun || canAsk(run)) return;
  throw refusal(`${what} needs a confirmation, and ${cannotAskReason(run)}.`, { hint: instead });
}

/** What to ask before records are deleted; null when there is none that can be. */
export function deletionQuestion(
  kind: Pick<RecordKind<never>, 'noun' | 'plural'>,
  steps: readonly PlanStep[],
  { records }: Present,
  plan: ShownPlan,
): Question | null {
  const doomed = steps.filter(({ problem }) => !problem);
  const [only, ...others] = doomed;
  if (only === undefined) return null;
  const { lines } = planText({ ...plan, rows: rowsOfSteps(doomed) });
  const { id, name, told } = only.record;
  const choice = records.get(id ?? '')?.choice;
  const what =
    others.length > 0
      ? `these ${doomed.length} ${kind.plural}`
      : `the ${kind.noun} ${choice ? choiceText(choice) : name}`;
  return { lines: others.length > 0 || told !== undefined ? lines : [], text: `Delete ${what}?`, undone: 'deleted' };
}

/** `"Night shift" (NS-1, 5f1c…)`. */
function choiceText(choice: Readonly<Record<string, string | null | undefined>>): string {
  const { id, ...texts } = choice;
  const [name, ...rest] = Object.values(texts).filter((text) => text !== null && text !== undefined && text !== '');
  return name === undefined ? String(id) : `"${name}" (${[...rest, id].join(', ')})`;
}
