// Snapshots: telemetry rows with the driver assigned at their time.

import { badRequest } from '../../core/refusals.js';
import { isActiveAt } from '../../store/assignments.js';
import type { FleetRecords } from '../../store/store.js';
import type { VehicleRecord } from '../../store/tables.js';
import { telemetryVehicleOf } from '../../store/telemetry-vehicle.js';
import type { TelemetryRow } from '../../telemetry/telemetry.js';
import type { RequestContext } from '../request-context.js';

const noTokenForms = {
  iButton: null,
  oneWire: null,
  rfidIButton: null,
  rfidIButtonHex: null,
  rfidIButtonReversed: null,
  rfidIButtonReversedHex: null,
  rfid: null,
  rfidHex: null,
};

type SnapshotDriver = { readonly driverId: string } & {
  readonly [Form in keyof typeof noTokenForms]: string | null;
};

export interface DeliveredSnapshot extends TelemetryRow {
  readonly vehicle: VehicleRecord;
  readonly driver: SnapshotDriver | null;
}

function reversedBytes(hex: string): string {
  return (hex.match(/../g) ?? []).reverse().join('');
}

/** Returns the driver group of a person, with the token in every form that card readers report. */
function snapshotDriver(fleet: FleetRecords, driverId: string): SnapshotDriver {
  const token = fleet.tokens.findBy('driver', driverId)[0];
  if (token === undefined) return { driverId, ...noTokenForms };
  const { value } = token;
  // Mutations accept any text; a value that is not hexadecimal has no other forms.
  if (!/^(?:[0-9a-f]{2}){1,16}$/i.test(value)) return { driverId, ...noTokenForms, iButton: value };
  const reversed = reversedBytes(value);
  const decimal = (hex: string): string => BigInt(`0x${hex}`).toString();
  const card = value.slice(-8);
  return {
    driverId,
    iButton: value,
    oneWire: reversed,
    rfidIButton: decimal(value),
    rfidIButtonHex: value,
    rfidIButtonReversed: decimal(reversed),
    rfidIButtonReversedHex: reversed,
    rfid: decimal(card),
    rfidHex: card,
  };
}

/** Returns a function that finds a vehicle's driver at a time, fast for consecutive rows. */
export function driverTimeline(fleet: FleetRecords, vehicleId: string): (time: number) => SnapshotDriver | null {
  const periods = fleet.assignments
    .findBy('vehicle', vehicleId)
    .sort((a, b) => a.startedAt - b.startedAt)
    .map((row) => ({
      start: row.startedAt,
      end: row.endedAt,
      driver: snapshotDriver(fleet, row.driverId),
    }));
  let cached = periods[0];
  return (time) => {
    if (cached !== undefined && isActiveAt(cached, time)) return cached.driver;
    const match = periods.find((period) => isActiveAt(period, time));
    if (match === undefined) return null;
    cached = match;
    return match.driver;
  };
}

export function driverChanges(fleet: FleetRecords, vehicleId: string): readonly number[] {
  return fleet.assignments
    .findBy('vehicle', vehicleId)
    .flatMap(({ startedAt, endedAt }) => (endedAt === null ? startedAt : [startedAt, endedAt]));
}

export function withVehicleAndDriver(
  row: TelemetryRow,
  vehicle: VehicleRecord,
  context: RequestContext,
): DeliveredSnapshot {
  const assignment = context.assignmentAt(vehicle.id, row.timestamp);
  return { ...row, vehicle, driver: assignment === null ? null : snapshotDriver(context.fleet, assignment.driverId) };
}

export interface RequestedPeriod {
  readonly vehicleId: string;
  readonly from: number;
  readonly to: number;
}

/** A visible vehicle and the requested period, cut off at the current time. */
export interface RequestedRows {
  readonly vehicle: VehicleRecord;
  readonly from: number;
  readonly to: number;
  readonly rowsKey: string | null;
  readonly rows: (from: number, to: number) => Iterable<TelemetryRow>;
}

export function findSnapshotRows(
  { vehicleId, from, to }: RequestedPeriod,
  context: RequestContext,
): RequestedRows | null {
  if (from > to) throw badRequest('from must not be after to.');
  const vehicle = context.scope.vehicle(vehicleId);
  if (vehicle === null) return null;
  const source = telemetryVehicleOf(vehicle);
  return {
    vehicle,
    from,
    to: Math.min(to, context.now),
    rowsKey: context.telemetry.rowsKey(source),
    rows: (begin, end) => (begin > end ? [] : context.telemetry.snapshots(source, begin, end)),
  };
}

function* snapshotsInPeriod(period: RequestedPeriod, context: RequestContext): Generator<DeliveredSnapshot> {
  const match = findSnapshotRows(period, context);
  if (match === null) return;
  const driverAt = driverTimeline(context.fleet, match.vehicle.id);
  for (const row of match.rows(match.from, match.to)) {
    // Only for documents that also introspect. Rows stay in memory: each counts as 100 records.
    if (!context.tryAddRecords(100)) return;
    yield { ...row, vehicle: match.vehicle, driver: driverAt(row.timestamp) };
  }
}

export const rootResolvers = {
  getSnapshots: (period: RequestedPeriod, context: RequestContext) => [...snapshotsInPeriod(period, context)],
  getLatestSnapshots(
    { vehicleIds }: { readonly vehicleIds: readonly string[] },
    context: RequestContext,
  ): DeliveredSnapshot[] {
    const snapshots: DeliveredSnapshot[] = [];
    for (const id of new Set(vehicleIds)) {
      const vehicle = context.scope.vehicle(id);
      const row = vehicle === null ? null : context.latestSnapshot(vehicle);
      if (vehicle !== null && row !== null) snapshots.push(withVehicleAndDriver(row, vehicle, context));
    }
    return snapshots;
  },
};
