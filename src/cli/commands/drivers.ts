// `fleet drivers`: assigns drivers to vehicles, unassigns them, and lists the assignments.

import { isObject } from '../../core/json.js';
import { timestampMs } from '../../telemetry/timestamps.js';
import { type Context, type ServiceRun, serviceNow } from '../context/context.js';
import { type DefineCommand, examples } from '../context/define-command.js';
import { refusal } from '../errors/cli-error.js';
import { addVehicleFlags, vehiclesArgument } from '../find/vehicles.js';
import { repeatable } from '../parse/repeatable.js';
import { periodHelp, readTime, type TimeExpression, timeHelp, timestamp } from '../parse/time.js';
import { change } from '../plan/change.js';
import type { Reference, ResolvedChange, Subject } from '../plan/change-spec.js';
import { addChangeFlags, type ChangeFlags } from '../plan/flags.js';
import { assignmentKind } from '../records/driver-assignment.js';
import { driverKind } from '../records/person.js';
import { vehicleKind } from '../records/vehicle.js';
import { deletedFlag, deletedHelp } from '../shape/deleted.js';
import { defineApplyDrivers } from './drivers/apply.js';
import { ASSIGNMENT_MAX_AGE_MS } from './drivers/apply-plan.js';
import { type AssignmentFlags, listAssignments, showAssignmentsSince } from './drivers/assignments.js';
import { predictMoves } from './drivers/foresight.js';
import type { Move } from './drivers/outcome.js';

interface AssignFlags extends ChangeFlags {
  readonly from?: string;
  readonly to?: string;
}

interface UnassignFlags extends ChangeFlags {
  readonly driver?: string;
  readonly at?: string;
}

export const define: DefineCommand = (noun, open) => {
  noun.addHelpText(
    'after',
    `${examples(
      ['fleet drivers assign "Truck 07" "Anna Lind"', 'from now on'],
      ['fleet drivers assignments "Truck 07"', 'its past and present drivers'],
      ['fleet drivers unassign "Truck 07"', 'end its current assignment'],
      ['fleet drivers apply shifts.csv', 'make the assignments match a spreadsheet'],
    )}\n\nAssignments are plans. \`fleet trips list\` shows who really drove.`,
  );
  defineAssign(noun, open);
  defineUnassign(noun, open);
  defineApplyDrivers(noun, open);
  defineAssignments(noun, open);
};

const defineAssign: DefineCommand = (noun, open) => {
  const command = noun
    .command('assign')
    .description('assign a driver to a vehicle (assignDriver); the service shortens or deletes overlapping assignments')
    .argument('[vehicle]', 'id, or the whole name, plate or VIN; leave out with --input')
    .argument('[driver]', 'id, or the whole name, e-mail or employee id; leave out with --input')
    .option('--from <time>', 'start of the assignment, at most 10 days ago (default: now)')
    .option('--to <time>', 'end of the assignment (default: none)');
  addChangeFlags(command);
  command
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers assign "Truck 07" "Anna Lind"', 'from now on'],
        ['fleet drivers assign "Truck 07" anna.lind.17@example.com --from "today 06:00" --to "today 14:00"', ''],
      )}\n\nWith --from, a change that gets no response is retried, because repeating it is safe.${timeHelp}`,
    )
    .action((vehicle: string | undefined, driver: string | undefined, flags: AssignFlags) =>
      assign(open(), vehicle, driver, flags),
    );
};

function assign(
  context: Context,
  vehicle: string | undefined,
  driver: string | undefined,
  flags: AssignFlags,
): Promise<void> {
  const times = {
    startTimestamp: optionalTime(context, flags.from, '--from'),
    endTimestamp: optionalTime(context, flags.to, '--to'),
  };
  let nothing: string | null = null;
  return change(context, flags, {
    operation: 'assignDriver',
    subject: assignment('create'),
    input: { variable: 'assignDriverInput', type: 'AssignDriverInput' },
    references: [vehicleReference(vehicle), driverReference(driver, '<driver>')],
    flags: timestampsOf(times, serviceNow(context)),
    resolveTimes: (input, now) => checkTimes({ ...input, ...timestampsOf(times, now) }, now),
    // Assigning a driver who is already assigned at that time changes nothing in the service.
    idempotent: ({ assignDriverInput }) => member(assignDriverInput, 'startTimestamp') !== null,
    foresee: async (present, client, changes) => {
      const { foresight, unchanged } = await predictMoves(present, client, changes.map(assigningOf(context)));
      nothing = unchanged;
      return foresight;
    },
    display: {
      rows: true,
      print: async (_context, client, { variables: { assignDriverInput } }) => {
        if (nothing !== null) context.report.warn(nothing);
        await showAssignmentsSince(context, client, {
          vehicleId: member(assignDriverInput, 'vehicleId') ?? '',
          since: member(assignDriverInput, 'startTimestamp'),
        });
      },
    },
  });
}

const defineUnassign: DefineCommand = (noun, open) => {
  const command = noun
    .command('unassign')
    .description('end the current assignment of a vehicle (unassignDriver)')
    .argument('[vehicle]', 'id, or the whole name, plate or VIN; leave out with --input')
    .option('--driver <driver>', 'only if this driver is assigned: id, name, e-mail or employee id')
    .option('--at <time>', 'end of the assignment (default: now)');
  addChangeFlags(command);
  command
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers unassign "Truck 07"', ''],
        ['fleet drivers unassign "Truck 07" --driver "Andres Varga" --at "today 14:00"', ''],
      )}${timeHelp}`,
    )
    .action((vehicle: string | undefined, flags: UnassignFlags) => unassign(open(), vehicle, flags));
};

