// `fleet drivers apply`: makes the assignments match a file.

import { timestampMs } from '../../../telemetry/timestamps.js';
import { connect } from '../../connection/connect.js';
import { type Context, serviceNow } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { CliError } from '../../errors/cli-error.js';
import { firstOf, unusable } from '../../errors/unusable.js';
import { carryOut } from '../../plan/carry-out.js';
import { type ApplyFlags, addApplyFlags, planHelp, pruneRemarks } from '../../plan/flags.js';
import { loadRecords } from '../../plan/load-records.js';
import type { FileRecord } from '../../plan/plan-file.js';
import { plannedRow } from '../../plan/print-plan.js';
import { resolveReferences } from '../../plan/resolve-references.js';
import { assignmentKind } from '../../records/driver-assignment.js';
import { mapViewFor } from '../../shape/map-view.js';
import { planShifts, type Shift } from './apply-plan.js';
import { type Effect, effectRecord } from './effects.js';
import { effectsOf, outcomeProblem, readAssignments } from './foresight.js';

/** Maps the columns of `fleet drivers assignments` to input members. */
const columns = { startedAt: 'startTimestamp', endedAt: 'endTimestamp' };

export const defineApplyDrivers: DefineCommand = (noun, open) => {
  const command = noun
    .command('apply')
    .description('make the assignments match a file: assign, change ends and, with --prune, end; safe to run again')
    .argument(
      '<file>',
      'csv, xlsx, tsv, JSON or YAML with vehicle, driver, startTimestamp and endTimestamp (- for stdin)',
    );
  addApplyFlags(command, 'end the assignments that are not in the file, on the vehicles that it names');
  command
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers apply shifts.csv', 'the plan, a question, then the changes'],
        ['fleet drivers apply shifts.csv --dry-run', 'the plan only; exit code 10 when something differs'],
        ['vehicle,driver,startTimestamp,endTimestamp', 'the first line of such a file'],
      )}

- A line without a start begins now. A line without an end lasts until the next assignment of the
  vehicle or the driver.
- Past assignments that are not in the file stay unchanged.
- Conflicting assignments are ended, shortened or removed. The plan names each of them.
- The exit code is 6 if the result differs from the plan.
- The file may be the output of \`fleet drivers assignments -o csv\`.

${planHelp}`,
    )
    .action((file: string, flags: ApplyFlags) => apply(open(), file, flags));
};

async function apply(context: Context, file: string, flags: ApplyFlags): Promise<void> {
  mapViewFor(context, { map: undefined });
  const { records: fileRecords, table } = await loadRecords(context, file, flags, { kind: assignmentKind, columns });
  const client = await connect(context);
  await client.connect({ signal: context.io.signal });
  const referred = await resolveReferences(context, client, assignmentKind, fileRecords, []);
  const now = serviceNow(context);
  const shifts = eachOnce(referred.fileRecords.map((one) => shiftOf(one, now)));

  const assignments = await readAssignments(context, client, shifts).catch((error: unknown) => {
    if (!(error instanceof CliError) || error.code !== 'GRAPHQL') throw error;
    throw new CliError('GRAPHQL', error.problem, { ...error, undone: 'changed' });
  });
  const { held, words } = assignments;
  const { steps, moves, notInFile, problems } = planShifts(shifts, held, {
    now,
    prune: flags.prune === true,
    ...words,
  });
  refuse(problems);
  const keepRows = steps
    .filter(({ record }) => record.action === 'keep')
    .map(({ record, line }) => plannedRow(record, line));
  const keptLines = new Set(keepRows.map(({ line }) => line));
  const sent = shifts.filter(({ line }) => !keptLines.has(line));
  refuse(
    sent.flatMap((shift) => {
      const noun = assignments.unknownIn(shift);
      return noun === null ? [] : [`line ${shift.line}: there is no ${noun} with the id ${shift[`${noun}Id`]}`];
    }),
  );
  const rows = effectsOf(assignments, moves).map((effect) =>
    plannedRow(effectRecord(effect, words), lineOf(effect, sent)),
  );
  const planned = {
    steps,
    table,
    rows: [...rows, ...keepRows],
    check: () => outcomeProblem(context, client, assignments, moves),
    remarks: pruneRemarks(flags, notInFile, assignmentKind, 'end'),
  };
  await carryOut(context, async () => client, planned, { ...flags, input: file });
}

/** Returns the line of an effect; null for an assignment that is displaced or not in the file. */
function lineOf({ vehicleId, driverId, after }: Effect, shifts: readonly Shift[]): number | null {
  const isOfEffect = (shift: Shift) =>
    shift.vehicleId === vehicleId &&
    shift.driverId === driverId &&
    after.some(({ start, end }) => start <= shift.start && shift.start < end);
  return shifts.find(isOfEffect)?.line ?? null;
}

function eachOnce(shifts: readonly Shift[]): readonly Shift[] {
  const key = ({ vehicleId, driverId, start, end }: Shift) => [vehicleId, driverId, start, end].join(' ');
  const seen = new Set<string>();
  return shifts.filter((shift) => {
    const isFirst = !seen.has(key(shift));
    seen.add(key(shift));
    return isFirst;
  });
}

/** Returns the assignment of a line without its id, which a change may replace. */
function shiftOf({ line, source, members }: FileRecord, now: number): Shift {
  const text = (name: string) => {
    const value = members[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    line,
    source,
    vehicleId: text('vehicleId') ?? '',
    driverId: text('driverId') ?? '',
    start: timestampMs(text('startTimestamp')) ?? now,
    end: timestampMs(text('endTimestamp')),
  };
}

function refuse(problems: readonly string[]): void {
  const [only, ...others] = problems;
  if (only === undefined) return;
  const isOne = others.length === 0;
  throw unusable('file', isOne ? only : `${problems.length} problems`, {
    undone: 'changed',
    details: isOne ? [] : firstOf(problems),
    hint: 'Correct the lines. `fleet drivers assignments --vehicle <vehicle> -o csv` prints such a file.',
  });
}
