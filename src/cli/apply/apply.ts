// Carries out a plan, such as that of a file that says what should be: the plan first, then a question, then the changes. Safe to run again.

import type { FleetClient } from '../../index.js';
import { checkResult } from '../change/check-result.js';
import { compareOutcome, type OutcomeCheck } from '../change/foresight.js';
import type { PlannedChange } from '../change/plan.js';
import type { TableFormat } from '../change/read-input.js';
import { sendMany } from '../change/send-many.js';
import { call } from '../connection/call.js';
import { type Context, canAsk, cannotAskReason, note, type Run, tell } from '../context/context.js';
import { formatOf, printRows } from '../context/print.js';
import { CliError, refusal } from '../errors/cli-error.js';
import { ask } from '../prompt/ask.js';
import type { ApplyFlags } from './flags.js';
import { type ApplyStep, plannedRow, type StepRow, stepLine, stepView, summaryOf } from './step.js';

/** Called before the file is read. @throws CliError USAGE when nobody can be asked and --yes is not given */
export function requireAsking(context: Run, flags: Pick<PlanFlags, 'dryRun' | 'yes'>): void {
  if (flags.yes || flags.dryRun || canAsk(context)) return;
  throw refusal(`The plan needs a confirmation, and ${cannotAskReason(context)}.`, {
    hint: 'Add --yes, or look at the plan with --dry-run first.',
  });
}

interface PlanFlags extends Pick<ApplyFlags, 'dryRun' | 'yes' | 'failFast' | 'failed'> {
  /** Where the plan comes from; undefined when the command line says it. */
  readonly file?: string | undefined;
  /** The format of the file, when it is a table. */
  readonly table?: TableFormat | undefined;
}

/** What the steps do when that is more than they say: they change other records too. */
export interface WiderEffects {
  /** In place of the steps in the plan. */
  readonly rows: readonly StepRow[];
  readonly check: OutcomeCheck;
}

export async function carryOut(
  context: Context,
  client: FleetClient,
  plan: readonly ApplyStep[],
  flags: PlanFlags,
  foreseen?: WiderEffects,
): Promise<void> {
  const changes = plan.filter(({ action }) => action !== 'keep');
  const rows = foreseen?.rows ?? plan.map(plannedRow);
  const shown = rows.filter(({ action }) => action !== 'keep');
  const summary = summaryOf(rows);
  if (flags.dryRun) return printPlan(context, rows, `${summary}. Nothing was changed.`);
  if (changes.length === 0) {
    await printRows(context, [], stepView, `${summary}. Nothing to do.`);
    if (!formatOf(context).forPeople) note(context, `${summary}. Nothing to do.`);
    return;
  }
  if (!flags.yes) await confirm(context, shown, summary);
  else if (formatOf(context).jsonIndent === null) {
    // The results name only what is sent.
    if (foreseen) for (const row of shown) note(context, `  ${stepLine(row)}`);
    note(context, summary);
  }
  await send(context, client, changes, flags);
  if (foreseen) await compareOutcome(context, foreseen.check);
}

/** For people only what is not kept; programs get the whole plan. */
async function printPlan(context: Context, rows: readonly StepRow[], summary: string): Promise<void> {
  const shown = formatOf(context).forPeople ? rows.filter(({ action }) => action !== 'keep') : rows;
  await printRows(context, shown, stepView, 'Nothing to do.');
  note(context, summary);
}

async function confirm(context: Run, rows: readonly StepRow[], summary: string): Promise<void> {
  // A question without the plan would be a blind one, so --quiet does not hide it.
  for (const row of rows) tell(context, `  ${stepLine(row)}`);
  const answer = await ask(context, `${summary}. Make these changes? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CliError('ABORTED', 'Not confirmed; nothing was changed.');
}

interface StepChange extends PlannedChange {
  readonly step: ApplyStep;
}

async function send(
  context: Context,
  client: FleetClient,
  steps: readonly ApplyStep[],
  flags: PlanFlags,
): Promise<void> {
  const created = new Map<string, string>();
  const changes = steps.map(
    (step): StepChange => ({ line: step.line ?? 0, source: step.source, variables: {}, problem: null, step }),
  );
  await sendMany(
    context,
    changes,
    { failed: flags.failed, failFast: flags.failFast, input: flags.file },
    {
      table: flags.table,
      idOf: ({ step }) => step.id,
      send: async ({ step }) => {
        let result: unknown = null;
        for (const { operation, variables, idempotent } of step.requests(created)) {
          // The members were checked against the contract's input type before.
          result = await call(client, operation, variables as never, { signal: context.io.signal, idempotent });
          checkResult(operation, result);
        }
        const id: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'id') : null;
        if (step.action === 'create' && typeof id === 'string') created.set(step.name, id);
        return result;
      },
    },
    {
      view: stepView,
      row: ({ status, id, error }, { step }): StepRow => ({ ...plannedRow(step), id, status, error }),
      nameOf: ({ step }) => `"${step.name}"`,
      again: 'the same command tries again',
    },
  );
}
