// Every contract field needs a value in the reference service: examples would show an empty column.
import {
  buildClientSchema,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { caller, frozenService, hour, iso, noon } from './caller.js';

test('every field of every type can be selected, and somewhere in the fleet has a value', async () => {
  const demo = await caller(frozenService().fetch);
  const schema = buildClientSchema(await demo.data(getIntrospectionQuery()));
  const whole = (type: GraphQLObjectType, depth: number): string =>
    Object.values(type.getFields())
      .map((field) => {
        const below = getNamedType(field.type);
        if (isLeafType(below)) return field.name;
        return isObjectType(below) && depth > 0 ? `${field.name} { __typename ${whole(below, depth - 1)} }` : '';
      })
      .join(' ');
  const of = (name: string, depth: number) => {
    const type = schema.getType(name);
    return isObjectType(type) ? whole(type, depth) : '';
  };
  const { getVehicles } = await demo.data('{ getVehicles { id lastData { timestamp } latestData { timestamp } } }');
  const valued = new Map<string, boolean>();
  const look = (type: GraphQLObjectType, value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) look(type, item);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const below = getNamedType(type.getFields()[key]?.type);
        const name = `${type.name}.${key}`;
        valued.set(
          name,
          valued.get(name) === true || (member !== null && (!Array.isArray(member) || member.length > 0)),
        );
        if (isObjectType(below)) look(below, member);
      }
    }
  };
  const query = schema.getQueryType();
  if (!query) throw new Error('no query type');
  look(
    query,
    await demo.data(`{ getVehicles { ${of('Vehicle', 4)} } getPeople { ${of('Person', 2)} } getGroups { ${of('Group', 1)} }
    getGeofences { ${of('Geofence', 1)} } getRules { ${of('Rule', 1)} } getWorkSchedules { ${of('WorkSchedule', 1)} } getLabels { ${of('Label', 1)} }
    getRoles { ${of('Role', 1)} } getMetaSensors { ${of('MetaSensor', 1)} } getVehicleTypes { id name } getUserInfo { ${of('FleetUserInfo', 1)} }
    getWrappedReportInputs { ${of('WrappedReportInputs', 1)} } getWrappedReport(input: { reportId: "vehicles" }) { reportId report } }`),
  );
  const never = () => [...valued].filter(([, has]) => !has).map(([name]) => name);
  // Reads vehicle by vehicle, until every field has a value.
  for (const { id } of getVehicles) {
    look(
      query,
      await demo.data(
        `query ($v: UUID!, $f: DateTime!, $t: DateTime!) {
      getSnapshots(vehicleId: $v, from: $f, to: $t) { ${of('CommonFormat', 2)} }
      getDriverAssignments(input: { vehicleId: $v }) { ${of('DriverAssignment', 1)} }
      getVehicleMappedSensors(vehicleId: $v) { name source } getVehicleCustomFields(vehicleId: $v) { name value } }`,
        { v: id, f: iso(noon - hour), t: iso(noon) },
      ),
    );
    if (never().length === 0) break;
  }
  // Fields that always stay null would be listed here with a reason.
  expect(never()).toEqual([]);
  for (const type of [
    'Vehicle',
    'LatestData',
    'CommonFormat',
    'Gps',
    'CanBus',
    'Driver',
    'Fuel',
    'Person',
    'Group',
    'Geofence',
  ]) {
    const named = schema.getType(type);
    for (const field of isObjectType(named) ? Object.keys(named.getFields()) : [])
      expect([...valued.keys()]).toContain(`${type}.${field}`);
  }
});
