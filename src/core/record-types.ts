// Names for the records that the methods return with their default selection.
import type { OperationTypes } from '../generated/operation-table.js';

type Row<Name extends keyof OperationTypes> = NonNullable<
  OperationTypes[Name]['result'] extends readonly (infer Item)[] ? Item : OperationTypes[Name]['result']
>;

/** A vehicle as `getVehicles` and similar operations return it. */
export type Vehicle = Row<'getVehicles'>;
/** A tracking device as `getDeviceById` returns it. */
export type Device = Row<'getDeviceById'>;
/** A snapshot as `getSnapshots` and `getLatestSnapshots` return it. */
export type Snapshot = Row<'getSnapshots'>;
/** A driver assignment as `getDriverAssignments` returns it. */
export type DriverAssignment = Row<'getDriverAssignments'>;
/** A geofence as `getGeofences` returns it. */
export type Geofence = Row<'getGeofences'>;
/** A group as `getGroups` returns it. */
export type Group = Row<'getGroups'>;
/** A label as `getLabels` returns it. */
export type Label = Row<'getLabels'>;
/** A person as `getPeople` returns it. */
export type Person = Row<'getPeople'>;
/** A driver token as `createDriverToken` returns it. */
export type DriverToken = Row<'createDriverToken'>;
/** A role as `getRoles` returns it. */
export type Role = Row<'getRoles'>;
/** An event rule as `getRules` returns it. */
export type Rule = Row<'getRules'>;
/** A work schedule as `getWorkSchedules` returns it. */
export type WorkSchedule = Row<'getWorkSchedules'>;
/** A vehicle type as `getVehicleTypes` returns it. */
export type VehicleType = Row<'getVehicleTypes'>;
/** A custom field of a vehicle or of a person. */
export type CustomField = Row<'getVehicleCustomFields'>;
/** A meta sensor as `getMetaSensors` returns it. */
export type MetaSensor = Row<'getMetaSensors'>;
/** A sensor mapped to a vehicle, as `getVehicleMappedSensors` returns it. */
export type Sensor = Row<'getVehicleMappedSensors'>;
/** A record of `getUserInfo`. */
export type FleetUserInfo = Row<'getUserInfo'>;
/** A report as `getWrappedReport` returns it. */
export type WrappedReport = Row<'getWrappedReport'>;
/** A report's parameters as `getWrappedReportInputs` returns them. */
export type WrappedReportInputs = Row<'getWrappedReportInputs'>;
/** What `changeGeofenceGroups` returns. */
export type GeofenceGroupChange = Row<'changeGeofenceGroups'>;
/** What `changeVehicleGroups` returns. */
export type VehicleGroupChange = Row<'changeVehicleGroups'>;
