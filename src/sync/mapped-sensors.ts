// Keeps the sensors that are mapped to vehicles current. They have no ids, so they are no records: those of a vehicle are replaced together.
import { readByVehicle, type VehicleLists } from './by-vehicle.js';
import type { SyncClient } from './parts.js';
import { rowOf } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';

const TABLE = 'mapped_sensors';
const none = { added: null, changed: null, removed: null };

export async function syncMappedSensors(fleet: SyncClient, target: StampedCopy, lists: VehicleLists): Promise<void> {
  const { part, teller } = lists;
  const remarks = teller.remarks(part);
  const answers = await readByVehicle(lists, (vehicleId, options) =>
    fleet.getVehicleMappedSensors({ vehicleId }, options),
  );
  const whole = [...answers].filter(([, { gap }]) => gap === null);
  const rows = whole.flatMap(([vehicleId, { records }]) =>
    inOrder(records).map((sensor, ordinal) => rowOf(TABLE, sensor, { ordinal }, remarks, { id: vehicleId })),
  );
  const owners = whole.map(([vehicleId]) => vehicleId);
  const step = { kind: 'replaceParts', table: TABLE, rows, owners } as const;
  const written = owners.length === 0 ? 0 : (await target.apply({ steps: [step], cursors: [] })).written;
  const read = [...answers.values()].reduce((sum, { records }) => sum + records.length, 0);
  teller.done(part, { table: TABLE, read, written, ...none });
}

/** By source and name: a service that answers them in another order changes no row. */
function inOrder(sensors: readonly object[]): readonly object[] {
  const keyed = sensors.map((sensor) => {
    const key = JSON.stringify([Reflect.get(sensor, 'source') ?? '', Reflect.get(sensor, 'name') ?? '']);
    return { sensor, key };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ sensor }) => sensor);
}