function unassign(context: Context, vehicle: string | undefined, flags: UnassignFlags): Promise<void> {
  const times = { timestamp: optionalTime(context, flags.at, '--at') };
  return change(context, flags, {
    operation: 'unassignDriver',
    subject: assignment('update'),
    input: { variable: 'unassignDriverInput', type: 'UnassignDriverInput' },
    references: [vehicleReference(vehicle), driverReference(flags.driver, null)],
    flags: timestampsOf(times, serviceNow(context)),
    resolveTimes: (input, now) => ({ ...input, ...timestampsOf(times, now) }),
    foresee: async (present, client, changes) =>
      (await predictMoves(present, client, changes.map(unassigningOf(context)))).foresight,
    display: {
      rows: true,
      print: (_context, client, { variables: { unassignDriverInput } }) =>
        showAssignmentsSince(context, client, {
          vehicleId: member(unassignDriverInput, 'vehicleId') ?? '',
          since: member(unassignDriverInput, 'timestamp'),
        }),
    },
  });
}

const defineAssignments: DefineCommand = (noun, open) => {
  const list = noun
    .command('assignments')
    .description('list the assignments of vehicles, of drivers, or of drivers to vehicles (getDriverAssignments)')
    .argument(...vehiclesArgument)
    .option('--vehicle <vehicle>', 'the same as the argument; repeat for more', repeatable)
    .option(
      '--driver <driver>',
      'id, name, e-mail or employee id, or a unique part of a name or e-mail (on a terminal); repeat for more',
      repeatable,
    )
    .option('--from <time>', 'only those that were active after this time')
    .option('--to <time>', 'and before this time (default: now)')
    .option('--on <day>', 'in place of both: a whole day, week or month, such as yesterday or "last week"');
  addVehicleFlags(list)
    .option(deletedFlag, deletedHelp)
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers assignments "Truck 07" --sort -startedAt', 'the latest first'],
        ['fleet drivers assignments "Truck 07" --on monday', 'who was assigned to it on Monday'],
        ['fleet drivers assignments --driver "Anna Lind" -o csv', ''],
        ['fleet drivers assignments --group "Long haul" --on yesterday', 'with the names in every format'],
        ['fleet drivers assignments -o csv > assignments.csv', 'of all vehicles'],
      )}

With one vehicle, one driver or both, machine formats print the assignment as it is. Otherwise they
add the names, vehicle and driver. --fields always accepts these.${periodHelp}`,
    )
    .action((names: readonly string[], { vehicle = [], ...flags }: AssignmentFlags) =>
      listAssignments(open(), { ...flags, vehicle: [...names, ...vehicle] }),
    );
};

function assignment(action: 'create' | 'update'): Subject {
  return { kind: assignmentKind, action };
}

function vehicleReference(typed: string | undefined): Reference {
  return {
    name: 'vehicleId',
    label: 'vehicle',
    into: 'input',
    kind: vehicleKind,
    typed,
    requiredAs: '<vehicle>',
  };
}

function driverReference(typed: string | undefined, requiredAs: string | null): Reference {
  return { name: 'driverId', label: 'driver', into: 'input', kind: driverKind, typed, requiredAs };
}

function optionalTime(run: ServiceRun, text: string | undefined, flag: string): TimeExpression | undefined {
  return text === undefined ? undefined : readTime(run, text, flag);
}

function assigningOf(run: ServiceRun): (change: ResolvedChange) => Move {
  return ({ variables: { assignDriverInput: input } }) => ({
    kind: 'assign',
    pair: { vehicleId: member(input, 'vehicleId') ?? '', driverId: member(input, 'driverId') ?? '' },
    at: timestampMs(member(input, 'startTimestamp')) ?? serviceNow(run),
    end: timestampMs(member(input, 'endTimestamp')),
  });
}

function unassigningOf(run: ServiceRun): (change: ResolvedChange) => Move {
  return ({ variables: { unassignDriverInput: input } }) => ({
    kind: 'unassign',
    pair: { vehicleId: member(input, 'vehicleId') ?? '', driverId: member(input, 'driverId') },
    at: timestampMs(member(input, 'timestamp')) ?? serviceNow(run),
  });
}

function timestampsOf(
  times: Readonly<Record<string, TimeExpression | undefined>>,
  now: number,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, time]) => (time ? [[name, timestamp(time.at(now))]] : [])),
  );
}

function member(input: unknown, name: string): string | null {
  const value = isObject(input) ? input[name] : null;
  return typeof value === 'string' ? value : null;
}

/** Checks the contract's rules for the times of an assignment. */
function checkTimes(input: Readonly<Record<string, unknown>>, now: number): Record<string, unknown> {
  const from = member(input, 'startTimestamp');
  const start = from === null ? now : Date.parse(from);
  if (start < now - ASSIGNMENT_MAX_AGE_MS) {
    throw refusal('The assignment would begin more than 10 days ago.', {
      hint: 'The service accepts a start at most 10 days in the past, such as --from -9d.',
    });
  }
  const end = member(input, 'endTimestamp');
  if (end !== null && Date.parse(end) <= start) {
    throw refusal('The assignment must end after it begins.', {
      hint: from === null ? 'Without --from it begins now: give --from as well.' : 'Give a --to that is after --from.',
    });
  }
  return { ...input };
}
