// Every contract field is in a list, in the copy and in `update` and `apply`, or below with a
// reason.
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, getNamedType, getNullableType, isInputObjectType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { syncTables } from '../../packages/sync/src/tables.js';
import { allKinds, editableKind } from '../../src/cli/records/all-kinds.js';
import { labelKind, metaSensorView, roleKind, vehicleTypeKind } from '../../src/cli/records/reference-data.js';
import { fleetAssignmentView } from '../../src/cli/views/assignment.js';
import { customFieldView } from '../../src/cli/views/custom-field.js';
import { deviceView } from '../../src/cli/views/device.js';
import { driverTokenView } from '../../src/cli/views/driver-token.js';
import { geofenceView } from '../../src/cli/views/geofence.js';
import { groupView } from '../../src/cli/views/group.js';
import { personView } from '../../src/cli/views/person.js';
import { reportView } from '../../src/cli/views/report.js';
import { ruleView } from '../../src/cli/views/rule.js';
import { scheduleView } from '../../src/cli/views/schedule.js';
import { sensorView } from '../../src/cli/views/sensor.js';
import { fleetSnapshotView } from '../../src/cli/views/snapshot.js';
import { userView } from '../../src/cli/views/user.js';
import { vehicleView } from '../../src/cli/views/vehicle.js';
import { inputMap } from '../../src/generated/input-map.js';

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const schema = buildSchema(readFileSync(at('schema.graphql'), 'utf8'));

/** The list view and the copy's table of each record type. */
const records = {
  Vehicle: { view: vehicleView, table: 'vehicles' },
  Device: { view: deviceView, table: 'devices' },
  Group: { view: groupView, table: 'groups' },
  Label: { view: labelKind.view, table: 'labels' },
  VehicleType: { view: vehicleTypeKind.view, table: 'vehicle_types' },
  CustomField: { view: customFieldView, table: null },
  WorkSchedule: { view: scheduleView, table: 'work_schedules' },
  MetaSensor: { view: metaSensorView, table: 'meta_sensors' },
  Sensor: { view: sensorView, table: 'mapped_sensors' },
  DriverAssignment: { view: fleetAssignmentView, table: 'driver_assignments' },
  Person: { view: personView, table: 'people' },
  DriverToken: { view: driverTokenView, table: null },
  Role: { view: roleKind.view, table: 'roles' },
  FleetUserInfo: { view: userView(null), table: null },
  Geofence: { view: geofenceView, table: 'geofences' },
  Rule: { view: ruleView, table: 'rules' },
  WrappedReportInputs: { view: reportView, table: null },
  CommonFormat: { view: fleetSnapshotView, table: 'snapshots' },
} as const;

/** The types of nested values, such as an address. */
const parts = ['Address', 'RuleVehicles', 'WorkSchedulePeriod'];

/**
 * Adds the fields on a path, as `Vehicle.assignedGroups` and `Group.name`; returns its last type.
 */
function follow(type: string, path: string, into: Set<string>): string {
  let current = type;
  for (const name of path.split('.')) {
    const record = schema.getType(current);
    const field = isObjectType(record) ? record.getFields()[name] : undefined;
    if (!field) break;
    into.add(`${current}.${name}`);
    current = getNamedType(field.type).name;
  }
  return current;
}

function listed(): Set<string> {
  const found = new Set<string>();
  for (const [type, { view }] of Object.entries(records)) {
    const shown = view.columns.flatMap(({ title, shows }) => shows ?? [title.toLowerCase()]);
    for (const path of [...view.fields, ...shown]) follow(type, path, found);
  }
  return found;
}

function copied(): Set<string> {
  const found = new Set<string>();
  const types = new Map(Object.entries(records).map(([type, { table }]) => [table as string | null, type]));
  for (const { name, partsOf, countersOf, counterList, columns } of syncTables) {
    const owner = types.get(partsOf?.table ?? countersOf ?? name);
    if (owner === undefined) continue;
    const list = partsOf?.list ?? counterList;
    const type = list === undefined ? owner : follow(owner, list, found);
    for (const { from } of columns) if (from) follow(from.startsWith('parent.') ? '' : type, from, found);
  }
  return found;
}

const commands = at('src/cli/commands/');
const sources = readdirSync(commands, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ noun: file.split(/[/\\.]/, 1)[0], file, text: readFileSync(new URL(file, commands), 'utf8') }));

/** Returns the members of an input; those of a nested input look like `address.city`. */
function membersOf(input: string): string[] {
  const type = schema.getType(input);
  return (isInputObjectType(type) ? Object.values(type.getFields()) : []).flatMap(({ name, type: of }) => {
    const inner = getNullableType(of);
    return isInputObjectType(inner) ? membersOf(inner.name).map((below) => `${name}.${below}`) : [name];
  });
}

const changes = Object.values(schema.getMutationType()?.getFields() ?? {});
const inputs = new Set(changes.flatMap(({ args }) => args.map(({ type }) => getNamedType(type).name)));

/** Returns the kinds that a command changes; it names them in `creationOf(personKind)` etc. */
const kindsIn = (text: string) =>
  allKinds.filter(({ placeholder }) =>
    new RegExp(`(creationOf|updateOf|groupChange)\\(${placeholder}Kind|kind: ${placeholder}Kind`).test(text),
  );

function inputsOf({ noun }: { readonly noun: string }): readonly string[] {
  const kind = editableKind(noun);
  return kind === null ? [] : [kind.create, kind.update, kind.groups].flatMap((one) => one?.type ?? []);
}

