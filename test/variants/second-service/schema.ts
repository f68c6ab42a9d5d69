// The schema of the second service, written from the contract alone. Every type that the contract does not name has a name that no
// other part of this project uses, and so have its scalars.
export const typeDefs = /* GraphQL */ `
  scalar UUID
  scalar Long
  scalar DateTime
  scalar Tree

  type Vehicle {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    name: String
    fleetId: UUID
    vin: String
    licensePlate: String
    make: String
    model: String
    year: Int
    latestData: LatestData
    lastData: CommonFormat
    assignedGroups: [Group]
    assignedDevices: [Device]
    assignedLabels: [Label]
    lastOdometer: Float
    lastWorkingHours: Float
    deactivated: Boolean
    vehicleType: VehicleType
    customFields: [CustomField]
    workSchedule: WorkSchedule
  }
  type LatestData {
    timestamp: Long
    gps: WhereItIs
    ignition: KeyTurned
    odometer: Tree
  }
  type Device { id: UUID!, serial: String, deviceTypeKey: String, enabled: Boolean, phoneNumber: String }
  type Group {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    name: String
    fleetId: UUID
    parentId: UUID
    externalId: String
    description: String
    isOwn: Boolean
    vehicleIds: [UUID]
    assignedVehicles: [Vehicle]
  }
  type Label { id: UUID!, version: String, createdAt: Long, updatedAt: Long, isDeleted: Boolean, name: String, fleetId: UUID }
  type VehicleType { id: UUID!, name: String }
  type CustomField { name: String, value: String }
  type WorkSchedule {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    name: String
    fleetId: UUID
    isDefault: Boolean
    beginGrace: Int
    endGrace: Int
    periods: [WorkSchedulePeriod]
  }
  type WorkSchedulePeriod { weekday: Int, begin: Int, duration: Int }
  type DriverAssignment {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    vehicleId: UUID
    driverId: UUID
    startedAt: Long
    endedAt: Long
  }
  type Geofence {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    name: String
    fleetId: UUID
    geojson: Tree
    color: String
    phone: String
    email: String
    address: Address
    description: String
    type: String
    displayNameAsAddress: Boolean
  }
  type Address { country: String, countryCode: String, region: String, city: String, postalCode: String, address: String }
  type Person {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    isUser: Boolean
    isDriver: Boolean
    fleetId: UUID
    email: String
    phone: String
    firstName: String
    lastName: String
    globalUserId: String
    licenseNumber: String
    licenseIssuedIn: String
    employeeId: String
    customFields: [CustomField]
    driverTokens: [DriverToken]
    roles: [Role]
  }
  type DriverToken {
    id: UUID!
    version: String
    createdAt: Long
    updatedAt: Long
    isDeleted: Boolean
    value: String
    fleetId: UUID
    driverId: UUID
    lastScanTimestamp: Long
  }
  type Role { id: UUID!, version: String, createdAt: Long, updatedAt: Long, isDeleted: Boolean, fleetId: UUID, name: String }
  type Rule { id: UUID!, name: String, enabled: Boolean, ruleType: String, vehicles: RuleVehicles, geofenceIds: [UUID] }
  type RuleVehicles { assignedVehicleIds: [UUID], assignedGroupIds: [UUID], assignedToAll: Boolean }
  type MetaSensor { name: String, key: Int }
  type Sensor { name: String, source: String }
  type FleetUserInfo { userName: String, userId: UUID, fleetName: String, fleetId: UUID }
  type WrappedReport { reportId: String, report: Tree }
  type WrappedReportInputs { id: String, title: String, description: String, onlyFleetTimezone: Boolean, inputs: Tree }
  type ChangeGeofenceGroupsOutput { geofenceId: UUID, removedGroupIds: [UUID], addedGroupIds: [UUID] }
  type ChangeVehicleGroupsOutput { vehicleId: UUID, removedGroupIds: [UUID], addedGroupIds: [UUID] }

  type CommonFormat {
    vehicleId: UUID
    vehicle: Vehicle
    timestamp: DateTime
    gps: WhereItIs
    ignition: KeyTurned
    driver: AtTheWheel
    canBus: CanBus
    driverBehaviour: HowItIsDriven
    temperatures: HotOrCold
    fleetMetaSensors: Probes
    fuel: InTheTank
    misc: AllElse
    locationTimestamp: DateTime
    locationTimeZone: String
  }
  type WhereItIs {
    state: Boolean
    latitude: Float
    longitude: Float
    direction: Int
    altitude: Int
    speed: Float
    satellites: Int
    hdop: Float
  }
  type KeyTurned { engineStatus: Boolean }
  type AtTheWheel {
    driverId: UUID
    iButton: String
    oneWire: String
    rfidIButton: String
    rfidIButtonHex: String
    rfidIButtonReversed: String
    rfidIButtonReversedHex: String
    rfid: String
    rfidHex: String
  }
  type HowItIsDriven { driverBehaviourType: String, driverBehaviourValue: Float }
  type HotOrCold { temperatures: [TemperatureMap], temperatureSensorIds: [TemperatureSensorMap] }
  type Probes { sensors: [SensorMap] }
  type InTheTank {
    fuel: Float
    rawFuel: [RawFuelMap]
    pulseCount: Int
    fuelLevel: [FuelLevelMap]
    totalFuelEconomy: Float
    fuelTankSize: Float
  }
  type AllElse { power: Float, vehicleBusType: String }
  type TemperatureMap { probe: Int, degrees: Float }
  type TemperatureSensorMap { probe: Int, serial: String }
  type SensorMap { probe: Int, reading: Float }
  type RawFuelMap { tank: Int, reading: Float }
  type FuelLevelMap { tank: Int, reading: Float }
  CANBUS

  input AssignDriverInput { vehicleId: UUID!, driverId: UUID!, startTimestamp: DateTime, endTimestamp: DateTime }
  input GetDriverAssignmentsInput { vehicleId: UUID, driverId: UUID }
  input UnassignDriverInput { vehicleId: UUID!, driverId: UUID, timestamp: DateTime }
  input ChangeGeofenceGroupsInput { addGroupIds: [UUID], removeGroupIds: [UUID] }
  input ChangeVehicleGroupsInput { addGroupIds: [UUID], removeGroupIds: [UUID] }
  input CreateDriverTokenInput { value: String, driverId: UUID }
  input UpdateDriverTokenInput { value: String, driverId: UUID }
  input CreateGeofenceInput { name: String, geojson: Tree, color: String, description: String }
  input GeofenceInput { name: String, geojson: Tree, color: String, description: String }
  input CreateGroupInput { name: String, parentId: UUID, description: String }
  input UpdateGroupInput { name: String, parentId: UUID, description: String }
  input CreatePersonInput { firstName: String, lastName: String, email: String, isUser: Boolean, isDriver: Boolean }
  input UpdatePersonInput { firstName: String, lastName: String, email: String, isUser: Boolean, isDriver: Boolean }
  input CustomFieldInput { name: String, value: String }
  input VehicleInput { name: String, licensePlate: String, deactivated: Boolean }
  input WrappedReportInput { reportId: String, inputs: Tree }

  type Query {
    getActiveVehicles: [Vehicle]
    getVehicles: [Vehicle]
    getVehicleById(id: UUID!): Vehicle
    getVehiclesByVin(vin: String!): [Vehicle]
    getDeviceById(id: UUID!): Device
    getDeviceBySerial(serial: String!): Device
    getDevicesBySerial(serial: String!): [Device]
    getDriverAssignments(input: GetDriverAssignmentsInput!): [DriverAssignment]
    getGeofenceById(id: UUID!): Geofence
    getGeofences: [Geofence]
    getGroups: [Group]
    getLabels: [Label]
    getLatestSnapshots(vehicleIds: [UUID!]!): [CommonFormat]
    getSnapshots(vehicleId: UUID!, from: DateTime!, to: DateTime!): [CommonFormat]
    getMetaSensors: [MetaSensor]
    getPeople: [Person]
    getPersonById(id: UUID!): Person
    getPersonCustomFields(personId: UUID!): [CustomField]
    getRoles: [Role]
    getRuleById(id: UUID!): Rule
    getRules: [Rule]
    getUserInfo: [FleetUserInfo]
    getVehicleCustomFields(vehicleId: UUID!): [CustomField]
    getVehicleMappedSensors(vehicleId: UUID!): [Sensor]
    getVehicleTypes: [VehicleType]
    getWorkScheduleById(id: UUID!): WorkSchedule
    getWorkSchedules: [WorkSchedule]
    getWrappedReport(input: WrappedReportInput!): WrappedReport
    getWrappedReportInputs(id: String): [WrappedReportInputs]
  }
  type Mutation {
    assignDriver(assignDriverInput: AssignDriverInput!): Boolean
    unassignDriver(unassignDriverInput: UnassignDriverInput!): Boolean
    changeGeofenceGroups(geofenceId: UUID!, changeGeofenceGroupsInput: ChangeGeofenceGroupsInput): ChangeGeofenceGroupsOutput
    changeVehicleGroups(vehicleId: UUID!, changeVehicleGroupsInput: ChangeVehicleGroupsInput): ChangeVehicleGroupsOutput
    changeVehiclesGroup(vehicleIds: [UUID!]!, sourceGroupId: UUID!, destinationGroupId: UUID!): [String]
    createDriverToken(createDriverTokenInput: CreateDriverTokenInput!): DriverToken
    updateDriverToken(tokenId: UUID!, updateDriverTokenInput: UpdateDriverTokenInput!): DriverToken
    deleteDriverToken(tokenId: UUID!): Boolean
    createGeofence(geofenceInput: CreateGeofenceInput!): Geofence
    updateGeofence(geofenceId: UUID!, geofenceInput: GeofenceInput!): Geofence
    deleteGeofence(geofenceId: UUID!): Boolean
    createGroup(createGroupInput: CreateGroupInput!): Group
    updateGroup(groupId: UUID!, updateGroupInput: UpdateGroupInput!): Group
    deleteGroup(groupId: UUID!): Boolean
    createPerson(personInput: CreatePersonInput!): Person
    updatePerson(personId: UUID!, personInput: UpdatePersonInput!): Person
    deletePerson(personId: UUID!): Boolean
    setPersonCustomRoles(personId: UUID!, roleIds: [UUID]!): Boolean
    updatePersonCustomField(personId: UUID!, field: CustomFieldInput!): CustomField
    updateVehicle(vehicleId: UUID!, vehicleInput: VehicleInput!): Vehicle
    updateVehicleCustomField(vehicleId: UUID!, field: CustomFieldInput!): CustomField
  }
`;

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

