// Builds a fleet from the seed. Equal seeds give equal fleets, including all ids.
import { dayMs, hourMs } from '../core/durations.js';
import { uuidFromName } from '../core/uuid.js';
import type {
  FleetData,
  RuleRecord,
  VehicleKind,
  VehicleRecord,
  VehicleTypeRecord,
  Versioned,
} from '../store/tables.js';
import { buildGeofences, type City, type Coordinates } from './geofences.js';
import { buildGroups } from './groups.js';
import { buildPeople, personFieldNames } from './people.js';
import { seededRecord } from './seeded-record.js';
import type { MockLoginUser } from './users.js';
import { buildDevices, buildVehicles, vehicleFieldNames } from './vehicles.js';

/** Creation time of seeded fleets, fixed so that the data does not depend on the start time. */
const foundedAt = Date.UTC(2025, 0, 6, 6);

export interface FleetSeed {
  readonly seed: number;
  readonly fleetId: string;
  readonly vehicles: number;
  readonly users: readonly MockLoginUser[];
  readonly cities: readonly City[];
  /** Position at a time; null when unknown. */
  readonly positionAt: (vehicle: VehicleRecord, time: number) => Coordinates | null;
}

/** Creates a value on first use: a request for vehicles must not build a large fleet's people. */
function lazy<T>(create: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => {
    result ??= { value: create() };
    return result.value;
  };
}

const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];

export function buildFleet(options: FleetSeed): FleetData {
  const { seed, fleetId } = options;
  const newRecord = (kind: string, name: string): Versioned => seededRecord(options, kind, name, foundedAt);
  const type = (kind: VehicleKind, name: string): VehicleTypeRecord => ({
    id: uuidFromName(`${seed}/vehicle-type/${kind}`),
    name,
  });
  const types = { van: type('van', 'Van'), truck: type('truck', 'Truck'), car: type('car', 'Passenger car') };
  const labels = ['Refrigerated', 'Leased', 'Spare', 'Tail lift'].map((name) => ({
    ...newRecord('label', name),
    name,
  }));
  const roles = ['Fleet manager', 'Dispatcher', 'Driver', 'Accountant'].map((name) => ({
    ...newRecord('role', name),
    name,
  }));
  const workSchedules = [
    {
      ...newRecord('schedule', 'Office hours'),
      name: 'Office hours',
      isDefault: true,
      beginGrace: 15,
      endGrace: 30,
      periods: weekdays.map((weekday) => ({ weekday, begin: '08:00', duration: 540 })),
    },
    {
      ...newRecord('schedule', 'Two shifts'),
      name: 'Two shifts',
      isDefault: false,
      beginGrace: 10,
      endGrace: 10,
      periods: [...weekdays, 'SATURDAY'].flatMap((weekday) => [
        { weekday, begin: '06:00', duration: 480 },
        { weekday, begin: '14:00', duration: 480 },
      ]),
    },
  ];
  const groups = buildGroups(seed, fleetId, options.vehicles, foundedAt);
  const groupIdOf = (name: string): string | null => groups.groups.find((group) => group.name === name)?.id ?? null;
  const vehicles = lazy(() =>
    buildVehicles({
      seed,
      fleetId,
      count: options.vehicles,
      foundedAt,
      regions: options.cities.map(({ name }) => name),
      groups,
      labels,
      types,
      schedules: workSchedules,
    }),
  );
  const people = lazy(() =>
    buildPeople({ seed, fleetId, foundedAt, vehicles: vehicles(), roles, users: options.users }),
  );
  const devices = lazy(() => buildDevices(vehicles()));
  const rules = lazy(() => buildRules(vehicles()));
  // Early on a Sunday, when the vehicles are parked at their depot.
  const restTime = foundedAt + 97 * dayMs - 4 * hourMs;
  const depotPosition = (city: City): Coordinates => {
    const localVehicle = vehicles().find(
      ({ region, deviceIds, deactivated }) => region === city.name && deviceIds.length > 0 && !deactivated,
    );
    return (localVehicle === undefined ? null : options.positionAt(localVehicle, restTime)) ?? city;
  };
  const geofences = lazy(() => buildGeofences(seed, fleetId, foundedAt, options.cities, depotPosition, groupIdOf));

  const rule = (name: string, ruleType: string, rest: Partial<RuleRecord>): RuleRecord => ({
    id: uuidFromName(`${seed}/${fleetId}/rule/${name}`),
    name,
    enabled: true,
    ruleType,
    assignedVehicleIds: [],
    assignedGroupIds: [],
    assignedToAll: false,
    geofenceIds: [],
    ...rest,
  });
  const idsOf = (names: readonly string[]): string[] => names.flatMap((name) => groupIdOf(name) ?? []);
  const ofType = (type: string): string[] =>
    geofences()
      .filter((fence) => fence.type === type)
      .map((fence) => fence.id);
  const buildRules = (vehicles: readonly VehicleRecord[]): RuleRecord[] => [
    rule('Too fast on the motorway', 'SPEEDING', { assignedToAll: true }),
    rule('Arrived at a customer', 'GEOFENCE_ENTER', {
      assignedGroupIds: idsOf(['Deliveries']),
      geofenceIds: ofType('CUSTOMER'),
    }),
    rule('Left the depot at night', 'GEOFENCE_EXIT', {
      assignedVehicleIds: vehicles.slice(0, 3).map((vehicle) => vehicle.id),
      geofenceIds: ofType('DEPOT'),
    }),
    rule('Long idling', 'IDLING', { assignedGroupIds: idsOf(['Long haul', 'Service']) }),
    rule('Cargo too warm', 'TEMPERATURE', {
      enabled: false,
      assignedVehicleIds: vehicles
        .filter((vehicle) => vehicle.kind === 'truck')
        .slice(0, 2)
        .map((vehicle) => vehicle.id),
    }),
  ];

  return {
    get vehicles() {
      return vehicles();
    },
    get devices() {
      return devices();
    },
    groups: groups.groups,
    labels,
    vehicleTypes: Object.values(types),
    workSchedules,
    get people() {
      return people().people;
    },
    get tokens() {
      return people().tokens;
    },
    roles,
    get assignments() {
      return people().assignments;
    },
    get geofences() {
      return geofences();
    },
    get rules() {
      return rules();
    },
    metaSensors: [
      { name: 'Cargo temperature', key: 1 },
      { name: 'Cargo humidity', key: 2 },
      { name: 'Door openings', key: 3 },
    ],
    vehicleFieldNames,
    personFieldNames,
  };
}
