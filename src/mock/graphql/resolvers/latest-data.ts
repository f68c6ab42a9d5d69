// Vehicle.latestData: the newest value of each kind of data, put together from the vehicle's newest snapshots.

import type { AddressRecord, VehicleRecord } from '../../store/records.js';
import { regions, type SnapshotRow } from '../../telemetry/telemetry.js';
import { contains } from '../../world/geojson.js';
import { type Context, telemetryOf } from '../context.js';
import { shownSnapshot } from './snapshots.js';

type Kind = 'gps' | 'ignition' | 'canBus' | 'driverBehaviour' | 'temperatures' | 'fleetMetaSensors' | 'fuel' | 'misc';

interface Dated<Value> {
  readonly value: Value;
  readonly timestamp: number;
}

// A kind of data that the newest snapshot does not carry is looked for this far back.
const lookBack = 6 * 3_600_000;
const speedLimits = [30, 50, 70, 90, 110, 120];

function addressOf(vehicle: VehicleRecord, row: SnapshotRow): AddressRecord | null {
  const region = regions.find((one) => one.name === vehicle.region);
  if (region === undefined || row.gps === null || !row.gps.state) return null;
  const { country, countryCode, city, name } = region;
  // No map is at hand: the kilometre square that the position is in stands for the street.
  const north = Math.round((row.gps.latitude - region.latitude) * 111.195);
  const east = Math.round(
    (row.gps.longitude - region.longitude) * 111.195 * Math.cos((region.latitude * Math.PI) / 180),
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

/** Every member is a function, called only when it is selected. */
export function latestData(vehicle: VehicleRecord, context: Context): object | null {
  const newest = context.latest(vehicle);
  if (newest === null) return null;
  const at = newest.timestamp;
  let earlier: readonly SnapshotRow[] | null = null;

  const dated = <K extends Kind>(kind: K): Dated<NonNullable<SnapshotRow[K]>> | null => {
    const here = newest[kind];
    // The comparison with null is what NonNullable says; TypeScript does not narrow an indexed type.
    if (here !== null) return { value: here as NonNullable<SnapshotRow[K]>, timestamp: at };
    if (earlier === null) {
      // Counted before the work is done, by what a vehicle has in that time on an ordinary day.
      const rows = context.spend(500) ? context.telemetry.snapshots(telemetryOf(vehicle), at - lookBack, at) : [];
      earlier = [...rows].sort((a, b) => b.timestamp - a.timestamp);
    }
    for (const row of earlier) {
      const value = row[kind];
      if (value !== null) return { value: value as NonNullable<SnapshotRow[K]>, timestamp: row.timestamp };
    }
    return null;
  };
  const number = (value: number | null | undefined): object | null =>
    value === null || value === undefined ? null : { value, timestamp: at };
  const crash = (): object => {
    const bus = dated('canBus')?.value;
    const { accelerationX: x = 0, accelerationY: y = 0 } = bus ?? {};
    const acceleration = Math.round(Math.hypot(x, y) * 100) / 100;
    return { detected: acceleration > 40, acceleration };
  };

  return {
    timestamp: at,
    gps: () => dated('gps')?.value ?? null,
    gpsWithTimestamp: () => dated('gps'),
    odometer: () => number(newest.odometerKm),
    workingHours: () => number(newest.engineHours),
    engineHours: () => number(dated('canBus')?.value.canEngineHours ?? newest.engineHours),
    address: () => addressOf(vehicle, newest),
    speedLimit: () => {
      const position = dated('gps');
      if (position === null) return null;
      const value = speedLimits.find((limit) => limit >= position.value.speed - 5) ?? 120;
      return { value, timestamp: position.timestamp };
    },
    geofenceData: () => {
      const position = dated('gps');
      if (position === null) return null;
      const { longitude, latitude, state } = position.value;
      const around = [...context.fleet.geofences.values()].filter(
        (fence) => state && context.scope.seesGeofence(fence) && contains(fence.geojson, longitude, latitude),
      );
      return { geofenceIds: around.map((fence) => fence.id), timestamp: position.timestamp };
    },
    metaSensorData: () => {
      const sensors = dated('fleetMetaSensors');
      return sensors === null ? null : { sensors: sensors.value.sensors, timestamp: sensors.timestamp };
    },
    // Only trucks have a power take-off; it runs for a twelfth of the engine's time.
    ptoHoursData: () => number(vehicle.kind === 'truck' ? Math.round((newest.engineHours / 12) * 100) / 100 : 0),
    driverData: () => {
      const { driver } = shownSnapshot(newest, vehicle, context);
      return driver === null ? null : { driverId: driver.driverId, timestamp: at };
    },
    canBus: () => dated('canBus')?.value ?? null,
    canBusWithTimestamp: () => dated('canBus'),
    ignition: () => dated('ignition')?.value ?? null,
    ignitionWithTimestamp: () => dated('ignition'),
    driverBehaviour: () => dated('driverBehaviour')?.value ?? null,
    driverBehaviourWithTimestamp: () => dated('driverBehaviour'),
    temperatures: () => dated('temperatures')?.value ?? null,
    temperaturesWithTimestamp: () => dated('temperatures'),
    fuel: () => dated('fuel')?.value ?? null,
    fuelWithTimestamp: () => dated('fuel'),
    misc: () => dated('misc')?.value ?? null,
    miscWithTimestamp: () => dated('misc'),
    crash,
    crashWithTimestamp: () => ({ value: crash(), timestamp: at }),
  };
}
