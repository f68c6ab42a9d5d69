// User journeys through a service, end to end. Each returns its results as plain data, to compare
// two services. None names a type or a member that the contract does not show.

import { checkSchema } from '../../src/check-schema.js';
import type { Fetch } from '../../src/core/ports.js';
import { operations } from '../../src/generated/operation-table.js';
import { FleetClient, FleetError, type OperationName, toDate } from '../../src/index.js';
import { toGeoJson } from '../../src/telemetry/tracks/write-tracks.js';
import { shell } from '../cli/harness.js';

export interface Station {
  readonly baseUrl: string;
  /** For commands, and for clients without own connections. */
  readonly fetch: Fetch;
  readonly usesOwnConnections: boolean;
  readonly clock: { now(): number };
  readonly advance: (ms: number) => void;
  /** Returns this service's name of a member of a guessed input. */
  readonly member: (name: string) => string;
}

export interface Journey {
  readonly name: string;
  readonly run: (station: Station) => Promise<unknown>;
}

const hour = 3_600_000;
const day = 24 * hour;

function clientOf({ baseUrl, fetch, clock, usesOwnConnections }: Station): FleetClient {
  return new FleetClient({
    baseUrl,
    credentials: { username: 'demo', password: 'demo' },
    ...(usesOwnConnections ? {} : { fetch }),
    clock,
    retry: { baseDelayMs: 1, maxDelayMs: 50 },
  });
}

async function factsOf(fleet: FleetClient) {
  const [vehicles, people, groups, geofences] = [
    await fleet.getActiveVehicles(),
    await fleet.getPeople(),
    await fleet.getGroups(),
    await fleet.getGeofences(),
  ];
  const [rules, schedules] = [await fleet.getRules(), await fleet.getWorkSchedules()];
  const named = vehicles.find(({ name }) => name === 'Truck 01') ?? vehicles[0];
  const driver = people.find(({ isDriver, isUser }) => isDriver && !isUser);
  const text = (value: string | null | undefined): string => {
    if (value == null) throw new Error('the fleet lacks a record that the journeys need');
    return value;
  };
  return {
    vehicleId: text(named?.id),
    vehicleName: text(named?.name),
    vin: text(named?.vin),
    device: { id: text(named?.assignedDevices?.[0]?.id), serial: text(named?.assignedDevices?.[0]?.serial) },
    driverId: text(driver?.id),
    driverName: `${text(driver?.firstName)} ${text(driver?.lastName)}`,
    groupId: text(groups[0]?.id),
    geofenceId: text(geofences[0]?.id),
    ruleId: text(rules[0]?.id),
    scheduleId: text(schedules[0]?.id),
  };
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

const timeFields = /^(createdAt|updatedAt|startedAt|endedAt|lastScanTimestamp|timestamp|locationTimestamp)$/;

/** Returns the value with times in one form, because the contract allows several. */
function comparable(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member, name)]));
  if (timeFields.test(key) && (typeof value === 'string' || typeof value === 'number'))
    return toDate(value)?.toISOString() ?? value;
  return value;
}

/** Returns the result of a call, or its error's code and first line. */
async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return comparable(await call());
  } catch (error) {
    if (FleetError.is(error)) return `${error.code}: ${error.message.split('\n', 1).join('').slice(0, 90)}`;
    throw error;
  }
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const period = ({ clock }: Station, days: number) => ({
  from: new Date(clock.now() - days * day),
  to: new Date(clock.now()),
});

type Calls = Partial<Record<OperationName, (fleet: FleetClient, facts: Facts) => Promise<unknown>>>;

