// The flag --driver of lists: only the part of one driver.
import type { FleetClient } from '../../index.js';
import type { ReportingRun } from '../context/context.js';
import { driverKind } from '../records/person.js';
import { findId } from './record.js';

export interface DriverFlag {
  readonly driver?: string;
}

/** Returns the arguments of the option. `what`: the cut rows, in the plural. */
export function driverOption(what: string): [flags: string, description: string] {
  return ['--driver <driver>', `only the ${what} of this driver, a name, an e-mail or an id; shared ones are cut`];
}

/** True for the id of the driver in any letter case. `driverId`: in lower case. */
export function isDriver(id: string | null | undefined, driverId: string): boolean {
  return id?.toLowerCase() === driverId;
}

/** Returns the id in lower case, as ids may be typed in any letter case; null without a name. */
export async function findDriverId(
  run: ReportingRun,
  client: FleetClient,
  name: string | undefined,
): Promise<string | null> {
  if (name === undefined) return null;
  return (await findId(run, client, driverKind, name, { substring: true })).toLowerCase();
}
