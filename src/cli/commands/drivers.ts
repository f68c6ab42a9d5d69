// `fleet drivers`: who drives what. Puts drivers on vehicles and takes them off.

import { change } from '../change/change.js';
import { addChangeFlags, type ChangeFlags } from '../change/flags.js';
import { idsOf, type Reference } from '../change/plan.js';
import { CliError } from '../errors/cli-error.js';
import { driverKind, vehicleKind } from '../find/kinds.js';
import { readTime, type SaidTime, saidNow, timeHelp, timestamp } from '../parse/time.js';
import { type DefineCommand, examples } from '../run/command.js';
import { type Context, serviceNow } from '../run/context.js';
import { listAssignments, showAssignmentsSince } from './drivers/assignments.js';

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
    examples(
      ['fleet drivers assign "Truck 07" "Anna Lind"', 'from now on'],
      ['fleet drivers assignments --vehicle "Truck 07"', 'who drove it, and who drives it now'],
      ['fleet drivers unassign "Truck 07"', 'ends what holds now'],
    ),
  );
  const assign = noun
    .command('assign')
    .description(
      'let a driver drive a vehicle (assignDriver); what is in the way is shortened or deleted by the service',
    )
    .argument('[vehicle]', 'id, or the whole name, plate or VIN; left out when --input says it')
    .argument('[driver]', 'id, or the whole name, e-mail or employee id; left out when --input says it')
    .option('--from <time>', 'when it begins, at most 10 days ago (default: now)')
    .option('--to <time>', 'when it ends (default: it goes on)');
  addChangeFlags(assign, { input: true, asks: false });
  assign
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers assign "Truck 07" "Anna Lind"', 'from now on'],
        ['fleet drivers assign "Truck 07" anna.lind.17@example.com --from "today 06:00" --to "today 14:00"', ''],
        [
          'fleet drivers assign --input shifts.ndjson',
          'many: {"vehicleId": "Truck 07", "driverId": "Anna Lind"} per line',
        ],
      )}\n\nWith --from it is sent again when no answer arrives: done twice it is the same.\n${timeHelp}`,
    )
    .action((vehicle: string | undefined, driver: string | undefined, flags: AssignFlags) => {
      const context = open();
      const times = {
        startTimestamp: timeSaid(context, flags.from, '--from'),
        endTimestamp: timeSaid(context, flags.to, '--to'),
      };
      return change(context, flags, {
        operation: 'assignDriver',
        input: { variable: 'assignDriverInput', type: 'AssignDriverInput' },
        references: [vehicleReference(vehicle), driverReference(driver, '<driver>')],
        flags: timestampsOf(times, serviceNow(context)),
        timed: {
          // Without --from it begins now.
          times: [times.startTimestamp ?? saidNow, times.endTimestamp].filter((time) => time !== undefined),
          input: (input, now, where) => withinRules({ ...input, ...timestampsOf(times, now) }, now, where),
        },
        // The service changes nothing when the pair already holds at the given time.
        idempotent: ({ assignDriverInput }) => member(assignDriverInput, 'startTimestamp') !== null,
        shown: {
          look: (_context, client, { variables: { assignDriverInput } }) =>
            showAssignmentsSince(context, client, {
              vehicleId: member(assignDriverInput, 'vehicleId') ?? '',
              since: member(assignDriverInput, 'startTimestamp'),
            }),
        },
      });
    });

  const unassign = noun
    .command('unassign')
    .description("end the vehicle's assignment (unassignDriver)")
    .argument('[vehicle]', 'id, or the whole name, plate or VIN; left out when --input says it')
    .option('--driver <driver>', 'only if the assignment is of this driver: id, name, e-mail or employee id')
    .option('--at <time>', 'when it ends (default: now)');
  addChangeFlags(unassign, { input: true, asks: false });
  unassign
    .addHelpText(
      'after',
      `${examples(
        ['fleet drivers unassign "Truck 07"', ''],
        ['fleet drivers unassign "Truck 07" --driver "Andres Varga" --at "today 14:00"', ''],
      )}\n${timeHelp}`,
    )
    .action((vehicle: string | undefined, flags: UnassignFlags) => {
      const context = open();
      const times = { timestamp: timeSaid(context, flags.at, '--at') };
      return change(context, flags, {
        operation: 'unassignDriver',
        input: { variable: 'unassignDriverInput', type: 'UnassignDriverInput' },
        references: [vehicleReference(vehicle), driverReference(flags.driver, null)],
        flags: timestampsOf(times, serviceNow(context)),
        timed: {
          times: times.timestamp ? [times.timestamp] : [],
          input: (input, now) => ({ ...input, ...timestampsOf(times, now) }),
        },
        shown: {
          look: (_context, client, { variables: { unassignDriverInput } }) =>
            showAssignmentsSince(context, client, {
              vehicleId: member(unassignDriverInput, 'vehicleId') ?? '',
              since: member(unassignDriverInput, 'timestamp'),
            }),
        },
      });
    });

  noun
    .command('assignments')
    .description('list the assignments of a vehicle, of a driver, or of both together (getDriverAssignments)')
    .option('--vehicle <vehicle>', 'id, or a name, plate or VIN, or a part of one that fits a single vehicle')
    .option('--driver <driver>', 'id, or a name, e-mail or employee id, or a part of one that fits a single driver')
    .addHelpText(
      'after',
      examples(
        ['fleet drivers assignments --vehicle "Truck 07" --sort -startedAt', 'the newest first'],
        ['fleet drivers assignments --driver "Anna Lind" -o csv', ''],
      ),
    )
    .action((flags: { readonly vehicle?: string; readonly driver?: string }) => listAssignments(open(), flags));
};

function vehicleReference(said: string | undefined): Reference {
  return { name: 'vehicleId', into: 'input', resolve: idsOf(vehicleKind), said, needed: '<vehicle>' };
}

function driverReference(said: string | undefined, needed: string | null): Reference {
  return { name: 'driverId', into: 'input', resolve: idsOf(driverKind), said, needed };
}

function timeSaid(context: Context, said: string | undefined, flag: string): SaidTime | undefined {
  return said === undefined ? undefined : readTime(context, said, flag);
}

/** Those that were said. */
function timestampsOf(times: Readonly<Record<string, SaidTime | undefined>>, now: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, said]) => (said ? [[name, timestamp(said.at(now))]] : [])),
  );
}

function member(input: unknown, name: string): string | null {
  const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : null;
  return typeof value === 'string' ? value : null;
}

const longestPast = 10 * 86_400_000;

/** The contract's rules for the time of an assignment. */
function withinRules(input: Readonly<Record<string, unknown>>, now: number, where: string): Record<string, unknown> {
  const said = member(input, 'startTimestamp');
  const start = said === null ? now : Date.parse(said);
  if (start < now - longestPast) {
    throw new CliError('USAGE', `${where}The assignment would begin more than 10 days ago. Nothing was sent.`, {
      hint: 'The service takes a begin that is at most 10 days in the past, such as --from -9d.',
    });
  }
  const end = member(input, 'endTimestamp');
  if (end !== null && Date.parse(end) <= start) {
    throw new CliError('USAGE', `${where}The assignment has to end after it begins. Nothing was sent.`, {
      hint: said === null ? 'Without --from it begins now: give --from as well.' : 'Give a --to that is after --from.',
    });
  }
  return { ...input };
}
