const vehicleRow = (vehicle, context) => {
  const newest = context.latestSnapshot(vehicle);
  const odometer = newest?.odometerKm ?? null;
  const { id: vehicleId, name, licensePlate, vin, make, model, year, deactivated, customFields } = vehicle;
  return {
    ...{ vehicleId, vehicle: name, licensePlate, vin, make, model, year, deactivated, odometer },
    nextInspection: customFields.find((field) => field.name === "Next inspection")?.value ?? null,
    // As the vehicle reports it, or else a service every 30,000 km.
    kmToService: newest?.canBus?.canServiceDistance ?? (odometer === null ? null : 3e4 - odometer % 3e4)
  };
};
const eachVehicle = {
  inputs: ["vehicleIds"],
  maxVehicleDays: null,
  columns: ["vehicleId", "vehicle"],
  rows: ({ vehicles, context }) => vehicles.map((vehicle) => vehicleRow(vehicle, context))
};
const eachPerson = {
  inputs: [],
  maxVehicleDays: null,
  columns: ["personId", "name"],
  *rows({ context: { fleet, scope } }) {
    for (const person of fleet.people.values()) {
      if (!scope.canSeePerson(person)) continue;
      yield {
        personId: person.id,
        name: [person.firstName, person.lastName].filter((name) => name !== null).join(" "),
        email: person.email,
        isDriver: person.isDriver,
        isUser: person.isUser,
        roles: person.roleIds.map((id) => fleet.roles.get(id)?.name ?? id).join(", "),
        tokens: fleet.tokens.findBy("driver", person.id).length
      };
    }
  }
};
const eachGroup = {
  inputs: [],
  maxVehicleDays: null,
  columns: ["groupId", "name"],
  *rows({ context: { fleet, scope } }) {
    for (const group of fleet.groups.values()) {
      if (!scope.canSeeGroup(group)) continue;
      const parent = group.parentId === null ? null : scope.group(group.parentId)?.name ?? null;
      yield { groupId: group.id, name: group.name, parent, vehicles: fleet.vehicles.findBy("group", group.id).length };
    }
  }
};
export {
  eachGroup,
  eachPerson,
  eachVehicle
};
