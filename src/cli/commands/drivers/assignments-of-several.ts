// Reads the assignments of several vehicles or drivers, with their names.
import type { SelectionTree } from '../../../contract/selection/tree.js';
import type * as contract from '../../../generated/contract-types.js';
import type { FleetClient } from '../../../index.js';
import { FleetError } from '../../../index.js';
import { call } from '../../connection/call.js';
import { driverNames } from '../../connection/driver-names.js';
import type { ReportingRun } from '../../context/context.js';
import { FailedVehicles } from '../../errors/failed-vehicles.js';
import { findRecords } from '../../find/record.js';
import type { ChosenVehicle } from '../../find/vehicles.js';
import { driverKind } from '../../records/person.js';
import type { AssignmentRow } from '../../views/assignment.js';

interface AssignmentsChoice {
  readonly choose: (client: FleetClient) => Promise<readonly ChosenVehicle[]>;
  /** Empty for all drivers. */
  readonly drivers: readonly string[];
  /** True when only drivers are chosen, for any vehicle. */
  readonly ofDriversOnly: boolean;
  readonly select: SelectionTree | undefined;
}

/** Reads the assignments in as few requests as possible. Reports failed calls. */
export async function assignmentsOfSeveral(
  run: ReportingRun,
  client: FleetClient,
  { choose, drivers, ofDriversOnly, select }: AssignmentsChoice,
): Promise<readonly AssignmentRow[]> {
  const [vehicles, people, names] = await Promise.all([
    choose(client),
    drivers.length === 0 ? [] : findRecords(run, client, driverKind, drivers, { select: driverKind.identity }),
    driverNames(run, client),
  ]);
  const vehicleNames = new Map(vehicles.map(({ id, name }) => [id, name]));
  const driverIds = people.flatMap(({ id }) => id ?? []);
  const isOfDrivers = ofDriversOnly && driverIds.length > 0;
  const ids = isOfDrivers ? driverIds : vehicles.map(({ id }) => id);
  const failed = new FailedVehicles('getDriverAssignments', (id) => vehicleNames.get(id) ?? names.get(id) ?? id);
  const lists = await Promise.all(
    ids.map(async (id) => {
      const input: contract.GetDriverAssignmentsInput = isOfDrivers ? { driverId: id } : { vehicleId: id };
      try {
        return await call(client, 'getDriverAssignments', { input }, { signal: run.io.signal, select });
      } catch (error) {
        if (!(error instanceof FleetError && error.code === 'GRAPHQL')) throw error;
        failed.add(id, error);
        return [];
      }
    }),
  );
  failed.report(run.report);
  return lists
    .flat()
    .filter(({ driverId }) => driverIds.length === 0 || driverIds.includes(driverId ?? ''))
    .map((row) => {
      const vehicle = vehicleNames.get(row.vehicleId ?? '') ?? row.vehicleId ?? '';
      const driver = names.get(row.driverId ?? '') ?? row.driverId ?? '';
      return { vehicle, driver, ...row };
    });
}
