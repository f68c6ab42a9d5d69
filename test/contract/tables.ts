// The contract's tables, copied from the service's documentation only; schema.graphql must match
// them. A field is written `name: Type`; `?` means that the contract gives no type.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Parses comma-separated `name: type` pairs. */
function fields(text: string): Record<string, string> {
  const entries = text
    .trim()
    .split(/\s*,\s*/)
    .map((pair) => pair.split(/\s*:\s*/));
  return Object.fromEntries(entries.map(([name = '', type = '']) => [name, type]));
}

const all = (type: string, names: string): Record<string, string> =>
  Object.fromEntries(words(names).map((name) => [name, type]));

const record = fields('id: UUID, version: ?, createdAt: ?, updatedAt: ?');
const deletable = { ...record, ...fields('isDeleted: Boolean') };

export const records: Record<string, Record<string, string>> = {
  Vehicle: {
    ...deletable,
    ...fields(`name: String, fleetId: UUID, vin: String, licensePlate: String, make: String, model: String, year: Int,
      latestData: LatestData, lastData: CommonFormat, assignedGroups: [Group], assignedDevices: [Device],
      assignedLabels: [Label], lastOdometer: Float, lastWorkingHours: Float, deactivated: Boolean,
      vehicleType: VehicleType, customFields: [CustomField], workSchedule: WorkSchedule`),
  },
  LatestData: all(
    '?',
    `timestamp gps gpsWithTimestamp odometer workingHours engineHours address speedLimit geofenceData metaSensorData
     ptoHoursData driverData canBus canBusWithTimestamp ignition ignitionWithTimestamp driverBehaviour
     driverBehaviourWithTimestamp temperatures temperaturesWithTimestamp fuel fuelWithTimestamp misc miscWithTimestamp
     crash crashWithTimestamp`,
  ),
  Device: fields('id: UUID, serial: String, deviceTypeKey: String, enabled: Boolean, phoneNumber: String'),
  Group: {
    ...record,
    ...fields(`name: String, fleetId: UUID, parentId: UUID, externalId: String, description: String, isOwn: Boolean,
      vehicleIds: [UUID], assignedVehicles: [Vehicle]`),
  },
  Label: { ...deletable, ...fields('name: String, fleetId: UUID') },
  VehicleType: fields('id: UUID, name: String'),
  CustomField: fields('name: String, value: String'),
  WorkSchedule: {
    ...deletable,
    ...fields(`name: String, fleetId: UUID, isDefault: Boolean, beginGrace: Int, endGrace: Int,
      periods: [WorkSchedulePeriod]`),
  },
  WorkSchedulePeriod: all('?', 'weekday begin duration'),
  DriverAssignment: { ...deletable, ...fields('vehicleId: UUID, driverId: UUID, startedAt: ?, endedAt: ?') },
  Geofence: {
    ...deletable,
    ...fields(`name: String, fleetId: UUID, geojson: JSON, color: String, phone: String, email: String,
      address: Address, description: String, type: String, displayNameAsAddress: Boolean`),
  },
  Address: all('?', 'country countryCode region city postalCode address'),
  Person: {
    ...deletable,
    ...fields(`isUser: Boolean, isDriver: Boolean, fleetId: UUID, email: String, phone: String, firstName: String,
      lastName: String, globalUserId: String, licenseNumber: String, licenseIssuedIn: String, employeeId: String,
      customFields: [CustomField], driverTokens: [DriverToken], roles: [Role]`),
  },
  DriverToken: { ...deletable, ...fields('value: String, fleetId: UUID, driverId: UUID, lastScanTimestamp: ?') },
  Role: { ...deletable, ...fields('fleetId: UUID, name: String') },
  Rule: fields(
    'id: UUID, name: String, enabled: Boolean, ruleType: String, vehicles: RuleVehicles, geofenceIds: [UUID]',
  ),
  RuleVehicles: fields('assignedVehicleIds: [UUID], assignedGroupIds: [UUID], assignedToAll: Boolean'),
  MetaSensor: fields('name: String, key: Int'),
  Sensor: fields('name: String, source: String'),
  FleetUserInfo: all('?', 'userName userId fleetName fleetId'),
  WrappedReport: fields('reportId: String, report: JSON'),
  WrappedReportInputs: fields(
    'id: String, title: String, description: String, onlyFleetTimezone: Boolean, inputs: JSON',
  ),
  ChangeGeofenceGroupsOutput: fields('geofenceId: UUID, removedGroupIds: [UUID], addedGroupIds: [UUID]'),
  ChangeVehicleGroupsOutput: fields('vehicleId: UUID, removedGroupIds: [UUID], addedGroupIds: [UUID]'),
  CommonFormat: fields(`vehicleId: UUID, vehicle: Vehicle, timestamp: DateTime, gps: ?, ignition: ?, driver: ?,
    canBus: CanBus, driverBehaviour: ?, temperatures: ?, fleetMetaSensors: ?, fuel: ?, misc: ?,
    locationTimestamp: DateTime, locationTimeZone: String`),
};

