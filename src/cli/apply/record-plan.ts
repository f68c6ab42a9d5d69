// The plan that makes records those of a file or of flags: people see each record with its sign, and the same command can run again.

import type { FleetClient } from '../../index.js';
import { carryOut } from '../change/carry-out.js';
import type { OutcomeCheck } from '../change/foresight.js';
import type { Plan, SendingFlags } from '../change/plan.js';
import type { TableFormat } from '../change/read-input.js';
import { type Context, note } from '../context/context.js';
import { formatOf, printRows } from '../context/print.js';
import { plannedRow, type RecordStep, type StepRow, stepLine, stepView, summaryOf } from './record-step.js';

export interface PlannedRecords {
  /** The records that stay as they are too. */
  readonly steps: readonly RecordStep[];
  /** The format of the table that the steps come from. */
  readonly table?: TableFormat | undefined;
  /** What the steps do when that is more than they say: they change other records too. */
  readonly wider?: { readonly rows: readonly StepRow[]; readonly check: OutcomeCheck };
}

export async function carryOutRecords(
  context: Context,
  client: FleetClient,
  planned: PlannedRecords,
  flags: SendingFlags,
): Promise<void> {
  await carryOut(context, () => Promise.resolve(client), recordPlan(context, planned), flags);
}

function recordPlan(context: Context, { steps, table, wider }: PlannedRecords): Plan<RecordStep, StepRow> {
  const rows = wider?.rows ?? steps.map(plannedRow);
  const changed = rows.filter(({ action }) => action !== 'keep');
  const lines = changed.map(stepLine);
  const summary = summaryOf(rows);
  const { forPeople, jsonIndent } = formatOf(context);
  return {
    steps: steps.filter(({ action }) => action !== 'keep'),
    // For people only what changes; programs get the whole plan.
    print: async () => {
      await printRows(context, forPeople ? changed : rows, stepView, 'Nothing to do.');
      note(context, `${summary}. Nothing was changed.`);
    },
    question: () => Promise.resolve({ lines, text: `${summary}. Make these changes?`, undone: 'changed' }),
    // The results name only what is sent, so wider effects are told before. With JSON, stderr is left to errors.
    notices: jsonIndent === null ? [...(wider ? lines.map((line) => `  ${line}`) : []), summary] : [],
    outcome: {
      view: stepView,
      row: ({ status, id, error }, step) => ({ ...plannedRow(step), id, status, error }),
      nameOf: ({ name }) => `"${name}"`,
      nothingToDo: { text: `${summary}. Nothing to do.`, forPrograms: true },
      again: 'the same command tries again',
      table,
    },
    check: wider?.check ?? null,
  };
}
