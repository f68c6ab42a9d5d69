// Syncs sensors mapped to vehicles. They have no ids: those of a vehicle are replaced together.
import { readByVehicle, type VehicleLists } from './by-vehicle.js';
import { reasonNotToDelete } from './deletion-guard.js';
import type { SyncClient } from './parts.js';
import { rowOf } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';

const TABLE = 'mapped_sensors';
const none = { added: null, changed: null, removed: null };

export async function syncMappedSensors(
  fleet: SyncClient,
  target: StampedCopy,
  lists: VehicleLists,
  allowsDeletions: boolean,
): Promise<void> {
  const { part, reporter } = lists;
  const remarks = reporter.remarks(part);
  const answers = await readByVehicle(lists, (vehicleId, options) =>
    fleet.getVehicleMappedSensors({ vehicleId }, options),
  );
  const whole = [...answers].filter(([, { gap }]) => gap === null);
  const stored = await storedCounts(target);
  const lostRows = ([vehicleId, { records }]: (typeof whole)[number]) =>
    Math.max(0, (stored.get(vehicleId) ?? 0) - records.length);
  const missing = whole.reduce((sum, answer) => sum + lostRows(answer), 0);
  const live = whole.reduce((sum, [vehicleId]) => sum + (stored.get(vehicleId) ?? 0), 0);
  const reasonToKeep = reasonNotToDelete(missing, live, null, allowsDeletions);
  if (reasonToKeep !== null) reporter.undeleted(part, `${missing} of ${live} rows of ${TABLE} ${reasonToKeep}`);
  const replaceable = reasonToKeep === null ? whole : whole.filter((answer) => lostRows(answer) === 0);
  const rows = replaceable.flatMap(([vehicleId, { records }]) =>
    inOrder(records).map((sensor, ordinal) => rowOf(TABLE, sensor, { ordinal }, remarks, { id: vehicleId })),
  );
  const owners = replaceable.map(([vehicleId]) => vehicleId);
  const step = { kind: 'replaceParts', table: TABLE, rows, owners } as const;
  const written = owners.length === 0 ? 0 : (await target.apply({ steps: [step], cursors: [] })).written;
  const read = [...answers.values()].reduce((sum, { records }) => sum + records.length, 0);
  reporter.done(part, { table: TABLE, read, written, ...none });
}

async function storedCounts(target: StampedCopy): Promise<ReadonlyMap<unknown, number>> {
  const counts = new Map<unknown, number>();
  for (const [vehicleId] of await target.read(TABLE, ['vehicle_id']))
    counts.set(vehicleId, (counts.get(vehicleId) ?? 0) + 1);
  return counts;
}

/** Sorts by source and name, so that another order in an answer changes no row. */
function inOrder(sensors: readonly object[]): readonly object[] {
  const keyed = sensors.map((sensor) => {
    const key = JSON.stringify([Reflect.get(sensor, 'source') ?? '', Reflect.get(sensor, 'name') ?? '']);
    return { sensor, key };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ sensor }) => sensor);
}