export const snapshotGroups: Record<string, Record<string, string>> = {
  gps: all('?', 'state latitude longitude direction altitude speed satellites hdop'),
  ignition: all('?', 'engineStatus'),
  driver: all(
    '?',
    'driverId iButton oneWire rfidIButton rfidIButtonHex rfidIButtonReversed rfidIButtonReversedHex rfid rfidHex',
  ),
  driverBehaviour: all('?', 'driverBehaviourType driverBehaviourValue'),
  temperatures: fields('temperatures: [TemperatureMap], temperatureSensorIds: [TemperatureSensorMap]'),
  fleetMetaSensors: fields('sensors: [SensorMap]'),
  fuel: fields(`fuel: ?, rawFuel: [RawFuelMap], pulseCount: ?, fuelLevel: [FuelLevelMap], totalFuelEconomy: ?,
    fuelTankSize: ?`),
  misc: all('?', 'power vehicleBusType'),
};

/** The Float fields of CanBus by the unit the contract states. */
export const canBusUnits: Record<string, string[]> = {
  percent: words(`acceleratorPedalPosition brakePedalPosition canTripFuelUsedPercent engineCoolantLevel engineOilLevel
    enginePercentLoad engineThrottlePosition oilLifeRemaining washerFluidLevel`),
  kPa: words(`barometricPressure brakeApplicationPressure engineCoolantPressure engineOilPressure fuelDeliveryPressure
    tirePressurePlacardFront tirePressurePlacardRear`),
  'degrees C': words(`ambientAirTemperature engineOilTemperature intakeAirTemperature transmissionOilTemperature
    canEngineCoolantTemperature`),
  'm/s2': words('accelerationX accelerationY'),
  kg: words('canCombinationWeight combinationWeight canAxleWeight cargoWeight'),
  km: words('canDistance canDeltaDistance canTripDistance canServiceDistance'),
  'km/h': words('canSpeed canWheelSpeed'),
  litres: words('canTripFuelUsed'),
  'l/h': words('canFuelRate'),
  'km/l': words('canFuelEconomy'),
  Nm: words('brakeTorque'),
  seconds: words('engineRunTime'),
  hours: words('engineIdleTime engineWorkTime'),
};

export const canBus: Record<string, string> = {
  ...all(
    'Boolean',
    `absStatus brakePedalState checkEngineWarning clutchPedalState overweight parkingBrakeSwitch seatBeltDriver
     seatBeltPassenger seatOccupiedDriver seatOccupiedPassenger serviceNowWarning tirePressureWarning tractionControl
     tractionControlBrake tractionControlPowerTrain waterInFuel`,
  ),
  ...all('Long', 'cruiseControlState engineFuelType'),
  ...all('String', 'gear tireLocation'),
  ...all('Float', Object.values(canBusUnits).flat().join(' ')),
  ...all(
    'Float',
    `canrpm canFuelUsed canhrFuelUsed canFuel canRawFuel canAxleNumber canEngineHours deltaFuelUsed massAirFlow`,
  ),
  ...fields(`canAxleWeights: [CanAxleWeightsMap], tirePressure: [TirePressureMap],
    tirePressureStatus: [TirePressureStatusMap]`),
  ...all(
    '?',
    `canFuelConsumption frontLeftDoorOpen frontRightDoorStatus hoodOpen rearLeftDoorOpen rearRightDoorOpen trunkOpen
     canProgramNumber cruiseControlActive retarderTorqueMode actualRetarderLevel nonEngineRetarderSelectionLevel`,
  ),
};

