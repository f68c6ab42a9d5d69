// The tables of a copy: names, columns with their units, and the member of a record for each
// column. The DDL of each database, the rows and the tables of docs/sync.md are generated from
// them.

/**
 * The type of a column. `time`: RFC 3339 in UTC with milliseconds. `day`: a date, as `2026-03-29`.
 * `local`: a local time of some zone, as `2026-03-29 07:15:00`. `json`: JSON as text.
 */
export type ColumnType = 'text' | 'integer' | 'real' | 'boolean' | 'time' | 'day' | 'local' | 'json';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Member as `gps.speed`; `parent.id` in tables of parts. Otherwise the sync fills it. */
  readonly from?: string;
  readonly about: string;
  /** Table of the referenced `id`. Its row may be missing if the user does not see that record. */
  readonly names?: string;
  /** The referenced row is written earlier, or in the same batch. */
  readonly isNamedRowThere?: true;
}

export type Table = {
  readonly name: string;
  readonly about: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** A column with the key of an existing row. */
  readonly references?: { readonly column: string; readonly table: string };
  /** Begin and end of rows of vehicles, one column for rows with a single time. */
  readonly period?: { readonly begins: string; readonly ends: string };
  /** Partitioned by month in PostgreSQL. */
  readonly isMonthly?: true;
  /** Columns that are searched together. */
  readonly indexes?: readonly (readonly string[])[];
  /** The column to search among the few rows with this flag. */
  readonly flagIndex?: { readonly flag: string; readonly column: string };
  /** The list of the owner's records that has a row per item, replaced with the record. */
  readonly partsOf?: {
    readonly table: string;
    readonly list: string;
    /** Ids instead of records. */
    readonly isOfIds?: boolean;
  };
  /** The table of records that have these counters, which change by themselves. */
  readonly countersOf?: string;
  /** The list whose items have the counters: a row per item. */
  readonly counterList?: string;
  /** A copy with history has versions of these records. */
  readonly keepsHistory?: true;
  /** The table whose versions these are. */
  readonly versionsOf?: string;
};

const text = (name: string, from: string, about: string): Column => ({ name, type: 'text', from, about });
const real = (name: string, from: string, about: string): Column => ({ name, type: 'real', from, about });
const integer = (name: string, from: string, about: string): Column => ({ name, type: 'integer', from, about });
const flag = (name: string, from: string, about: string): Column => ({ name, type: 'boolean', from, about });
const time = (name: string, from: string, about: string): Column => ({ name, type: 'time', from, about });
const json = (name: string, from: string, about: string): Column => ({ name, type: 'json', from, about });

/** Returns a column with the id of a record of another table. */
const idIn = (table: string, name: string, from: string, about: string): Column => ({
  ...text(name, from, about),
  names: table,
});

const id = text('id', 'id', 'id of the record');
const vehicleId = text('vehicle_id', 'vehicleId', 'the vehicle');
const changed: readonly Column[] = [
  text('version', 'version', 'version of the record, as the service sends it'),
  time('created_at', 'createdAt', 'when the record was created'),
  time('updated_at', 'updatedAt', 'when the record was changed last'),
];
const ofRecord: readonly Column[] = [
  { name: 'deleted_at', type: 'time', about: 'when the record was marked as deleted; null while it exists' },
  json('record', '', 'the whole record as the service sent it, without counters, which have a table'),
];
const name = text('name', 'name', 'name');
const fleetId = text('fleet_id', 'fleetId', 'the fleet');

