// Vehicle.latestData: the newest value of each data kind among the vehicle's recent snapshots.

import { hourMs } from '../../core/durations.js';
import { containsPoint } from '../../core/geojson.js';
import type { AddressRecord, VehicleRecord } from '../../store/tables.js';
import { telemetryVehicleOf } from '../../store/telemetry-vehicle.js';
import { type CanBusRow, type GpsRow, regions, type TelemetryRow } from '../../telemetry/telemetry.js';
import { kmPerDegree } from '../../world/geofences.js';
import type { RequestContext } from '../request-context.js';
import { withVehicleAndDriver } from './snapshots.js';

type DataKind =
  | 'gps'
  | 'ignition'
  | 'canBus'
  | 'driverBehaviour'
  | 'temperatures'
  | 'fleetMetaSensors'
  | 'fuel'
  | 'misc';

interface Timed<Value> {
  readonly value: Value;
  readonly timestamp: number;
}

// Search window for a data kind that the newest snapshot lacks.
const lookBackMs = 6 * hourMs;
const speedLimits = [30, 50, 70, 90, 110, 120];

function addressOf(vehicle: VehicleRecord, row: TelemetryRow): AddressRecord | null {
  const region = regions.find((candidate) => candidate.name === vehicle.region);
  if (region === undefined || row.gps === null || !row.gps.state) return null;
  const { country, countryCode, city, name } = region;
  // There is no map, so streets are named after the square kilometre of the position.
  const north = Math.round((row.gps.latitude - region.latitude) * kmPerDegree);
  const east = Math.round(
    (row.gps.longitude - region.longitude) * kmPerDegree * Math.cos((region.latitude * Math.PI) / 180),
  );
  const street = `Street ${Math.abs(north) * 100 + Math.abs(east)}, ${city}`;
  return {
    country,
    countryCode,
    region: name,
    city,
    postalCode: String(10000 + Math.abs(north * 37 + east)),
    address: street,
  };
}

type NewestOf = <K extends DataKind>(dataKind: K) => Timed<NonNullable<TelemetryRow[K]>> | null;

/** Returns a function that finds the newest value of a kind, in the newest or earlier snapshots. */
function newestValues(newest: TelemetryRow, vehicle: VehicleRecord, context: RequestContext): NewestOf {
  const at = newest.timestamp;
  let earlier: readonly TelemetryRow[] | null = null;
  return <K extends DataKind>(dataKind: K) => {
    const current = newest[dataKind];
    // TypeScript does not narrow an indexed type.
    if (current !== null) return { value: current as NonNullable<TelemetryRow[K]>, timestamp: at };
    if (earlier === null) {
      // About the number of rows that a vehicle sends in the search window.
      const rows = context.tryAddRecords(500)
        ? context.telemetry.snapshots(telemetryVehicleOf(vehicle), at - lookBackMs, at)
        : [];
      earlier = [...rows].sort((a, b) => b.timestamp - a.timestamp);
    }
    for (const row of earlier) {
      const value = row[dataKind];
      if (value !== null) return { value: value as NonNullable<TelemetryRow[K]>, timestamp: row.timestamp };
    }
    return null;
  };
}

function speedLimitAt(position: Timed<GpsRow> | null): Timed<number> | null {
  if (position === null) return null;
  // A vehicle exceeds the limit by at most 5 km/h.
  const value = speedLimits.find((limit) => limit >= position.value.speed - 5) ?? 120;
  return { value, timestamp: position.timestamp };
}

function geofencesAt(position: Timed<GpsRow> | null, { fleet, scope }: RequestContext): object | null {
  if (position === null) return null;
  const { longitude, latitude, state } = position.value;
  const containing = [...fleet.geofences.values()].filter(
    (fence) => state && scope.canSeeGeofence(fence) && containsPoint(fence.geojson, longitude, latitude),
  );
  return { geofenceIds: containing.map((fence) => fence.id), timestamp: position.timestamp };
}

function crashOf(bus: CanBusRow | undefined): object {
  const { accelerationX: x = 0, accelerationY: y = 0 } = bus ?? {};
  const acceleration = Math.round(Math.hypot(x, y) * 100) / 100;
  return { detected: acceleration > 40, acceleration };
}

/** Returns an object of functions, which graphql-js calls only for selected members. */
export function latestData(vehicle: VehicleRecord, context: RequestContext): object | null {
  const newest = context.latestSnapshot(vehicle);
  if (newest === null) return null;
  const at = newest.timestamp;
  const newestOf = newestValues(newest, vehicle, context);
  const timedNumber = (value: number | null | undefined): object | null =>
    value === null || value === undefined ? null : { value, timestamp: at };
  const crash = (): object => crashOf(newestOf('canBus')?.value);
  return {
    timestamp: at,
    gps: () => newestOf('gps')?.value ?? null,
    gpsWithTimestamp: () => newestOf('gps'),
    odometer: () => timedNumber(newest.odometerKm),
    workingHours: () => timedNumber(newest.engineHours),
    engineHours: () => timedNumber(newestOf('canBus')?.value.canEngineHours ?? newest.engineHours),
    address: () => addressOf(vehicle, newest),
    speedLimit: () => speedLimitAt(newestOf('gps')),
    geofenceData: () => geofencesAt(newestOf('gps'), context),
    metaSensorData: () => {
      const sensors = newestOf('fleetMetaSensors');
      return sensors === null ? null : { sensors: sensors.value.sensors, timestamp: sensors.timestamp };
    },
    // Only trucks have a power take-off; it runs for a twelfth of the engine hours.
    ptoHoursData: () => timedNumber(vehicle.kind === 'truck' ? Math.round((newest.engineHours / 12) * 100) / 100 : 0),
    driverData: () => {
      const { driver } = withVehicleAndDriver(newest, vehicle, context);
      return driver === null ? null : { driverId: driver.driverId, timestamp: at };
    },
    canBus: () => newestOf('canBus')?.value ?? null,
    canBusWithTimestamp: () => newestOf('canBus'),
    ignition: () => newestOf('ignition')?.value ?? null,
    ignitionWithTimestamp: () => newestOf('ignition'),
    driverBehaviour: () => newestOf('driverBehaviour')?.value ?? null,
    driverBehaviourWithTimestamp: () => newestOf('driverBehaviour'),
    temperatures: () => newestOf('temperatures')?.value ?? null,
    temperaturesWithTimestamp: () => newestOf('temperatures'),
    fuel: () => newestOf('fuel')?.value ?? null,
    fuelWithTimestamp: () => newestOf('fuel'),
    misc: () => newestOf('misc')?.value ?? null,
    miscWithTimestamp: () => newestOf('misc'),
    crash,
    crashWithTimestamp: () => ({ value: crash(), timestamp: at }),
  };
}
