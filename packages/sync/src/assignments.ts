// Syncs driver assignments, which the service returns by vehicle.
import { matchRequestedId } from 'fleet-telematics/kit';
import { readByVehicle, type VehicleLists } from './by-vehicle.js';
import { idOf } from './compare-records.js';
import type { SyncClient } from './parts.js';
import { type RecordsWritten, type Scope, writeRecords } from './records.js';
import type { StampedCopy } from './stamped-copy.js';

export async function syncAssignments(
  fleet: SyncClient,
  target: StampedCopy,
  lists: VehicleLists,
  scope: Omit<Scope, 'covers'>,
): Promise<RecordsWritten> {
  const { reporter } = lists;
  const answers = await readByVehicle(lists, (vehicleId, options) =>
    fleet.getDriverAssignments({ input: { vehicleId } }, options),
  );
  const found: object[] = [];
  const readVehicles = new Set<string>();
  for (const [vehicleId, { records, gap }] of answers) {
    for (const assignment of records) {
      // Rows name the requested vehicle, because the copy has that one.
      if (matchRequestedId(Reflect.get(assignment, 'vehicleId'), vehicleId) !== null)
        found.push(target.ids.in({ ...assignment, vehicleId }));
      else reporter.unstored('assignments', 'noVehicle', idOf(assignment));
    }
    if (gap === null) readVehicles.add(vehicleId);
  }
  const covers = (record: object) => readVehicles.has(String(Reflect.get(record, 'vehicleId')));
  return writeRecords(target, { ...scope, covers }, { records: found, gap: null }, reporter);
}
