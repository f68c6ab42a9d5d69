// Builds a fleet from the seed. Equal seeds give equal fleets, including all ids.
import { dayMs, hourMs } from '../core/durations.js';
import { uuidFromName } from '../core/uuid.js';
import type {
  FleetData,
  GeofenceRecord,
  RoleRecord,
  RuleRecord,
  VehicleKind,
  VehicleRecord,
  VehicleTypeRecord,
  WorkScheduleRecord,
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

const metaSensors = [
  { name: 'Cargo temperature', key: 1 },
  { name: 'Cargo humidity', key: 2 },
  { name: 'Door openings', key: 3 },
];

function namedRecords(fleet: FleetSeed, kind: string, names: readonly string[]): RoleRecord[] {
  return names.map((name) => ({ ...seededRecord(fleet, kind, name, foundedAt), name }));
}

function buildVehicleTypes(seed: number): Readonly<Record<VehicleKind, VehicleTypeRecord>> {
  const type = (kind: VehicleKind, name: string) => ({ id: uuidFromName(`${seed}/vehicle-type/${kind}`), name });
  return { van: type('van', 'Van'), truck: type('truck', 'Truck'), car: type('car', 'Passenger car') };
}

function buildWorkSchedules(fleet: FleetSeed): WorkScheduleRecord[] {
  const schedule = (
    name: string,
    rest: Pick<WorkScheduleRecord, 'isDefault' | 'beginGrace' | 'endGrace' | 'periods'>,
  ): WorkScheduleRecord => ({ ...seededRecord(fleet, 'schedule', name, foundedAt), name, ...rest });
  return [
    schedule('Office hours', {
      isDefault: true,
      beginGrace: 15,
      endGrace: 30,
      periods: weekdays.map((weekday) => ({ weekday, begin: '08:00', duration: 540 })),
    }),
    schedule('Two shifts', {
      isDefault: false,
      beginGrace: 10,
      endGrace: 10,
      periods: [...weekdays, 'SATURDAY'].flatMap((weekday) => [
        { weekday, begin: '06:00', duration: 480 },
        { weekday, begin: '14:00', duration: 480 },
      ]),
    }),
  ];
}

function buildRules(
  { seed, fleetId }: FleetSeed,
  vehicles: readonly VehicleRecord[],
  geofences: readonly GeofenceRecord[],
  groupIdOf: (name: string) => string | null,
): RuleRecord[] {
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
  const groupIds = (...names: string[]): string[] => names.flatMap((name) => groupIdOf(name) ?? []);
  const geofenceIds = (type: string): string[] => geofences.flatMap((fence) => (fence.type === type ? fence.id : []));
  const trucks = vehicles.filter((vehicle) => vehicle.kind === 'truck');
  const idsOf = (some: readonly VehicleRecord[]): string[] => some.map((vehicle) => vehicle.id);
  return [
    rule('Too fast on the motorway', 'SPEEDING', { assignedToAll: true }),
    rule('Arrived at a customer', 'GEOFENCE_ENTER', {
      assignedGroupIds: groupIds('Deliveries'),
      geofenceIds: geofenceIds('CUSTOMER'),
    }),
    rule('Left the depot at night', 'GEOFENCE_EXIT', {
      assignedVehicleIds: idsOf(vehicles.slice(0, 3)),
      geofenceIds: geofenceIds('DEPOT'),
    }),
    rule('Long idling', 'IDLING', { assignedGroupIds: groupIds('Long haul', 'Service') }),
    rule('Cargo too warm', 'TEMPERATURE', { enabled: false, assignedVehicleIds: idsOf(trucks.slice(0, 2)) }),
  ];
}

/** Returns the place where the vehicles of a city park. */
function depotPosition(city: City, { positionAt }: FleetSeed, vehicles: readonly VehicleRecord[]): Coordinates {
  // Early on a Sunday, when the vehicles are parked at their depot.
  const restTime = foundedAt + 97 * dayMs - 4 * hourMs;
  const localVehicle = vehicles.find(
    ({ region, deviceIds, deactivated }) => region === city.name && deviceIds.length > 0 && !deactivated,
  );
  return (localVehicle === undefined ? null : positionAt(localVehicle, restTime)) ?? city;
}

export function buildFleet(options: FleetSeed): FleetData {
  const { seed, fleetId, cities } = options;
  const types = buildVehicleTypes(seed);
  const labels = namedRecords(options, 'label', ['Refrigerated', 'Leased', 'Spare', 'Tail lift']);
  const roles = namedRecords(options, 'role', ['Fleet manager', 'Dispatcher', 'Driver', 'Accountant']);
  const workSchedules = buildWorkSchedules(options);
  const groups = buildGroups(seed, fleetId, options.vehicles, foundedAt);
  const groupIdOf = (name: string): string | null => groups.groups.find((group) => group.name === name)?.id ?? null;
  const vehicles = lazy(() =>
    buildVehicles({
      seed,
      fleetId,
      count: options.vehicles,
      foundedAt,
      regions: cities.map(({ name }) => name),
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
  const depotOf = (city: City): Coordinates => depotPosition(city, options, vehicles());
  const geofences = lazy(() => buildGeofences(seed, fleetId, foundedAt, cities, depotOf, groupIdOf));
  const rules = lazy(() => buildRules(options, vehicles(), geofences(), groupIdOf));
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
    metaSensors,
    vehicleFieldNames,
    personFieldNames,
  };
}
