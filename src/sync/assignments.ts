// Keeps the driver assignments current. The service answers them by vehicle.
import { FleetError, ProtocolError } from '../core/errors.js';
import { askedId } from '../core/uuid.js';
import { idOf } from './compare-records.js';
import { readWhole, type SyncClient } from './parts.js';
import { type RecordsWritten, type Scope, writeRecords } from './records.js';
import type { ReportWriter } from './report.js';
import type { StampedCopy } from './stamped-copy.js';

/** Calls that wait at the same time; the client sends them in documents of up to 50. */
const CALLS_AT_ONCE = 100;

export async function syncAssignments(
  fleet: SyncClient,
  target: StampedCopy,
  teller: ReportWriter,
  vehicleIds: readonly string[],
  scope: Omit<Scope, 'covers'>,
  signal: AbortSignal | undefined,
): Promise<RecordsWritten> {
  const found: object[] = [];
  const readVehicles = new Set<string>();
  const read = async (vehicleId: string) => {
    try {
      const { records, gap } = await readWhole((own) => fleet.getDriverAssignments({ input: { vehicleId } }, own), {
        priority: 'low',
        signal,
      });
      for (const assignment of records) {
        // The vehicle that was asked for is one that the copy has.
        if (askedId(Reflect.get(assignment, 'vehicleId'), vehicleId) !== null) found.push({ ...assignment, vehicleId });
        else teller.unstored('assignments', 'noVehicle', idOf(assignment));
      }
      if (gap === null) readVehicles.add(vehicleId);
      else teller.failed('assignments', vehicleId, new ProtocolError(gap));
    } catch (error) {
      if (!isOfPart(error)) throw error;
      teller.failed('assignments', vehicleId, error);
    }
  };
  for (let at = 0; at < vehicleIds.length; at += CALLS_AT_ONCE) {
    await Promise.all(vehicleIds.slice(at, at + CALLS_AT_ONCE).map(read));
    teller.progress('assignments', found.length, Math.min(1, (at + CALLS_AT_ONCE) / vehicleIds.length));
  }
  const covers = (record: object) => readVehicles.has(String(Reflect.get(record, 'vehicleId')));
  return writeRecords(target, { ...scope, covers }, { records: found, gap: null }, teller);
}

/** Whether the rest of the sync can go on after this error. */
export function isOfPart(error: unknown): error is FleetError {
  return FleetError.is(error) && ['GRAPHQL', 'PROTOCOL', 'RESPONSE_TOO_LARGE'].includes(error.code);
}
