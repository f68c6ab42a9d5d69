import { canAsk, cannotAskReason, tell } from "../context/context.js";
import { CliError, refusal } from "../errors/cli-error.js";
import { yesOrNo } from "../parse/yes-or-no.js";
import { ask } from "../prompt/ask.js";
import { changedRecords, planText } from "./print-plan.js";
const instead = "Add --yes, or look at the plan with --dry-run.";
function requireConfirmable(run, { yes, dryRun }) {
  if (yes || dryRun || canAsk(run)) return;
  throw refusal(`A deletion needs a confirmation, and ${cannotAskReason(run)}.`, { hint: instead });
}
function needsConfirmation(plan) {
  const rows = changedRecords(plan);
  const records = new Set(rows.map(({ kind, id }, index) => id === null ? index : `${kind} ${id}`));
  return records.size > 1 || rows.some(({ action, isEnding }) => action === "delete" || isEnding === true);
}
async function confirm(run, plan) {
  const { lines, summary } = planText(plan);
  if (!canAsk(run)) {
    throw new CliError("USAGE", `The plan needs a confirmation, and ${cannotAskReason(run)}: ${summary}.`, {
      undone: "changed",
      hint: instead
    });
  }
  for (const line of [...lines, ...plan.remarks]) tell(run, `  ${line}`);
  const answer = await ask(run, `${summary}. Make ${lines.length === 1 ? "this change" : "these changes"}? [y/N] `);
  if (yesOrNo(answer) === true) return;
  throw new CliError("ABORTED", "Not confirmed; nothing was changed.");
}
export {
  confirm,
  needsConfirmation,
  requireConfirmable
};
