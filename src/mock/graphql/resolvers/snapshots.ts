// Snapshots: the telemetry's rows with the driver laid over them from the assignments.

import type { VehicleRecord } from '../../store/records.js';
import type { Fleet } from '../../store/store.js';
import type { SnapshotRow } from '../../telemetry/telemetry.js';
import type { Context } from '../context.js';
import { telemetryOf } from '../context.js';
import { badRequest } from '../errors.js';

/** The `driver` group of a snapshot. */
export interface ShownDriver {
  readonly driverId: string;
  readonly iButton: string | null;
  readonly oneWire: string | null;
  readonly rfidIButton: string | null;
  readonly rfidIButtonHex: string | null;
  readonly rfidIButtonReversed: string | null;
  readonly rfidIButtonReversedHex: string | null;
  readonly rfid: string | null;
  readonly rfidHex: string | null;
}

/** A snapshot as `CommonFormat` resolves it. */
export interface ShownSnapshot extends SnapshotRow {
  readonly vehicle: VehicleRecord;
  readonly driver: ShownDriver | null;
}

const noToken = {
  iButton: null,
  oneWire: null,
  rfidIButton: null,
  rfidIButtonHex: null,
  rfidIButtonReversed: null,
  rfidIButtonReversedHex: null,
  rfid: null,
  rfidHex: null,
};

function reversedBytes(hex: string): string {
  return (hex.match(/../g) ?? []).reverse().join('');
}

/** The driver group for one person: every form in which a reader may report their token. */
function driverOf(fleet: Fleet, driverId: string): ShownDriver {
  const token = fleet.tokens.by('driver', driverId)[0];
  if (token === undefined) return { driverId, ...noToken };
  const { value } = token;
  // A token whose value is no hexadecimal number (a mutation can set any text) has no other forms.
  if (!/^(?:[0-9a-f]{2}){1,16}$/i.test(value)) return { driverId, ...noToken, iButton: value };
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

/** Who drove the vehicle at any time, looked up fast for row after row. */
export function driverTimeline(fleet: Fleet, vehicleId: string): (time: number) => ShownDriver | null {
  const periods = fleet.assignments
    .by('vehicle', vehicleId)
    .sort((a, b) => a.startedAt - b.startedAt)
    .map((row) => ({
      from: row.startedAt,
      to: row.endedAt ?? Number.POSITIVE_INFINITY,
      driver: driverOf(fleet, row.driverId),
    }));
  let last = periods[0];
  return (time) => {
    if (last !== undefined && last.from <= time && time < last.to) return last.driver;
    const found = periods.find((period) => period.from <= time && time < period.to);
    if (found === undefined) return null;
    last = found;
    return found.driver;
  };
}

export function shownSnapshot(row: SnapshotRow, vehicle: VehicleRecord, context: Context): ShownSnapshot {
  const assignment = context.assignmentAt(vehicle.id, row.timestamp);
  return { ...row, vehicle, driver: assignment === null ? null : driverOf(context.fleet, assignment.driverId) };
}

export interface SnapshotPeriod {
  readonly vehicleId: string;
  readonly from: number;
  readonly to: number;
}

/** The rows of a period as the telemetry has them; null when the user does not see the vehicle. */
export function rowsOf(
  { vehicleId, from, to }: SnapshotPeriod,
  context: Context,
): { vehicle: VehicleRecord; rows: Iterable<SnapshotRow> } | null {
  if (from > to) throw badRequest('from must not be after to.');
  const vehicle = context.scope.vehicle(vehicleId);
  if (vehicle === null) return null;
  // Nothing has been recorded yet that lies in the future.
  const end = Math.min(to, context.now);
  return { vehicle, rows: from > end ? [] : context.telemetry.snapshots(telemetryOf(vehicle), from, end) };
}

function* withDrivers(period: SnapshotPeriod, context: Context): Generator<ShownSnapshot> {
  const found = rowsOf(period, context);
  if (found === null) return;
  const driverAt = driverTimeline(context.fleet, found.vehicle.id);
  for (const row of found.rows) {
    // Only a document that introspects as well comes here; its rows are held in memory, a hundred fields each.
    if (!context.spend(100)) return;
    yield { ...row, vehicle: found.vehicle, driver: driverAt(row.timestamp) };
  }
}

export const rootFields = {
  getSnapshots: (period: SnapshotPeriod, context: Context) => [...withDrivers(period, context)],
  getLatestSnapshots({ vehicleIds }: { readonly vehicleIds: readonly string[] }, context: Context): ShownSnapshot[] {
    const found: ShownSnapshot[] = [];
    for (const id of new Set(vehicleIds)) {
      const vehicle = context.scope.vehicle(id);
      const row = vehicle === null ? null : context.latest(vehicle);
      if (vehicle !== null && row !== null) found.push(shownSnapshot(row, vehicle, context));
    }
    return found;
  },
};
