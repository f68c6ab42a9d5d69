// The records of the second service and what its operations do with them. Small and plain: lists of objects, found by their ids.
import { randomUUID } from 'node:crypto';

export interface Row {
  [member: string]: unknown;
}

export interface Records {
  readonly query: Readonly<Record<string, (args: Row) => unknown>>;
  readonly mutation: Readonly<Record<string, (args: Row) => unknown>>;
}

const minute = 60_000;
const hour = 60 * minute;
const tripMinutes = 30;

export interface UserEntry {
  readonly userName: string;
  readonly userId: string;
  readonly fleetName: string;
}

export const fleetId = randomUUID();

/** The operations on the records of one fleet. `now` is epoch milliseconds. */
export function createRecords(now: () => number, user: UserEntry): Records {
  const base = (): Row => ({
    id: randomUUID(),
    version: 'v1',
    createdAt: Math.floor(now() / 1000),
    updatedAt: Math.floor(now() / 1000),
    isDeleted: false,
    fleetId,
  });
  const types: Row[] = [{ id: randomUUID(), name: 'Lorry' }];
  const labels: Row[] = [{ ...base(), name: 'Rented' }];
  const roles: Row[] = [{ ...base(), name: 'Clerk' }];
  const schedules: Row[] = [
    { ...base(), name: 'Days', isDefault: true, beginGrace: 5, endGrace: 5, periods: [{ weekday: 1, begin: 480, duration: 540 }] },
  ]; // biome-ignore format: as above
  const groups: Row[] = ['North', 'South'].map((name) => ({ ...base(), name, parentId: null, isOwn: true }));
  const devices: Row[] = ['S-1', 'S-2', 'S-3'].map((serial) => ({
    id: randomUUID(),
    serial,
    deviceTypeKey: 'box',
    enabled: true,
    phoneNumber: null,
  }));
  const vehicles: Row[] = ['Lorry A', 'Lorry B', 'Trailer'].map((name, place) => ({
    ...base(),
    name,
    vin: `VIN0000000000000${place}`,
    licensePlate: `B-${place}`,
    make: 'Acme',
    model: 'Heavy',
    year: 2020 + place,
    deactivated: place === 2,
    groupIds: [groups[0]?.id],
    device: devices[place],
    customFields: [{ name: 'Cost centre', value: '1' }],
  }));
  const people: Row[] = [
    { ...base(), firstName: 'Grace', lastName: 'Hopper', isDriver: true, isUser: false },
    { ...base(), firstName: 'Alan', lastName: 'Turing', isDriver: false, isUser: true },
  ].map((row) => ({ ...row, roleIds: [], customFields: [{ name: 'Shirt size', value: 'M' }] }));
  const tokens: Row[] = [];
  const geofences: Row[] = [
    { ...base(), name: 'Depot', geojson: { type: 'Point', coordinates: [13, 52] }, groupIds: [], displayNameAsAddress: false },
  ]; // biome-ignore format: as above
  const assignments: Row[] = [];
  const rules: Row[] = [
    { id: randomUUID(), name: 'Speeding', enabled: true, ruleType: 'SPEED', vehicles: { assignedVehicleIds: [], assignedGroupIds: [], assignedToAll: true }, geofenceIds: [] },
  ]; // biome-ignore format: as above

  const all = <T>(list: readonly T[]): T[] => [...list];
  const byId = (list: readonly Row[], id: unknown): Row | null => list.find((row) => row.id === id) ?? null;
  const required = (list: readonly Row[], id: unknown): Row => {
    const row = byId(list, id);
    if (row === null) throw new Error('no such record');
    return row;
  };
  const changed = (row: Row, input: unknown): Row => {
    const { version } = row;
    return Object.assign(row, input, {
      version: `v${Number(String(version).slice(1)) + 1}`,
      updatedAt: Math.floor(now() / 1000),
    });
  };
  const removed = (list: Row[], id: unknown): true => {
    list.splice(list.indexOf(required(list, id)), 1);
    return true;
  };
  const added = (list: Row[], row: Row): Row => {
    list.push(row);
    return row;
  };

  /** A trip from each hour on; rows every minute while it lasts, and one when it ends. */
  function rowsBetween(vehicle: Row, from: number, to: number): Row[] {
    const rows: Row[] = [];
    for (let time = Math.ceil(from / minute) * minute; time <= Math.min(to, now()); time += minute) {
      const into = (time % hour) / minute;
      if (into > tripMinutes || vehicle.deactivated === true) continue;
      const isOn = into < tripMinutes;
      rows.push({
        vehicleId: vehicle.id,
        vehicle,
        timestamp: new Date(time).toISOString().replace('Z', '+00:00'),
        gps: {
          state: true,
          latitude: 52 + into / 100,
          longitude: 13,
          direction: 0,
          altitude: 40,
          speed: isOn ? 66.7 : 0,
          satellites: 9,
          hdop: 1,
        },
        ignition: { engineStatus: isOn },
        canBus: null,
        locationTimestamp: new Date(time).toISOString(),
      });
    }
    return rows;
  }
  const latest = (vehicle: Row): Row | null => rowsBetween(vehicle, now() - 2 * hour, now()).at(-1) ?? null;

  const shown = (vehicle: Row): Row => ({
    ...vehicle,
    lastData: () => latest(vehicle),
    assignedGroups: () => groups.filter(({ id }) => (vehicle.groupIds as unknown[]).includes(id)),
    assignedDevices: [vehicle.device],
    assignedLabels: labels,
    lastOdometer: 1234.5,
    lastWorkingHours: 99,
    vehicleType: types[0],
    workSchedule: schedules[0],
  });
  const group = (row: Row): Row => {
    const members = () => vehicles.filter(({ groupIds }) => (groupIds as unknown[]).includes(row.id));
    return { ...row, vehicleIds: () => members().map(({ id }) => id), assignedVehicles: () => members().map(shown) };
  };
  const person = (row: Row): Row => ({
    ...row,
    driverTokens: () => tokens.filter(({ driverId }) => driverId === row.id),
    roles: () => roles.filter(({ id }) => (row.roleIds as unknown[]).includes(id)),
  });
  const setField = (row: Row, field: Row): Row => {
    const fields = row.customFields as Row[];
    const found = fields.find(({ name }) => name === field.name);
    if (found === undefined) throw new Error('no such field');
    return Object.assign(found, field);
  };
  const changeGroups = (row: Row, input: Row | null | undefined): Row => {
    const before = row.groupIds as unknown[];
    const join = ((input?.addGroupIds ?? []) as unknown[]).filter((id) => !before.includes(id));
    const leave = ((input?.removeGroupIds ?? []) as unknown[]).filter((id) => before.includes(id));
    for (const id of join) required(groups, id);
    row.groupIds = [...before.filter((id) => !leave.includes(id)), ...join];
    return { addedGroupIds: join, removedGroupIds: leave };
  };
  const seconds = (value: unknown): number => Math.floor((value == null ? now() : Date.parse(String(value))) / 1000);
  const activeAt = (time: number) => (row: Row) =>
    Number(row.startedAt) <= time && (row.endedAt === null || time < Number(row.endedAt));

  return {
    query: {
      getActiveVehicles: () => vehicles.filter(({ deactivated }) => deactivated !== true).map(shown),
      getVehicles: () => vehicles.map(shown),
      getVehicleById: ({ id }) => {
        const found = byId(vehicles, id);
        return found && shown(found);
      },
      getVehiclesByVin: ({ vin }) => vehicles.filter((row) => row.vin === vin).map(shown),
      getDeviceById: ({ id }) => byId(devices, id),
      getDeviceBySerial: ({ serial }) => devices.find((row) => row.serial === serial) ?? null,
      getDevicesBySerial: ({ serial }) => devices.filter((row) => row.serial === serial),
      getDriverAssignments({ input }) {
        const { vehicleId, driverId } = input as Row;
        if (vehicleId == null && driverId == null) throw new Error('vehicleId or driverId is missing');
        return assignments.filter(
          (row) =>
            (vehicleId == null || row.vehicleId === vehicleId) && (driverId == null || row.driverId === driverId),
        );
      },
      getGeofenceById: ({ id }) => byId(geofences, id),
      getGeofences: () => all(geofences),
      getGroups: () => groups.map(group),
      getLabels: () => all(labels),
      getLatestSnapshots: ({ vehicleIds }) =>
        (vehicleIds as unknown[]).flatMap((id) => {
          const found = byId(vehicles, id);
          const row = found === null ? null : latest(found);
          return row === null ? [] : row;
        }),
      getSnapshots({ vehicleId, from, to }) {
        const found = byId(vehicles, vehicleId);
        return found === null ? [] : rowsBetween(found, Date.parse(String(from)), Date.parse(String(to)));
      },
      getMetaSensors: () => [{ name: 'Door', key: 1 }],
      getPeople: () => people.map(person),
      getPersonById: ({ id }) => {
        const found = byId(people, id);
        return found && person(found);
      },
      getPersonCustomFields: ({ personId }) => byId(people, personId)?.customFields ?? null,
      getRoles: () => all(roles),
      getRuleById: ({ id }) => byId(rules, id),
      getRules: () => all(rules),
      getUserInfo: () => [{ ...user, fleetId }],
      getVehicleCustomFields: ({ vehicleId }) => byId(vehicles, vehicleId)?.customFields ?? null,
      getVehicleMappedSensors: () => [{ name: 'Door', source: 'IN1' }],
      getVehicleTypes: () => all(types),
      getWorkScheduleById: ({ id }) => byId(schedules, id),
      getWorkSchedules: () => all(schedules),
      getWrappedReport: ({ input }) => ({ reportId: (input as Row).reportId, report: { lines: [] } }),
      getWrappedReportInputs: () => [
        { id: 'vehicles', title: 'Vehicles', description: 'All of them', onlyFleetTimezone: false, inputs: {} },
      ],
    },
    mutation: {
      assignDriver({ assignDriverInput }) {
        const { vehicleId, driverId, startTimestamp, endTimestamp } = assignDriverInput as Row;
        required(vehicles, vehicleId);
        required(people, driverId);
        const start = seconds(startTimestamp);
        for (const row of assignments.filter(activeAt(start))) {
          if (row.vehicleId === vehicleId && row.driverId === driverId) return true;
          if (row.vehicleId === vehicleId || row.driverId === driverId) changed(row, { endedAt: start });
        }
        const endedAt = endTimestamp == null ? null : seconds(endTimestamp);
        added(assignments, { ...base(), vehicleId, driverId, startedAt: start, endedAt });
        return true;
      },
      unassignDriver({ unassignDriverInput }) {
        const { vehicleId, driverId, timestamp } = unassignDriverInput as Row;
        const time = seconds(timestamp);
        const row = assignments.filter(activeAt(time)).find((one) => one.vehicleId === vehicleId);
        if (row === undefined || (driverId != null && row.driverId !== driverId)) throw new Error('no assignment then');
        changed(row, { endedAt: time });
        return true;
      },
      changeGeofenceGroups: ({ geofenceId, changeGeofenceGroupsInput }) => ({
        geofenceId,
        ...changeGroups(required(geofences, geofenceId), changeGeofenceGroupsInput as Row | null),
      }),
      changeVehicleGroups: ({ vehicleId, changeVehicleGroupsInput }) => ({
        vehicleId,
        ...changeGroups(required(vehicles, vehicleId), changeVehicleGroupsInput as Row | null),
      }),
      changeVehiclesGroup: ({ vehicleIds, sourceGroupId, destinationGroupId }) =>
        (vehicleIds as unknown[]).map((id) => {
          changeGroups(required(vehicles, id), { addGroupIds: [destinationGroupId], removeGroupIds: [sourceGroupId] });
          return id;
        }),
      createDriverToken: ({ createDriverTokenInput }) =>
        added(tokens, { ...base(), ...(createDriverTokenInput as Row) }),
      updateDriverToken: ({ tokenId, updateDriverTokenInput }) =>
        changed(required(tokens, tokenId), updateDriverTokenInput),
      deleteDriverToken: ({ tokenId }) => removed(tokens, tokenId),
      createGeofence: ({ geofenceInput }) => added(geofences, { ...base(), groupIds: [], ...(geofenceInput as Row) }),
      updateGeofence: ({ geofenceId, geofenceInput }) => changed(required(geofences, geofenceId), geofenceInput),
      deleteGeofence: ({ geofenceId }) => removed(geofences, geofenceId),
      createGroup: ({ createGroupInput }) =>
        group(added(groups, { ...base(), isOwn: true, ...(createGroupInput as Row) })),
      updateGroup: ({ groupId, updateGroupInput }) => group(changed(required(groups, groupId), updateGroupInput)),
      deleteGroup: ({ groupId }) => removed(groups, groupId),
      createPerson: ({ personInput }) =>
        person(
          added(people, {
            ...base(),
            isUser: false,
            isDriver: false,
            roleIds: [],
            customFields: [{ name: 'Shirt size', value: null }],
            ...(personInput as Row),
          }),
        ),
      updatePerson: ({ personId, personInput }) => person(changed(required(people, personId), personInput)),
      deletePerson: ({ personId }) => removed(people, personId),
      setPersonCustomRoles({ personId, roleIds }) {
        changed(required(people, personId), { roleIds });
        return true;
      },
      updatePersonCustomField: ({ personId, field }) => setField(required(people, personId), field as Row),
      updateVehicle: ({ vehicleId, vehicleInput }) => shown(changed(required(vehicles, vehicleId), vehicleInput)),
      updateVehicleCustomField: ({ vehicleId, field }) => setField(required(vehicles, vehicleId), field as Row),
    },
  };
}