const queries = (station: Station): Calls => ({
  getActiveVehicles: (fleet) => fleet.getActiveVehicles(),
  getVehicles: (fleet) => fleet.getVehicles(),
  getVehicleById: (fleet, { vehicleId }) => fleet.getVehicleById({ id: vehicleId }),
  getVehiclesByVin: (fleet, { vin }) => fleet.getVehiclesByVin({ vin }),
  getDeviceById: (fleet, { device }) => fleet.getDeviceById({ id: device.id }),
  getDeviceBySerial: (fleet, { device }) => fleet.getDeviceBySerial({ serial: device.serial }),
  getDevicesBySerial: (fleet, { device }) => fleet.getDevicesBySerial({ serial: device.serial }),
  getDriverAssignments: (fleet, { vehicleId }) => fleet.getDriverAssignments({ input: { vehicleId } }),
  getGeofenceById: (fleet, { geofenceId }) => fleet.getGeofenceById({ id: geofenceId }),
  getGeofences: (fleet) => fleet.getGeofences(),
  getGroups: (fleet) => fleet.getGroups(),
  getLabels: (fleet) => fleet.getLabels(),
  getLatestSnapshots: (fleet, { vehicleId }) => fleet.getLatestSnapshots({ vehicleIds: [vehicleId] }),
  getSnapshots: (fleet, { vehicleId }) => fleet.getSnapshots({ vehicleId, ...period(station, 9) }),
  getMetaSensors: (fleet) => fleet.getMetaSensors(),
  getPeople: (fleet) => fleet.getPeople(),
  getPersonById: (fleet, { driverId }) => fleet.getPersonById({ id: driverId }),
  getPersonCustomFields: (fleet, { driverId }) => fleet.getPersonCustomFields({ personId: driverId }),
  getRoles: (fleet) => fleet.getRoles(),
  getRuleById: (fleet, { ruleId }) => fleet.getRuleById({ id: ruleId }),
  getRules: (fleet) => fleet.getRules(),
  getUserInfo: (fleet) => fleet.getUserInfo(),
  getVehicleCustomFields: (fleet, { vehicleId }) => fleet.getVehicleCustomFields({ vehicleId }),
  getVehicleMappedSensors: (fleet, { vehicleId }) => fleet.getVehicleMappedSensors({ vehicleId }),
  getVehicleTypes: (fleet) => fleet.getVehicleTypes(),
  getWorkScheduleById: (fleet, { scheduleId }) => fleet.getWorkScheduleById({ id: scheduleId }),
  getWorkSchedules: (fleet) => fleet.getWorkSchedules(),
  getWrappedReport: (fleet) => fleet.getWrappedReport({ input: { [station.member('reportId')]: 'vehicles' } }),
  getWrappedReportInputs: (fleet) => fleet.getWrappedReportInputs({ id: 'vehicles' }),
});