/** True when a command of the input's noun names the member outside `apply`. */
function isSet(input: string, member: string): boolean {
  const nouns = sources
    .filter(
      ({ text }) => kindsIn(text).some((kind) => inputsOf(kind).includes(input)) || text.includes(`type: '${input}'`),
    )
    .map(({ noun }) => noun);
  // `customFields.<name>` is a column of apply.
  const word = new RegExp(`\\b${member.split('.').at(-1)}\\b(?!\\.<)`);
  return sources.some(
    ({ noun, file, text }) =>
      (nouns.includes(noun) || file.includes('group-change')) && !/\b(apply|undo)/.test(file) && word.test(text),
  );
}

const recordOf = (input: string) => input.replace(/^(Create|Update)|Input$/g, '');
/** The inputs whose members are columns of `apply`. */
const applied = sources
  .filter(({ text }) => /defineApply\(|applyRecords\(/.test(text))
  .flatMap(({ text }) =>
    kindsIn(text)
      .flatMap(inputsOf)
      .concat([...text.matchAll(/type: '(\w+Input)'/g)].map(([, input = '']) => input)),
  );
const isApplied = (input: string, member: string) =>
  applied.some((one) => recordOf(one) === recordOf(input) && ` ${inputMap[one]}`.includes(` ${member.split('.')[0]}:`));

const fields = [...Object.keys(records), ...parts].flatMap((type) => {
  const record = schema.getType(type);
  return isObjectType(record) ? Object.keys(record.getFields()).map((name) => `${type}.${name}`) : [];
});
const members = [...inputs].flatMap((input) => membersOf(input).map((member) => [input, member] as const));
const pathsOf = (some: readonly (readonly [string, string])[]) => some.map((path) => path.join('.'));

/** Missing fields by place and reason. `*.version` means every type, `Sensor.*` the whole type. */
const reasons: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  list: {
    'are the same for every row, or say nothing to people; --fields prints them': ['*.version', '*.fleetId'],
    'a list of records is read for what they are now; --fields prints them': ['*.createdAt', '*.updatedAt'],
    '--deleted adds a column': ['*.isDeleted'],
    'some services cannot resolve it; `snapshots latest` shows the same data': ['Vehicle.latestData'],
    'a list inside a row; `get` shows it': [
      ...['Vehicle.assignedDevices', 'Vehicle.customFields', 'Person.customFields'],
    ],
    '`vehicles get` shows it': ['Vehicle.workSchedule'],
    'whole vehicles inside a row, whose ids it has': ['Group.assignedVehicles'],
    '`people get` shows it where it is not the id': ['Person.globalUserId'],
    'a value for each sensor or event, empty in most rows; --fields prints it': [
      ...['CommonFormat.driverBehaviour', 'CommonFormat.temperatures', 'CommonFormat.fleetMetaSensors'],
    ],
    'the row has the time of the snapshot; --fields prints that of the position': ['CommonFormat.locationTimestamp'],
    'times are printed in the zone of the reader; --fields prints it': ['CommonFormat.locationTimeZone'],
  },
  copy: {
    '`deleted_at` says it, for services that do not mark deleted records too': ['*.isDeleted'],
    '`latest_snapshots` has it; in `vehicles` every vehicle would change all the time': [
      ...['Vehicle.latestData', 'Vehicle.lastData'],
    ],
    '`vehicle_groups` has it': ['Group.vehicleIds', 'Group.assignedVehicles'],
    '`person_id` has it': ['DriverToken.driverId'],
    '`vehicle_id` has it': ['CommonFormat.vehicle'],
    'groups with a value for each sensor, in the column `rest`': [
      ...['CommonFormat.temperatures', 'CommonFormat.fleetMetaSensors'],
    ],
    'about the login that reads, not about the fleet': ['FleetUserInfo.*'],
    'describes a report of the service, which is computed when it is asked for': ['WrappedReportInputs.*'],
  },
  flags: {
    '--input and `geofences import` take it; contact and address would be nine flags': [
      ...['CreateGeofenceInput', 'GeofenceInput'].flatMap((input) => [
        ...[`${input}.phone`, `${input}.email`, `${input}.displayNameAsAddress`, `${input}.address.country`],
        ...[`${input}.address.countryCode`, `${input}.address.region`, `${input}.address.city`],
        ...[`${input}.address.postalCode`, `${input}.address.address`],
      ]),
    ],
    '`set-field` takes both as arguments, for every noun': ['CustomFieldInput.*'],
    '--input takes the list; `set-field` sets one of them': [
      ...['CreatePersonInput.customFields', 'UpdatePersonInput.customFields'],
    ],
  },
  apply: {
    '`apply` takes a column for each custom field': ['CustomFieldInput.*'],
  },
};

const isMatch = (path: string, pattern: string) =>
  pattern === path || pattern === path.replace(/^\w+/, '*') || pattern === path.replace(/\..*$/, '.*');

test.each<[string, readonly string[]]>([
  ['list', fields.filter((path) => !listed().has(path))],
  ['copy', fields.filter((path) => !copied().has(path))],
  ['flags', pathsOf(members.filter(([input, member]) => !isSet(input, member)))],
  ['apply', pathsOf(members.filter(([input, member]) => recordOf(input) in records && !isApplied(input, member)))],
])('%s: every field is there, or is not for a reason that still holds', (place, missing) => {
  const patterns = Object.values(reasons[place] ?? {}).flat();
  expect(missing.filter((path) => !patterns.some((pattern) => isMatch(path, pattern)))).toEqual([]);
  expect(patterns.filter((pattern) => !missing.some((path) => isMatch(path, pattern)))).toEqual([]);
});

test('whatever the service lists is such a record', () => {
  const types = Object.values(schema.getQueryType()?.getFields() ?? {}).map(({ type }) => getNamedType(type));
  const unknown = types.filter((type) => isObjectType(type) && !(type.name in records)).map(({ name }) => name);
  // Its rows are those of the report.
  expect(unknown).toEqual(['WrappedReport']);
});