/** The inputs whose fields the contract shows. */
export const inputs: Record<string, Record<string, string>> = {
  AssignDriverInput: fields('vehicleId: UUID!, driverId: UUID!, startTimestamp: DateTime, endTimestamp: DateTime'),
  GetDriverAssignmentsInput: fields('vehicleId: UUID, driverId: UUID'),
};

/** Root fields as `name(arguments): type`, with arguments in the contract's order. */
export const queries: string[] = words(`
  getActiveVehicles:[Vehicle]
  getVehicles:[Vehicle]
  getVehicleById(id:UUID!):Vehicle
  getVehiclesByVin(vin:String!):[Vehicle]
  getDeviceById(id:UUID!):Device
  getDeviceBySerial(serial:String!):Device
  getDevicesBySerial(serial:String!):[Device]
  getDriverAssignments(input:GetDriverAssignmentsInput!):[DriverAssignment]
  getGeofenceById(id:UUID!):Geofence
  getGeofences:[Geofence]
  getGroups:[Group]
  getLabels:[Label]
  getLatestSnapshots(vehicleIds:[UUID!]!):[CommonFormat]
  getSnapshots(vehicleId:UUID!,from:DateTime!,to:DateTime!):[CommonFormat]
  getMetaSensors:[MetaSensor]
  getPeople:[Person]
  getPersonById(id:UUID!):Person
  getPersonCustomFields(personId:UUID!):[CustomField]
  getRoles:[Role]
  getRuleById(id:UUID!):Rule
  getRules:[Rule]
  getUserInfo:[FleetUserInfo]
  getVehicleCustomFields(vehicleId:UUID!):[CustomField]
  getVehicleMappedSensors(vehicleId:UUID!):[Sensor]
  getVehicleTypes:[VehicleType]
  getWorkScheduleById(id:UUID!):WorkSchedule
  getWorkSchedules:[WorkSchedule]
  getWrappedReport(input:WrappedReportInput!):WrappedReport
  getWrappedReportInputs(id:String):[WrappedReportInputs]
`);

export const mutations: string[] = words(`
  assignDriver(assignDriverInput:AssignDriverInput!):Boolean
  unassignDriver(unassignDriverInput:UnassignDriverInput!):Boolean
  changeGeofenceGroups(geofenceId:UUID!,changeGeofenceGroupsInput:ChangeGeofenceGroupsInput):ChangeGeofenceGroupsOutput
  changeVehicleGroups(vehicleId:UUID!,changeVehicleGroupsInput:ChangeVehicleGroupsInput):ChangeVehicleGroupsOutput
  changeVehiclesGroup(vehicleIds:[UUID!]!,sourceGroupId:UUID!,destinationGroupId:UUID!):[String]
  createDriverToken(createDriverTokenInput:CreateDriverTokenInput!):DriverToken
  updateDriverToken(tokenId:UUID!,updateDriverTokenInput:UpdateDriverTokenInput!):DriverToken
  deleteDriverToken(tokenId:UUID!):Boolean
  createGeofence(geofenceInput:CreateGeofenceInput!):Geofence
  updateGeofence(geofenceId:UUID!,geofenceInput:GeofenceInput!):Geofence
  deleteGeofence(geofenceId:UUID!):Boolean
  createGroup(createGroupInput:CreateGroupInput!):Group
  updateGroup(groupId:UUID!,updateGroupInput:UpdateGroupInput!):Group
  deleteGroup(groupId:UUID!):Boolean
  createPerson(personInput:CreatePersonInput!):Person
  updatePerson(personId:UUID!,personInput:UpdatePersonInput!):Person
  deletePerson(personId:UUID!):Boolean
  setPersonCustomRoles(personId:UUID!,roleIds:[UUID]!):Boolean
  updatePersonCustomField(personId:UUID!,field:CustomFieldInput!):CustomField
  updateVehicle(vehicleId:UUID!,vehicleInput:VehicleInput!):Vehicle
  updateVehicleCustomField(vehicleId:UUID!,field:CustomFieldInput!):CustomField
`);
