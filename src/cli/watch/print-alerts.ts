// Prints events as they are found: a line for people, rows for programs.
import type { FleetEvent } from '../../index.js';
import type { Context, Run } from '../context/context.js';
import { printRows } from '../context/print.js';
import { refusal } from '../errors/cli-error.js';
import { write } from '../io/io.js';
import { plainText } from '../io/plain-text.js';
import { type FormatName, traitsOf } from '../output/formats.js';
import { listShape } from '../shape/list-shape.js';
import { localTime } from '../time/format-time.js';
import { alertView, eventTextWithoutVehicle, vehicleOf } from '../views/alert.js';

/** Refuses --sort and --limit, because events arrive one by one. */
export function refuseListOfAlerts({ globals: { sort, limit } }: Run): void {
  const flag = sort !== undefined ? '--sort' : limit !== undefined ? '--limit' : null;
  if (flag === null) return;
  throw refusal(`${flag} needs a complete list, but fleet watch prints events as they happen.`, {
    hint: `Leave out ${flag}.`,
  });
}

/** Returns a printer of events that waits until stdout has accepted them. */
export function alertPrinter(context: Context, format: FormatName): (events: readonly FleetEvent[]) => Promise<void> {
  const shape = listShape(context, alertView, 'view');
  let hasHeader = context.globals.headers;
  if (traitsOf(format).forPeople) {
    return async (events) => {
      for await (const event of shape.rows(events)) await write(context.io.stdout, `${lineOf(context, event)}\n`);
    };
  }
  return async (events) => {
    if (events.length === 0) return;
    const globals = { ...context.globals, output: format, headers: hasHeader };
    hasHeader = false;
    await printRows({ ...context, globals }, shape.rows(events), shape.view, '');
  };
}

function lineOf({ zone }: Context, event: FleetEvent): string {
  const { at, vehicle, licensePlate, rule, type } = event;
  const time = localTime(Date.parse(at), 'second', { zone: zone.name, offset: null });
  const plate = licensePlate === null || licensePlate === vehicle ? '' : ` (${licensePlate})`;
  const named = rule === type ? '' : `  [${rule}]`;
  return plainText(`${time}  ${vehicleOf(event)}${plate}  ${eventTextWithoutVehicle(event)}${named}`);
}
