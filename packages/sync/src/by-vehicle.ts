// Reads and syncs lists that the service returns by vehicle: driver assignments and mapped sensors.
// The client sends waiting calls together, in documents of up to 50.

import type { CallOptions } from 'fleet-telematics';
import { FleetError, ProtocolError } from 'fleet-telematics';
import { matchRequestedId } from 'fleet-telematics/kit';
import { idOf } from './compare-records.js';
import { type ListAnswer, readWhole, type SyncClient, type SyncPart } from './parts.js';
import { type RecordsWritten, reasonNotToDelete, type Scope, writeRecords } from './records.js';
import type { ReportWriter } from './report.js';
import { rowOf } from './rows.js';
import type { StampedCopy } from './stamped-copy.js';

const CALLS_AT_ONCE = 100;

export interface VehicleLists {
  readonly part: SyncPart;
  readonly vehicleIds: readonly string[];
  readonly reporter: ReportWriter;
  readonly signal: AbortSignal | undefined;
}

/** Returns the answer of each vehicle that could be read. Reports failures and gaps. */
async function readByVehicle(
  { part, vehicleIds, reporter, signal }: VehicleLists,
  read: (vehicleId: string, options: CallOptions) => Promise<readonly unknown[]>,
): Promise<ReadonlyMap<string, ListAnswer>> {
  const answers = new Map<string, ListAnswer>();
  let records = 0;
  const readOne = async (vehicleId: string) => {
    try {
      const answer = await readWhole((own) => read(vehicleId, own), { priority: 'low', signal });
      answers.set(vehicleId, answer);
      records += answer.records.length;
      if (answer.gap !== null) reporter.failed(part, vehicleId, new ProtocolError(answer.gap));
    } catch (error) {
      if (!isPartFailure(error)) throw error;
      reporter.failed(part, vehicleId, error);
    }
  };
  await inGroups(vehicleIds, async (some, done) => {
    await Promise.all(some.map(readOne));
    reporter.progress(part, records, done / vehicleIds.length);
  });
  return answers;
}

/** Works through a list in groups of `CALLS_AT_ONCE`. `done` is the item count after the group. */
export async function inGroups<Item>(
  items: readonly Item[],
  work: (some: readonly Item[], done: number) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += CALLS_AT_ONCE) {
    const some = items.slice(at, at + CALLS_AT_ONCE);
    await work(some, at + some.length);
  }
}

/** Returns true when the rest of the sync can continue after the error. */
export function isPartFailure(error: unknown): error is FleetError {
  return FleetError.is(error) && ['GRAPHQL', 'PROTOCOL', 'RESPONSE_TOO_LARGE'].includes(error.code);
}

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

const MAPPED_SENSORS = 'mapped_sensors';

/** Syncs sensors mapped to vehicles. They have no ids: those of a vehicle are replaced together. */
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
  if (reasonToKeep !== null)
    reporter.undeleted(part, `${missing} of ${live} rows of ${MAPPED_SENSORS} ${reasonToKeep}`);
  const replaceable = reasonToKeep === null ? whole : whole.filter((answer) => lostRows(answer) === 0);
  const rows = replaceable.flatMap(([vehicleId, { records }]) =>
    inOrder(records).map((sensor, ordinal) => rowOf(MAPPED_SENSORS, sensor, { ordinal }, remarks, { id: vehicleId })),
  );
  const owners = replaceable.map(([vehicleId]) => vehicleId);
  const step = { kind: 'replaceParts', table: MAPPED_SENSORS, rows, owners } as const;
  const written = owners.length === 0 ? 0 : (await target.apply({ steps: [step], cursors: [] })).written;
  const read = [...answers.values()].reduce((sum, { records }) => sum + records.length, 0);
  reporter.doneRows(part, MAPPED_SENSORS, read, written);
}

async function storedCounts(target: StampedCopy): Promise<ReadonlyMap<unknown, number>> {
  const counts = new Map<unknown, number>();
  for (const [vehicleId] of await target.read(MAPPED_SENSORS, ['vehicle_id']))
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
