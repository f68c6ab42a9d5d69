import { dayMs, hourMs } from "../core/durations.js";
import { uuidFromName } from "../core/uuid.js";
import { buildGeofences } from "./geofences.js";
import { buildGroups } from "./groups.js";
import { buildPeople, personFieldNames } from "./people.js";
import { seededRecord } from "./seeded-record.js";
import { buildDevices, buildVehicles, vehicleFieldNames } from "./vehicles.js";
const foundedAt = Date.UTC(2025, 0, 6, 6);
function lazy(create) {
  let result = null;
  return () => {
    result ??= { value: create() };
    return result.value;
  };
}
const weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"];
function buildFleet(options) {
  const { seed, fleetId } = options;
  const newRecord = (kind, name) => seededRecord(options, kind, name, foundedAt);
  const type = (kind, name) => ({
    // All fleets share the same vehicle types.
    id: uuidFromName(`${seed}/vehicle-type/${kind}`),
    name
  });
  const types = { van: type("van", "Van"), truck: type("truck", "Truck"), car: type("car", "Passenger car") };
  const labels = ["Refrigerated", "Leased", "Spare", "Tail lift"].map((name) => ({
    ...newRecord("label", name),
    name
  }));
  const roles = ["Fleet manager", "Dispatcher", "Driver", "Accountant"].map((name) => ({
    ...newRecord("role", name),
    name
  }));
  const workSchedules = [
    {
      ...newRecord("schedule", "Office hours"),
      name: "Office hours",
      isDefault: true,
      beginGrace: 15,
      endGrace: 30,
      periods: weekdays.map((weekday) => ({ weekday, begin: "08:00", duration: 540 }))
    },
    {
      ...newRecord("schedule", "Two shifts"),
      name: "Two shifts",
      isDefault: false,
      beginGrace: 10,
      endGrace: 10,
      periods: [...weekdays, "SATURDAY"].flatMap((weekday) => [
        { weekday, begin: "06:00", duration: 480 },
        { weekday, begin: "14:00", duration: 480 }
      ])
    }
  ];
  const groups = buildGroups(seed, fleetId, options.vehicles, foundedAt);
  const groupIdOf = (name) => groups.groups.find((group) => group.name === name)?.id ?? null;
  const vehicles = lazy(
    () => buildVehicles({
      seed,
      fleetId,
      count: options.vehicles,
      foundedAt,
      regions: options.cities.map(({ name }) => name),
      groups,
      labels,
      types,
      schedules: workSchedules
    })
  );
  const people = lazy(
    () => buildPeople({ seed, fleetId, foundedAt, vehicles: vehicles(), roles, users: options.users })
  );
  const devices = lazy(() => buildDevices(vehicles()));
  const rules = lazy(() => buildRules(vehicles()));
  const restTime = foundedAt + 97 * dayMs - 4 * hourMs;
  const depotPosition = (city) => {
    const localVehicle = vehicles().find(
      ({ region, deviceIds, deactivated }) => region === city.name && deviceIds.length > 0 && !deactivated
    );
    return (localVehicle === void 0 ? null : options.positionAt(localVehicle, restTime)) ?? city;
  };
  const geofences = lazy(() => buildGeofences(seed, fleetId, foundedAt, options.cities, depotPosition, groupIdOf));
  const rule = (name, ruleType, rest) => ({
    id: uuidFromName(`${seed}/${fleetId}/rule/${name}`),
    name,
    enabled: true,
    ruleType,
    assignedVehicleIds: [],
    assignedGroupIds: [],
    assignedToAll: false,
    geofenceIds: [],
    ...rest
  });
  const idsOf = (names) => names.flatMap((name) => groupIdOf(name) ?? []);
  const ofType = (type2) => geofences().filter((fence) => fence.type === type2).map((fence) => fence.id);
  const buildRules = (vehicles2) => [
    rule("Too fast on the motorway", "SPEEDING", { assignedToAll: true }),
    rule("Arrived at a customer", "GEOFENCE_ENTER", {
      assignedGroupIds: idsOf(["Deliveries"]),
      geofenceIds: ofType("CUSTOMER")
    }),
    rule("Left the depot at night", "GEOFENCE_EXIT", {
      assignedVehicleIds: vehicles2.slice(0, 3).map((vehicle) => vehicle.id),
      geofenceIds: ofType("DEPOT")
    }),
    rule("Long idling", "IDLING", { assignedGroupIds: idsOf(["Long haul", "Service"]) }),
    rule("Cargo too warm", "TEMPERATURE", {
      enabled: false,
      assignedVehicleIds: vehicles2.filter((vehicle) => vehicle.kind === "truck").slice(0, 2).map((vehicle) => vehicle.id)
    })
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
      { name: "Cargo temperature", key: 1 },
      { name: "Cargo humidity", key: 2 },
      { name: "Door openings", key: 3 }
    ],
    vehicleFieldNames,
    personFieldNames
  };
}
export {
  buildFleet
};
