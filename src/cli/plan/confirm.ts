// Decides which plans need a confirmation, and asks for it. Without a terminal, --yes confirms.

import { canAsk, cannotAskReason, printLine, type Run } from '../context/context.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { yesOrNo } from '../parse/yes-or-no.js';
import { ask } from '../prompt/ask.js';
import type { ShownPlan } from './plan.js';
import { changedRecords, planText } from './print-plan.js';

const instead = 'Add --yes, or look at the plan with --dry-run.';

interface ConfirmingFlags {
  readonly yes?: true | undefined;
  readonly dryRun?: true | undefined;
}

/** Checks that a deletion can be confirmed, before anything is read. @throws CliError USAGE */
export function requireConfirmable(run: Run, { yes, dryRun }: ConfirmingFlags): void {
  if (yes || dryRun || canAsk(run)) return;
  throw refusal(`A deletion needs a confirmation, and ${cannotAskReason(run)}.`, { hint: instead });
}

/** Returns true for a plan that deletes or ends something, or that changes more than one record. */
export function needsConfirmation(plan: ShownPlan): boolean {
  const rows = changedRecords(plan);
  const records = new Set(rows.map(({ kind, id }, index) => (id === null ? index : `${kind} ${id}`)));
  return records.size > 1 || rows.some(({ action, isEnding }) => action === 'delete' || isEnding === true);
}

/** Asks for a confirmation of the plan; throws CliError ABORTED, or USAGE without a prompt. */
export async function confirm(run: Run, plan: ShownPlan): Promise<void> {
  const { lines, summary } = planText(plan);
  if (!canAsk(run)) {
    throw new CliError('USAGE', `The plan needs a confirmation, and ${cannotAskReason(run)}: ${summary}.`, {
      undone: 'changed',
      hint: instead,
    });
  }
  // The user must see the changes in question, so --quiet does not hide them.
  for (const line of [...lines, ...plan.remarks]) printLine(run, `  ${line}`);
  const answer = await ask(run, `${summary}. Make ${lines.length === 1 ? 'this change' : 'these changes'}? [y/N] `);
  if (yesOrNo(answer) === true) return;
  throw new CliError('ABORTED', 'Not confirmed; nothing was changed.');
}