const canBus = {
  Boolean:
    names(`absStatus brakePedalState checkEngineWarning clutchPedalState overweight parkingBrakeSwitch seatBeltDriver
    seatBeltPassenger seatOccupiedDriver seatOccupiedPassenger serviceNowWarning tirePressureWarning tractionControl
    tractionControlBrake tractionControlPowerTrain waterInFuel`),
  Long: names('cruiseControlState engineFuelType'),
  String:
    names(`gear tireLocation frontLeftDoorOpen frontRightDoorStatus hoodOpen rearLeftDoorOpen rearRightDoorOpen trunkOpen
    canProgramNumber cruiseControlActive retarderTorqueMode actualRetarderLevel nonEngineRetarderSelectionLevel canFuelConsumption`),
  Float:
    names(`acceleratorPedalPosition brakePedalPosition canTripFuelUsedPercent engineCoolantLevel engineOilLevel enginePercentLoad
    engineThrottlePosition oilLifeRemaining washerFluidLevel barometricPressure brakeApplicationPressure engineCoolantPressure
    engineOilPressure fuelDeliveryPressure tirePressurePlacardFront tirePressurePlacardRear ambientAirTemperature engineOilTemperature
    intakeAirTemperature transmissionOilTemperature canEngineCoolantTemperature accelerationX accelerationY canCombinationWeight
    combinationWeight canAxleWeight cargoWeight canDistance canDeltaDistance canTripDistance canServiceDistance canSpeed canWheelSpeed
    canTripFuelUsed canFuelRate canFuelEconomy brakeTorque engineRunTime engineIdleTime engineWorkTime canrpm canFuelUsed canhrFuelUsed
    canFuel canRawFuel canAxleNumber canEngineHours deltaFuelUsed massAirFlow`),
};

/** The type CanBus with its fields by type; those "present by name only" are text here. */
export const canBusType = `
  type CanBus {
    ${Object.entries(canBus)
      .flatMap(([type, fields]) => fields.map((field) => `${field}: ${type}`))
      .join('\n    ')}
    canAxleWeights: [CanAxleWeightsMap]
    tirePressure: [TirePressureMap]
    tirePressureStatus: [TirePressureStatusMap]
  }
  type CanAxleWeightsMap { axle: Int, load: Float }
  type TirePressureMap { wheel: [Int], kPa: Float }
  type TirePressureStatusMap { wheel: [Int], is: String }
`;
