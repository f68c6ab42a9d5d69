const contractText = `# The documented contract of the fleet telematics service.
#
# Fields and arguments without a mark are exactly as in the contract. Where the contract leaves something open, this file contains the
# likeliest form and marks it with @assumed, so that readers and tools can tell the difference.
# All output fields are nullable, because the contract marks none as non-null.
#
# The contract does not name every type; names such as Gps, Ignition, Driver, Fuel and Misc are ours. No fragment of this project uses
# them, so its operations also work with a service that has other names.

"""
The part of a definition that is assumed.
"""
enum AssumedPart {
  """
  The contract names the field, and it is a leaf. Only its scalar type is assumed. It is selected by default.
  """
  LEAF_TYPE
  """
  The members below this point are assumed. They are never selected by default.
  """
  STRUCTURE
  """
  The members of this input are assumed. The generated TypeScript type also accepts other keys.
  """
  INPUT
}

"""
Marks an assumption of this file about something that the contract does not show.
"""
directive @assumed(part: AssumedPart!, reason: String!) on OBJECT | FIELD_DEFINITION | INPUT_OBJECT | INPUT_FIELD_DEFINITION | SCALAR | ENUM

"""
Identifier of a record, written as a string such as \`3f6c2b9e-8d1a-5c47-9b0e-2a7d4c1f8e65\`.
"""
scalar UUID

"""
A whole number of up to 64 bits.
"""
scalar Long

"""
A point in time as RFC 3339 text, for example \`2026-03-01T08:30:00Z\`.
"""
scalar DateTime

"""
Any JSON object.
"""
scalar JSON

"""
A point in time in a form that the contract does not define: some resolvers return RFC 3339 text, others a number (epoch milliseconds
or seconds). The SDK's \`toDate\` reads every form.
"""
scalar Timestamp
  @assumed(
    part: LEAF_TYPE
    reason: "type and format of createdAt, updatedAt, startedAt, endedAt and lastScanTimestamp are not in the contract; live services send RFC 3339 strings and numbers"
  )

"""
The version of a record. It is opaque and changes whenever the record changes. The contract does not define its type and meaning.
"""
scalar Version
  @assumed(part: LEAF_TYPE, reason: "type, format and meaning of the record version field are not in the contract")

# ---------------------------------------------------------------------------------------------------------- vehicles

"""
A vehicle of the fleet, or any other asset that carries a tracking device.
"""
type Vehicle {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  "True once the vehicle has been deleted."
  isDeleted: Boolean
  "The name that operators use for the vehicle."
  name: String
  "The fleet the vehicle belongs to."
  fleetId: UUID
  "Vehicle identification number (VIN)."
  vin: String
  "Licence plate as registered."
  licensePlate: String
  make: String
  model: String
  "Model year."
  year: Int
  """
  The newest value of each kind of data. Some live services cannot resolve it, so it is never selected by default. Use \`lastData\`
  or getLatestSnapshots for the newest snapshot.
  """
  latestData: LatestData
  "The newest snapshot of the vehicle."
  lastData: CommonFormat
  "Groups the vehicle is a member of."
  assignedGroups: [Group]
  "Tracking devices mounted in the vehicle."
  assignedDevices: [Device]
  "Labels attached to the vehicle."
  assignedLabels: [Label]
  "Newest odometer reading. The contract states no unit; km is usual."
  lastOdometer: Float
  "Newest working hours reading. The contract states no unit; hours are usual."
  lastWorkingHours: Float
  "True when the vehicle has been taken out of service. getActiveVehicles does not return such vehicles."
  deactivated: Boolean
  vehicleType: VehicleType
  "Custom fields with their values for this vehicle."
  customFields: [CustomField]
  "The work schedule that applies to the vehicle."
  workSchedule: WorkSchedule
}

"""
The newest value of each kind of data of one vehicle. Members that share a type with a snapshot group have the same form.
"""
type LatestData {
  "When the newest data was recorded."
  timestamp: Timestamp
    @assumed(part: LEAF_TYPE, reason: "the contract names the member without a type")
  gps: Gps
  gpsWithTimestamp: GpsWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  "Odometer in km."
  odometer: LatestValue
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract; public integrations select { value timestamp }")
  "Working hours in hours."
  workingHours: LatestValue
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract; public integrations select { value timestamp }")
  "Engine hours in hours."
  engineHours: LatestValue
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract; public integrations select { value timestamp }")
  "Postal address of the newest position."
  address: Address
    @assumed(
      part: STRUCTURE
      reason: "the sub-fields are not in the contract; public integrations select { address city region countryCode postalCode }"
    )
  "Speed limit at the newest position in km/h."
  speedLimit: LatestValue
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract; assumed to be like odometer")
  "Geofences that the vehicle is in."
  geofenceData: LatestGeofences
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract")
  "Newest meta sensor values."
  metaSensorData: LatestMetaSensors
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract")
  "Power take-off (PTO) hours in hours."
  ptoHoursData: LatestValue
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract; assumed to be like odometer")
  "The last known driver."
  driverData: LatestDriver
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract")
  canBus: CanBus
  canBusWithTimestamp: CanBusWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  ignition: Ignition
  ignitionWithTimestamp: IgnitionWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  driverBehaviour: DriverBehaviour
  driverBehaviourWithTimestamp: DriverBehaviourWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  temperatures: Temperatures
  temperaturesWithTimestamp: TemperaturesWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  fuel: Fuel
  fuelWithTimestamp: FuelWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  misc: Misc
  miscWithTimestamp: MiscWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
  crash: Crash
    @assumed(part: STRUCTURE, reason: "the sub-fields are not in the contract")
  crashWithTimestamp: CrashWithTimestamp
    @assumed(part: STRUCTURE, reason: "the sub-fields of the WithTimestamp members are not in the contract")
}

"""
One number and when it was recorded.
"""
type LatestValue @assumed(part: STRUCTURE, reason: "public integrations select { value timestamp }") {
  value: Float
  timestamp: Timestamp
}

"""
The geofences that a vehicle is in, and when this was recorded.
"""
type LatestGeofences @assumed(part: STRUCTURE, reason: "the members of LatestData.geofenceData are not in the contract") {
  geofenceIds: [UUID]
  timestamp: Timestamp
}

"""
The newest meta sensor values and when they were recorded.
"""
type LatestMetaSensors @assumed(part: STRUCTURE, reason: "the members of LatestData.metaSensorData are not in the contract") {
  sensors: [SensorMap]
  timestamp: Timestamp
}

"""
The last known driver, and when the driver was recorded.
"""
type LatestDriver @assumed(part: STRUCTURE, reason: "the members of LatestData.driverData are not in the contract") {
  driverId: UUID
  timestamp: Timestamp
}

"""
Crash detection.
"""
type Crash @assumed(part: STRUCTURE, reason: "the members of LatestData.crash are not in the contract") {
  "True when the device detected a crash."
  detected: Boolean
  "Peak acceleration in m/s2."
  acceleration: Float
}

"Position with the time it was recorded."
type GpsWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Gps
  timestamp: Timestamp
}

"CAN bus data with the time it was recorded."
type CanBusWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: CanBus
  timestamp: Timestamp
}

"Ignition with the time it was recorded."
type IgnitionWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Ignition
  timestamp: Timestamp
}

"Driver behaviour with the time it was recorded."
type DriverBehaviourWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: DriverBehaviour
  timestamp: Timestamp
}

"Temperatures with the time they were recorded."
type TemperaturesWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Temperatures
  timestamp: Timestamp
}

"Fuel data with the time it was recorded."
type FuelWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Fuel
  timestamp: Timestamp
}

"Miscellaneous data with the time it was recorded."
type MiscWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Misc
  timestamp: Timestamp
}

"Crash detection with the time it was recorded."
type CrashWithTimestamp @assumed(part: STRUCTURE, reason: "the members of the WithTimestamp types are not in the contract") {
  value: Crash
  timestamp: Timestamp
}

"""
A tracking device.
"""
type Device {
  id: UUID
  "Serial number of the device."
  serial: String
  "Key of the device's type."
  deviceTypeKey: String
  "False when the device has been switched off for the fleet."
  enabled: Boolean
  "Phone number of the device's SIM."
  phoneNumber: String
}

"""
A group of vehicles. Groups form a tree through \`parentId\`.
"""
type Group {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  name: String
  fleetId: UUID
  "The group above this one; null at the top."
  parentId: UUID
  "The group's identifier in an external system."
  externalId: String
  description: String
  "True when the group belongs to the user's own fleet."
  isOwn: Boolean
  "Vehicles that are members of the group."
  vehicleIds: [UUID]
  "The same vehicles as complete records."
  assignedVehicles: [Vehicle]
}

"""
A label that can be attached to vehicles.
"""
type Label {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  name: String
  fleetId: UUID
}

"""
A kind of vehicle, such as truck or van.
"""
type VehicleType {
  id: UUID
  name: String
}

"""
A field that the fleet defined, with its value for one person or vehicle.
"""
type CustomField {
  name: String
  value: String
}

"""
The weekly hours in which a vehicle is expected to work.
"""
type WorkSchedule {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  name: String
  fleetId: UUID
  "True for the schedule that applies if no other is set."
  isDefault: Boolean
  "Tolerance before a period begins. The contract states no unit."
  beginGrace: Int
  "Tolerance after a period ends. The contract states no unit."
  endGrace: Int
  periods: [WorkSchedulePeriod]
}

"""
One working period of a week. The contract states neither types nor units.
"""
type WorkSchedulePeriod {
  "Day of the week the period begins on."
  weekday: String
    @assumed(part: LEAF_TYPE, reason: "the types of the period fields are not in the contract; an upper-case English day name is likeliest")
  "Time of day the period begins."
  begin: String @assumed(part: LEAF_TYPE, reason: "the types of the period fields are not in the contract; HH:MM is likeliest")
  "Length of the period."
  duration: Int @assumed(part: LEAF_TYPE, reason: "the types of the period fields are not in the contract; minutes are likeliest")
}

"""
A sensor defined for the whole fleet; its values appear in \`fleetMetaSensors\` under its key.
"""
type MetaSensor {
  name: String
  "The key of the sensor's values in snapshots."
  key: Int
}

"""
A sensor mapped to a vehicle.
"""
type Sensor {
  name: String
  "The device input the sensor reads."
  source: String
}

# ---------------------------------------------------------------------------------------------------------- people

"""
A period in which a driver is assigned to a vehicle. Without an end it is ongoing.
"""
type DriverAssignment {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  vehicleId: UUID
  "The driver."
  driverId: UUID
  startedAt: Timestamp
  "Null while the assignment is ongoing."
  endedAt: Timestamp
}

"""
A person: a driver, a user of the service, or both.
"""
type Person {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  "True when the person can log in."
  isUser: Boolean
  "True when the person can be assigned to vehicles."
  isDriver: Boolean
  fleetId: UUID
  email: String
  phone: String
  firstName: String
  lastName: String
  "Identifier of the person's login, if the person is a user."
  globalUserId: String
  "Number of the driving licence."
  licenseNumber: String
  "Where the driving licence was issued."
  licenseIssuedIn: String
  "The employer's number for the person."
  employeeId: String
  customFields: [CustomField]
  "Tokens that identify the driver."
  driverTokens: [DriverToken]
  roles: [Role]
}

"""
A token that identifies a driver in a vehicle, such as an iButton or an RFID card.
"""
type DriverToken {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  "The value that the token reader reads."
  value: String
  fleetId: UUID
  "The driver the token belongs to."
  driverId: UUID
  "When the token was last read in a vehicle."
  lastScanTimestamp: Timestamp
}

"""
A role a person can have.
"""
type Role {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  fleetId: UUID
  name: String
}

"""
A user of a fleet that the login may act as.
"""
type FleetUserInfo {
  userName: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "The value of the \`userId\` request header that selects this user."
  userId: UUID @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  fleetName: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "The value of the \`fleetId\` request header that selects this user's fleet."
  fleetId: UUID @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
}

# ---------------------------------------------------------------------------------------------------------- geofences and rules

"""
An area or place of interest on the map.
"""
type Geofence {
  id: UUID
  "Opaque; changes whenever the record changes."
  version: Version
  createdAt: Timestamp
  updatedAt: Timestamp
  isDeleted: Boolean
  name: String
  fleetId: UUID
  "The shape as a GeoJSON object (RFC 7946: longitude before latitude, WGS 84)."
  geojson: JSON
  "Colour on the map."
  color: String
  phone: String
  email: String
  address: Address
  description: String
  "Kind of geofence. The contract lists no values."
  type: String
  "True when the geofence's name is shown instead of a street address."
  displayNameAsAddress: Boolean
}

"""
A postal address.
"""
type Address {
  country: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
  "Country code, such as ISO 3166-1 alpha-2 \`EE\`."
  countryCode: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
  region: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
  city: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
  postalCode: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
  "Street and house number, or the whole address in one line."
  address: String @assumed(part: LEAF_TYPE, reason: "the types of the address fields are not in the contract")
}

"""
An event rule: what the service monitors, and for which vehicles.
"""
type Rule {
  id: UUID
  name: String
  "False when the rule is switched off."
  enabled: Boolean
  "Kind of rule. The contract lists no values."
  ruleType: String
  "The vehicles the rule applies to."
  vehicles: RuleVehicles
  "Geofences that the rule monitors."
  geofenceIds: [UUID]
}

"""
The vehicles of an event rule: all, or those assigned directly and through groups.
"""
type RuleVehicles {
  assignedVehicleIds: [UUID]
  assignedGroupIds: [UUID]
  assignedToAll: Boolean
}

# ---------------------------------------------------------------------------------------------------------- reports

"""
A finished report.
"""
type WrappedReport {
  "Identifier of the report, as in WrappedReportInputs.id."
  reportId: String
  "The report itself. Its shape depends on the report."
  report: JSON
}

"""
An available report and its parameters.
"""
type WrappedReportInputs {
  "Identifier of the report, such as \`vehicle-trips\`."
  id: String
  title: String
  description: String
  "True when the report can only be run in the fleet's own time zone."
  onlyFleetTimezone: Boolean
  "The parameters the report takes."
  inputs: JSON
}

# ---------------------------------------------------------------------------------------------------------- snapshots

"""
A snapshot: the data that a vehicle's device reported at one moment. A group is null when the snapshot has no data for it.
"""
type CommonFormat {
  vehicleId: UUID
  "The vehicle as a complete record."
  vehicle: Vehicle
  "When the snapshot was recorded."
  timestamp: DateTime
  gps: Gps
  ignition: Ignition
  "The driver at that time. Null in many snapshots."
  driver: Driver
  canBus: CanBus
  driverBehaviour: DriverBehaviour
  temperatures: Temperatures
  fleetMetaSensors: FleetMetaSensors
  fuel: Fuel
  misc: Misc
  "When the position was determined. It may be earlier than \`timestamp\`."
  locationTimestamp: DateTime
  "Time zone at the position, as an IANA name."
  locationTimeZone: String
}

"""
Position and motion. Latitude and longitude are 0, 0 before the first fix.
"""
type Gps {
  "True when the position is a valid fix."
  state: Boolean @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract; live services send booleans")
  "Degrees north, WGS 84."
  latitude: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
  "Degrees east, WGS 84."
  longitude: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
  "Heading in degrees, clockwise from north."
  direction: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
  "Metres above sea level."
  altitude: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
  "Speed over ground in km/h."
  speed: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract; live services send km/h")
  "Satellites in use."
  satellites: Int @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
  "Horizontal dilution of precision."
  hdop: Float @assumed(part: LEAF_TYPE, reason: "the types of the gps members are not in the contract")
}

"""
Ignition.
"""
type Ignition {
  "True when the engine (the ignition) is on."
  engineStatus: Boolean
    @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type; live services send booleans")
}

"""
The driver, and the token that identified the driver.
"""
type Driver {
  "The person, if the token is known."
  driverId: UUID @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Serial number of an iButton."
  iButton: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Value read on the 1-Wire bus."
  oneWire: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value in iButton form."
  rfidIButton: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value in iButton form, hexadecimal."
  rfidIButtonHex: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value in iButton form, byte order reversed."
  rfidIButtonReversed: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value in iButton form, byte order reversed, hexadecimal."
  rfidIButtonReversedHex: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value."
  rfid: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "RFID value, hexadecimal."
  rfidHex: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
}

"""
A driver behaviour event.
"""
type DriverBehaviour {
  """
  Kind of event. Seen on live services: HARSH_BRAKING, HARSH_ACCELERATION, MAX_SPEED_EXCEEDED, SPEED_SIGN_VIOLATION,
  DRIVER_BEHAVIOUR_TYPE_UNKNOWN.
  """
  driverBehaviourType: String
    @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type; may be an enumeration")
  "Strength of the event. Its unit depends on the kind of event."
  driverBehaviourValue: Float @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
}

"""
Temperatures by sensor.
"""
type Temperatures {
  temperatures: [TemperatureMap]
  temperatureSensorIds: [TemperatureSensorMap]
}

"""
One temperature: sensor number and degrees C.
"""
type TemperatureMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: Float
}

"""
One temperature sensor: sensor number and hardware identifier.
"""
type TemperatureSensorMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: String
}

"""
Values of the fleet's meta sensors.
"""
type FleetMetaSensors {
  sensors: [SensorMap]
}

"""
One meta sensor value: MetaSensor.key and the reading.
"""
type SensorMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: Float
}

"""
Fuel data.
"""
type Fuel {
  "Fuel in the tank, calibrated. The contract states no unit; litres are usual."
  fuel: Float @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Uncalibrated readings by fuel sensor."
  rawFuel: [RawFuelMap]
  "Pulses counted by a flow meter."
  pulseCount: Long @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Fuel level by tank."
  fuelLevel: [FuelLevelMap]
  "Fuel economy over the vehicle's life. The contract states no unit; km/l, as on the CAN bus, is likeliest."
  totalFuelEconomy: Float @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Size of the tank. The contract states no unit; litres are usual."
  fuelTankSize: Float @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
}

"""
One uncalibrated fuel reading: sensor number and raw value.
"""
type RawFuelMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: Float
}

"""
One fuel level: tank number and level.
"""
type FuelLevelMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: Float
}

"""
Miscellaneous data.
"""
type Misc {
  "Supply voltage. The contract states no unit; volts are usual."
  power: Float @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
  "Kind of vehicle bus the device is connected to."
  vehicleBusType: String @assumed(part: LEAF_TYPE, reason: "the contract names the field without a type")
}

"""
Data read from the vehicle's CAN bus. A field is null when the vehicle does not send it.
"""
type CanBus {
  "Anti-lock braking system active."
  absStatus: Boolean
  "Brake pedal pressed."
  brakePedalState: Boolean
  "State of the malfunction indicator lamp (check engine)."
  checkEngineWarning: Boolean
  "Clutch pedal pressed."
  clutchPedalState: Boolean
  "The vehicle is heavier than allowed."
  overweight: Boolean
  "Parking brake set."
  parkingBrakeSwitch: Boolean
  "Driver's seat belt fastened."
  seatBeltDriver: Boolean
  "Passenger's seat belt fastened."
  seatBeltPassenger: Boolean
  "Driver's seat occupied."
  seatOccupiedDriver: Boolean
  "Passenger's seat occupied."
  seatOccupiedPassenger: Boolean
  "The vehicle needs service now."
  serviceNowWarning: Boolean
  "Tire pressure warning lamp on."
  tirePressureWarning: Boolean
  "Traction control active."
  tractionControl: Boolean
  "Traction control acting on the brakes."
  tractionControlBrake: Boolean
  "Traction control acting on the power train."
  tractionControlPowerTrain: Boolean
  "Water found in the fuel."
  waterInFuel: Boolean

  "Cruise control state: the raw enumeration value of the bus."
  cruiseControlState: Long
  "Engine fuel type: enumeration of bus values."
  engineFuelType: Long

  "Selected position of the gear lever."
  gear: String
  "The tire that the tire fields refer to."
  tireLocation: String

  "Accelerator pedal position in percent."
  acceleratorPedalPosition: Float
  "Brake pedal position in percent."
  brakePedalPosition: Float
  "Fuel used on this trip in percent."
  canTripFuelUsedPercent: Float
  "Engine coolant level in percent."
  engineCoolantLevel: Float
  "Engine oil level in percent."
  engineOilLevel: Float
  "Engine load at the current speed in percent."
  enginePercentLoad: Float
  "Engine throttle position in percent."
  engineThrottlePosition: Float
  "Oil life remaining in percent."
  oilLifeRemaining: Float
  "Washer fluid level in percent."
  washerFluidLevel: Float

  "Barometric pressure in kPa."
  barometricPressure: Float
  "Brake application pressure in kPa."
  brakeApplicationPressure: Float
  "Engine coolant pressure in kPa."
  engineCoolantPressure: Float
  "Engine oil pressure in kPa."
  engineOilPressure: Float
  "Fuel delivery pressure in kPa."
  fuelDeliveryPressure: Float
  "Recommended pressure of the front tires in kPa."
  tirePressurePlacardFront: Float
  "Recommended pressure of the rear tires in kPa."
  tirePressurePlacardRear: Float

  "Ambient air temperature in degrees C."
  ambientAirTemperature: Float
  "Engine oil temperature in degrees C."
  engineOilTemperature: Float
  "Intake air temperature in degrees C."
  intakeAirTemperature: Float
  "Transmission oil temperature in degrees C."
  transmissionOilTemperature: Float
  "Engine coolant temperature in degrees C."
  canEngineCoolantTemperature: Float

  "Acceleration along the vehicle in m/s2."
  accelerationX: Float
  "Acceleration across the vehicle in m/s2."
  accelerationY: Float

  "Weight of the whole combination as the bus sends it, in kg."
  canCombinationWeight: Float
  "Weight of the whole combination in kg, calculated from axle weights plus trailer weight. Only when canCombinationWeight is absent."
  combinationWeight: Float
  "Weight on the axle that canAxleNumber names, in kg."
  canAxleWeight: Float
  "Weight of the cargo in kg."
  cargoWeight: Float

  "Odometer in km."
  canDistance: Float
  "Distance since the last reading in km."
  canDeltaDistance: Float
  "Distance of this trip in km."
  canTripDistance: Float
  "Distance to the next service in km."
  canServiceDistance: Float

  "Speed in km/h."
  canSpeed: Float
  "Wheel-based speed in km/h."
  canWheelSpeed: Float

  "Fuel used on this trip in litres."
  canTripFuelUsed: Float
  "Fuel rate in l/h."
  canFuelRate: Float
  "Fuel economy in km/l."
  canFuelEconomy: Float
  "Brake torque in Nm."
  brakeTorque: Float
  "Engine run time in seconds."
  engineRunTime: Float
  "Engine idle time in hours."
  engineIdleTime: Float
  "Engine work time in hours."
  engineWorkTime: Float

  "Engine speed. The contract states no unit; revolutions per minute are usual."
  canrpm: Float
  "Total fuel used. The contract states no unit; litres are usual."
  canFuelUsed: Float
  "High-resolution total fuel used. The contract states no unit; litres are usual."
  canhrFuelUsed: Float
  "Fuel level, calibrated. The contract states no unit."
  canFuel: Float
  "Fuel level, uncalibrated: deciliters or percent of the tank."
  canRawFuel: Float
  "The axle that canAxleWeight refers to."
  canAxleNumber: Float
  "Engine hours. The contract states no unit; hours are usual."
  canEngineHours: Float
  "Fuel used since the last reading. The contract states no unit; litres are usual."
  deltaFuelUsed: Float
  "Mass air flow. The contract states no unit; g/s is usual."
  massAirFlow: Float

  "All known axle loads."
  canAxleWeights: [CanAxleWeightsMap]
  "Tire pressures by tire, in kPa."
  tirePressure: [TirePressureMap]
  "Tire pressure status by tire."
  tirePressureStatus: [TirePressureStatusMap]

  "Fuel consumption. The contract states no unit; litres per 100 km are likeliest."
  canFuelConsumption: Float @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  frontLeftDoorOpen: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  "True when the front right door is open."
  frontRightDoorStatus: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  hoodOpen: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  rearLeftDoorOpen: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  rearRightDoorOpen: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  trunkOpen: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  canProgramNumber: Long @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  cruiseControlActive: Boolean @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  "Retarder torque mode: raw enumeration value."
  retarderTorqueMode: Long @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  "Actual retarder level in percent."
  actualRetarderLevel: Float @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
  "Selection level of the non-engine retarder in percent."
  nonEngineRetarderSelectionLevel: Float @assumed(part: LEAF_TYPE, reason: "the contract gives only the name")
}

"""
One axle load: axle number and kg.
"""
type CanAxleWeightsMap @assumed(part: STRUCTURE, reason: "the key and value members of the map types are not in the contract") {
  key: Int
  value: Float
}

"""
One tire's pressure.
"""
type TirePressureMap
  @assumed(
    part: STRUCTURE
    reason: "the contract says key-value pairs whose key is a pair of numbers; the names of the members and the form of the pair are assumed"
  ) {
  "A pair of numbers: axle, counted front to rear, and tire position, counted left to right."
  key: [Int]
  "Pressure in kPa."
  value: Float
}

"""
One tire's pressure status.
"""
type TirePressureStatusMap
  @assumed(
    part: STRUCTURE
    reason: "the contract says key-value pairs whose key is a pair of numbers; the names of the members and the form of the pair are assumed"
  ) {
  "A pair of numbers: axle, counted front to rear, and tire position, counted left to right."
  key: [Int]
  "Normal, Low or Alert."
  value: TirePressureStatus
}

"""
State of a tire's pressure.
"""
enum TirePressureStatus {
  Normal
  Low
  Alert
}

# ---------------------------------------------------------------------------------------------------------- results of changes

"""
The result of changeGeofenceGroups.
"""
type ChangeGeofenceGroupsOutput {
  geofenceId: UUID
  "Groups that the geofence left."
  removedGroupIds: [UUID]
  "Groups that the geofence joined."
  addedGroupIds: [UUID]
}

"""
The result of changeVehicleGroups.
"""
type ChangeVehicleGroupsOutput {
  vehicleId: UUID
  "Groups that the vehicle left."
  removedGroupIds: [UUID]
  "Groups that the vehicle joined."
  addedGroupIds: [UUID]
}

# ---------------------------------------------------------------------------------------------------------- inputs

"""
A new driver assignment.
"""
input AssignDriverInput {
  vehicleId: UUID!
  driverId: UUID!
  "When the assignment starts. Default: now. At most 10 days in the past."
  startTimestamp: DateTime
  "When the assignment ends. Without it, the assignment is active and ongoing."
  endTimestamp: DateTime
}

"""
Which driver assignments to return. At least one of the two fields is required.
"""
input GetDriverAssignmentsInput {
  vehicleId: UUID
  driverId: UUID
}

"""
Which driver assignment to end.
"""
input UnassignDriverInput
  @assumed(part: INPUT, reason: "the contract names driverId; the names vehicleId and timestamp are assumed") {
  vehicleId: UUID!
  "If set, the assignment ends only if it belongs to this driver."
  driverId: UUID
  "When the assignment ends. Default: now."
  timestamp: DateTime
}

"""
The groups that a geofence joins and leaves.
"""
input ChangeGeofenceGroupsInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  addGroupIds: [UUID!]
  removeGroupIds: [UUID!]
}

"""
The groups that a vehicle joins and leaves.
"""
input ChangeVehicleGroupsInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  addGroupIds: [UUID!]
  removeGroupIds: [UUID!]
}

"""
A new driver token. The reference service requires both fields.
"""
input CreateDriverTokenInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  "The value that the token reader reads."
  value: String
  "The driver the token belongs to."
  driverId: UUID
}

"""
Changes to a driver token. Missing fields stay unchanged.
"""
input UpdateDriverTokenInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  "The value that the token reader reads."
  value: String
  "The driver the token belongs to."
  driverId: UUID
}

"""
A new geofence. The reference service requires name and geojson.
"""
input CreateGeofenceInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  name: String
  "The shape as a GeoJSON object (RFC 7946: longitude before latitude, WGS 84)."
  geojson: JSON
  "Colour on the map."
  color: String
  phone: String
  email: String
  address: AddressInput
  description: String
  type: String
  displayNameAsAddress: Boolean
}

"""
Changes to a geofence. Missing fields stay unchanged.
"""
input GeofenceInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  name: String
  "The shape as a GeoJSON object (RFC 7946: longitude before latitude, WGS 84)."
  geojson: JSON
  "Colour on the map."
  color: String
  phone: String
  email: String
  address: AddressInput
  description: String
  type: String
  displayNameAsAddress: Boolean
}

"""
A postal address.
"""
input AddressInput @assumed(part: INPUT, reason: "the input form of an address is not in the contract; it mirrors Address") {
  country: String
  countryCode: String
  region: String
  city: String
  postalCode: String
  address: String
}

"""
A new group. The reference service requires a name.
"""
input CreateGroupInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  name: String
  "The group above the new one. Without it, the group is at the top."
  parentId: UUID
  externalId: String
  description: String
}

"""
Changes to a group. Missing fields stay unchanged.
"""
input UpdateGroupInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  name: String
  "The group above this one; null moves the group to the top."
  parentId: UUID
  externalId: String
  description: String
}

"""
A new person. The reference service requires a first or a last name.
"""
input CreatePersonInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  firstName: String
  lastName: String
  email: String
  phone: String
  isUser: Boolean
  isDriver: Boolean
  licenseNumber: String
  licenseIssuedIn: String
  employeeId: String
  customFields: [CustomFieldInput!]
}

"""
Changes to a person. Missing fields stay unchanged.
"""
input UpdatePersonInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  firstName: String
  lastName: String
  email: String
  phone: String
  isUser: Boolean
  isDriver: Boolean
  licenseNumber: String
  licenseIssuedIn: String
  employeeId: String
  customFields: [CustomFieldInput!]
}

"""
The value of one custom field.
"""
input CustomFieldInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract; they mirror CustomField") {
  name: String
  "The new value; null clears it."
  value: String
}

"""
Changes to a vehicle. Missing fields stay unchanged.
"""
input VehicleInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  name: String
  vin: String
  licensePlate: String
  make: String
  model: String
  "Model year."
  year: Int
  deactivated: Boolean
  vehicleTypeId: UUID
  workScheduleId: UUID
  "All labels that the vehicle has after the change."
  labelIds: [UUID!]
}

"""
Which report to run, and its parameters.
"""
input WrappedReportInput @assumed(part: INPUT, reason: "the fields of this input are not in the contract") {
  "Identifier of the report, as in WrappedReportInputs.id."
  reportId: String
  "The report's parameters, as WrappedReportInputs.inputs describes them."
  inputs: JSON
}

# ---------------------------------------------------------------------------------------------------------- operations

type Query {
  "The vehicles visible to the user that are not deactivated."
  getActiveVehicles: [Vehicle]
  "All vehicles visible to the user."
  getVehicles: [Vehicle]
  "One vehicle by its id."
  getVehicleById(id: UUID!): Vehicle
  "The vehicles with this vehicle identification number."
  getVehiclesByVin("Vehicle identification number (VIN)." vin: String!): [Vehicle]
  "One tracking device by its id."
  getDeviceById(id: UUID!): Device
  "One tracking device by its serial number."
  getDeviceBySerial("Serial number of the device." serial: String!): Device @deprecated(reason: "Use getDevicesBySerial.")
  "The tracking devices with this serial number."
  getDevicesBySerial("Serial number of the device." serial: String!): [Device]
  "The driver assignments of a vehicle, of a driver, or of both together. The input must contain vehicleId or driverId."
  getDriverAssignments(input: GetDriverAssignmentsInput!): [DriverAssignment]
  "One geofence by its id."
  getGeofenceById(id: UUID!): Geofence
  "All geofences visible to the user."
  getGeofences: [Geofence]
  "All groups visible to the user."
  getGroups: [Group]
  "All labels."
  getLabels: [Label]
  "The newest snapshot of each of these vehicles."
  getLatestSnapshots(vehicleIds: [UUID!]!): [CommonFormat]
  """
  The snapshots of one vehicle over a period. A vehicle sends snapshots when something happens, not at fixed intervals. They are mostly,
  but not always, in order of time.
  """
  getSnapshots(
    vehicleId: UUID!
    "Start of the period, in UTC."
    from: DateTime!
    "End of the period, in UTC."
    to: DateTime!
  ): [CommonFormat]
  "The meta sensors visible to the user."
  getMetaSensors: [MetaSensor]
  "All people visible to the user."
  getPeople: [Person]
  "One person by their id."
  getPersonById(id: UUID!): Person
  "The custom fields of one person."
  getPersonCustomFields(personId: UUID!): [CustomField]
  "All roles."
  getRoles: [Role]
  "One event rule by its id."
  getRuleById(id: UUID!): Rule
  "All event rules."
  getRules: [Rule]
  "The users and fleets that are visible to the logged-in user."
  getUserInfo: [FleetUserInfo]
  "The custom fields of one vehicle."
  getVehicleCustomFields(vehicleId: UUID!): [CustomField]
  "The sensors mapped to one vehicle."
  getVehicleMappedSensors(vehicleId: UUID!): [Sensor]
  "All vehicle types."
  getVehicleTypes: [VehicleType]
  "One work schedule by its id."
  getWorkScheduleById(id: UUID!): WorkSchedule
  "All work schedules."
  getWorkSchedules: [WorkSchedule]
  "Runs a report and returns it."
  getWrappedReport(input: WrappedReportInput!): WrappedReport
  "The available reports and their parameters."
  getWrappedReportInputs("Only this report. Default: all reports." id: String): [WrappedReportInputs]
}

type Mutation {
  """
  Assigns a driver to a vehicle. When the vehicle or the driver already has an assignment at the given time, that assignment
  is altered or deleted. When the same vehicle and driver are already assigned to each other at that time, nothing changes.
  The start may be at most 10 days in the past. Returns true on success, otherwise an error.
  """
  assignDriver(assignDriverInput: AssignDriverInput!): Boolean
  """
  Ends the vehicle's driver assignment at the given time. With driverId, ends it only if it belongs to that driver. It is an
  error if there is no assignment at that time. Returns true on success, otherwise an error.
  """
  unassignDriver(unassignDriverInput: UnassignDriverInput!): Boolean
  "Adds a geofence to groups and removes it from groups. Returns the groups that changed."
  changeGeofenceGroups(geofenceId: UUID!, changeGeofenceGroupsInput: ChangeGeofenceGroupsInput): ChangeGeofenceGroupsOutput
  "Adds a vehicle to groups and removes it from groups. Returns the groups that changed."
  changeVehicleGroups(vehicleId: UUID!, changeVehicleGroupsInput: ChangeVehicleGroupsInput): ChangeVehicleGroupsOutput
  """
  Moves vehicles from one group to another. Returns a list of strings. The contract does not define them; the reference service
  returns the ids of the vehicles it moved.
  """
  changeVehiclesGroup(
    vehicleIds: [UUID!]!
    "The group that the vehicles leave."
    sourceGroupId: UUID!
    "The group that the vehicles join."
    destinationGroupId: UUID!
  ): [String]
  "Creates a driver token. Returns the new token."
  createDriverToken(createDriverTokenInput: CreateDriverTokenInput!): DriverToken
  "Changes a driver token. Returns the changed token."
  updateDriverToken(tokenId: UUID!, updateDriverTokenInput: UpdateDriverTokenInput!): DriverToken
  "Deletes a driver token. Returns true when it was deleted."
  deleteDriverToken(tokenId: UUID!): Boolean
  "Creates a geofence. Returns the new geofence."
  createGeofence(geofenceInput: CreateGeofenceInput!): Geofence
  "Changes a geofence. Returns the changed geofence."
  updateGeofence(geofenceId: UUID!, geofenceInput: GeofenceInput!): Geofence
  "Deletes a geofence. Returns true when it was deleted."
  deleteGeofence(geofenceId: UUID!): Boolean
  "Creates a group. Returns the new group."
  createGroup(createGroupInput: CreateGroupInput!): Group
  "Changes a group. Returns the changed group."
  updateGroup(groupId: UUID!, updateGroupInput: UpdateGroupInput!): Group
  "Deletes a group. Returns true when it was deleted."
  deleteGroup(groupId: UUID!): Boolean
  "Creates a person. Returns the new person."
  createPerson("Person data fields for the new record." personInput: CreatePersonInput!): Person
  "Changes a person. Returns the changed person."
  updatePerson(personId: UUID!, personInput: UpdatePersonInput!): Person
  "Deletes a person. Returns true when they were deleted."
  deletePerson(personId: UUID!): Boolean
  """
  Replaces all roles of a person. According to the service, this operation will be superseded by a next generation of role
  management.
  """
  setPersonCustomRoles(
    personId: UUID!
    "All roles that the person has after the change."
    roleIds: [UUID]!
  ): Boolean
  "Sets the value of one custom field of a person. Returns the changed field."
  updatePersonCustomField(personId: UUID!, field: CustomFieldInput!): CustomField
  "Changes a vehicle. Returns the changed vehicle."
  updateVehicle(vehicleId: UUID!, vehicleInput: VehicleInput!): Vehicle
  "Sets the value of one custom field of a vehicle. Returns the changed field."
  updateVehicleCustomField(vehicleId: UUID!, field: CustomFieldInput!): CustomField
}
`;
export {
  contractText
};