/** In order: later mutations use records of earlier ones. */
const mutations = (station: Station): Calls => {
  const named = (members: object) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [station.member(name), value]));
  const made = { group: '', geofence: '', person: '', token: '' };
  const keep = async (kind: keyof typeof made, record: Promise<{ readonly id?: string | null } | null>) => {
    const { id } = (await record) ?? {};
    made[kind] = id ?? '';
    return id != null;
  };
  // biome-ignore format: one shape
  const polygon = { type: 'Polygon', coordinates: [[[13, 52], [13.1, 52], [13.1, 52.1], [13, 52]]] };
  return {
    createGroup: (fleet) => keep('group', fleet.createGroup({ createGroupInput: named({ name: 'Night shift' }) })),
    updateGroup: (fleet) =>
      fleet.updateGroup(
        { groupId: made.group, updateGroupInput: named({ name: 'Day shift' }) },
        { select: { name: true } },
      ),
    changeVehicleGroups: (fleet, { vehicleId }) =>
      fleet.changeVehicleGroups(
        { vehicleId, changeVehicleGroupsInput: named({ addGroupIds: [made.group] }) },
        { select: { vehicleId: true } },
      ),
    changeVehiclesGroup: (fleet, { vehicleId, groupId }) =>
      fleet.changeVehiclesGroup({ vehicleIds: [vehicleId], sourceGroupId: made.group, destinationGroupId: groupId }),
    createGeofence: (fleet) =>
      keep('geofence', fleet.createGeofence({ geofenceInput: named({ name: 'Yard', geojson: polygon }) })),
    updateGeofence: (fleet) =>
      fleet.updateGeofence(
        { geofenceId: made.geofence, geofenceInput: named({ name: 'Old yard' }) },
        { select: { name: true } },
      ),
    changeGeofenceGroups: (fleet, { groupId }) =>
      fleet.changeGeofenceGroups(
        { geofenceId: made.geofence, changeGeofenceGroupsInput: named({ addGroupIds: [groupId] }) },
        { select: { addedGroupIds: true } },
      ),
    deleteGeofence: (fleet) => fleet.deleteGeofence({ geofenceId: made.geofence }),
    createPerson: (fleet) =>
      keep(
        'person',
        fleet.createPerson({ personInput: named({ firstName: 'Ada', lastName: 'Byron', isDriver: true }) }),
      ),
    updatePerson: (fleet) =>
      fleet.updatePerson(
        { personId: made.person, personInput: named({ lastName: 'Lovelace' }) },
        { select: { lastName: true } },
      ),
    createDriverToken: (fleet) =>
      keep(
        'token',
        fleet.createDriverToken({ createDriverTokenInput: named({ value: 'C-1', driverId: made.person }) }),
      ),
    updateDriverToken: (fleet) =>
      fleet.updateDriverToken(
        { tokenId: made.token, updateDriverTokenInput: named({ value: 'C-2' }) },
        { select: { value: true } },
      ),
    deleteDriverToken: (fleet) => fleet.deleteDriverToken({ tokenId: made.token }),
    setPersonCustomRoles: (fleet) => fleet.setPersonCustomRoles({ personId: made.person, roleIds: [] }),
    updatePersonCustomField: (fleet) =>
      fleet.updatePersonCustomField({ personId: made.person, field: named({ name: 'Shirt size', value: 'L' }) }),
    assignDriver: (fleet, { vehicleId }) =>
      fleet.assignDriver({ assignDriverInput: { vehicleId, driverId: made.person } }),
    unassignDriver: (fleet, { vehicleId }) =>
      // The contract names the member driverId only.
      fleet.unassignDriver({ unassignDriverInput: { ...named({ vehicleId }), driverId: made.person } as never }),
    deletePerson: (fleet) => fleet.deletePerson({ personId: made.person }),
    deleteGroup: (fleet) => fleet.deleteGroup({ groupId: made.group }),
    updateVehicle: (fleet, { vehicleId }) =>
      fleet.updateVehicle(
        { vehicleId, vehicleInput: named({ licensePlate: 'XX 1' }) },
        { select: { licensePlate: true } },
      ),
    updateVehicleCustomField: (fleet, { vehicleId }) =>
      fleet.updateVehicleCustomField({ vehicleId, field: named({ name: 'Cost centre', value: '4711' }) }),
  };
};

async function called(station: Station, calls: Calls, kind: 'query' | 'mutation'): Promise<Record<string, unknown>> {
  const operationNames = Object.values(operations)
    .filter((operation) => operation.kind === kind)
    .map(({ name }) => name);
  const missing = operationNames.filter((name) => calls[name] === undefined);
  if (missing.length > 0) throw new Error(`no journey calls ${missing.join(', ')}`);
  await using fleet = clientOf(station);
  const facts = await factsOf(fleet);
  const results: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) results[name] = await outcome(() => call(fleet, facts));
  return results;
}

async function command(
  station: Station,
  words: readonly string[],
  keep: (stdout: string) => unknown,
): Promise<unknown> {
  const env = { FLEET_BASE_URL: station.baseUrl, FLEET_USERNAME: 'demo', FLEET_PASSWORD: 'demo' };
  const { code, stdout, stderr } = await shell(station.fetch, env)(words, { clock: station.clock });
  if (code === 0) return keep(stdout);
  return `exit ${code}: ${stderr.split('\n', 1).join('').slice(0, 110)}`;
}

const rowsOf = (stdout: string): unknown => comparable(JSON.parse(stdout));

