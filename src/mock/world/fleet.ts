// One fleet as the seed makes it: same seed, same fleet, to the last id.
import type {
  FleetData,
  RuleRecord,
  VehicleKind,
  VehicleRecord,
  VehicleTypeRecord,
  Versioned,
} from '../store/records.js';
import { buildGroups } from './groups.js';
import { buildPeople, personFieldNames } from './people.js';
import { buildGeofences, type Place, type Point } from './places.js';
import { uuidOf } from './random.js';
import type { FleetUser } from './users.js';
import { buildDevices, buildVehicles, vehicleFieldNames } from './vehicles.js';

/** When every seeded fleet began: a fixed date, so that the world does not depend on when the service is started. */
const founded = Date.UTC(2025, 0, 6, 6);

export interface FleetPlan {
  readonly seed: number;
  readonly fleetId: string;
  readonly vehicles: number;
  readonly users: readonly FleetUser[];
  readonly places: readonly Place[];
  /** Where a vehicle stood at a time; null when nothing is known. */
  readonly positionAt: (vehicle: VehicleRecord, time: number) => Point | null;
}

/** Makes something when it is first asked for: a large fleet's people are not made to list its vehicles. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY'];

export function buildFleet(plan: FleetPlan): FleetData {
  const { seed, fleetId } = plan;
  const start = (kind: string, name: string): Versioned => ({
    id: uuidOf(`${seed}/${fleetId}/${kind}/${name}`),
    version: 1,
    createdAt: founded,
    updatedAt: founded,
    fleetId,
  });
  const type = (kind: VehicleKind, name: string): VehicleTypeRecord => ({
    // Vehicle types are the service's own, the same in every fleet.
    id: uuidOf(`${seed}/vehicle-type/${kind}`),
    name,
  });
  const types = { van: type('van', 'Van'), truck: type('truck', 'Truck'), car: type('car', 'Passenger car') };
  const labels = ['Refrigerated', 'Leased', 'Spare', 'Tail lift'].map((name) => ({ ...start('label', name), name }));
  const roles = ['Fleet manager', 'Dispatcher', 'Driver', 'Accountant'].map((name) => ({
    ...start('role', name),
    name,
  }));
  const workSchedules = [
    {
      ...start('schedule', 'Office hours'),
      name: 'Office hours',
      isDefault: true,
      beginGrace: 15,
      endGrace: 30,
      periods: weekdays.map((weekday) => ({ weekday, begin: '08:00', duration: 540 })),
    },
    {
      ...start('schedule', 'Two shifts'),
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
  const groups = buildGroups(seed, fleetId, plan.vehicles, founded);
  const groupIdOf = (name: string): string | null => groups.groups.find((group) => group.name === name)?.id ?? null;
  const vehicles = once(() =>
    buildVehicles({
      seed,
      fleetId,
      count: plan.vehicles,
      founded,
      regions: plan.places.map((place) => place.name),
      groups,
      labels,
      types,
      schedules: workSchedules,
    }),
  );
  const people = once(() => buildPeople({ seed, fleetId, founded, vehicles: vehicles(), roles, users: plan.users }));
  const devices = once(() => buildDevices(vehicles()));
  const rules = once(() => buildRules(vehicles()));
  // Early on a Sunday, when the vehicles stand where they belong.
  const atRest = founded + 97 * 86_400_000 - 4 * 3_600_000;
  const depotIn = (city: Place): Point => {
    const resident = vehicles().find(
      ({ region, deviceIds, deactivated }) => region === city.name && deviceIds.length > 0 && !deactivated,
    );
    return (resident === undefined ? null : plan.positionAt(resident, atRest)) ?? city;
  };
  const geofences = once(() => buildGeofences(seed, fleetId, founded, plan.places, depotIn, groupIdOf));

  const rule = (name: string, ruleType: string, rest: Partial<RuleRecord>): RuleRecord => ({
    id: uuidOf(`${seed}/${fleetId}/rule/${name}`),
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
  const ofType = (wanted: string): string[] =>
    geofences()
      .filter((fence) => fence.type === wanted)
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
