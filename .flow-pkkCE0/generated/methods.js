import { operations } from "./operation-table.js";
class FleetOperations {
  /**
   * The vehicles visible to the user that are not deactivated.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getActiveVehicles`, returns `[Vehicle]`.
   *
   * @returns The Vehicle rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getActiveVehicles(variables, options) {
    return this.execute(operations.getActiveVehicles, variables, options);
  }
  /**
   * One tracking device by its id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getDeviceById`, returns `Device`.
   *
   * @returns The Device, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getDeviceById(variables, options) {
    return this.execute(operations.getDeviceById, variables, options);
  }
  /**
   * One tracking device by its serial number.
   *
   * Variables:
   * - `serial` (`String!`): Serial number of the device.
   *
   * Contract: query `getDeviceBySerial`, returns `Device`.
   *
   * @returns The Device, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * @deprecated Use getDevicesBySerial.
   */
  getDeviceBySerial(variables, options) {
    return this.execute(operations.getDeviceBySerial, variables, options);
  }
  /**
   * The tracking devices with this serial number.
   *
   * Variables:
   * - `serial` (`String!`): Serial number of the device.
   *
   * Contract: query `getDevicesBySerial`, returns `[Device]`.
   *
   * @returns The Device rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getDevicesBySerial(variables, options) {
    return this.execute(operations.getDevicesBySerial, variables, options);
  }
  /**
   * The driver assignments of a vehicle, of a driver, or of both together. The input must contain vehicleId or driverId.
   *
   * Variables:
   * - `input` (`GetDriverAssignmentsInput!`): Which driver assignments to return. At least one of the two fields is required.
   *   - `vehicleId` (`UUID`)
   *   - `driverId` (`UUID`)
   *
   * Contract: query `getDriverAssignments`, returns `[DriverAssignment]`.
   *
   * @returns The DriverAssignment rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getDriverAssignments(variables, options) {
    return this.execute(operations.getDriverAssignments, variables, options);
  }
  /**
   * One geofence by its id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getGeofenceById`, returns `Geofence`.
   *
   * @returns The Geofence, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getGeofenceById(variables, options) {
    return this.execute(operations.getGeofenceById, variables, options);
  }
  /**
   * All geofences visible to the user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getGeofences`, returns `[Geofence]`.
   *
   * @returns The Geofence rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getGeofences(variables, options) {
    return this.execute(operations.getGeofences, variables, options);
  }
  /**
   * All groups visible to the user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getGroups`, returns `[Group]`.
   *
   * @returns The Group rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getGroups(variables, options) {
    return this.execute(operations.getGroups, variables, options);
  }
  /**
   * All labels.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getLabels`, returns `[Label]`.
   *
   * @returns The Label rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getLabels(variables, options) {
    return this.execute(operations.getLabels, variables, options);
  }
  /**
   * The newest snapshot of each of these vehicles.
   *
   * Variables:
   * - `vehicleIds` (`[UUID!]!`)
   *
   * Contract: query `getLatestSnapshots`, returns `[CommonFormat]`.
   *
   * @returns The CommonFormat rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getLatestSnapshots(variables, options) {
    return this.execute(operations.getLatestSnapshots, variables, options);
  }
  /**
   * The meta sensors visible to the user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getMetaSensors`, returns `[MetaSensor]`.
   *
   * @returns The MetaSensor rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getMetaSensors(variables, options) {
    return this.execute(operations.getMetaSensors, variables, options);
  }
  /**
   * All people visible to the user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getPeople`, returns `[Person]`.
   *
   * @returns The Person rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getPeople(variables, options) {
    return this.execute(operations.getPeople, variables, options);
  }
  /**
   * One person by their id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getPersonById`, returns `Person`.
   *
   * @returns The Person, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getPersonById(variables, options) {
    return this.execute(operations.getPersonById, variables, options);
  }
  /**
   * The custom fields of one person.
   *
   * Variables:
   * - `personId` (`UUID!`)
   *
   * Contract: query `getPersonCustomFields`, returns `[CustomField]`.
   *
   * @returns The CustomField rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getPersonCustomFields(variables, options) {
    return this.execute(operations.getPersonCustomFields, variables, options);
  }
  /**
   * All roles.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getRoles`, returns `[Role]`.
   *
   * @returns The Role rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getRoles(variables, options) {
    return this.execute(operations.getRoles, variables, options);
  }
  /**
   * One event rule by its id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getRuleById`, returns `Rule`.
   *
   * @returns The Rule, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getRuleById(variables, options) {
    return this.execute(operations.getRuleById, variables, options);
  }
  /**
   * All event rules.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getRules`, returns `[Rule]`.
   *
   * @returns The Rule rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getRules(variables, options) {
    return this.execute(operations.getRules, variables, options);
  }
  /**
   * The snapshots of one vehicle over a period. A vehicle sends snapshots when something happens, not at fixed intervals. They are mostly,
   * but not always, in order of time.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   * - `from` (`DateTime!`): Start of the period, in UTC.
   * - `to` (`DateTime!`): End of the period, in UTC.
   *
   * Contract: query `getSnapshots`, returns `[CommonFormat]`.
   *
   * @returns The CommonFormat rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getSnapshots(variables, options) {
    return this.execute(operations.getSnapshots, variables, options);
  }
  /**
   * The users and fleets that are visible to the logged-in user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getUserInfo`, returns `[FleetUserInfo]`.
   *
   * @returns The FleetUserInfo rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getUserInfo(variables, options) {
    return this.execute(operations.getUserInfo, variables, options);
  }
  /**
   * One vehicle by its id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getVehicleById`, returns `Vehicle`.
   *
   * @returns The Vehicle, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehicleById(variables, options) {
    return this.execute(operations.getVehicleById, variables, options);
  }
  /**
   * The custom fields of one vehicle.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   *
   * Contract: query `getVehicleCustomFields`, returns `[CustomField]`.
   *
   * @returns The CustomField rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehicleCustomFields(variables, options) {
    return this.execute(operations.getVehicleCustomFields, variables, options);
  }
  /**
   * The sensors mapped to one vehicle.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   *
   * Contract: query `getVehicleMappedSensors`, returns `[Sensor]`.
   *
   * @returns The Sensor rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehicleMappedSensors(variables, options) {
    return this.execute(operations.getVehicleMappedSensors, variables, options);
  }
  /**
   * All vehicles visible to the user.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getVehicles`, returns `[Vehicle]`.
   *
   * @returns The Vehicle rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehicles(variables, options) {
    return this.execute(operations.getVehicles, variables, options);
  }
  /**
   * The vehicles with this vehicle identification number.
   *
   * Variables:
   * - `vin` (`String!`): Vehicle identification number (VIN).
   *
   * Contract: query `getVehiclesByVin`, returns `[Vehicle]`.
   *
   * @returns The Vehicle rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehiclesByVin(variables, options) {
    return this.execute(operations.getVehiclesByVin, variables, options);
  }
  /**
   * All vehicle types.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getVehicleTypes`, returns `[VehicleType]`.
   *
   * @returns The VehicleType rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getVehicleTypes(variables, options) {
    return this.execute(operations.getVehicleTypes, variables, options);
  }
  /**
   * One work schedule by its id.
   *
   * Variables:
   * - `id` (`UUID!`)
   *
   * Contract: query `getWorkScheduleById`, returns `WorkSchedule`.
   *
   * @returns The WorkSchedule, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getWorkScheduleById(variables, options) {
    return this.execute(operations.getWorkScheduleById, variables, options);
  }
  /**
   * All work schedules.
   *
   * It has no variables: options come after `{}`.
   *
   * Contract: query `getWorkSchedules`, returns `[WorkSchedule]`.
   *
   * @returns The WorkSchedule rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getWorkSchedules(variables, options) {
    return this.execute(operations.getWorkSchedules, variables, options);
  }
  /**
   * Runs a report and returns it.
   *
   * Variables:
   * - `input` (`WrappedReportInput!`): Which report to run, and its parameters. Members the contract does not show are assumed; other keys are sent too.
   *   - `reportId` (`String`): Identifier of the report, as in WrappedReportInputs.id.
   *   - `inputs` (`JSON`): The report's parameters, as WrappedReportInputs.inputs describes them.
   *
   * Contract: query `getWrappedReport`, returns `WrappedReport`.
   *
   * @returns The WrappedReport, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getWrappedReport(variables, options) {
    return this.execute(operations.getWrappedReport, variables, options);
  }
  /**
   * The available reports and their parameters.
   *
   * Variables:
   * - `id` (`String`, optional): Only this report. Default: all reports.
   *
   * Contract: query `getWrappedReportInputs`, returns `[WrappedReportInputs]`.
   *
   * @returns The WrappedReportInputs rows, default selection or `select`; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   */
  getWrappedReportInputs(variables, options) {
    return this.execute(operations.getWrappedReportInputs, variables, options);
  }
  /**
   * Assigns a driver to a vehicle. When the vehicle or the driver already has an assignment at the given time, that assignment
   * is altered or deleted. When the same vehicle and driver are already assigned to each other at that time, nothing changes.
   * The start may be at most 10 days in the past. Returns true on success, otherwise an error.
   *
   * Variables:
   * - `assignDriverInput` (`AssignDriverInput!`): A new driver assignment.
   *   - `vehicleId` (`UUID!`)
   *   - `driverId` (`UUID!`)
   *   - `startTimestamp` (`DateTime`): When the assignment starts. Default: now. At most 10 days in the past.
   *   - `endTimestamp` (`DateTime`): When the assignment ends. Without it, the assignment is active and ongoing.
   *
   * Contract: mutation `assignDriver`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  assignDriver(variables, options) {
    return this.execute(operations.assignDriver, variables, options);
  }
  /**
   * Adds a geofence to groups and removes it from groups. Returns the groups that changed.
   *
   * Variables:
   * - `geofenceId` (`UUID!`)
   * - `changeGeofenceGroupsInput` (`ChangeGeofenceGroupsInput`, optional): The groups that a geofence joins and leaves. Members the contract does not show are assumed; other keys are sent too.
   *   - `addGroupIds` (`[UUID!]`)
   *   - `removeGroupIds` (`[UUID!]`)
   *
   * Contract: mutation `changeGeofenceGroups`, returns `ChangeGeofenceGroupsOutput`.
   *
   * @returns The ChangeGeofenceGroupsOutput, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  changeGeofenceGroups(variables, options) {
    return this.execute(operations.changeGeofenceGroups, variables, options);
  }
  /**
   * Adds a vehicle to groups and removes it from groups. Returns the groups that changed.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   * - `changeVehicleGroupsInput` (`ChangeVehicleGroupsInput`, optional): The groups that a vehicle joins and leaves. Members the contract does not show are assumed; other keys are sent too.
   *   - `addGroupIds` (`[UUID!]`)
   *   - `removeGroupIds` (`[UUID!]`)
   *
   * Contract: mutation `changeVehicleGroups`, returns `ChangeVehicleGroupsOutput`.
   *
   * @returns The ChangeVehicleGroupsOutput, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  changeVehicleGroups(variables, options) {
    return this.execute(operations.changeVehicleGroups, variables, options);
  }
  /**
   * Moves vehicles from one group to another. Returns a list of strings. The contract does not define them; the reference service
   * returns the ids of the vehicles it moved.
   *
   * Variables:
   * - `vehicleIds` (`[UUID!]!`)
   * - `sourceGroupId` (`UUID!`): The group that the vehicles leave.
   * - `destinationGroupId` (`UUID!`): The group that the vehicles join.
   *
   * Contract: mutation `changeVehiclesGroup`, returns `[String]`.
   *
   * @returns The values; an empty array when there are none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  changeVehiclesGroup(variables, options) {
    return this.execute(operations.changeVehiclesGroup, variables, options);
  }
  /**
   * Creates a driver token. Returns the new token.
   *
   * Variables:
   * - `createDriverTokenInput` (`CreateDriverTokenInput!`): A new driver token. The reference service requires both fields. Members the contract does not show are assumed; other keys are sent too.
   *   - `value` (`String`): The value that the token reader reads.
   *   - `driverId` (`UUID`): The driver the token belongs to.
   *
   * Contract: mutation `createDriverToken`, returns `DriverToken`.
   *
   * @returns The DriverToken, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  createDriverToken(variables, options) {
    return this.execute(operations.createDriverToken, variables, options);
  }
  /**
   * Creates a geofence. Returns the new geofence.
   *
   * Variables:
   * - `geofenceInput` (`CreateGeofenceInput!`): A new geofence. The reference service requires name and geojson. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `geojson` (`JSON`): The shape as a GeoJSON object (RFC 7946: longitude before latitude, WGS 84).
   *   - `color` (`String`): Colour on the map.
   *   - `phone` (`String`)
   *   - `email` (`String`)
   *   - `address` (`AddressInput`)
   *   - `description` (`String`)
   *   - `type` (`String`)
   *   - `displayNameAsAddress` (`Boolean`)
   *
   * Contract: mutation `createGeofence`, returns `Geofence`.
   *
   * @returns The Geofence, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  createGeofence(variables, options) {
    return this.execute(operations.createGeofence, variables, options);
  }
  /**
   * Creates a group. Returns the new group.
   *
   * Variables:
   * - `createGroupInput` (`CreateGroupInput!`): A new group. The reference service requires a name. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `parentId` (`UUID`): The group above the new one. Without it, the group is at the top.
   *   - `externalId` (`String`)
   *   - `description` (`String`)
   *
   * Contract: mutation `createGroup`, returns `Group`.
   *
   * @returns The Group, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  createGroup(variables, options) {
    return this.execute(operations.createGroup, variables, options);
  }
  /**
   * Creates a person. Returns the new person.
   *
   * Variables:
   * - `personInput` (`CreatePersonInput!`): Person data fields for the new record. Members the contract does not show are assumed; other keys are sent too.
   *   - `firstName` (`String`)
   *   - `lastName` (`String`)
   *   - `email` (`String`)
   *   - `phone` (`String`)
   *   - `isUser` (`Boolean`)
   *   - `isDriver` (`Boolean`)
   *   - `licenseNumber` (`String`)
   *   - `licenseIssuedIn` (`String`)
   *   - `employeeId` (`String`)
   *   - `customFields` (`[CustomFieldInput!]`)
   *
   * Contract: mutation `createPerson`, returns `Person`.
   *
   * @returns The Person, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  createPerson(variables, options) {
    return this.execute(operations.createPerson, variables, options);
  }
  /**
   * Deletes a driver token. Returns true when it was deleted.
   *
   * Variables:
   * - `tokenId` (`UUID!`)
   *
   * Contract: mutation `deleteDriverToken`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  deleteDriverToken(variables, options) {
    return this.execute(operations.deleteDriverToken, variables, options);
  }
  /**
   * Deletes a geofence. Returns true when it was deleted.
   *
   * Variables:
   * - `geofenceId` (`UUID!`)
   *
   * Contract: mutation `deleteGeofence`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  deleteGeofence(variables, options) {
    return this.execute(operations.deleteGeofence, variables, options);
  }
  /**
   * Deletes a group. Returns true when it was deleted.
   *
   * Variables:
   * - `groupId` (`UUID!`)
   *
   * Contract: mutation `deleteGroup`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  deleteGroup(variables, options) {
    return this.execute(operations.deleteGroup, variables, options);
  }
  /**
   * Deletes a person. Returns true when they were deleted.
   *
   * Variables:
   * - `personId` (`UUID!`)
   *
   * Contract: mutation `deletePerson`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  deletePerson(variables, options) {
    return this.execute(operations.deletePerson, variables, options);
  }
  /**
   * Replaces all roles of a person. According to the service, this operation will be superseded by a next generation of role
   * management.
   *
   * Variables:
   * - `personId` (`UUID!`)
   * - `roleIds` (`[UUID]!`): All roles that the person has after the change.
   *
   * Contract: mutation `setPersonCustomRoles`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  setPersonCustomRoles(variables, options) {
    return this.execute(operations.setPersonCustomRoles, variables, options);
  }
  /**
   * Ends the vehicle's driver assignment at the given time. With driverId, ends it only if it belongs to that driver. It is an
   * error if there is no assignment at that time. Returns true on success, otherwise an error.
   *
   * Variables:
   * - `unassignDriverInput` (`UnassignDriverInput!`): Which driver assignment to end. Members the contract does not show are assumed; other keys are sent too.
   *   - `vehicleId` (`UUID!`)
   *   - `driverId` (`UUID`): If set, the assignment ends only if it belongs to this driver.
   *   - `timestamp` (`DateTime`): When the assignment ends. Default: now.
   *
   * Contract: mutation `unassignDriver`, returns `Boolean`.
   *
   * @returns The value, or null when the service gave none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  unassignDriver(variables, options) {
    return this.execute(operations.unassignDriver, variables, options);
  }
  /**
   * Changes a driver token. Returns the changed token.
   *
   * Variables:
   * - `tokenId` (`UUID!`)
   * - `updateDriverTokenInput` (`UpdateDriverTokenInput!`): Changes to a driver token. Missing fields stay unchanged. Members the contract does not show are assumed; other keys are sent too.
   *   - `value` (`String`): The value that the token reader reads.
   *   - `driverId` (`UUID`): The driver the token belongs to.
   *
   * Contract: mutation `updateDriverToken`, returns `DriverToken`.
   *
   * @returns The DriverToken, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updateDriverToken(variables, options) {
    return this.execute(operations.updateDriverToken, variables, options);
  }
  /**
   * Changes a geofence. Returns the changed geofence.
   *
   * Variables:
   * - `geofenceId` (`UUID!`)
   * - `geofenceInput` (`GeofenceInput!`): Changes to a geofence. Missing fields stay unchanged. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `geojson` (`JSON`): The shape as a GeoJSON object (RFC 7946: longitude before latitude, WGS 84).
   *   - `color` (`String`): Colour on the map.
   *   - `phone` (`String`)
   *   - `email` (`String`)
   *   - `address` (`AddressInput`)
   *   - `description` (`String`)
   *   - `type` (`String`)
   *   - `displayNameAsAddress` (`Boolean`)
   *
   * Contract: mutation `updateGeofence`, returns `Geofence`.
   *
   * @returns The Geofence, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updateGeofence(variables, options) {
    return this.execute(operations.updateGeofence, variables, options);
  }
  /**
   * Changes a group. Returns the changed group.
   *
   * Variables:
   * - `groupId` (`UUID!`)
   * - `updateGroupInput` (`UpdateGroupInput!`): Changes to a group. Missing fields stay unchanged. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `parentId` (`UUID`): The group above this one; null moves the group to the top.
   *   - `externalId` (`String`)
   *   - `description` (`String`)
   *
   * Contract: mutation `updateGroup`, returns `Group`.
   *
   * @returns The Group, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updateGroup(variables, options) {
    return this.execute(operations.updateGroup, variables, options);
  }
  /**
   * Changes a person. Returns the changed person.
   *
   * Variables:
   * - `personId` (`UUID!`)
   * - `personInput` (`UpdatePersonInput!`): Changes to a person. Missing fields stay unchanged. Members the contract does not show are assumed; other keys are sent too.
   *   - `firstName` (`String`)
   *   - `lastName` (`String`)
   *   - `email` (`String`)
   *   - `phone` (`String`)
   *   - `isUser` (`Boolean`)
   *   - `isDriver` (`Boolean`)
   *   - `licenseNumber` (`String`)
   *   - `licenseIssuedIn` (`String`)
   *   - `employeeId` (`String`)
   *   - `customFields` (`[CustomFieldInput!]`)
   *
   * Contract: mutation `updatePerson`, returns `Person`.
   *
   * @returns The Person, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updatePerson(variables, options) {
    return this.execute(operations.updatePerson, variables, options);
  }
  /**
   * Sets the value of one custom field of a person. Returns the changed field.
   *
   * Variables:
   * - `personId` (`UUID!`)
   * - `field` (`CustomFieldInput!`): The value of one custom field. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `value` (`String`): The new value; null clears it.
   *
   * Contract: mutation `updatePersonCustomField`, returns `CustomField`.
   *
   * @returns The CustomField, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updatePersonCustomField(variables, options) {
    return this.execute(operations.updatePersonCustomField, variables, options);
  }
  /**
   * Changes a vehicle. Returns the changed vehicle.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   * - `vehicleInput` (`VehicleInput!`): Changes to a vehicle. Missing fields stay unchanged. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `vin` (`String`)
   *   - `licensePlate` (`String`)
   *   - `make` (`String`)
   *   - `model` (`String`)
   *   - `year` (`Int`): Model year.
   *   - `deactivated` (`Boolean`)
   *   - `vehicleTypeId` (`UUID`)
   *   - `workScheduleId` (`UUID`)
   *   - `labelIds` (`[UUID!]`): All labels that the vehicle has after the change.
   *
   * Contract: mutation `updateVehicle`, returns `Vehicle`.
   *
   * @returns The Vehicle, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updateVehicle(variables, options) {
    return this.execute(operations.updateVehicle, variables, options);
  }
  /**
   * Sets the value of one custom field of a vehicle. Returns the changed field.
   *
   * Variables:
   * - `vehicleId` (`UUID!`)
   * - `field` (`CustomFieldInput!`): The value of one custom field. Members the contract does not show are assumed; other keys are sent too.
   *   - `name` (`String`)
   *   - `value` (`String`): The new value; null clears it.
   *
   * Contract: mutation `updateVehicleCustomField`, returns `CustomField`.
   *
   * @returns The CustomField, default selection or `select`; null when there is none.
   * @throws {FleetError} one of its classes, told apart by `code`.
   * An AMBIGUOUS_MUTATION means that the change may or may not have been made.
   */
  updateVehicleCustomField(variables, options) {
    return this.execute(operations.updateVehicleCustomField, variables, options);
  }
}
export {
  FleetOperations
};