export const journeys: readonly Journey[] = [
  {
    name: 'login',
    async run(station) {
      await using fleet = clientOf(station);
      return (await fleet.listLoginUsers()).map(({ userName, fleetName }) => ({ userName, fleetName }));
    },
  },
  {
    name: 'session',
    // Works at once, after the access token has expired, after several refreshes, and after the
    // refresh token has expired.
    async run(station) {
      await using fleet = clientOf(station);
      const results: unknown[] = [];
      for (const ms of [0, 301_000, 301_000, 301_000, 13 * hour]) {
        station.advance(ms);
        results.push(await outcome(async () => (await fleet.getRoles()).length));
      }
      return results;
    },
  },
  { name: 'queries', run: (station) => called(station, queries(station), 'query') },
  { name: 'mutations', run: (station) => called(station, mutations(station), 'mutation') },
  {
    name: 'stream',
    async run(station) {
      await using fleet = clientOf(station);
      const { vehicleId } = await factsOf(fleet);
      return await outcome(async () => {
        const rows = await collected(fleet.streamSnapshots({ vehicleId, ...period(station, 9) }));
        const times = rows.map(({ timestamp }) => toDate(timestamp)?.getTime() ?? 0);
        const isOrdered = times.every((time, i) => i === 0 || time >= (times[i - 1] ?? 0));
        return { rows: rows.length, distinct: new Set(times).size, isOrdered: isOrdered ? 'yes' : 'no' };
      });
    },
  },
  {
    name: 'trips',
    async run(station) {
      await using fleet = clientOf(station);
      const { vehicleId } = await factsOf(fleet);
      return await outcome(async () => {
        const trips = await collected(fleet.streamTrips({ vehicleId, ...period(station, 9) }));
        return trips.map(({ startedAt, endedAt, distanceKm }) => [startedAt, endedAt, distanceKm.toFixed(1)]);
      });
    },
  },
  {
    name: 'track',
    async run(station) {
      await using fleet = clientOf(station);
      const { vehicleId } = await factsOf(fleet);
      return await outcome(async () => {
        const text = (await collected(toGeoJson(fleet.streamSnapshots({ vehicleId, ...period(station, 2) })))).join('');
        const { features } = JSON.parse(text) as { features: { geometry: { coordinates: unknown[] } }[] };
        return features.map(({ geometry }) => geometry.coordinates.length);
      });
    },
  },
  {
    name: 'schema check',
    async run(station) {
      await using fleet = clientOf(station);
      return await outcome(async () => {
        const report = await checkSchema(fleet);
        return {
          source: report.source,
          breaks: report.operations.filter(({ status }) => status === 'breaks').map(({ operation }) => operation),
          refuted: report.assumptions.filter(({ status }) => status === 'refuted').map(({ where }) => where),
          changes: report.changes.map(({ kind, where }) => `${kind} ${where}`),
        };
      });
    },
  },
  {
    name: 'doctor',
    run: (station) => command(station, ['doctor'], () => 'no complaint'),
  },
  {
    name: 'names',
    // Looks up records by name, for a read and for a change, and reads the live board.
    async run(station) {
      await using fleet = clientOf(station);
      const { vehicleName, driverName } = await factsOf(fleet);
      const twin = { personInput: { [station.member('firstName')]: 'Zoe', [station.member('lastName')]: 'Quick' } };
      const deleted = await outcome(async () => {
        const gone = await fleet.createPerson(twin);
        await fleet.createPerson(twin);
        return fleet.deletePerson({ personId: gone?.id ?? '' });
      });
      return {
        deleted,
        twin: await command(station, ['people', 'get', 'Zoe Quick', '-o', 'json', '--fields', 'lastName'], rowsOf),
        read: await command(station, ['vehicles', 'get', vehicleName, '-o', 'json', '--fields', 'name,vin'], rowsOf),
        change: await command(station, ['drivers', 'assign', vehicleName, driverName, '--yes'], () => 'assigned'),
        trips: await command(
          station,
          ['trips', 'list', vehicleName, '--from', '-9d', '-o', 'json', '--fields', 'startedAt'],
          rowsOf,
        ),
        board: await command(station, ['vehicles', 'status', '-o', 'json', '--fields', 'name,status'], rowsOf),
      };
    },
  },
];