const ofSnapshot: readonly Column[] = [
  flag('has_fix', 'gps.state', 'whether the receiver had a fix'),
  real('latitude_deg', 'gps.latitude', 'WGS 84, degrees'),
  real('longitude_deg', 'gps.longitude', 'WGS 84, degrees'),
  real('direction_deg', 'gps.direction', 'degrees, clockwise from north'),
  real('altitude_m', 'gps.altitude', 'metres above sea level'),
  real('speed_kmh', 'gps.speed', 'speed over ground, km/h'),
  integer('satellites', 'gps.satellites', 'satellites in use'),
  real('hdop', 'gps.hdop', 'horizontal dilution of precision'),
  flag('is_ignition_on', 'ignition.engineStatus', 'ignition'),
  idIn('people', 'driver_id', 'driver.driverId', 'the identified driver'),
  real('odometer_km', 'canBus.canDistance', 'odometer on the CAN bus, km'),
  real('can_speed_kmh', 'canBus.canSpeed', 'speed on the CAN bus, km/h'),
  real('engine_rpm', 'canBus.canrpm', 'engine speed; the contract states no unit, revolutions per minute are usual'),
  real('coolant_c', 'canBus.canEngineCoolantTemperature', 'engine coolant, degrees C'),
  real('fuel_rate_lph', 'canBus.canFuelRate', 'fuel rate, l/h'),
  real('trip_fuel_used_l', 'canBus.canTripFuelUsed', 'fuel used on the trip, litres'),
  real('engine_work_h', 'canBus.engineWorkTime', 'engine work time, hours'),
  real('engine_idle_h', 'canBus.engineIdleTime', 'engine idle time, hours'),
  text('behaviour_type', 'driverBehaviour.driverBehaviourType', 'kind of driving event, such as HARSH_BRAKING'),
  real('behaviour_value', 'driverBehaviour.driverBehaviourValue', 'its value; the contract states no unit'),
  real('fuel', 'fuel.fuel', 'fuel in the tank; the contract states no unit, litres are usual'),
  real('power', 'misc.power', 'supply voltage; the contract states no unit, volts are usual'),
  time('located_at', 'locationTimestamp', 'when the position was measured'),
  text('location_time_zone', 'locationTimeZone', 'time zone at the position'),
  {
    name: 'rest',
    type: 'json',
    about: 'all other values of the snapshot, in their groups, without nulls; null when there are none',
  },
  text(
    'driver_token',
    'driver.iButton',
    'the token of the driver; other spellings of it are in `rest` only where they do not follow from it',
  ),
];

/** Returns a table of list items in the owner's records. `owner.column` has the record's id. */
function partsTable(
  table: Pick<Table, 'name' | 'about' | 'columns'> & {
    readonly key: string;
    readonly isSearched?: true;
    readonly isOfIds?: true;
  },
  owner: Owner,
  list: string,
): Table {
  const { name, about, key, columns, isSearched, isOfIds } = table;
  return {
    ...{ name, about, key: [owner.column, key] },
    partsOf: { table: owner.table, list, ...(isOfIds ? { isOfIds } : {}) },
    references: { column: owner.column, table: owner.table },
    ...(isSearched ? { indexes: [[key]] } : {}),
    columns: [text(owner.column, 'parent.id', owner.about), ...columns],
  };
}

interface Owner {
  readonly table: string;
  readonly column: string;
  readonly about: string;
}

const ofVehicle: Owner = { table: 'vehicles', column: 'vehicle_id', about: 'the vehicle' };
const ofPerson: Owner = { table: 'people', column: 'person_id', about: 'the person' };
const ofRule: Owner = { table: 'rules', column: 'rule_id', about: 'the rule' };
const ofSchedule: Owner = { table: 'work_schedules', column: 'work_schedule_id', about: 'the work schedule' };

function ruleTargets(name: string, about: string, target: string, list: string): Table {
  const key = `${target}_id`;
  const columns = [idIn(`${target}s`, key, 'id', `the ${target}`)];
  return partsTable({ name, about, key, columns, isSearched: true, isOfIds: true }, ofRule, list);
}

function customFields(tableName: string, owner: Owner, of: string): Table {
  const about = `The values of the fields that the fleet has defined for ${of}.`;
  const columns = [name, text('value', 'value', 'value')];
  return partsTable({ name: tableName, about, key: 'name', columns }, owner, 'customFields');
}

/** The column with the time of a row's last change. The sync fills it. */
export const STAMP = 'synced_at';
const stamp: Column = { name: STAMP, type: 'time', about: 'when the row was written last' };

/** Columns from the `details` of a whole trip. */
const ofTripEnds: readonly Column[] = [
  text('time_zone', 'details.timeZone', 'time zone in which it began; local times are in UTC where it is null'),
  { name: 'local_day', type: 'day', from: 'details.segments.0.day', about: 'the local day on which it began' },
  { name: 'local_started_at', type: 'local', about: 'begin, local time' },
  { name: 'local_ended_at', type: 'local', about: 'end, local time' },
  real('start_odometer_km', 'details.atStart.odometerKm', 'first reading of the odometer, km'),
  real('end_odometer_km', 'details.atEnd.odometerKm', 'last reading of the odometer, km'),
  real('start_engine_h', 'details.atStart.engineHours', 'first reading of the engine work time, hours'),
  real('end_engine_h', 'details.atEnd.engineHours', 'last reading of the engine work time, hours'),
  real('start_fuel', 'details.atStart.fuel', 'first reading of the fuel in the tank; litres are usual'),
  real('end_fuel', 'details.atEnd.fuel', 'last reading of the fuel in the tank; litres are usual'),
];

