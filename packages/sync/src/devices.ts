// Syncs tracking devices. The service has no list of them. Vehicles contain their devices; other
// devices of the copy are read by id.
import { GraphQLResponseError } from 'fleet-telematics';
import { isObject, isUuid } from 'fleet-telematics/kit';
import { inGroups, isPartFailure } from './by-vehicle.js';
import { idOf } from './compare-records.js';
import type { ListAnswer, SyncClient } from './parts.js';
import { type RecordsWritten, type Scope, writeRecords } from './records.js';
import type { ReportWriter } from './report.js';
import type { StampedCopy } from './stamped-copy.js';

export async function syncDevices(
  fleet: SyncClient,
  target: StampedCopy,
  { vehicles, reporter, signal }: { vehicles: ListAnswer; reporter: ReportWriter; signal: AbortSignal | undefined },
  scope: Omit<Scope, 'covers'>,
): Promise<RecordsWritten> {
  const devices = vehicles.records.flatMap(devicesIn).map((device) => target.ids.in(device));
  const inVehicles = new Set(devices.map(idOf));
  const stored = await target.read(scope.table, ['id', 'deleted_at']);
  const others = stored.flatMap(([id, deletedAt]) =>
    deletedAt === null && !inVehicles.has(String(id)) ? [String(id)] : [],
  );
  /** Devices that the service may or may not have. */
  const unread = new Set<string>(others.filter((id) => !isUuid(id)));
  await inGroups(others.filter(isUuid), async (some) => {
    const found = await Promise.all(
      some.map(async (id) => {
        try {
          return await fleet.getDeviceById({ id }, { priority: 'low', signal });
        } catch (error) {
          if (isUnknown(error)) return null;
          if (!isPartFailure(error)) throw error;
          unread.add(id);
          reporter.failed(scope.part, null, error);
          return null;
        }
      }),
    );
    devices.push(...found.flatMap((device) => (device === null ? [] : target.ids.in(device))));
  });
  const covers = (record: object) => !unread.has(idOf(record) ?? '');
  return writeRecords(target, { ...scope, covers }, { records: devices, gap: vehicles.gap }, reporter);
}

function devicesIn(vehicle: object): readonly object[] {
  const devices: unknown = Reflect.get(vehicle, 'assignedDevices');
  if (!Array.isArray(devices)) return [];
  // A device without an id is reported with the other lists of its vehicle.
  return devices.filter((device) => isObject(device) && idOf(device) !== null);
}

/** Returns true for an unknown id. Some services answer it with null, others with an error. */
function isUnknown(error: unknown): boolean {
  return error instanceof GraphQLResponseError && error.classification === 'NOT_FOUND';
}
