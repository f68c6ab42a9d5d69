// The plan of changes that people see record by record: those of a file, of records that flags choose, or back to an earlier state.
import type { FleetClient } from '../../index.js';
import type { Context } from '../context/context.js';
import { formatOf } from '../context/print.js';
import { carryOut } from './carry-out.js';
import { withDependents } from './dependents.js';
import type { OutcomeCheck } from './foresight.js';
import type { Plan, PlanRow, PlanStep, SendingFlags, Undoing } from './plan.js';
import { planText, planView, rowOfStep, rowsOfSteps } from './print-plan.js';
import type { TableFormat } from './read-input.js';

export interface PlannedRecords {
  /** The records that stay as they are too. */
  readonly steps: readonly PlanStep[];
  /** The format of the table that the steps come from. */
  readonly table?: TableFormat | undefined;
  /** What the steps do together; default: what each of them says. */
  readonly rows?: readonly PlanRow[] | undefined;
  readonly check?: OutcomeCheck | undefined;
  /** Told beside the plan, such as what it does not bring back. */
  readonly remarks?: readonly string[] | undefined;
  readonly undoing?: Undoing | undefined;
}

export async function carryOutRecords(
  context: Context,
  client: FleetClient,
  planned: PlannedRecords,
  flags: SendingFlags,
): Promise<void> {
  const open = () => Promise.resolve(client);
  const steps = await withDependents(context, open, planned.steps);
  await carryOut(context, open, recordPlan(context, { ...planned, steps }), flags);
}

function recordPlan(
  context: Context,
  { steps, table, rows, check, remarks = [], undoing }: PlannedRecords,
): Plan<PlanStep, PlanRow> {
  const hasRequests = context.globals.verbose === true;
  const shown = { rows: rows ?? rowsOfSteps(steps), isOne: false, hasRequests, remarks };
  const { lines, summary } = planText(shown);
  const { jsonIndent, forPeople } = formatOf(context);
  // The results name only what is sent, so wider effects are told before. With JSON, stderr is left to errors.
  const isWider = rows !== undefined || steps.some(({ effects = [] }) => effects.length > 0);
  return {
    steps: steps.filter(({ record }) => record.action !== 'keep'),
    shown,
    undoing,
    notices:
      jsonIndent === null ? [...(isWider ? lines.map((line) => `  ${line}`) : []), ...remarks, summary] : remarks,
    outcome: {
      view: planView,
      rows: ({ status, id, journal, error }, step) => {
        const { effects = [] } = rowOfStep(step);
        // People read of every record that was in the plan.
        if (forPeople && rows === undefined && effects.length > 0) {
          return effects.map((effect) => ({ ...effect, status, journal, error }));
        }
        return [{ ...rowOfStep(step), id, status, journal, error }];
      },
      nameOf: ({ record }) => `"${record.name}"`,
      nothingToDo: { text: summary === '' ? 'Nothing to do.' : `${summary}. Nothing to do.`, forPrograms: true },
      again: 'the same command tries again',
      table,
    },
    check: check ?? null,
  };
}