/** Returns a table of list items in the details of trips, which have the period of their trip. */
function tripParts({
  list,
  columns,
  indexes,
  ...table
}: Pick<Table, 'name' | 'about' | 'columns'> & Required<Pick<Table, 'indexes'>> & { readonly list: string }): Table {
  return {
    ...table,
    key: ['trip_id', 'ordinal'],
    partsOf: { table: 'trips', list: `details.${list}` },
    references: { column: 'vehicle_id', table: 'vehicles' },
    period: { begins: 'trip_started_at', ends: 'trip_ended_at' },
    indexes: [['vehicle_id', 'trip_started_at'], ...indexes],
    columns: [
      { ...idIn('trips', 'trip_id', 'parent.id', 'the trip'), isNamedRowThere: true },
      { name: 'ordinal', type: 'integer', about: 'its place in the trip, from 0' },
      text('vehicle_id', 'parent.vehicleId', 'the vehicle'),
      time('trip_started_at', 'parent.startedAt', 'begin of the trip'),
      time('trip_ended_at', 'parent.endedAt', 'end of the trip; null while it is open'),
      ...columns,
    ],
  };
}

const tablesOfFleet: readonly Table[] = [
  {
    name: 'vehicles',
    about: 'Vehicles and other assets that carry a device.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, name, text('license_plate', 'licensePlate', 'plate'), text('vin', 'vin', 'VIN')],
      ...[
        text('make', 'make', 'make'),
        text('model', 'model', 'model'),
        integer('year', 'year', 'model year'),
        fleetId,
      ],
      flag('is_deactivated', 'deactivated', 'whether the vehicle is deactivated'),
      idIn('vehicle_types', 'vehicle_type_id', 'vehicleType.id', 'id of the vehicle type'),
      text('vehicle_type', 'vehicleType.name', 'name of the vehicle type'),
      idIn('work_schedules', 'work_schedule_id', 'workSchedule.id', 'the work schedule'),
      ...changed,
      ...ofRecord,
    ],
  },
  partsTable(
    {
      name: 'vehicle_groups',
      about: 'Which vehicle is in which group. A group that the user may not see is not in `groups`.',
      key: 'group_id',
      isSearched: true,
      columns: [idIn('groups', 'group_id', 'id', 'the group'), text('group_name', 'name', 'its name')],
    },
    ofVehicle,
    'assignedGroups',
  ),
  partsTable(
    {
      name: 'vehicle_labels',
      about: 'Which vehicle has which label.',
      key: 'label_id',
      isSearched: true,
      columns: [idIn('labels', 'label_id', 'id', 'the label'), text('label_name', 'name', 'its name')],
    },
    ofVehicle,
    'assignedLabels',
  ),
  partsTable(
    {
      name: 'vehicle_devices',
      about: 'The tracking devices in each vehicle.',
      key: 'device_id',
      columns: [
        idIn('devices', 'device_id', 'id', 'the device'),
        text('serial', 'serial', 'serial number'),
        text('device_type', 'deviceTypeKey', 'type of the device'),
        flag('is_enabled', 'enabled', 'whether the device is enabled'),
        text('phone_number', 'phoneNumber', 'number of its SIM card'),
      ],
    },
    ofVehicle,
    'assignedDevices',
  ),
  customFields('vehicle_custom_fields', ofVehicle, 'vehicles'),
  {
    name: 'vehicle_counters',
    about:
      'The newest odometer and hour meter readings of each vehicle. They are not in its record, so that driving does not change it.',
    key: ['vehicle_id'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    countersOf: 'vehicles',
    columns: [
      text('vehicle_id', 'id', 'the vehicle'),
      real('odometer', 'lastOdometer', 'newest odometer reading; the contract states no unit, km are usual'),
      real('working_hours', 'lastWorkingHours', 'newest reading; the contract states no unit, hours are usual'),
    ],
  },
  {
    name: 'people',
    about: 'Drivers and users.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, text('first_name', 'firstName', 'first name'), text('last_name', 'lastName', 'last name')],
      flag('is_driver', 'isDriver', 'whether the person drives'),
      flag('is_user', 'isUser', 'whether the person uses the service'),
      ...[text('email', 'email', 'e-mail'), text('phone', 'phone', 'phone number'), fleetId],
      text('employee_id', 'employeeId', 'number of the employee'),
      text('license_number', 'licenseNumber', 'number of the driving licence'),
      text('license_issued_in', 'licenseIssuedIn', 'where it was issued'),
      text('global_user_id', 'globalUserId', 'id of the user in all fleets'),
      ...changed,
      ...ofRecord,
    ],
  },
  partsTable(
    {
      name: 'person_roles',
      about: 'Which person has which role.',
      key: 'role_id',
      columns: [idIn('roles', 'role_id', 'id', 'the role'), text('role_name', 'name', 'its name')],
    },
    ofPerson,
    'roles',
  ),
  partsTable(
    {
      name: 'driver_tokens',
      about: 'The tokens that identify drivers in vehicles.',
      key: 'token_id',
      columns: [
        text('token_id', 'id', 'the token'),
        text('value', 'value', 'what the reader reads'),
        fleetId,
        flag('is_deleted', 'isDeleted', 'whether the token was deleted'),
        time('created_at', 'createdAt', 'when the token was created'),
      ],
    },
    { ...ofPerson, about: 'the driver' },
    'driverTokens',
  ),
  {
    name: 'driver_token_scans',
    about:
      'When each token was read last in a vehicle, and the fields that change with it. They are not in the record of the person, so that a scan does not change it.',
    key: ['person_id', 'token_id'],
    references: { column: 'person_id', table: 'people' },
    countersOf: 'people',
    counterList: 'driverTokens',
    columns: [
      text('person_id', 'parent.id', 'the driver'),
      text('token_id', 'id', 'the token, in `driver_tokens`'),
      time('last_scan_at', 'lastScanTimestamp', 'when it was read last'),
      text('version', 'version', 'version of the token, as the service sends it'),
      time('updated_at', 'updatedAt', 'when the token was changed last'),
    ],
  },
  customFields('person_custom_fields', ofPerson, 'people'),
  {
    name: 'groups',
    about: 'Groups of vehicles and geofences; a tree through `parent_id`.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, name, idIn('groups', 'parent_id', 'parentId', 'the group above'), fleetId],
      text('external_id', 'externalId', 'id in another system'),
      text('description', 'description', 'description'),
      flag('is_own', 'isOwn', 'as the service sends it'),
      ...changed,
      ...ofRecord,
    ],
  },
  {
    name: 'geofences',
    about: 'Areas on the map.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, name, text('type', 'type', 'type'), text('color', 'color', 'colour'), fleetId],
      text('description', 'description', 'description'),
      ...[text('phone', 'phone', 'phone number'), text('email', 'email', 'e-mail')],
      ...[text('country', 'address.country', 'address'), text('country_code', 'address.countryCode', 'address')],
      ...[text('region', 'address.region', 'address'), text('city', 'address.city', 'address')],
      ...[text('postal_code', 'address.postalCode', 'address'), text('address', 'address.address', 'address')],
      flag('shows_name_as_address', 'displayNameAsAddress', 'whether the name is shown in place of an address'),
      json('geojson', 'geojson', 'the area as GeoJSON'),
      ...changed,
      ...ofRecord,
    ],
  },
  {
    name: 'labels',
    about: 'Labels for vehicles.',
    key: ['id'],
    keepsHistory: true,
    columns: [id, name, fleetId, ...changed, ...ofRecord],
  },
  {
    name: 'roles',
    about: 'Roles that people can have.',
    key: ['id'],
    keepsHistory: true,
    columns: [id, name, fleetId, ...changed, ...ofRecord],
  },
  {
    name: 'rules',
    about: 'Rules that raise events.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, name, text('rule_type', 'ruleType', 'kind of rule'), flag('is_enabled', 'enabled', 'whether it is on')],
      flag('applies_to_all', 'vehicles.assignedToAll', 'whether it is for all vehicles'),
      json('vehicle_ids', 'vehicles.assignedVehicleIds', 'its vehicles'),
      json('group_ids', 'vehicles.assignedGroupIds', 'its groups'),
      json('geofence_ids', 'geofenceIds', 'its geofences'),
      ...ofRecord,
    ],
  },
  ruleTargets(
    'rule_vehicles',
    'Which vehicles a rule is for by itself, in place of a group.',
    'vehicle',
    'vehicles.assignedVehicleIds',
  ),
  ruleTargets('rule_groups', 'Which groups of vehicles a rule is for.', 'group', 'vehicles.assignedGroupIds'),
  ruleTargets('rule_geofences', 'Which geofences a rule watches.', 'geofence', 'geofenceIds'),
  {
    name: 'work_schedules',
    about: 'Weekly hours in which vehicles are expected to work.',
    key: ['id'],
    keepsHistory: true,
    columns: [
      ...[id, name, flag('is_default', 'isDefault', 'whether it applies when no other is set'), fleetId],
      real('begin_grace', 'beginGrace', 'tolerance before a period begins; the contract states no unit'),
      real('end_grace', 'endGrace', 'tolerance after a period ends; the contract states no unit'),
      json('periods', 'periods', 'the periods: weekday, begin, duration'),
      ...changed,
      ...ofRecord,
    ],
  },
  partsTable(
    {
      name: 'work_schedule_periods',
      about: 'The periods of work schedules. The contract states neither types nor units.',
      key: 'ordinal',
      columns: [
        { name: 'ordinal', type: 'integer', about: 'its place in the schedule, from 0' },
        text('weekday', 'weekday', 'day of the week on which it begins'),
        text('begins_at', 'begin', 'time of day at which it begins; `HH:MM` is usual'),
        real('duration', 'duration', 'its length; minutes are usual'),
      ],
    },
    ofSchedule,
    'periods',
  ),
  {
    name: 'vehicle_types',
    about: 'The kinds of vehicles, such as truck or van.',
    key: ['id'],
    columns: [id, name, ...ofRecord],
  },
  {
    name: 'devices',
    about:
      'Tracking devices that the copy has seen in a vehicle; `vehicle_devices` says where they are. One that is in no vehicle stays current, until the service does not know it any more. The service has no list of devices, so one that was in no vehicle is not here.',
    key: ['id'],
    columns: [
      ...[id, text('serial', 'serial', 'serial number'), text('device_type', 'deviceTypeKey', 'type of the device')],
      flag('is_enabled', 'enabled', 'whether the device is enabled'),
      text('phone_number', 'phoneNumber', 'number of its SIM card'),
      ...ofRecord,
    ],
  },
  {
    name: 'meta_sensors',
    about: 'The sensors that are defined for the whole fleet.',
    key: ['id'],
    columns: [
      { ...id, about: 'its key, as text: the service has no other id' },
      name,
      integer('sensor_key', 'key', 'the key of its values in snapshots'),
      ...ofRecord,
    ],
  },
  {
    name: 'mapped_sensors',
    about: 'The sensors that are mapped to vehicles, with `--only mapped-sensors`.',
    key: ['vehicle_id', 'ordinal'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    columns: [
      text('vehicle_id', 'parent.id', 'the vehicle'),
      {
        name: 'ordinal',
        type: 'integer',
        about: 'its place among the sensors of the vehicle, by source and name, from 0',
      },
      name,
      text('source', 'source', 'the input of the device that it reads'),
    ],
  },
  {
    name: 'driver_assignments',
    about: 'Who was assigned to which vehicle, and when.',
    key: ['id'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    indexes: [['vehicle_id', 'started_at'], ['driver_id']],
    columns: [
      ...[id, vehicleId, idIn('people', 'driver_id', 'driverId', 'the driver')],
      time('started_at', 'startedAt', 'begin'),
      time('ended_at', 'endedAt', 'end; null while it goes on'),
      ...changed,
      ...ofRecord,
    ],
  },
  {
    name: 'trips',
    about:
      'Drives from ignition on to ignition off, or while a vehicle without an ignition moves, computed from snapshots as docs/telemetry.md defines them.',
    key: ['id'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    period: { begins: 'started_at', ends: 'ended_at' },
    indexes: [['vehicle_id', 'started_at'], ['started_at']],
    flagIndex: { flag: 'is_open', column: 'vehicle_id' },
    columns: [
      text('id', 'id', 'made of vehicle and start'),
      vehicleId,
      time('started_at', 'startedAt', 'first snapshot with the ignition on, or in which it moves'),
      time(
        'ended_at',
        'endedAt',
        'when the ignition was off or it stood, or the last snapshot of another end; null while open',
      ),
      time('last_seen_at', 'lastSeenAt', 'last snapshot of the trip'),
      flag('is_open', 'isOpen', 'whether the trip had not ended; its values are those so far'),
      text(
        'ended_by',
        'endedBy',
        '`ignition`, `stop`, `silence`, or `unfinished`: the vehicle was gone; null while open',
      ),
      flag('is_start_known', 'isStartKnown', 'false when the trip may have begun earlier'),
      idIn('people', 'driver_id', 'driverIds.0', 'the first identified driver'),
      json('driver_ids', 'driverIds', 'all identified drivers, in order'),
      real('distance_km', 'distanceKm', 'distance, km'),
      text('distance_by', 'distanceBy', '`odometer`, `positions`, `both` or `none`'),
      real('duration_s', 'durationSeconds', 'from start to end, seconds'),
      real('moving_s', 'movingSeconds', 'time in motion, seconds'),
      real('idle_s', 'idleSeconds', 'standing with the ignition on, seconds'),
      real('top_speed_kmh', 'topSpeedKmh', 'highest speed, km/h'),
      real('mean_speed_kmh', 'meanSpeedKmh', 'distance by moving time, km/h'),
      real('fuel_used', 'fuelUsed', 'fuel; litres if `fuel_by` is canTripFuelUsed, otherwise without a stated unit'),
      text('fuel_by', 'fuelBy', 'the counter of the fuel'),
      json('harsh_events', 'harshEvents', 'how often each kind of driving event was reported'),
      real('start_latitude_deg', 'startPosition.latitude', 'start, WGS 84, degrees'),
      real('start_longitude_deg', 'startPosition.longitude', 'start, WGS 84, degrees'),
      real('end_latitude_deg', 'endPosition.latitude', 'end, WGS 84, degrees'),
      real('end_longitude_deg', 'endPosition.longitude', 'end, WGS 84, degrees'),
      integer('snapshots', 'snapshots', 'number of snapshots of the trip'),
      text('trips_by', 'tripsBy', '`ignition`, or `movement` where the ignition is not known'),
      real('distance_doubt', 'distanceDoubt', 'share by which another source disagrees; null up to a tenth'),
      real('unseen_s', 'unseenSeconds', 'time without a snapshot, neither moving nor idle, seconds'),
      ...ofTripEnds,
    ],
  },
  tripParts({
    name: 'trip_segments',
    about:
      'The parts of trips, one for each driver and local day: sum them by `driver_id` or by `local_day`. What was driven before the first driver was identified is part of that one.',
    list: 'segments',
    indexes: [['local_day'], ['driver_id', 'local_day']],
    columns: [
      idIn('people', 'driver_id', 'driverId', 'who drove; null when nobody was identified in the whole trip'),
      { name: 'local_day', type: 'day', from: 'day', about: 'the day in the time zone of the trip' },
      time('started_at', 'startedAt', 'begin: of the trip, of the day, or when the driver was identified'),
      time('ended_at', 'endedAt', 'end; null while the trip is open'),
      real('duration_s', 'durationSeconds', 'from start to end, seconds'),
      real('distance_km', 'distanceKm', 'distance, km'),
      real('moving_s', 'movingSeconds', 'time in motion, seconds'),
      real('idle_s', 'idleSeconds', 'standing with the ignition on, seconds'),
    ],
  }),
  tripParts({
    name: 'trip_events',
    about: 'Driving events that devices reported during trips, such as harsh braking.',
    list: 'events',
    indexes: [['occurred_at']],
    columns: [
      idIn('people', 'driver_id', 'driverId', 'who drove'),
      time('occurred_at', 'time', 'when'),
      text('behaviour_type', 'type', 'kind of event, such as HARSH_BRAKING'),
      real('behaviour_value', 'value', 'its value; the contract states no unit'),
      real('speed_kmh', 'speedKmh', 'speed, km/h'),
      real('latitude_deg', 'position.latitude', 'WGS 84, degrees'),
      real('longitude_deg', 'position.longitude', 'WGS 84, degrees'),
    ],
  }),
  tripParts({
    name: 'trip_speeding',
    about:
      'Times of trips in which every snapshot with a speed was above the limit of `--speed-limit` (90 km/h unless given): the contract does not know the limits of roads.',
    list: 'speeding',
    indexes: [['started_at']],
    columns: [
      idIn('people', 'driver_id', 'driverId', 'who drove'),
      time('started_at', 'startedAt', 'the first snapshot above the limit'),
      time('ended_at', 'endedAt', 'the last one'),
      real('duration_s', 'durationSeconds', 'from the one to the other, seconds'),
      real('top_speed_kmh', 'topSpeedKmh', 'highest speed, km/h'),
      real('latitude_deg', 'position.latitude', 'where it began, WGS 84, degrees'),
      real('longitude_deg', 'position.longitude', 'where it began, WGS 84, degrees'),
    ],
  }),
  tripParts({
    name: 'trip_visits',
    about:
      'Which geofences vehicles were in during their trips, by the geofences that the copy had when it read the trip. `geofence_visits` joins those of trips that follow each other.',
    list: 'visits',
    indexes: [['geofence_id', 'trip_started_at']],
    columns: [
      { ...idIn('geofences', 'geofence_id', 'geofenceId', 'the geofence'), isNamedRowThere: true },
      time('entered_at', 'enteredAt', 'the first position inside; null when it was there when the trip began'),
      time(
        'left_at',
        'leftAt',
        'the first position more than 50 m outside; null when it was there at the end of the trip',
      ),
    ],
  }),
  {
    name: 'stops',
    about:
      'Times of at least five minutes in which a vehicle stood in one place, with `--stops`: with the engine on or off, computed from snapshots as docs/telemetry.md defines them.',
    key: ['id'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    period: { begins: 'started_at', ends: 'ended_at' },
    indexes: [['vehicle_id', 'started_at'], ['started_at']],
    flagIndex: { flag: 'is_open', column: 'vehicle_id' },
    columns: [
      text('id', 'id', 'made of vehicle and start'),
      vehicleId,
      time('started_at', 'startedAt', 'first snapshot in which it stands there'),
      time('ended_at', 'endedAt', 'last snapshot there, or of a parked vehicle the next one; null while open'),
      time('last_seen_at', 'lastSeenAt', 'last snapshot in which it stands there'),
      flag('is_open', 'isOpen', 'whether the stop had not ended; its values are those so far'),
      text('ended_by', 'endedBy', '`departure`, or `unfinished`: the vehicle was gone; null while open'),
      flag('is_start_known', 'isStartKnown', 'false when the stop may have begun earlier'),
      idIn('people', 'driver_id', 'driverIds.0', 'the driver who came with it'),
      json('driver_ids', 'driverIds', 'all identified drivers, in order'),
      real('duration_s', 'durationSeconds', 'from start to end, seconds; null while open'),
      real('idle_s', 'idleSeconds', 'the part with the engine on, seconds; null when the engine is not known'),
      real('unseen_s', 'unseenSeconds', 'engine on and no snapshot for more than 15 minutes, seconds: not idle'),
      real('latitude_deg', 'position.latitude', 'where it stood, WGS 84, degrees'),
      real('longitude_deg', 'position.longitude', 'where it stood, WGS 84, degrees'),
    ],
  },
  {
    name: 'latest_snapshots',
    about: 'The newest snapshot of each vehicle.',
    key: ['vehicle_id'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    columns: [vehicleId, time('recorded_at', 'timestamp', 'when the device recorded it'), ...ofSnapshot],
  },
  {
    name: 'snapshots',
    about: 'All snapshots of the period, with `--snapshots`.',
    key: ['vehicle_id', 'recorded_at', 'ordinal'],
    references: { column: 'vehicle_id', table: 'vehicles' },
    period: { begins: 'recorded_at', ends: 'recorded_at' },
    isMonthly: true,
    indexes: [['recorded_at']],
    columns: [
      vehicleId,
      time('recorded_at', 'timestamp', 'when the device recorded it'),
      integer('ordinal', 'ordinal', '0; 1 and more for other snapshots of the same time'),
      ...ofSnapshot,
    ],
  },
];

/** Columns for the validity of a version. */
export const VERSION_COLUMNS = {
  validFrom: 'valid_from',
  validTo: 'valid_to',
  isCurrent: 'is_current',
  isStartKnown: 'is_start_known',
} as const;
const { validFrom, validTo, isCurrent, isStartKnown } = VERSION_COLUMNS;

/** Versions have an end instead of `deleted_at`. */
const notInVersions = new Set(ofRecord.map((column) => column.name));

function versionsTable({ name, key, columns, partsOf }: Table): Table {
  const [first = 'id'] = key;
  const isKey = (column: Column) => key.includes(column.name);
  return {
    name: `${name}_history`,
    about: `Versions of \`${name}\`, in a copy that keeps [history](#history).`,
    key: [...key, validFrom],
    versionsOf: name,
    references: { column: first, table: partsOf?.table ?? name },
    flagIndex: { flag: isCurrent, column: first },
    columns: [
      ...columns.filter(isKey),
      {
        ...{ name: validFrom, type: 'time' },
        about: 'since when: `updated_at` of the record if the sync before was earlier, else when a sync saw it first',
      },
      {
        name: validTo,
        type: 'time',
        about: 'until when: the next version, or a sync that missed it; null while it is so',
      },
      { name: isCurrent, type: 'boolean', about: 'whether it is so' },
      {
        ...{ name: isStartKnown, type: 'boolean' },
        about: 'false where the history begins: it may have been so earlier, too',
      },
      ...columns.filter((column) => !isKey(column) && !notInVersions.has(column.name)),
    ],
  };
}

const recordsWithHistory = new Set(tablesOfFleet.flatMap(({ name, keepsHistory }) => (keepsHistory ? [name] : [])));
const versionTables = tablesOfFleet
  .filter(({ name, partsOf }) => recordsWithHistory.has(partsOf?.table ?? name))
  .map(versionsTable);

export const syncTables: readonly Table[] = [...tablesOfFleet, ...versionTables].map((table) => ({
  ...table,
  columns: [...table.columns, stamp],
}));

/** The tables in which the sync stores its own progress. */
export const ownTables: readonly Table[] = [
  {
    name: 'sync_cursors',
    about: 'How far each vehicle has been read.',
    key: ['vehicle_id', 'kind'],
    columns: [
      { name: 'vehicle_id', type: 'text', about: 'the vehicle', names: 'vehicles' },
      { name: 'kind', type: 'text', about: '`trips`, `stops` or `snapshots`' },
      { name: 'begins_at', type: 'time', about: 'begin of what has been read' },
      { name: 'read_until', type: 'time', about: 'everything up to this time is in the copy' },
      { name: 'checked_until', type: 'time', about: 'up to when late rows were looked for the last time' },
    ],
  },
  {
    name: 'sync_state',
    about:
      'What else the sync remembers: `schema_version`; `origin`: a fingerprint of the service and the user whose fleet this is; `snapshot_columns`; `last_run`; `synced_at` of the last batch; and `history_at`, in a copy that keeps history.',
    key: ['name'],
    columns: [
      { name: 'name', type: 'text', about: 'name' },
      { name: 'value', type: 'text', about: 'value' },
    ],
  },
  {
    name: 'sync_runs',
    about: 'Every sync of the last 100,000: when it ran, what it read and wrote, and how it ended.',
    key: ['id'],
    columns: [
      { name: 'id', type: 'integer', about: 'counts up' },
      { name: 'began_at', type: 'time', about: 'when it began, by the clock of its machine' },
      { name: 'ended_at', type: 'time', about: 'when it ended; null while it runs, and when it was killed' },
      {
        name: 'outcome',
        type: 'text',
        about:
          '`complete`, `incomplete`: it has failures, `failed`: an error ended it, or `interrupted`: Ctrl-C, SIGTERM or the `signal` of the program did',
      },
      { name: 'parts', type: 'json', about: 'what it was to read' },
      { name: 'read_until', type: 'time', about: 'the end of what it read, by the clock of the service' },
      { name: 'rows_read', type: 'integer', about: 'records and rows that the service answered' },
      { name: 'rows_written', type: 'integer', about: 'rows of the fleet that were inserted or changed' },
      { name: 'rows_deleted', type: 'integer', about: 'rows of the fleet that were deleted' },
      { name: 'failures', type: 'integer', about: 'how much it could not read or store' },
      {
        name: 'messages',
        type: 'json',
        about: 'the first 20 of its failures and warnings, or the error that ended it',
      },
      { name: 'version', type: 'text', about: 'the version of fleet-telematics' },
    ],
  },
  {
    name: 'sync_parts',
    about: 'How current each part of the fleet is. The view `sync_freshness` adds its age.',
    key: ['part'],
    columns: [
      { name: 'part', type: 'text', about: 'such as `vehicles` or `trips`' },
      { name: 'complete_until', type: 'time', about: 'up to this time of the service all of it is in the copy' },
      { name: 'complete_at', type: 'time', about: 'when the sync ended that has read all of it without a failure' },
      { name: 'read_at', type: 'time', about: 'when the last sync ended that has read any of it' },
      { name: 'failures', type: 'integer', about: 'how much of it that sync could not read or store' },
      { name: 'run_id', type: 'integer', about: 'that sync', names: 'sync_runs' },
    ],
  },
  {
    name: 'changes',
    about:
      'Every change of a record that a sync has found, as `onChange` tells it. Trips and snapshots have no entries.',
    key: ['run_id', 'ordinal'],
    indexes: [['changed_at'], ['record_id']],
    columns: [
      { name: 'run_id', type: 'integer', about: 'the sync that has found it', names: 'sync_runs' },
      { name: 'ordinal', type: 'integer', about: 'counts up in the sync' },
      { name: 'changed_at', type: 'time', about: '`synced_at` of the rows that were written with it' },
      { name: 'table_name', type: 'text', about: 'the table of the record' },
      { name: 'record_id', type: 'text', about: 'its id' },
      { name: 'type', type: 'text', about: '`added`, `changed` or `removed`' },
      {
        name: 'fields',
        type: 'json',
        about: 'of a changed record: a list of `field`, `before` and `after`; else null',
      },
    ],
  },
];

const byName = new Map([...syncTables, ...ownTables].map((table) => [table.name, table]));

export function tableOf(columnName: string): Table {
  const table = byName.get(columnName);
  if (table === undefined) throw new RangeError(`A copy has no table ${columnName}.`);
  return table;
}

export function columnIndex({ name, columns }: Table, columnName: string): number {
  const place = columns.findIndex((column) => column.name === columnName);
  if (place < 0) throw new RangeError(`The table ${name} has no column ${columnName}.`);
  return place;
}

export function historyTable(table: string): Table | undefined {
  return syncTables.find(({ versionsOf }) => versionsOf === table);
}

export function counterTable(table: string): Table | undefined {
  return syncTables.find(({ countersOf }) => countersOf === table);
}

/** Columns whose ids define the spellings. */
export const idColumns: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  ...tablesOfFleet
    .filter(({ columns }) => columns.some((column) => column.name === 'record'))
    .map(({ name: table, columns }) => ({
      table,
      columns: ['id', 'fleet_id'].filter((columnName) => columns.some((column) => column.name === columnName)),
    })),
  { table: 'driver_tokens', columns: ['token_id'] },
];

export function partTables(table: string): readonly Table[] {
  return syncTables.filter(({ partsOf: owner }) => owner?.table === table);
}
