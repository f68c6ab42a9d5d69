// `fleet drivers apply`: makes the assignments those of a file.
import { carryOut, requireAsking } from '../../apply/apply.js';
import { type ApplyFlags, addApplyFlags, planHelp } from '../../apply/flags.js';
import { draftChanges } from '../../change/draft-changes.js';
import { loadInput } from '../../change/load-input.js';
import type { ChangeSpec, PlannedChange } from '../../change/plan.js';
import { resolveChanges } from '../../change/resolve-names.js';
import { connect } from '../../connection/connect.js';
import { type Context, serviceNow } from '../../context/context.js';
import { type DefineCommand, examples } from '../../context/define-command.js';
import { CliError } from '../../errors/cli-error.js';
import { maxProblemsShown } from '../../limits.js';
import { momentOf } from '../../views/humanize.js';
import { planShifts } from './apply-plan.js';
import type { Shift } from './apply-shifts.js';
import { assignmentsOf } from './assignments.js';

/** `spec` reads a line as `drivers assign` does. */
export function defineApplyDrivers(spec: ChangeSpec): DefineCommand {
  return (noun, open) => {
    const command = noun
      .command('apply')
      .description(
        'make the assignments those of a file: assign, change ends and, with --prune, end; safe to run again',
      )
      .argument('<file>', 'csv, tsv, JSON or YAML with vehicle, driver, startTimestamp and endTimestamp (- for stdin)');
    addApplyFlags(command, 'end the assignments that are not in the file, on the vehicles that it names');
    command
      .addHelpText(
        'after',
        `${examples(
          ['fleet drivers apply shifts.csv', 'the plan, a question, then the changes'],
          ['fleet drivers apply shifts.csv --dry-run', 'the plan only'],
          ['vehicle,driver,startTimestamp,endTimestamp', 'the first line of such a file'],
        )}

A line without a start begins now; one without an end lasts until the next assignment of the vehicle or of the driver. Past
assignments that the file does not name stay as they are. The file may be what \`fleet drivers assignments -o csv\` prints.
${planHelp}`,
      )
      .action((file: string, flags: ApplyFlags) => apply(open(), spec, file, flags));
  };
}

async function apply(context: Context, spec: ChangeSpec, file: string, flags: ApplyFlags): Promise<void> {
  requireAsking(context, flags);
  const input = await loadInput(context, file, flags.inputFormat, spec, true);
  // A list of assignments has ids, which say nothing here: an assignment that is changed may get another one.
  const lines = input.lines.map((line) => (typeof line === 'string' ? line : withoutId(line)));
  const drafts = draftChanges(context, spec, { ...input, lines });
  const client = await connect(context);
  await client.connect({ signal: context.io.signal });
  const changes = await resolveChanges(context, async () => client, spec, drafts);
  refuse(changes.flatMap(({ line, problem }) => (problem ? [`line ${line}: ${problem.message}`] : [])));
  const now = serviceNow(context);
  const shifts = changes.map((change) => shiftOf(change, now));

  const missing = context.partialResults.length;
  const lists = await Promise.all(shifts.map((shift) => assignmentsOf(context, client, shift)));
  if (context.partialResults.length > missing) {
    throw new CliError('GRAPHQL', 'The service answered getDriverAssignments only in part, so nothing was changed.', {
      operation: 'getDriverAssignments',
      hint: 'Try again later.',
    });
  }
  const rows = lists.flat();
  const vehicles = new Map(rows.map((row) => [row.vehicleId, row.vehicleName]));
  const drivers = new Map(rows.map((row) => [row.driverId, row.driverName]));
  const typed = new Map(changes.flatMap((change, index) => typedNames(change, shifts[index])));
  const { steps, problems } = planShifts(shifts, rows, {
    now,
    prune: flags.prune === true,
    nameOf: ({ vehicleId, driverId }) =>
      `${drivers.get(driverId) ?? typed.get(driverId) ?? driverId} on ${vehicles.get(vehicleId) ?? typed.get(vehicleId) ?? vehicleId}`,
  });
  refuse(problems);
  await carryOut(context, client, steps, { ...flags, file, table: input.table });
}

function withoutId({ id: _id, ...line }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return line;
}

function shiftOf({ line, source, variables: { assignDriverInput } }: PlannedChange, now: number): Shift {
  const text = (name: string) => {
    const value: unknown = Reflect.get(Object(assignDriverInput), name);
    return typeof value === 'string' ? value : null;
  };
  return {
    line,
    source: source ?? {},
    vehicleId: text('vehicleId') ?? '',
    driverId: text('driverId') ?? '',
    start: momentOf(text('startTimestamp')) ?? now,
    end: momentOf(text('endTimestamp')),
  };
}

/** The names in the file, for records whose names were not read. */
function typedNames({ source }: PlannedChange, shift: Shift | undefined): readonly (readonly [string, string])[] {
  if (!shift || typeof source !== 'object' || source === null) return [];
  return [
    [shift.vehicleId, String(source.vehicleId)],
    [shift.driverId, String(source.driverId)],
  ];
}

function refuse(problems: readonly string[]): void {
  const [only] = problems;
  if (only === undefined) return;
  const shown = problems.slice(0, maxProblemsShown);
  const more = problems.length - shown.length;
  throw new CliError(
    'USAGE',
    `The file cannot be used: ${problems.length === 1 ? only.replace(/\.$/, '') : `${problems.length} problems`}. Nothing was changed.`,
    {
      details: problems.length === 1 ? [] : more > 0 ? [...shown, `and ${more} more`] : shown,
      hint: 'Correct the lines. `fleet drivers assignments --vehicle <vehicle> -o csv` prints such a file.',
    },
  );
}
