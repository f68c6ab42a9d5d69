// The record types of the store. Times are epoch milliseconds, relations are ids. Records are immutable: a change creates a new
// one.

import type { VehicleKind } from '../telemetry/telemetry.js';

export interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly fleetId: string;
}

export interface CustomFieldRecord {
  readonly name: string;
  readonly value: string | null;
}

export type { VehicleKind };

export interface VehicleRecord extends Versioned {
  readonly name: string;
  readonly vin: string | null;
  readonly licensePlate: string | null;
  readonly make: string | null;
  readonly model: string | null;
  readonly year: number | null;
  readonly deactivated: boolean;
  readonly vehicleTypeId: string | null;
  readonly workScheduleId: string | null;
  readonly groupIds: readonly string[];
  readonly labelIds: readonly string[];
  readonly deviceIds: readonly string[];
  readonly customFields: readonly CustomFieldRecord[];
  /** The telemetry follows from these fields. */
  readonly kind: VehicleKind;
  readonly region: string;
  readonly deviceSince: number;
  /** When it was deactivated; null while it is in use. */
  readonly deactivatedAt: number | null;
  /** Its index among the vehicles of its fleet, from 0. */
  readonly place: number;
}

export interface DeviceRecord {
  readonly id: string;
  readonly serial: string;
  readonly deviceTypeKey: string;
  readonly enabled: boolean;
  readonly phoneNumber: string | null;
}

export interface GroupRecord extends Versioned {
  readonly name: string;
  readonly parentId: string | null;
  readonly externalId: string | null;
  readonly description: string | null;
}

export interface LabelRecord extends Versioned {
  readonly name: string;
}

export interface VehicleTypeRecord {
  readonly id: string;
  readonly name: string;
}

export interface WorkScheduleRecord extends Versioned {
  readonly name: string;
  readonly isDefault: boolean;
  /** Minutes. */
  readonly beginGrace: number;
  /** Minutes. */
  readonly endGrace: number;
  readonly periods: readonly { readonly weekday: string; readonly begin: string; readonly duration: number }[];
}

export interface PersonRecord extends Versioned {
  readonly isUser: boolean;
  readonly isDriver: boolean;
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly globalUserId: string | null;
  readonly licenseNumber: string | null;
  readonly licenseIssuedIn: string | null;
  readonly employeeId: string | null;
  readonly customFields: readonly CustomFieldRecord[];
  readonly roleIds: readonly string[];
  /** The group whose users can see the person; null: users of the whole fleet only. Not part of the contract. */
  readonly groupId: string | null;
}

export interface DriverTokenRecord extends Versioned {
  readonly value: string;
  readonly driverId: string;
  readonly lastScanTimestamp: number | null;
}

export interface RoleRecord extends Versioned {
  readonly name: string;
}

export interface AssignmentRecord extends Versioned {
  readonly vehicleId: string;
  readonly driverId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

export interface AddressRecord {
  readonly country: string | null;
  readonly countryCode: string | null;
  readonly region: string | null;
  readonly city: string | null;
  readonly postalCode: string | null;
  readonly address: string | null;
}

export interface GeofenceRecord extends Versioned {
  readonly name: string;
  readonly geojson: Readonly<Record<string, unknown>>;
  readonly color: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly address: AddressRecord | null;
  readonly description: string | null;
  readonly type: string | null;
  readonly displayNameAsAddress: boolean;
  /** Groups whose users can see the geofence; an empty list means the whole fleet. */
  readonly groupIds: readonly string[];
}

export interface RuleRecord {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly ruleType: string;
  readonly assignedVehicleIds: readonly string[];
  readonly assignedGroupIds: readonly string[];
  readonly assignedToAll: boolean;
  readonly geofenceIds: readonly string[];
}

export interface MetaSensorRecord {
  readonly name: string;
  readonly key: number;
}

/** All records of one fleet as plain data. A list may be a getter that creates it. */
export interface FleetData {
  readonly vehicles: readonly VehicleRecord[];
  readonly devices: readonly DeviceRecord[];
  readonly groups: readonly GroupRecord[];
  readonly labels: readonly LabelRecord[];
  readonly vehicleTypes: readonly VehicleTypeRecord[];
  readonly workSchedules: readonly WorkScheduleRecord[];
  readonly people: readonly PersonRecord[];
  readonly tokens: readonly DriverTokenRecord[];
  readonly roles: readonly RoleRecord[];
  readonly assignments: readonly AssignmentRecord[];
  readonly geofences: readonly GeofenceRecord[];
  readonly rules: readonly RuleRecord[];
  readonly metaSensors: readonly MetaSensorRecord[];
  readonly vehicleFieldNames: readonly string[];
  readonly personFieldNames: readonly string[];
}

/** Deleted records, which a service may keep showing. */
export interface DeletedData {
  readonly geofences: readonly GeofenceRecord[];
  readonly people: readonly PersonRecord[];
  readonly assignments: readonly AssignmentRecord[];
}

/** The state of a store as plain data, for JSON and for `restore`. Contains only fleets that have been used. */
export interface StoreSnapshot {
  readonly seed: number;
  /** How many records mutations have created; the ids of new records follow from it. */
  readonly created: number;
  readonly fleets: Readonly<Record<string, FleetData>>;
  /** The deleted records of fleets that have any. Left out when restored: none. */
  readonly deleted?: Readonly<Record<string, DeletedData>>;
}
